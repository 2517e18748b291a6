"""`preprocess`: fill every cell that has one digit left, over and over, then search the rest as `marks` does.

The digits filled beforehand are deduced, so they are no nodes.
"""

from __future__ import annotations

from megadoku.solvers.board import BOX, COLUMN, ROW
from megadoku.solvers.contract import Strategy, Tally
from megadoku.solvers.marks import Taken, fill, spaces, tables


class Preprocess(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        fill_singles(grid)
        return fill(grid, spaces(grid), 0, tally)


def fill_singles(grid: list[int]) -> None:
    """Pass over the grid until a pass changes nothing."""
    rows, columns, boxes = tables(grid)
    changed = True
    while changed:
        changed = False
        for cell in range(81):
            if grid[cell]:
                continue
            row, column, box = rows[ROW[cell]], columns[COLUMN[cell]], boxes[BOX[cell]]
            digit = only_digit(row, column, box)
            if digit:
                grid[cell] = digit
                row[digit] = column[digit] = box[digit] = True
                changed = True


def only_digit(row: Taken, column: Taken, box: Taken) -> int:
    """The one digit that no mark forbids, or 0 where there is none or more than one."""
    only = 0
    for digit in range(1, 10):
        if not (row[digit] or column[digit] or box[digit]):
            if only:
                return 0
            only = digit
    return only
