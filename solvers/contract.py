"""The contract between a solver and everybody else: grids go in, Answers come out.

A strategy that looks at one puzzle at a time subclasses `Strategy` and writes one method, `search`. It places digits,
counts them in the `Tally` it is handed, and reports full grids to it; the tally knows the limit and the budget and
says when to stop. A strategy that solves whole blocks (SIMD, compiled) subclasses `Solver` and writes `solve_block`.
"""

from __future__ import annotations

import abc
import enum
import itertools
import math
import operator
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from megadoku.solvers.board import clashes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

NODES_BETWEEN_CLOCK_READINGS = 512
nanoseconds = time.perf_counter_ns  # held here, so that a solver that meddles with the clock finds it too late


class Status(enum.IntEnum):
    """What became of a puzzle. Arrays hold the number; people and files see the name."""

    SOLVED = 1  # a solution was found, uniqueness not asked
    UNIQUE = 2
    MULTIPLE = 3
    UNSOLVABLE = 4
    INVALID = 5  # not a puzzle: malformed, or givens that clash
    EXHAUSTED = 6  # the budget was spent first
    FAILED = 7  # the solver raised, crashed, or gave a grid that the checker refuses

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Budget:
    """What one puzzle may cost; None is no bound."""

    nodes: int | None = None
    seconds: float | None = None


NO_BUDGET = Budget()
NO_BATCH = itertools.repeat(None, 0)


@dataclass
class Answers:
    """What a solver says of a block, one entry a puzzle; `reasons` has the invalid, exhausted and failed ones."""

    solutions: NDArray[np.uint8]  # (n, 81), all zero where none was found
    counts: NDArray[np.int64]  # solutions found, never more than the limit
    status: NDArray[np.uint8]  # Status numbers
    nodes: NDArray[np.int64]
    backtracks: NDArray[np.int64]
    elapsed_ns: NDArray[np.int64]
    reasons: dict[int, str] = field(default_factory=dict)

    @classmethod
    def blank(cls, n: int) -> Answers:
        return cls(
            solutions=np.zeros((n, 81), np.uint8),
            counts=np.zeros(n, np.int64),
            status=np.full(n, Status.UNSOLVABLE, np.uint8),
            nodes=np.zeros(n, np.int64),
            backtracks=np.zeros(n, np.int64),
            elapsed_ns=np.zeros(n, np.int64),
        )

    def __len__(self) -> int:
        return len(self.status)

    def refuse(self, position: int, status: Status, reason: str) -> None:
        """Take the solution of one puzzle away and say why."""
        self.solutions[position] = 0
        self.counts[position] = 0
        self.status[position] = status
        self.reasons[position] = reason


def verdict(count: int, limit: int) -> Status:
    """The status of a search that ended by itself after finding `count` solutions."""
    if count == 0:
        return Status.UNSOLVABLE
    if limit == 1:
        return Status.SOLVED
    return Status.UNIQUE if count == 1 else Status.MULTIPLE


class BudgetSpentError(Exception):
    """Raised out of a search by its tally."""


class Tally:
    """Counts one search and decides when it is over.

    A search calls `node()` for each digit it places, adds to `deduced` for each it fills in without searching, and
    calls `found` with each full grid; `found` answers whether that was enough.

    `node` is called millions of times, so it is no Python function: it takes the next item of an iterator of handed
    out nodes. They are handed out a batch at a time, and the budget is looked at between two batches:

        batches:  [1 … 512] clock? [513 … 1024] clock? [1025 … 1300] the 1,301st raises
    """

    __slots__ = ("_batch", "_handed_out", "budget", "count", "deduced", "limit", "node", "solution")

    def __init__(self, limit: int, budget: Budget | None) -> None:
        self.limit = limit
        self.count = 0
        self.deduced = 0
        self.solution = b""
        self.budget = budget or NO_BUDGET
        self._handed_out = 0
        self._batch = NO_BATCH
        self.node: Callable[[], None] = itertools.chain.from_iterable(self._batches()).__next__

    @property
    def nodes(self) -> int:
        return self._handed_out - operator.length_hint(self._batch)

    def found(self, grid: list[int]) -> bool:
        """A solution: keep the first. True when no more are wanted."""
        if self.count == 0:
            self.solution = bytes(grid)
        self.count += 1
        return self.count >= self.limit

    def _batches(self) -> Iterator[Iterator[None]]:
        allowed = sys.maxsize if self.budget.nodes is None else self.budget.nodes
        seconds = math.inf if self.budget.seconds is None else self.budget.seconds
        deadline = time.perf_counter() + seconds
        while self._handed_out < allowed:
            size = min(NODES_BETWEEN_CLOCK_READINGS, allowed - self._handed_out)
            self._handed_out += size
            self._batch = itertools.repeat(None, size)
            yield self._batch
            if time.perf_counter() > deadline:
                raise BudgetSpentError(f"time budget of {seconds:g} s spent")
        raise BudgetSpentError(f"node budget of {allowed:,} spent")


class Solver(abc.ABC):
    """One strategy. Whatever it keeps between calls must not change its answers."""

    releases_gil: ClassVar[bool] = False  # True: threads run it in parallel; False: it wants processes
    times_each: ClassVar[bool] = False  # True: each puzzle has its own time; False: its share of the block's
    counts_nodes: ClassVar[bool] = True  # False: what it searches cannot be seen from here; nodes are 0
    repeatable: ClassVar[bool] = True  # False: which of several solutions it gives depends on what it solved before
    counts_to: ClassVar[int] = sys.maxsize  # the highest limit it can be asked for

    @abc.abstractmethod
    def solve_block(self, grids: NDArray[np.uint8], limit: int = 1, budget: Budget | None = None) -> Answers:
        """Answer every puzzle of an ``(n, 81) uint8`` block; nothing in one puzzle disturbs another."""


class Strategy(Solver):
    """A solver that takes one puzzle at a time; subclasses write `search`."""

    times_each = True

    @abc.abstractmethod
    def search(self, grid: list[int], tally: Tally) -> Any:
        """Fill `grid` in every way until `tally.found` says that it is enough. The givens are known not to clash.

        At every moment the grid shows the digits that stand, and 0 where one was taken back: what was placed and
        stands no more when the search ends is the number of backtracks, so that no search need count them.
        """

    def solve_block(self, grids: NDArray[np.uint8], limit: int = 1, budget: Budget | None = None) -> Answers:
        answers = admit(grids, limit, self.counts_to)
        empty = (grids == 0).sum(axis=1).tolist()
        for position in np.flatnonzero(answers.status != Status.INVALID).tolist():
            self._solve_one(grids[position].tolist(), empty[position], position, answers, Tally(limit, budget))
        return answers

    def _solve_one(self, grid: list[int], empty: int, position: int, answers: Answers, tally: Tally) -> None:
        started = nanoseconds()
        try:
            self.search(grid, tally)
            status = verdict(tally.count, tally.limit)
        except BudgetSpentError as spent:
            status = Status.EXHAUSTED
            answers.reasons[position] = str(spent)
        elapsed_ns = nanoseconds() - started
        still_empty = grid.count(0) if tally.count < tally.limit else 0
        nodes, standing = tally.nodes, empty - still_empty - tally.deduced
        answers.elapsed_ns[position] = elapsed_ns
        answers.status[position] = status
        answers.counts[position] = tally.count
        answers.nodes[position] = nodes
        answers.backtracks[position] = nodes - standing
        if tally.solution:
            answers.solutions[position] = np.frombuffer(tally.solution, np.uint8)


def admit(grids: NDArray[np.uint8], limit: int, counts_to: int = sys.maxsize) -> Answers:
    """Blank answers for a block, the puzzles that are none already marked invalid with the reason."""
    if grids.ndim != 2 or grids.shape[1] != 81 or grids.dtype != np.uint8:
        raise ValueError(f"a block is an (n, 81) uint8 array, not {grids.shape} {grids.dtype}")
    if limit < 1:
        raise ValueError(f"limit is how many solutions to look for, 1 or more, not {limit}")
    if limit > counts_to:
        raise ValueError(f"this solver looks for at most {counts_to} solutions, not {limit}")
    answers = Answers.blank(len(grids))
    for position, reason in clashes(grids).items():
        answers.refuse(position, Status.INVALID, reason)
    return answers
