"""The geometry of a 9×9 grid, and what is wrong with a grid before anybody searches it.

Cells are numbered 0 to 80, row by row. A unit is a row, a column or a box; two cells are peers when they share one.
"""

from __future__ import annotations

import itertools
import operator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROW = tuple(cell // 9 for cell in range(81))
COLUMN = tuple(cell % 9 for cell in range(81))
BOX = tuple(cell // 27 * 3 + cell % 9 // 3 for cell in range(81))

HOMES = tuple(zip(range(81), ROW, COLUMN, BOX, strict=True))  # each cell with the units it lives in
CORNERS = tuple(box // 3 * 27 + box % 3 * 3 for box in range(9))  # the first cell of each box

UNITS = tuple(
    tuple(cell for cell in range(81) if unit_of[cell] == number)
    for unit_of in (ROW, COLUMN, BOX)
    for number in range(9)
)
UNIT_NAMES = tuple(f"{kind} {number}" for kind in ("row", "column", "box") for number in range(1, 10))
PEERS = tuple(tuple(sorted({other for unit in UNITS if cell in unit for other in unit} - {cell})) for cell in range(81))

_UNIT_CELLS = np.array(UNITS).T  # (9, 27): the first cells of all units, the second cells, …
_BIT_OF = np.array([0, *(1 << digit for digit in range(9)), *[0] * 246], np.uint16)  # what is no digit has no bit


def empty_homes(grid: list[int]) -> list[tuple[int, int, int, int]]:
    """The empty cells in reading order, each with its row, column and box."""
    return list(itertools.compress(HOMES, map(operator.not_, grid)))


def clashes(grids: NDArray[np.uint8]) -> dict[int, str]:
    """What is wrong with the grids that are no puzzles, by position: a digit above 9, or one given twice in a unit."""
    wrong = np.flatnonzero((grids > 9).any(axis=1) | _repeats(grids))
    return {position: _complaint(grids[position].tolist()) for position in wrong.tolist()}


def _repeats(grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which grids have a digit twice in a unit. With one bit a digit, a sum has carries exactly when a bit repeats."""
    bits = _BIT_OF[np.ascontiguousarray(grids.T)]  # cells first: every step below runs along all puzzles at once
    by_unit = bits[_UNIT_CELLS]
    sums, unions = by_unit[0].copy(), by_unit[0].copy()
    for digits in by_unit[1:]:
        sums += digits
        unions |= digits
    repeats: NDArray[np.bool_] = (sums != unions).any(axis=0)
    return repeats


def _complaint(grid: list[int]) -> str:
    for cell, digit in enumerate(grid):
        if digit > 9:
            return f"cell {cell + 1} holds {digit}, not 0 to 9"
    for name, unit in zip(UNIT_NAMES, UNITS, strict=True):
        first: dict[int, int] = {}
        for cell in unit:
            digit = grid[cell]
            if digit and digit in first:
                return f"cells {first[digit] + 1} and {cell + 1} both hold {digit} in {name}"
            first[digit] = cell
    raise AssertionError("asked about a grid that is a puzzle")
