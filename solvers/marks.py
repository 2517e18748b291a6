"""`marks`: tables of booleans say which digits a row, a column or a box already has; the empty cells wait in a list."""

from __future__ import annotations

from megadoku.solvers.board import BOX, COLUMN, ROW
from megadoku.solvers.contract import Strategy, Tally

Taken = list[bool]  # indexed by digit; entry 0 is not used
Space = tuple[int, Taken, Taken, Taken]  # an empty cell, with the marks of its row, column and box


class Marks(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        return fill(grid, spaces(grid), 0, tally)


def spaces(grid: list[int]) -> list[Space]:
    rows, columns, boxes = tables(grid)
    return [
        (cell, rows[ROW[cell]], columns[COLUMN[cell]], boxes[BOX[cell]])
        for cell, digit in enumerate(grid)
        if digit == 0
    ]


def tables(grid: list[int]) -> tuple[list[Taken], list[Taken], list[Taken]]:
    rows, columns, boxes = ([[False] * 10 for _ in range(9)] for _ in range(3))
    for cell, digit in enumerate(grid):
        if digit:
            rows[ROW[cell]][digit] = columns[COLUMN[cell]][digit] = boxes[BOX[cell]][digit] = True
    return rows, columns, boxes


def fill(grid: list[int], empty: list[Space], index: int, tally: Tally) -> bool:
    """Fill the empty cells from `index` on, in their order. True when enough solutions are found."""
    if index == len(empty):
        return tally.found(grid)
    cell, row, column, box = empty[index]
    for digit in range(1, 10):
        if row[digit] or column[digit] or box[digit]:
            continue
        tally.node()
        grid[cell] = digit
        row[digit] = column[digit] = box[digit] = True
        if fill(grid, empty, index + 1, tally):
            return True
        row[digit] = column[digit] = box[digit] = False
        tally.backtracks += 1
    grid[cell] = 0
    return False
