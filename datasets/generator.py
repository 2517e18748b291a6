"""New puzzles with exactly one solution. The solver that proves it is handed in.

A batch of full grids is drawn, and its cells are emptied in random order: one more cell in every grid at a time, the
whole batch is tested at once, and the cells whose removal brought a second solution are filled again.

    full grids → empty one cell in each → solve(grids, 2).counts → put back where 2 → next cell …
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Answered(Protocol):
    """What the generator asks of a solver's answers."""

    @property
    def solutions(self) -> NDArray[np.uint8]: ...
    @property
    def counts(self) -> NDArray[np.int64]: ...


Solve = Callable[["NDArray[np.uint8]", int], Answered]  # grids, limit


@dataclass(frozen=True)
class Wish:
    """What the puzzles shall be like."""

    min_clues: int = 17
    max_clues: int = 81
    minimal: bool = False  # no clue can be left out


def make_batch(wish: Wish, n: int, rng: np.random.Generator, solve: Solve) -> tuple[NDArray[np.uint8], ...]:
    """Puzzles made of `n` full grids, and their solutions; those that did not become what is wished are left out."""
    solutions = full_grids(n, rng, solve)
    puzzles = dig(solutions, wish, rng, solve)
    clues = np.count_nonzero(puzzles, axis=1)
    good = (clues >= wish.min_clues) & (clues <= wish.max_clues)
    return puzzles[good], solutions[good]


def dig(solutions: NDArray[np.uint8], wish: Wish, rng: np.random.Generator, solve: Solve) -> NDArray[np.uint8]:
    """Empty cells in random order, as long as one solution stays, down to a number of clues drawn for each grid."""
    n = len(solutions)
    puzzles = solutions.copy()
    order = rng.permuted(np.tile(np.arange(81), (n, 1)), axis=1)
    goal = np.zeros(n, np.int64) if wish.minimal else rng.integers(wish.min_clues, wish.max_clues + 1, n)
    clues = np.full(n, 81)
    for step in range(81):
        active = np.flatnonzero(clues > goal)
        if not len(active):
            break
        cells = order[active, step]
        puzzles[active, cells] = 0
        spoilt = solve(puzzles[active], 2).counts != 1
        puzzles[active[spoilt], cells[spoilt]] = solutions[active[spoilt], cells[spoilt]]
        clues[active[~spoilt]] -= 1
    return puzzles


def full_grids(n: int, rng: np.random.Generator, solve: Solve) -> NDArray[np.uint8]:
    """Full grids: the boxes of the diagonal at random, the rest solved, all of it shuffled by sudoku's symmetries."""
    seeds = np.zeros((n, 9, 9), np.uint8)
    for box in range(3):
        digits = rng.permuted(np.tile(np.arange(1, 10, dtype=np.uint8), (n, 1)), axis=1)
        seeds[:, 3 * box : 3 * box + 3, 3 * box : 3 * box + 3] = digits.reshape(n, 3, 3)
    return shuffle(solve(seeds.reshape(n, 81), 1).solutions, rng)


def shuffle(grids: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Each grid under a random symmetry: digits renamed, bands, rows, stacks and columns swapped, transposed."""
    n = len(grids)
    renamed = np.zeros((n, 10), np.uint8)
    renamed[:, 1:] = rng.permuted(np.tile(np.arange(1, 10, dtype=np.uint8), (n, 1)), axis=1)
    squares = np.take_along_axis(renamed, grids.astype(np.intp), axis=1).reshape(n, 9, 9)
    squares = np.take_along_axis(squares, _line_order(n, rng)[:, :, None], axis=1)
    squares = np.take_along_axis(squares, _line_order(n, rng)[:, None, :], axis=2)
    flipped = rng.random(n) < 0.5
    squares[flipped] = squares[flipped].transpose(0, 2, 1)
    return squares.reshape(n, 81)


def _line_order(n: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Orders of nine lines that keep the three bands together."""
    bands = rng.permuted(np.tile(np.arange(3), (n, 1)), axis=1)
    within = rng.permuted(np.tile(np.arange(3), (n, 3, 1)), axis=2)
    order: NDArray[np.intp] = (3 * bands[:, :, None] + within).reshape(n, 9)
    return order
