"""`dlx`: sudoku as exact cover, solved with dancing links.

324 columns are what must come true exactly once: each cell filled, each digit in each row, column and box. 729 rows
are the ways to fill a cell with a digit; each makes four columns true. A solution is a choice of rows that covers
every column once. Search takes the column with the fewest rows left and tries them in turn.

    links        0 … 323     324      325 …
                 columns     root     four for each row, one after the other

`up` and `down` go round a column, `left` and `right` round the columns still to cover. Covering unlinks what a choice
excludes; what is unlinked still knows its neighbours, so linking it again backwards undoes it exactly.
"""

from __future__ import annotations

from megadoku.solvers.board import HOMES
from megadoku.solvers.contract import Strategy, Tally

ROOT = 324
FIRST = ROOT + 1  # the first link of the first row


def _columns_of(cell: int, row: int, column: int, box: int, digit: int) -> tuple[int, int, int, int]:
    return cell, 81 + 9 * row + digit, 162 + 9 * column + digit, 243 + 9 * box + digit


COLUMNS = tuple(_columns_of(*home, digit) for home in HOMES for digit in range(9))  # of row 9 × cell + digit − 1
COLUMN_OF = (*range(FIRST), *(column for columns in COLUMNS for column in columns))
MATES = (  # of each link, the three others of its row
    *((),) * FIRST,
    *(
        tuple(first + other for other in range(4) if other != place)
        for first in range(FIRST, 3241, 4)
        for place in range(4)
    ),
)


def _round_columns() -> tuple[list[int], list[int]]:
    """Up and down when nothing is covered: every row stands at the foot of its columns."""
    up, down = list(range(FIRST)), list(range(FIRST))
    for link in range(FIRST, len(COLUMN_OF)):
        column = COLUMN_OF[link]
        foot = up[column]
        up.append(foot)
        down.append(column)
        down[foot] = up[column] = link
    return up, down


UP, DOWN = _round_columns()
LEFT = [ROOT, *range(ROOT)]
RIGHT = [*range(1, FIRST), 0]


class Dlx(Strategy):
    def search(self, grid: list[int], tally: Tally) -> bool:
        links = Links()
        for cell, digit in enumerate(grid):
            if digit:
                for column in COLUMNS[9 * cell + digit - 1]:
                    links.cover(column)
        return fill(grid, links, tally)


def fill(grid: list[int], links: Links, tally: Tally) -> bool:
    """True when enough solutions are found."""
    if links.right[ROOT] == ROOT:
        return tally.found(grid)
    column = links.fewest()
    links.cover(column)
    link = links.down[column]
    while link != column:
        cell, digit = divmod((link - FIRST) // 4, 9)
        tally.node()
        grid[cell] = digit + 1
        for mate in MATES[link]:
            links.cover(COLUMN_OF[mate])
        if fill(grid, links, tally):
            return True
        for mate in reversed(MATES[link]):
            links.uncover(COLUMN_OF[mate])
        grid[cell] = 0
        link = links.down[link]
    links.uncover(column)
    return False


class Links:
    __slots__ = ("down", "left", "right", "size", "up")

    def __init__(self) -> None:
        self.up: list[int] = UP.copy()
        self.down: list[int] = DOWN.copy()
        self.left: list[int] = LEFT.copy()
        self.right: list[int] = RIGHT.copy()
        self.size = [9] * ROOT

    def cover(self, column: int) -> None:
        """Take the column out, and its rows out of the other columns."""
        up, down, size = self.up, self.down, self.size
        before, after = self.left[column], self.right[column]
        self.right[before], self.left[after] = after, before
        link = down[column]
        while link != column:
            for mate in MATES[link]:
                above, below = up[mate], down[mate]
                down[above], up[below] = below, above
                size[COLUMN_OF[mate]] -= 1
            link = down[link]

    def uncover(self, column: int) -> None:
        up, down, size = self.up, self.down, self.size
        link = up[column]
        while link != column:
            for mate in reversed(MATES[link]):
                down[up[mate]] = up[down[mate]] = mate
                size[COLUMN_OF[mate]] += 1
            link = up[link]
        self.right[self.left[column]] = self.left[self.right[column]] = column

    def fewest(self) -> int:
        """The first column with the fewest rows left; none can beat one with one, or with none."""
        right, size = self.right, self.size
        best = column = right[ROOT]
        while column != ROOT:
            if size[column] < size[best]:
                best = column
            if size[best] < 2:
                break
            column = right[column]
        return best
