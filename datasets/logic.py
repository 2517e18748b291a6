"""How far plain logic gets, for whole blocks at once. It tells how hard a puzzle is; it is no solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Grids = NDArray[np.uint8]
    Bits = NDArray[np.uint16]

ALL = np.uint16(0b111_111_111)
_BITS = np.array([0, *(1 << digit for digit in range(9))], np.uint16)
_DIGIT = np.zeros(512, np.uint8)  # of a single bit
_DIGIT[_BITS[1:]] = np.arange(1, 10)
_CELLS = np.arange(81)
ROW, COLUMN = _CELLS // 9, _CELLS % 9
BOX = ROW // 3 * 3 + COLUMN // 3
UNITS = np.array([np.flatnonzero(which == at) for which in (ROW, COLUMN, BOX) for at in range(9)])  # (27, 9) cells


def fill_singles(grids: Grids, hidden: bool = True) -> Grids:
    """The grids with every naked (and, if asked, hidden) single filled in, until there is none left."""
    return _fill(grids, hidden, locked=False)


def fill_locked(grids: Grids) -> Grids:
    """The same, and where singles end, locked candidates are struck out to find more."""
    return _fill(grids, hidden=True, locked=True)


def _fill(grids: Grids, hidden: bool, locked: bool) -> Grids:
    filled = grids.copy()
    barred = np.zeros(grids.shape, np.uint16)  # candidates that were struck out
    active = np.arange(len(filled))
    while len(active):
        free = candidates(filled[active]) & ~barred[active]
        found = np.where(np.bitwise_count(free) == 1, free, np.uint16(0))
        if hidden:
            found |= _hidden_singles(free)
        found[np.bitwise_count(found) != 1] = 0  # two digits for one cell: no solution that way, leave it
        changed: NDArray[np.bool_] = np.count_nonzero(found, axis=1) > 0
        filled[active] += _DIGIT[found]
        if locked and not changed.all():
            struck = locked_candidates(free[~changed])
            barred[active[~changed]] |= struck
            changed[~changed] = (struck & free[~changed]).any(axis=1)
        active = active[changed]
    return filled


def is_full(grids: Grids) -> NDArray[np.bool_]:
    full: NDArray[np.bool_] = np.count_nonzero(grids, axis=1) == 81
    return full


def clashing(grids: Grids) -> NDArray[np.bool_]:
    """In which grids does a digit stand twice in a unit? There, the sum of the bits is more than their union."""
    inside = grids <= 9
    bits = _BITS[np.where(inside, grids, np.uint8(0))][:, UNITS]
    twice = bits.sum(axis=2, dtype=np.uint16) != np.bitwise_or.reduce(bits, axis=2)
    clash: NDArray[np.bool_] = twice.any(axis=1) | ~inside.all(axis=1)
    return clash


def candidates(grids: Grids) -> Bits:
    """For each empty cell the digits that row, column and box leave, as bits; 0 for filled cells."""
    bits = _BITS[grids]
    used = np.bitwise_or.reduce(bits[:, UNITS], axis=2)  # (n, 27)
    free: Bits = ALL & ~(used[:, ROW] | used[:, 9 + COLUMN] | used[:, 18 + BOX])
    free[grids != 0] = 0
    return free


def _hidden_singles(free: Bits) -> Bits:
    """For each cell the digits that fit nowhere else in one of its units."""
    places = free[:, UNITS]  # (n, 27, 9)
    once = np.zeros(places.shape[:2], np.uint16)
    twice = np.zeros_like(once)
    for at in range(9):
        twice |= once & places[:, :, at]
        once |= places[:, :, at]
    only = once & ~twice
    singles: Bits = free & (only[:, ROW] | only[:, 9 + COLUMN] | only[:, 18 + BOX])
    return singles


def locked_candidates(free: Bits) -> Bits:
    """What can be struck out of each cell: a digit that a row has only inside one box, or a box only inside one row.

    Three cells of a row inside a box make a segment:   a a a | b b b | c c c
    """
    squares = free.reshape(-1, 9, 9)
    by_rows = _locked_in_rows(squares)
    by_columns = _locked_in_rows(squares.transpose(0, 2, 1)).transpose(0, 2, 1)
    return (by_rows | by_columns).reshape(-1, 81)


def _locked_in_rows(squares: Bits) -> Bits:
    cube = squares.reshape(-1, 3, 3, 3, 3)  # band, row in band, stack, column in stack
    segments = np.bitwise_or.reduce(cube, axis=4)  # (n, band, row, stack)
    beside_in_row = _others(segments, axis=3)
    beside_in_box = _others(segments, axis=2)
    only_here_in_row = segments & ~beside_in_row
    only_here_in_box = segments & ~beside_in_box
    struck = _others(only_here_in_row, axis=2) | _others(only_here_in_box, axis=3)
    return np.repeat(struck[..., None], 3, axis=4).reshape(squares.shape)


def _others(three: Bits, axis: int) -> Bits:
    """For each of three neighbours, what the two others have."""
    return np.roll(three, 1, axis=axis) | np.roll(three, 2, axis=axis)
