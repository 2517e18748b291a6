"""`jit`: one puzzle at a time, compiled by numba; for callers who have one board and want it now.

Singles are filled to the end after every guess, and guesses are made where the fewest digits remain.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from megadoku.solvers.contract import Answers, Budget, Solver, Status, admit, verdict
from megadoku.solvers.jit_search import OUT_OF_NODES, Board, new_board, search

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_BOUND = int(np.iinfo(np.int64).max)
NODES_BETWEEN_CLOCK_READINGS = 4096


class Jit(Solver):
    """A node is a digit tried in a cell where several were possible; all that follows by singles is deduced."""

    releases_gil: ClassVar[bool] = True
    times_each: ClassVar[bool] = True

    def solve_block(self, grids: NDArray[np.uint8], limit: int = 1, budget: Budget | None = None) -> Answers:
        answers = admit(grids, limit)
        board = new_board()
        for position in np.flatnonzero(answers.status != Status.INVALID).tolist():
            started = time.perf_counter_ns()
            spent = _solve(grids[position], answers.solutions[position], limit, budget or Budget(), board)
            answers.elapsed_ns[position] = time.perf_counter_ns() - started
            _, _, count, answers.nodes[position], answers.backtracks[position] = board.memory.tolist()
            answers.counts[position] = count
            answers.status[position] = Status.EXHAUSTED if spent else verdict(count, limit)
            if spent:
                answers.reasons[position] = spent
        return answers


def _solve(
    given: NDArray[np.uint8], solution: NDArray[np.uint8], limit: int, budget: Budget, board: Board
) -> str | None:
    """Search one puzzle; gives what was spent, if the budget ended it."""
    allowed = NO_BOUND if budget.nodes is None else budget.nodes
    if budget.seconds is None:
        ended = search(given, solution, limit, allowed, False, board)
        return f"node budget of {allowed:,} spent" if ended == OUT_OF_NODES else None
    deadline = time.perf_counter() + budget.seconds
    most = min(allowed, NODES_BETWEEN_CLOCK_READINGS)
    ended = search(given, solution, limit, most, False, board)
    while ended == OUT_OF_NODES:
        if most == allowed:
            return f"node budget of {allowed:,} spent"
        if time.perf_counter() > deadline:
            return f"time budget of {budget.seconds:g} s spent"
        most = min(allowed, most + NODES_BETWEEN_CLOCK_READINGS)
        ended = search(given, solution, limit, most, True, board)
    return None
