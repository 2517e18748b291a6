"""`lanes` behind the contract: blocks in, answers out."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from megadoku.solvers.board import clashes
from megadoku.solvers.contract import Answers, Budget, Solver, Status, admit
from megadoku.solvers.lanes.kernel import run
from megadoku.solvers.lanes.vector import LANES
from megadoku.solvers.lanes.workspace import LIVE, SWEEPS, Book, Work, new_work

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_BOUND = np.iinfo(np.int64).max
SWEEPS_BETWEEN_CLOCK_READINGS = 2048  # about two milliseconds
_own = threading.local()  # each thread keeps its arrays: fresh memory costs more than a small block


class Lanes(Solver):
    """32 puzzles at a time.

    A node is a digit placed by search: each guess, and the last digit left in a cell whose other digits were guessed
    and refuted. Time is shared: `elapsed_ns` is a puzzle's share of the time of its block, by the sweeps it took part
    in; the time budget counts from the moment a puzzle's search starts in its lane.
    """

    releases_gil: ClassVar[bool] = True

    def solve_block(self, grids: NDArray[np.uint8], limit: int = 1, budget: Budget | None = None) -> Answers:
        answers = admit(grids[:0], limit)  # only the arguments: a look at every grid takes longer than to solve it
        if not len(grids):
            return answers
        started = time.perf_counter_ns()
        budget = budget or Budget()
        answers = Answers.blank(len(grids))
        timed_out = _run(np.ascontiguousarray(grids), limit, budget, answers)
        _explain(grids, budget, timed_out, answers)
        _share_out(time.perf_counter_ns() - started, answers)
        return answers


def sweeps(grids: NDArray[np.uint8], limit: int = 1) -> NDArray[np.int64]:
    """How many sweeps each puzzle takes part in: the work, where nodes are only the search."""
    answers = Answers.blank(len(grids))
    _run(np.ascontiguousarray(grids), limit, Budget(), answers)
    return answers.elapsed_ns


def _run(grids: NDArray[np.uint8], limit: int, budget: Budget, answers: Answers) -> set[int]:
    """Gives the puzzles whose time was up."""
    work = _work_of_this_thread()
    # Until the end, when time is shared out by it, `elapsed_ns` holds the sweeps of each puzzle.
    book = Book(
        answers.solutions, answers.counts, answers.status, answers.nodes, answers.backtracks, answers.elapsed_ns
    )
    most_nodes = NO_BOUND if budget.nodes is None else budget.nodes
    if budget.seconds is None:
        run(grids, limit, most_nodes, NO_BOUND, work, book)
        return set()
    timed_out: set[int] = set()
    watch = _Watch(budget.seconds)
    while not run(grids, limit, most_nodes, int(work.counters[SWEEPS]) + SWEEPS_BETWEEN_CLOCK_READINGS, work, book):
        timed_out |= watch.look(work)
    return timed_out


def _work_of_this_thread() -> Work:
    if not hasattr(_own, "work"):
        _own.work = new_work()
    work: Work = _own.work
    work.counters[:] = 0
    return work


class _Watch:
    """When each lane got its puzzle, as far as anybody looked."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.puzzle = [-1] * LANES
        self.started = [time.perf_counter()] * LANES
        self.last_look = time.perf_counter()

    def look(self, work: Work) -> set[int]:
        """Mark the lanes whose time is up; gives their puzzles."""
        now = time.perf_counter()
        timed_out = set()
        for lane in range(LANES):
            if not work.counters[LIVE] >> lane & 1:
                continue
            puzzle = int(work.puzzle[lane])
            if self.puzzle[lane] != puzzle:
                self.puzzle[lane], self.started[lane] = puzzle, self.last_look
            if now - self.started[lane] > self.seconds:
                work.overdue[lane] = True
                timed_out.add(puzzle)
        self.last_look = now
        return timed_out


def _explain(grids: NDArray[np.uint8], budget: Budget, timed_out: set[int], answers: Answers) -> None:
    """Reasons for what is exhausted; and what has no solution may turn out to be no puzzle at all."""
    exhausted = answers.status == Status.EXHAUSTED
    for position in np.flatnonzero(exhausted).tolist():
        spent = f"time budget of {budget.seconds:g} s" if position in timed_out else f"node budget of {budget.nodes:,}"
        answers.reasons[position] = f"{spent} spent"
    suspects = np.flatnonzero(exhausted | (answers.status == Status.UNSOLVABLE))
    if not len(suspects):
        return
    for index, reason in clashes(grids[suspects]).items():
        position = int(suspects[index])
        answers.refuse(position, Status.INVALID, reason)
        answers.nodes[position] = answers.backtracks[position] = 0


def _share_out(nanoseconds: int, answers: Answers) -> None:
    taken = answers.elapsed_ns
    np.multiply(taken, nanoseconds / max(1, int(taken.sum())), out=taken, casting="unsafe")
