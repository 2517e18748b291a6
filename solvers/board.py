"""The geometry of a 9×9 grid, and what is wrong with a grid before anybody searches it.

Cells are numbered 0 to 80, row by row. A unit is a row, a column or a box; two cells are peers when they share one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROW = tuple(cell // 9 for cell in range(81))
COLUMN = tuple(cell % 9 for cell in range(81))
BOX = tuple(cell // 27 * 3 + cell % 9 // 3 for cell in range(81))

UNITS = tuple(
    tuple(cell for cell in range(81) if unit_of[cell] == number) for unit_of in (ROW, COLUMN, BOX) for number in range(9)
)
UNIT_NAMES = tuple(f"{kind} {number}" for kind in ("row", "column", "box") for number in range(1, 10))
PEERS = tuple(
    tuple(other for other in range(81) if other != cell and any(cell in unit and other in unit for unit in UNITS))
    for cell in range(81)
)
_UNIT_CELLS = np.array(UNITS)


def clashes(grids: NDArray[np.uint8]) -> dict[int, str]:
    """What is wrong with the grids that are no puzzles, by position: a digit above 9, or one given twice in a unit."""
    wrong = np.flatnonzero((grids > 9).any(axis=1) | _repeats(grids))
    return {position: _complaint(grids[position].tolist()) for position in wrong.tolist()}


def _repeats(grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which grids have a digit twice in a unit: one bit a digit, gathered cell by cell; an empty cell has no bit."""
    bits = np.left_shift(np.uint16(1), grids.astype(np.uint16)) & np.uint16(0x3FE)
    repeats = np.zeros(len(grids), np.bool_)
    for unit in _UNIT_CELLS:
        seen = np.zeros(len(grids), np.uint16)
        for cell in unit:
            repeats |= (seen & bits[:, cell]) != 0
            seen |= bits[:, cell]
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
