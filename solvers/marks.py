"""`marks`: tables of booleans say which digits a row, a column or a box already has; the empty cells wait in a list."""

from __future__ import annotations

from megadoku.solvers.board import HOMES, empty_homes
from megadoku.solvers.contract import Strategy, Tally

Taken = list[bool]  # indexed by digit; entry 0 is not used


class Marks(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        rows, columns, boxes = tables(grid)
        empty = [(cell, rows[row], columns[column], boxes[box]) for cell, row, column, box in empty_homes(grid)]
        last, node = len(empty), tally.node

        def fill(index: int) -> bool:
            """Fill the empty cells from `index` on. True when enough solutions are found."""
            if index == last:
                return tally.found(grid)
            cell, row, column, box = empty[index]
            for digit in range(1, 10):
                if row[digit] or column[digit] or box[digit]:
                    continue
                node()
                grid[cell] = digit
                row[digit] = column[digit] = box[digit] = True
                if fill(index + 1):
                    return True
                row[digit] = column[digit] = box[digit] = False
                grid[cell] = 0
            return False

        return fill(0)


def tables(grid: list[int]) -> tuple[list[Taken], list[Taken], list[Taken]]:
    """The marks of the nine rows, columns and boxes."""
    rows, columns, boxes = ([[False] * 10 for _ in range(9)] for _ in range(3))
    for cell, row, column, box in HOMES:
        digit = grid[cell]
        if digit:
            rows[row][digit] = columns[column][digit] = boxes[box][digit] = True
    return rows, columns, boxes
