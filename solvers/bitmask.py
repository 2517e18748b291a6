"""`bitmask`: nine-bit masks of what is free in each row, column and box; search goes on where the fewest bits remain.

    bit      8 7 6 5 4 3 2 1 0
    digit    9 8 7 6 5 4 3 2 1      free: 1, taken: 0

What a cell may take is one `&` of three masks, and how many digits that is, one look into a table of 512.
"""

from __future__ import annotations

from megadoku.solvers.board import HOMES, empty_homes
from megadoku.solvers.contract import Strategy, Tally

ALL = 0b111_111_111
DIGITS_OF = tuple(tuple(digit for digit in range(1, 10) if mask >> (digit - 1) & 1) for mask in range(ALL + 1))
SIZE_OF = tuple(len(digits) for digits in DIGITS_OF)


class Bitmask(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        rows, columns, boxes = free_masks(grid)
        empty = empty_homes(grid)
        node = tally.node

        def fewest_first() -> int:
            """Where in `empty` the cell with the fewest digits is; none can beat a cell with one, or with none."""
            fewest, best = 10, 0
            for index, (_, row, column, box) in enumerate(empty):
                size = SIZE_OF[rows[row] & columns[column] & boxes[box]]
                if size < fewest:
                    fewest, best = size, index
                    if size < 2:
                        break
            return best

        def fill() -> bool:
            """True when enough solutions are found."""
            if not empty:
                return tally.found(grid)
            best = fewest_first()
            cell, row, column, box = home = empty.pop(best)
            for digit in DIGITS_OF[rows[row] & columns[column] & boxes[box]]:
                bit = 1 << (digit - 1)
                node()
                grid[cell] = digit
                rows[row] ^= bit
                columns[column] ^= bit
                boxes[box] ^= bit
                if fill():
                    return True
                rows[row] ^= bit
                columns[column] ^= bit
                boxes[box] ^= bit
                grid[cell] = 0
            empty.insert(best, home)
            return False

        return fill()


def free_masks(grid: list[int]) -> tuple[list[int], list[int], list[int]]:
    """The masks of the nine rows, columns and boxes."""
    rows, columns, boxes = [ALL] * 9, [ALL] * 9, [ALL] * 9
    for cell, row, column, box in HOMES:
        digit = grid[cell]
        if digit:
            bit = 1 << (digit - 1)
            rows[row] ^= bit
            columns[column] ^= bit
            boxes[box] ^= bit
    return rows, columns, boxes
