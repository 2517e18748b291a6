"""`sorted-sets`: as `sets`, but the cells that start with the fewest digits come first.

Both the order of the cells and the digits each may try are found once, from the givens; on the way a digit is only
looked up in the sets of what its row, column and box still lack. Where cells start with equally many digits, the one
whose row, column and box lack least goes first: that alone saves a tenth to a half of the nodes.
"""

from __future__ import annotations

from megadoku.solvers.contract import Strategy, Tally
from megadoku.solvers.sets import FreeDigits, spaces

OrderedSpace = tuple[int, list[int], FreeDigits, FreeDigits, FreeDigits]


class SortedSets(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        empty = [(cell, sorted(row & column & box), row, column, box) for cell, row, column, box in spaces(grid)]
        empty.sort(key=freedom)
        last, node = len(empty), tally.node

        def fill(index: int) -> bool:
            """Fill the empty cells from `index` on. True when enough solutions are found."""
            if index == last:
                return tally.found(grid)
            cell, digits, row, column, box = empty[index]
            for digit in digits:
                if digit in row and digit in column and digit in box:
                    node()
                    grid[cell] = digit
                    row.remove(digit)
                    column.remove(digit)
                    box.remove(digit)
                    if fill(index + 1):
                        return True
                    grid[cell] = 0
                    row.add(digit)
                    column.add(digit)
                    box.add(digit)
            return False

        return fill(0)


def freedom(space: OrderedSpace) -> tuple[int, int]:
    _, digits, row, column, box = space
    return len(digits), len(row) * len(column) * len(box)
