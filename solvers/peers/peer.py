"""What the adapters share: a peer gives solutions one after the other, and its search cannot be seen from here."""

from __future__ import annotations

import abc
import math
import time
from typing import TYPE_CHECKING

from megadoku.solvers.contract import BudgetSpentError, Strategy, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    Grid = list[int]


class Peer(Strategy):
    """Nodes and backtracks are 0, so only the seconds of a budget bound it."""

    counts_nodes = False

    @abc.abstractmethod
    def solutions(self, grid: Grid, limit: int, seconds: float) -> Iterator[Grid]:
        """The solutions of a puzzle, at least `limit` of them if there are so many.

        Between two of them the clock is looked at here; a peer that can be interrupted raises `out_of_time` itself.
        """

    def search(self, grid: Grid, tally: Tally) -> None:
        seconds = math.inf if tally.budget.seconds is None else tally.budget.seconds
        deadline = time.perf_counter() + seconds
        for solution in self.solutions(grid, tally.limit, seconds):
            if tally.found(solution):
                tally.deduced = grid.count(0)  # as far as we know, nothing was placed by search
                return
            if time.perf_counter() > deadline:
                raise out_of_time(seconds)


def out_of_time(seconds: float) -> BudgetSpentError:
    return BudgetSpentError(f"time budget of {seconds:g} s spent")
