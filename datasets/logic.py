"""How far plain logic gets, for whole blocks at once. It tells how hard a puzzle is; it is no solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALL = np.uint16(0b111_111_111)
_BITS = np.array([0, *(1 << digit for digit in range(9))], np.uint16)
_DIGIT = np.zeros(512, np.uint8)  # of a single bit
_DIGIT[_BITS[1:]] = np.arange(1, 10)
_CELLS = np.arange(81)
ROW, COLUMN = _CELLS // 9, _CELLS % 9
BOX = ROW // 3 * 3 + COLUMN // 3
UNITS = np.array([np.flatnonzero(which == at) for which in (ROW, COLUMN, BOX) for at in range(9)])  # (27, 9) cells


def fill_singles(grids: NDArray[np.uint8], hidden: bool = True) -> NDArray[np.uint8]:
    """The grids with every naked (and, if asked, hidden) single filled in, until there is none left."""
    filled = grids.copy()
    active = np.arange(len(filled))
    while len(active):
        free = candidates(filled[active])
        found = np.where(np.bitwise_count(free) == 1, free, np.uint16(0))
        if hidden:
            found |= _hidden_singles(free)
        found[np.bitwise_count(found) != 1] = 0  # two digits for one cell: no solution that way, leave it
        changed = found.any(axis=1)
        active = active[changed]
        filled[active] += _DIGIT[found[changed]]
    return filled


def is_full(grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    full: NDArray[np.bool_] = np.count_nonzero(grids, axis=1) == 81
    return full


def candidates(grids: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """For each empty cell the digits that row, column and box leave, as bits; 0 for filled cells."""
    bits = _BITS[grids]
    used = np.bitwise_or.reduce(bits[:, UNITS], axis=2)  # (n, 27)
    free: NDArray[np.uint16] = ALL & ~(used[:, ROW] | used[:, 9 + COLUMN] | used[:, 18 + BOX])
    free[grids != 0] = 0
    return free


def _hidden_singles(free: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """For each cell the digits that fit nowhere else in one of its units."""
    places = free[:, UNITS]  # (n, 27, 9)
    once = np.zeros(places.shape[:2], np.uint16)
    twice = np.zeros_like(once)
    for at in range(9):
        twice |= once & places[:, :, at]
        once |= places[:, :, at]
    only = once & ~twice
    singles: NDArray[np.uint16] = free & (only[:, ROW] | only[:, 9 + COLUMN] | only[:, 18 + BOX])
    return singles
