"""Puzzles that stand out: hardest for all, hard for one and easy for another, or not solved by somebody."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from megadoku.reports import numbers

if TYPE_CHECKING:
    from megadoku.reports.analysis import Contest
    from megadoku.reports.runs import Floats, Sample

OF_EACH_KIND = 4


@dataclass(frozen=True)
class Fared:
    """How one solver fared on one puzzle."""

    solver: str
    outcome: str
    time: str
    nodes: str


@dataclass(frozen=True)
class Puzzle:
    """One that stands out."""

    row: int
    puzzle: str
    solution: str | None
    why: str
    fared: list[Fared]

    @property
    def clues(self) -> int:
        return sum(mark not in ".0" for mark in self.puzzle)


def outstanding(contest: Contest) -> list[Puzzle]:
    """A dozen at most, with the reason; none where the run kept no puzzles."""
    kept = contest.run.puzzles(contest.dataset)
    rows = reduce(np.intersect1d, [sample.rows for sample in contest.samples])
    rows = rows[np.isin(rows, kept.index)]
    samples = [sample.at(np.searchsorted(sample.rows, rows)) for sample in contest.samples]
    if not len(rows):
        return []
    found = []
    for place, why in _chosen(samples).items():
        puzzle, solution = kept.loc[rows[place], ["puzzle", "solution"]]
        found.append(Puzzle(int(rows[place]), str(puzzle), solution, why, _fared(samples, place)))
    return found


def _chosen(samples: list[Sample]) -> dict[int, str]:
    """By place, why it was chosen; the first reason stands."""
    usual = np.stack([np.log(sample.spent / np.median(sample.spent)) for sample in samples])  # (solvers, puzzles)
    unsolved = np.sum([~sample.answered for sample in samples], axis=0)
    chosen: dict[int, str] = {}
    for place in _highest(unsolved.astype(float)):
        if unsolved[place]:
            chosen.setdefault(place, f"not solved by {unsolved[place]} of {len(samples)}")
    for place in _highest(usual.mean(axis=0)):
        chosen.setdefault(place, f"hard for all: {numbers.number(np.exp(usual[:, place].mean()))} times the usual time")
    if len(samples) > 1:
        for place in _highest(np.ptp(usual, axis=0)):
            worst, best = samples[int(usual[:, place].argmax())], samples[int(usual[:, place].argmin())]
            chosen.setdefault(place, f"far harder for {worst.solver} than for {best.solver}")
    return chosen


def _highest(scores: Floats) -> list[int]:
    return [int(place) for place in np.argsort(-scores, kind="stable")[:OF_EACH_KIND]]


def _fared(samples: list[Sample], place: int) -> list[Fared]:
    fared = []
    for sample in sorted(samples, key=lambda sample: float(sample.par2[place])):
        outcome = "failed" if sample.failed[place] else "ran out" if sample.exhausted[place] else "solved"
        time = numbers.plain_seconds(float(sample.spent[place]))
        fared.append(Fared(sample.solver, outcome, time, numbers.whole(int(sample.nodes[place]))))
    return fared
