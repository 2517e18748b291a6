"""A solver to start from: copy this file, write your own search, and try it.

megadoku check-solver my.py:Mine
megadoku bench --solvers bitmask,my.py:Mine
"""

from __future__ import annotations

from megadoku.solvers import Strategy, Tally
from megadoku.solvers.board import PEERS  # of each cell, the 20 others that must differ from it


class Mine(Strategy):
    """The first empty cell, digits in order. This line is what tables say about the solver."""

    def search(self, grid: list[int], tally: Tally) -> bool:
        """Fill the 81 cells (0 = empty, row by row) in every way; True as soon as enough solutions are found.

        The givens are known not to clash. When the budget is spent, `tally.node()` raises, and that may pass through.
        """
        if 0 not in grid:
            return tally.found(grid)  # keeps the first; answers whether that was enough
        cell = grid.index(0)
        taken = {grid[peer] for peer in PEERS[cell]}
        for digit in range(1, 10):
            if digit not in taken:
                tally.node()  # one for each digit placed by search; what is deduced is added to tally.deduced
                grid[cell] = digit
                if self.search(grid, tally):
                    return True
                grid[cell] = 0  # what no longer stands is taken off the grid: that is how backtracks are counted
        return False
