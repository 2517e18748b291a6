"""The rules of sudoku, on one band for 32 puzzles at once.

A band is three rows through three boxes. Its 27 cells come as `cells[line][box][k]`; a *mini* is the three cells that a
line and a box share:

                box 0       box 1       box 2
    line 0    [ a b c ]   [ . . . ]   [ . . . ]       a mini is a list of three cells,
    line 1    [ . . . ]   [ . . . ]   [ . . . ]       a cell a vector of nine-bit masks:
    line 2    [ . . . ]   [ . . . ]   [ . . . ]       bit d-1 is set while digit d is possible

A stack, read down its columns, has the same shape, so the same rules serve rows, columns and boxes. Every rule only
takes candidates away, and asks each question for nine digits at once, one bit a digit. Only operators are used, so a
rule works on anything that has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from megadoku.solvers.lanes.vector import Vec

ALL = 0b111_111_111
THREE = (0, 1, 2)
OTHERS = ((1, 2), (2, 0), (0, 1))

Minis: TypeAlias = "list[list[Vec]]"  # one vector a mini: [line][box]
Cells: TypeAlias = "list[list[list[Vec]]]"  # [line][box][k]


class Squeezed(NamedTuple):
    """A band after one round of rules, and what shows that it cannot be filled any more."""

    cells: Cells
    placeable: Vec  # digits that still have a place in the band; all nine, or there is no solution


def squeeze(cells: Cells) -> Squeezed:
    """One round of all the rules."""
    cells = strip_placed(cells)
    some = [[any_of(*mini) for mini in line] for line in cells]
    fits = locked_candidates(some)
    some = both(some, fits)
    placeable = any_of(*some[0])
    fits = triples(some, fits)
    cells = hidden_singles(cells, both(some, fits), fits)
    return Squeezed(cells, placeable)


def strip_placed(cells: Cells) -> Cells:
    """Naked singles: a digit that a cell is down to leaves the other cells of its line and its box.

    Two cells of a unit down to the same digit both keep it. The locked candidates of this band or of the crossing
    stack then find no place for that digit, so the contradiction is not lost.
    """
    singles = [[[single(cell) for cell in mini] for mini in line] for line in cells]
    placed = [[any_of(*mini) for mini in line] for line in singles]
    in_line = [any_of(*line) for line in placed]
    in_box = [any_of(*(placed[line][box] for line in THREE)) for box in THREE]
    return [
        [
            [cell & (~(in_line[line] | in_box[box]) | own) for cell, own in zip(*pair, strict=True)]
            for box, pair in enumerate(zip(cells[line], singles[line], strict=True))
        ]
        for line in THREE
    ]


def locked_candidates(some: Minis) -> Minis:
    """Which digits fit in each mini, seen from the other two lines and boxes.

    In a band a digit takes three minis, no two in one line or box. So it fits in a mini only if the four minis that
    share neither line nor box with it offer two such places:

        [ * ]   .     .            * fits if  (p and q) or (r and s)
          .   [ p ] [ r ]
          .   [ s ] [ q ]

    Pointing and claiming are both in this; so is a digit with no place left in a line or box: it then fits nowhere.
    """
    return [[(some[i][u] & some[j][v]) | (some[i][v] & some[j][u]) for u, v in OTHERS] for i, j in OTHERS]


def triples(some: Minis, fits: Minis) -> Minis:
    """Three cells, three digits: what a mini is sure to hold.

    A mini down to three digits holds those three: they leave the other minis of its line and box. A mini that is the
    only one of its line for three digits holds nothing else. Gives the digits that still fit.
    """
    taken = [[(mini.popcount() == 3).pick(mini, 0) for mini in line] for line in some]
    left: Minis = []
    for line, (i, j) in enumerate(OTHERS):
        row = []
        for box, (u, v) in enumerate(OTHERS):
            elsewhere = taken[line][u] | taken[line][v] | taken[i][box] | taken[j][box]
            fit = fits[line][box] & ~elsewhere
            due = some[line][box] & ~(some[line][u] | some[line][v])
            row.append((due.popcount() == 3).pick(fit & due, fit))
        left.append(row)
    return left


def hidden_singles(cells: Cells, some: Minis, fits: Minis) -> Cells:
    """A digit with one place left in a line or box goes there; elsewhere cells keep the digits that fit."""
    more = both([[two_of(*mini) for mini in line] for line in cells], fits)
    lines = [two_of(*some[i]) | any_of(*more[i]) for i in THREE]  # digits with two places or more
    boxes = [two_of(*column(some, b)) | any_of(*column(more, b)) for b in THREE]
    only = [[fits[i][b] & ~(lines[i] & boxes[b]) for b in THREE] for i in THREE]
    return [
        [[cell & ((cell & only[i][b]) != 0).pick(only[i][b], fits[i][b]) for cell in cells[i][b]] for b in THREE]
        for i in THREE
    ]


def single(cell: Vec) -> Vec:
    """The digit of a cell that is down to one (or none), else nothing."""
    return ((cell & (cell - 1)) == 0).pick(cell, 0)


def any_of(a: Vec, b: Vec, c: Vec) -> Vec:
    return a | b | c


def two_of(a: Vec, b: Vec, c: Vec) -> Vec:
    return (a & b) | (c & (a | b))


def both(a: Minis, b: Minis) -> Minis:
    return [[a[i][k] & b[i][k] for k in THREE] for i in THREE]


def column(minis: Minis, box: int) -> tuple[Vec, Vec, Vec]:
    return minis[0][box], minis[1][box], minis[2][box]
