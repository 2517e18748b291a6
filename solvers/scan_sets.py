"""`scan-sets`: take the first empty cell; all digits less those in its row, its column and its box may go there.

Nothing is remembered between steps: the three sets are gathered from the grid every time.
"""

from __future__ import annotations

from megadoku.solvers.board import BOX, CORNERS
from megadoku.solvers.contract import Strategy, Tally

DIGITS = frozenset(range(1, 10))


class ScanSets(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        """True when enough solutions are found."""
        if 0 not in grid:
            return tally.found(grid)
        cell = grid.index(0)
        for digit in sorted(candidates(grid, cell)):  # sorted: the order of a set is no promise
            tally.node()
            grid[cell] = digit
            if self.search(grid, tally):
                return True
            grid[cell] = 0
        return False


def candidates(grid: list[int], cell: int) -> frozenset[int]:
    start, corner = cell // 9 * 9, CORNERS[BOX[cell]]
    row = grid[start : start + 9]
    column = grid[cell % 9 :: 9]
    box = grid[corner : corner + 3] + grid[corner + 9 : corner + 12] + grid[corner + 18 : corner + 21]
    return DIGITS.difference(row, column, box)
