"""Are two puzzles the same up to sudoku's symmetries? A fingerprint that no symmetry changes.

Colours are passed around the puzzle: a cell knows its row, column, box and digit, these know their cells, and after a
few rounds every colour tells of the whole. Sums forget the order, so renaming digits, swapping lines and transposing
change nothing. Different puzzles may share a fingerprint in theory; of puzzles with an empty cell, none has been seen
to. A full grid looks the same from everywhere, and so all full grids share one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from megadoku.datasets.logic import BOX, COLUMN, ROW

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Colours = NDArray[np.uint64]

ROUNDS = 5


def fingerprints(puzzles: NDArray[np.uint8]) -> Colours:
    """One number a puzzle, the same for puzzles that a symmetry turns into one another."""
    given = (puzzles > 0).astype(np.uint64)
    cells = _mix(given + np.uint64(1))
    for _ in range(ROUNDS):
        rows, columns, boxes = (_unit_sums(cells, which) for which in (ROW, COLUMN, BOX))
        rows, columns = _with_bands(rows), _with_bands(columns)
        lines = _mix(rows[:, ROW]) + _mix(columns[:, COLUMN])  # a sum, so that transposing changes nothing
        cells = _mix(cells * np.uint64(3) + _mix(lines) + _mix(boxes[:, BOX] * np.uint64(5)) + _digits(puzzles, cells))
    prints: Colours = _mix(cells).sum(axis=1, dtype=np.uint64)
    return prints


def _unit_sums(cells: Colours, which: NDArray[np.intp]) -> Colours:
    order = np.argsort(which, kind="stable")
    return _mix(cells[:, order].reshape(-1, 9, 9).sum(axis=2, dtype=np.uint64))


def _with_bands(lines: Colours) -> Colours:
    """Each line's colour with that of the three lines it stands among."""
    bands = _mix(lines).reshape(-1, 3, 3).sum(axis=2, dtype=np.uint64)
    return lines + _mix(np.repeat(bands, 3, axis=1))


def _digits(puzzles: NDArray[np.uint8], cells: Colours) -> Colours:
    """For each given cell the colour of its digit, which is that of all cells that hold it."""
    colours = np.zeros_like(cells)
    for digit in range(1, 10):
        here = puzzles == digit
        total = np.where(here, cells, np.uint64(0)).sum(axis=1, dtype=np.uint64)
        colours += np.where(here, _mix(total * np.uint64(7))[:, None], np.uint64(0))
    return colours


def _mix(values: Colours) -> Colours:
    """Scatter the bits (splitmix64)."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
