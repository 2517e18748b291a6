"""What is this file? Everything a person wants to know of it in seconds, as one plain value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from megadoku.datasets.difficulty import LEVELS, levels
from megadoku.datasets.logic import clashing, is_full
from megadoku.datasets.reader import Source, read_blocks
from megadoku.datasets.symmetry import fingerprints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from megadoku.datasets.block import Block
    from megadoku.datasets.generator import Solve

EXAMPLES = 5
SAMPLE = 1_000  # puzzles that are solved
COMPARED = 5_000_000  # puzzles that are compared with each other: 8 bytes each are remembered


@dataclass
class Inspection:
    """What was found."""

    sources: list[Source] = field(default_factory=list)
    rows: int = 0
    refused: int = 0
    examples: list[str] = field(default_factory=list)  # of refused rows: where and why
    clues: dict[int, int] = field(default_factory=dict)  # how many clues → how many puzzles
    clashing: int = 0  # puzzles whose givens clash
    known: int = 0  # rows that come with a solution
    wrong: int = 0  # … that is no completion of the puzzle
    duplicates: int = 0  # rows that stand there already, among the first `compared`
    compared: int = 0
    sample: int = 0  # puzzles that the following figures are about, drawn at random
    alike: int = 0  # that are others of the sample up to relabelling and symmetry; full grids are not compared
    counts: dict[str, int] = field(default_factory=dict)  # unique, multiple, unsolvable; undecided: clash or budget
    takes: dict[str, int] = field(default_factory=dict)  # singles, locked, search: what is enough to solve it
    nodes: dict[str, int] = field(default_factory=dict)  # of the solver: median, p95, most


def inspect(
    inputs: Sequence[str],
    *,
    solve: Solve | None = None,
    column: str | None = None,
    format: str | None = None,  # noqa: A002
    sample: int = SAMPLE,
    seed: int = 0,
) -> Inspection:
    """Read everything once, and solve a random sample if a solver is handed in."""
    found = Inspection()
    drawn = _Sample(sample, seed)
    hashes: list[NDArray[np.uint64]] = []
    for block in read_blocks(inputs, column=column, format=format, on_source=found.sources.append):
        grids = block.grids[block.accepted]
        _count(block, grids, found)
        drawn.add(grids)
        if found.compared < COMPARED:
            hashes.append(_hashes(grids))
            found.compared += len(grids)
    found.duplicates = found.compared - len(np.unique(np.concatenate(hashes))) if hashes else 0
    _describe_sample(drawn.grids, found, solve)
    return found


def _count(block: Block, grids: NDArray[np.uint8], found: Inspection) -> None:
    found.rows += len(block)
    found.refused += len(block.refused)
    for at, reason in block.refused.items():
        if len(found.examples) == EXAMPLES:
            break
        found.examples.append(f"{block.source}, line {block.lines[at]}: {reason}")
    found.clashing += int(clashing(grids).sum())
    for clues, count in enumerate(np.bincount(np.count_nonzero(grids, axis=1)).tolist()):
        if count:
            found.clues[clues] = found.clues.get(clues, 0) + count
    if block.known is not None:
        known = block.known[block.accepted]
        there = known.any(axis=1)
        right = is_full(known) & ~clashing(known) & ((grids == 0) | (grids == known)).all(axis=1)
        found.known += int(there.sum())
        found.wrong += int((there & ~right).sum())


class _Sample:
    """A random choice of rows that is not known how many there are of: the rows with the smallest lots."""

    def __init__(self, size: int, seed: int) -> None:
        self._size = size
        self._rng = np.random.default_rng(seed)
        self._lots = np.zeros(0)
        self.grids = np.zeros((0, 81), np.uint8)

    def add(self, grids: NDArray[np.uint8]) -> None:
        lots = np.concatenate([self._lots, self._rng.random(len(grids))])
        keep = np.sort(np.argsort(lots, kind="stable")[: self._size])
        before = len(self._lots)
        self._lots = lots[keep]
        self.grids = np.concatenate([self.grids[keep[keep < before]], grids[keep[keep >= before] - before]])


def _hashes(grids: NDArray[np.uint8]) -> NDArray[np.uint64]:
    factors = np.random.default_rng(81).integers(1, 2**63, 81, np.uint64) | np.uint64(1)
    return grids.astype(np.uint64) @ factors


def _describe_sample(grids: NDArray[np.uint8], found: Inspection, solve: Solve | None) -> None:
    found.sample = len(grids)
    if not len(grids):
        return
    distinct = np.unique(grids[~is_full(grids)], axis=0)
    found.alike = len(distinct) - len(np.unique(fingerprints(distinct)))
    if solve is None:
        return
    answers = solve(grids, 2)
    decided = np.ones(len(grids), np.bool_)
    decided[list(answers.reasons)] = False
    names = ("unsolvable", "unique", "multiple")
    found.counts = {name: int((decided & (answers.counts == count)).sum()) for count, name in enumerate(names)}
    found.counts["undecided"] = int((~decided).sum())
    unique = decided & (answers.counts == 1)
    found.takes = dict(zip(LEVELS, np.bincount(levels(grids[unique]), minlength=3).tolist(), strict=True))
    nodes = answers.nodes
    found.nodes = {"median": int(np.median(nodes)), "p95": int(np.quantile(nodes, 0.95)), "most": int(nodes.max())}
