"""`bitmask`: nine-bit masks of what is free in each row, column and box; search goes on where the fewest bits remain.

    bit      8 7 6 5 4 3 2 1 0
    digit    9 8 7 6 5 4 3 2 1      free: 1, taken: 0

What a cell may take is one `&` of three masks, and how many digits that is, one look into a table of 512.
"""

from __future__ import annotations

from megadoku.solvers.board import BOX, COLUMN, ROW
from megadoku.solvers.contract import Strategy, Tally

ALL = 0b111_111_111
DIGITS_OF = tuple(tuple(digit for digit in range(1, 10) if mask >> (digit - 1) & 1) for mask in range(512))
SIZE_OF = tuple(len(digits) for digits in DIGITS_OF)
Place = tuple[int, int, int, int]  # an empty cell, with its row, column and box


class Bitmask(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        rows, columns, boxes = [ALL] * 9, [ALL] * 9, [ALL] * 9
        empty: list[Place] = []
        for cell, digit in enumerate(grid):
            row, column, box = ROW[cell], COLUMN[cell], BOX[cell]
            if digit:
                bit = 1 << (digit - 1)
                rows[row] ^= bit
                columns[column] ^= bit
                boxes[box] ^= bit
            else:
                empty.append((cell, row, column, box))

        def fill() -> bool:
            """True when enough solutions are found."""
            if not empty:
                return tally.found(grid)
            fewest = 10
            for index, (_, row, column, box) in enumerate(empty):
                size = SIZE_OF[rows[row] & columns[column] & boxes[box]]
                if size < fewest:
                    fewest, best = size, index
                    if size < 2:
                        break
            if fewest == 0:
                return False
            place = cell, row, column, box = empty[best]
            del empty[best]
            for digit in DIGITS_OF[rows[row] & columns[column] & boxes[box]]:
                tally.node()
                bit = 1 << (digit - 1)
                grid[cell] = digit
                rows[row] ^= bit
                columns[column] ^= bit
                boxes[box] ^= bit
                if fill():
                    return True
                rows[row] ^= bit
                columns[column] ^= bit
                boxes[box] ^= bit
                tally.backtracks += 1
            grid[cell] = 0
            empty.insert(best, place)
            return False

        return fill()
