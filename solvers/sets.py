"""`sets`: keep the digits still free in each row, column and box; what may go in a cell is their intersection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from megadoku.solvers.board import HOMES
from megadoku.solvers.contract import Strategy, Tally

if TYPE_CHECKING:
    from collections.abc import Collection

DIGITS = set(range(1, 10))
FreeDigits = set[int]
Space = tuple[int, FreeDigits, FreeDigits, FreeDigits]  # an empty cell, with what its row, column and box still lack


class Sets(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        empty = spaces(grid)
        last, node = len(empty), tally.node

        def fill(index: int) -> bool:
            """Fill the empty cells from `index` on. True when enough solutions are found."""
            if index == last:
                return tally.found(grid)
            cell, row, column, box = empty[index]
            digits: Collection[int] = row & column & box
            if len(digits) > 1:
                digits = sorted(digits)  # the order of a set is no promise
            for digit in digits:
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


def spaces(grid: list[int]) -> list[Space]:
    """The empty cells in reading order. Cells of one unit share one set, so each placement is seen by all of them."""
    rows, columns, boxes = ([DIGITS.copy() for _ in range(9)] for _ in range(3))
    empty = []
    for cell, row_number, column_number, box_number in HOMES:
        row, column, box = rows[row_number], columns[column_number], boxes[box_number]
        digit = grid[cell]
        if digit:
            row.remove(digit)
            column.remove(digit)
            box.remove(digit)
        else:
            empty.append((cell, row, column, box))
    return empty
