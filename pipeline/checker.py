"""Is an answer right? Decided here from the rules of sudoku alone; nothing is shared with any solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BITS = np.array([0, *(1 << digit for digit in range(9))], np.uint16)  # what is no digit counts for nothing
_ALL_NINE = np.uint16(0b111_111_111)


def completes(puzzles: NDArray[np.uint8], solutions: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """For each row: is this solution a full, legal grid that keeps the puzzle's givens?"""
    return _legal(solutions) & ((puzzles == 0) | (puzzles == solutions)).all(axis=1)


def _legal(grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Nine cells hold nine different digits exactly when the OR of their bits is all nine bits."""
    bits = np.take(_BITS, grids, mode="clip")
    bits[grids > 9] = 0
    cube = bits.reshape(-1, 3, 3, 3, 3)  # band, row in band, stack, column in stack
    units = (
        np.bitwise_or.reduce(bits.reshape(-1, 9, 9), axis=2),
        np.bitwise_or.reduce(bits.reshape(-1, 9, 9), axis=1),
        np.bitwise_or.reduce(np.bitwise_or.reduce(cube, axis=4), axis=2).reshape(-1, 9),
    )
    legal = np.ones(len(grids), np.bool_)
    for unit in units:
        legal &= (unit == _ALL_NINE).all(axis=1)
    return legal
