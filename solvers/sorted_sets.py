"""`sorted-sets`: as `sets`, but the cells that start with the fewest digits come first.

The order is found once, from the givens; it does not change as cells are filled.
"""

from __future__ import annotations

from megadoku.solvers.contract import Strategy, Tally
from megadoku.solvers.sets import Space, fill, spaces


class SortedSets(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        return fill(grid, sorted(spaces(grid), key=freedom), 0, tally)


def freedom(space: Space) -> int:
    """How many digits the empty cell may take."""
    _, row, column, box = space
    return len(row & column & box)
