"""`naive`: take the first empty cell, try 1 to 9, look along the row, the column and the box each time."""

from __future__ import annotations

from megadoku.solvers.board import BOX, CORNERS
from megadoku.solvers.contract import Strategy, Tally


class Naive(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        """True when enough solutions are found."""
        if 0 not in grid:
            return tally.found(grid)
        cell = grid.index(0)
        for digit in range(1, 10):
            if fits(grid, cell, digit):
                tally.node()
                grid[cell] = digit
                if self.search(grid, tally):
                    return True
                grid[cell] = 0
        return False


def fits(grid: list[int], cell: int, digit: int) -> bool:
    start, corner = cell // 9 * 9, CORNERS[BOX[cell]]
    return not (
        digit in grid[start : start + 9]
        or digit in grid[cell % 9 :: 9]
        or digit in grid[corner : corner + 3]
        or digit in grid[corner + 9 : corner + 12]
        or digit in grid[corner + 18 : corner + 21]
    )
