"""`sets`: keep the digits still free in each row, column and box; what may go in a cell is their intersection."""

from __future__ import annotations

from megadoku.solvers.board import BOX, COLUMN, ROW
from megadoku.solvers.contract import Strategy, Tally

FreeDigits = set[int]
Space = tuple[int, FreeDigits, FreeDigits, FreeDigits]  # an empty cell, with what its row, column and box still lack


class Sets(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        return fill(grid, spaces(grid), 0, tally)


def spaces(grid: list[int]) -> list[Space]:
    """The empty cells in reading order. Cells of one unit share one set, so each placement is seen by all of them."""
    rows, columns, boxes = ([set(range(1, 10)) for _ in range(9)] for _ in range(3))
    for cell, digit in enumerate(grid):
        if digit:
            rows[ROW[cell]].remove(digit)
            columns[COLUMN[cell]].remove(digit)
            boxes[BOX[cell]].remove(digit)
    return [
        (cell, rows[ROW[cell]], columns[COLUMN[cell]], boxes[BOX[cell]])
        for cell, digit in enumerate(grid)
        if digit == 0
    ]


def fill(grid: list[int], empty: list[Space], index: int, tally: Tally) -> bool:
    """Fill the empty cells from `index` on, in their order. True when enough solutions are found."""
    if index == len(empty):
        return tally.found(grid)
    cell, row, column, box = empty[index]
    for digit in sorted(row & column & box):  # sorted: the order of a set is no promise
        tally.node()
        grid[cell] = digit
        row.remove(digit)
        column.remove(digit)
        box.remove(digit)
        if fill(grid, empty, index + 1, tally):
            return True
        row.add(digit)
        column.add(digit)
        box.add(digit)
        tally.backtracks += 1
    grid[cell] = 0
    return False
