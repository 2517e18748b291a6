"""Full grids, drawn from all there are.

A solver completes a random beginning. Which completion it finds first is no fair choice, so the grid is then walked
at random: every step is as likely as the step back, and so every grid that can be reached is equally likely in the
end. At last it is moved by a random symmetry (digits, bands, rows, stacks, columns, transposition).

    step 1: two digits a, b          their cells, joined where they share a unit, fall into parts; swap a, b in one part
    step 2: two rows of a band       the pairs above one another form cycles; swap the rows in the columns of one cycle
            (or two columns of a stack)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numba
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from megadoku.datasets.generator import Solve

STEPS = 50


def full_grids(n: int, rng: np.random.Generator, solve: Solve) -> NDArray[np.uint8]:
    """`n` of them: the boxes of the diagonal at random, the rest solved, then walked and shuffled."""
    seeds = np.zeros((n, 9, 9), np.uint8)
    for box in range(3):
        digits = rng.permuted(np.tile(np.arange(1, 10, dtype=np.uint8), (n, 1)), axis=1)
        seeds[:, 3 * box : 3 * box + 3, 3 * box : 3 * box + 3] = digits.reshape(n, 3, 3)
    grids = solve(shuffle(seeds.reshape(n, 81), rng), 1).solutions.copy()
    walk(grids, rng.integers(0, 2**32, (n, STEPS), np.uint32))
    return shuffle(grids, rng)


def shuffle(grids: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Each grid under a random symmetry."""
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


@numba.njit(cache=True, nogil=True)
def walk(grids: NDArray[np.uint8], choices: NDArray[np.uint32]) -> None:
    """Take one random step for every choice, in place."""
    columns = np.empty((2, 9), np.int64)
    for at in range(len(grids)):
        for choice in choices[at]:
            value = int(choice)
            if value % 2:
                _swap_digits(grids[at], value // 2, columns)
            else:
                _swap_lines(grids[at], value // 2)


@numba.njit(cache=True, nogil=True)
def _swap_digits(grid: NDArray[np.uint8], value: int, columns: NDArray[np.int64]) -> None:
    """Swap two digits in one of the parts that their cells fall into. Each row has both, so a part is a set of rows."""
    row, value = value % 9, value // 9
    one, value = value % 9 + 1, value // 9
    other = value % 8 + 1
    other += other >= one
    for cell in range(81):
        if grid[cell] == one:
            columns[0, cell // 9] = cell % 9
        elif grid[cell] == other:
            columns[1, cell // 9] = cell % 9
    part, fresh = 1 << row, 1 << row
    while fresh:
        near = 0
        for here in range(9):
            if fresh >> here & 1:
                for there in range(9):
                    near |= _touch(columns, here, there) << there
        fresh = near & ~part
        part |= near
    for here in range(9):
        if part >> here & 1:
            grid[here * 9 + columns[0, here]] = other
            grid[here * 9 + columns[1, here]] = one


@numba.njit(cache=True, nogil=True)
def _touch(columns: NDArray[np.int64], here: int, there: int) -> int:
    """Does one digit in one row share a column or a box with the other digit in another row?"""
    a, b, c, d = columns[0, here], columns[1, here], columns[0, there], columns[1, there]
    same_band = here // 3 == there // 3
    return int(a == d or b == c or (same_band and (a // 3 == d // 3 or b // 3 == c // 3)))


@numba.njit(cache=True, nogil=True)
def _swap_lines(grid: NDArray[np.uint8], value: int) -> None:
    """Swap two rows of a band (or columns of a stack) in the places of one cycle."""
    by_column, value = value % 2, value // 2
    band, value = value % 3, value // 3
    left_out, value = value % 3, value // 3
    place = value % 9
    first, second = band * 3 + (left_out + 1) % 3, band * 3 + (left_out + 2) % 3
    along, across = (9, 1) if by_column else (1, 9)
    start = grid[first * across + place * along]
    while True:
        a, b = first * across + place * along, second * across + place * along
        grid[a], grid[b] = grid[b], grid[a]
        moved = grid[a]
        if moved == start:
            return
        for k in range(9):  # the digit that came up stands elsewhere in the first line, too: go on there
            if k != place and grid[first * across + k * along] == moved:
                place = k
                break
