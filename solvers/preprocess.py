"""`preprocess`: fill every cell that has one digit left, over and over, then search the rest as `marks` does.

The digits filled beforehand are deduced, so they are no nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from megadoku.solvers.board import HOMES
from megadoku.solvers.marks import Marks, Taken, tables

if TYPE_CHECKING:
    from megadoku.solvers.contract import Tally


class Preprocess(Marks):
    def search(self, grid: list[int], tally: Tally) -> bool:
        tally.deduced = fill_singles(grid)
        return super().search(grid, tally)


def fill_singles(grid: list[int]) -> int:
    """Pass over the grid until a pass changes nothing. How many cells were filled."""
    rows, columns, boxes = tables(grid)
    filled, before = 0, -1
    while filled > before:
        before = filled
        for cell, row, column, box in HOMES:
            if grid[cell]:
                continue
            digit = only_digit(rows[row], columns[column], boxes[box])
            if digit:
                grid[cell] = digit
                rows[row][digit] = columns[column][digit] = boxes[box][digit] = True
                filled += 1
    return filled


def only_digit(row: Taken, column: Taken, box: Taken) -> int:
    """The one digit that no mark forbids, or 0 where there is none or more than one."""
    only = 0
    for digit in range(1, 10):
        if not (row[digit] or column[digit] or box[digit]):
            if only:
                return 0
            only = digit
    return only
