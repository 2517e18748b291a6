"""Two runs of the same solvers and data sets: what became faster, what slower, and what cannot be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from megadoku.reports import numbers
from megadoku.reports.runs import Run, Sample, read_run
from megadoku.reports.statistics import Estimate, noise_of
from megadoku.reports.statistics_pairs import Pair, holm, pair
from megadoku.reports.tables import Field, Table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Verdict = Literal["faster", "slower", "no difference that can be shown", "times not compared"]

OPTIONS: dict[Literal["limit", "max_nodes", "timeout_s"], str] = {
    "limit": "how many solutions they look for",
    "max_nodes": "the nodes that a puzzle may cost",
    "timeout_s": "the seconds that a puzzle may cost",
}
MACHINE_KEYS = ("cpu", "architecture", "cores_logical", "memory_bytes")
BRIEF: dict[str, str] = {
    "faster": "faster",
    "slower": "slower",
    "no difference that can be shown": "none shown",
    "times not compared": "not compared",
}
VERDICTS: dict[str, Verdict] = {"faster": "faster", "slower": "slower", "tie": "no difference that can be shown"}


@dataclass(frozen=True)
class Change:
    """One solver on one data set, before and after, on the puzzles that both runs hold."""

    dataset: str
    solver: str
    puzzles: int
    time_ratio: Estimate | None  # after over before: above one, it became slower; none where machines differ
    verdict: Verdict
    nodes_before: int
    nodes_after: int
    other_nodes: int  # puzzles whose node count is another one
    newly_unsolved: int  # puzzles that were solved before and are not now

    @property
    def percent(self) -> float | None:
        """How much longer it takes."""
        return None if self.time_ratio is None else 100 * (self.time_ratio.value - 1)

    def worse_than(self, percent: float) -> bool:
        """Surely slower by more than that, searching more by more than that, or solving less."""
        slower = self.verdict == "slower" and (self.percent or 0) > percent
        return slower or self.nodes_after > self.nodes_before * (1 + percent / 100) or self.newly_unsolved > 0


@dataclass(frozen=True)
class Comparison:
    """What changed from one run to another."""

    before: str
    after: str
    changes: list[Change]
    warnings: list[str]

    def worse_than(self, percent: float) -> list[Change]:
        return [change for change in self.changes if change.worse_than(percent)]

    def table(self) -> Table[Change]:
        return Table(f"From {self.before} to {self.after}", FIELDS, self.changes)


FIELDS: list[Field[Change]] = [
    Field("dataset", "data set", lambda row: row.dataset, text=True),
    Field("solver", "solver", lambda row: row.solver, text=True),
    Field("puzzles", "puzzles", lambda row: row.puzzles, numbers.whole, help="that both runs hold", wide=True),
    Field(
        "time_ratio", "time", lambda row: row.time_ratio, numbers.change, help="after over before, with 95% interval"
    ),
    Field("verdict", "verdict", lambda row: row.verdict, brief=BRIEF.__getitem__, text=True),
    Field("nodes_before", "nodes before", lambda row: row.nodes_before, numbers.whole),
    Field("nodes_after", "nodes after", lambda row: row.nodes_after, numbers.whole),
    Field(
        "other_nodes",
        "other nodes",
        lambda row: row.other_nodes,
        numbers.whole,
        help="puzzles with another count",
        rare=True,
    ),
    Field("newly_unsolved", "newly unsolved", lambda row: row.newly_unsolved, numbers.whole, rare=True),
]


def compare(run_a: Path, run_b: Path) -> Comparison:
    """From run A to run B. Times of different machines are not compared; node counts always are, exactly."""
    return compare_runs(read_run(run_a), read_run(run_b))


def compare_runs(before: Run, after: Run) -> Comparison:
    warnings = list(_warnings(before, after))
    timed = _same_machine(before, after)
    keys = [(dataset, solver) for dataset in before.datasets for solver in before.solvers]
    shared = [key for key in keys if key in before.samples and key in after.samples]
    shared = [key for key in shared if _same_puzzles(before, after, key[0])]
    noise = noise_of([*before.samples.values(), *after.samples.values()])
    pairs = holm([pair(after.samples[key], before.samples[key], noise) for key in shared])
    changes = [
        _change(before.samples[key], after.samples[key], known, timed=timed)
        for key, known in zip(shared, pairs, strict=True)
    ]
    return Comparison(before.label, after.label, changes, warnings)


def _change(before: Sample, after: Sample, known: Pair, *, timed: bool) -> Change:
    _, old, new = np.intersect1d(before.rows, after.rows, assume_unique=True, return_indices=True)
    before, after = before.at(old), after.at(new)
    return Change(
        dataset=after.dataset,
        solver=after.solver,
        puzzles=known.puzzles,
        time_ratio=known.speedup.inverse() if timed else None,
        verdict=VERDICTS[known.verdict] if timed else "times not compared",
        nodes_before=int(before.nodes.sum()),
        nodes_after=int(after.nodes.sum()),
        other_nodes=int((before.nodes != after.nodes).sum()),
        newly_unsolved=int((before.answered & ~after.answered).sum()),
    )


def _warnings(before: Run, after: Run) -> Iterator[str]:
    if not _same_machine(before, after):
        yield "The runs are from different machines: only node counts are compared."
    for dataset in before.datasets:
        if dataset not in after.datasets:
            yield f"{dataset} is only in {before.label}."
        elif not _same_puzzles(before, after, dataset):
            yield f"{dataset} holds other puzzles in {after.label} than in {before.label}: not compared."
    missing = [name for name in before.solvers if name not in after.solvers]
    if missing:
        yield f"Only in {before.label}: {', '.join(missing)}."
    for option, meaning in OPTIONS.items():
        if before.info[option] != after.info[option]:
            values = f"{before.info[option]}, then {after.info[option]}"
            yield f"The runs differ in {meaning} ({values}): so may the figures."


def _same_machine(before: Run, after: Run) -> bool:
    return all(before.info["machine"].get(key) == after.info["machine"].get(key) for key in MACHINE_KEYS)


def _same_puzzles(before: Run, after: Run, dataset: str) -> bool:
    return before.checksum(dataset) == after.checksum(dataset)
