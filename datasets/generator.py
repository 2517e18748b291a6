"""New puzzles with exactly one solution. The solver that proves it is handed in.

A batch of full grids is drawn, and its cells are emptied in random order. A few cells of every grid at a time, the
whole batch is tested at once; where a second solution appeared, the cells are filled again and half as many are tried.
That gives what emptying one cell at a time would give, because a puzzle with one solution keeps it when clues are
added; it only takes fewer tests.

    full grids → empty the next cells in each → solve(grids, 2).counts → put back where 2 → …

Batches are numbered and each has its own random numbers, so it does not matter who makes which.
"""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from megadoku.datasets.errors import WishError
from megadoku.datasets.output import writer_for, written
from megadoku.datasets.writers import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Executor, Future

    from numpy.typing import NDArray

    from megadoku.datasets.difficulty import Difficulty

BATCH = 4_096
AHEAD = 16  # batches that are made or wait for their turn, at most
PATIENCE = 64  # batches without a single fitting puzzle
STEPS = ((60, 12), (50, 7), (42, 5), (36, 3), (31, 2))  # above so many clues, try to empty so many cells at once


class Answered(Protocol):
    """What the generator and the inspection ask of a solver's answers; `reasons` are of puzzles left undecided."""

    @property
    def solutions(self) -> NDArray[np.uint8]: ...
    @property
    def counts(self) -> NDArray[np.int64]: ...
    @property
    def nodes(self) -> NDArray[np.int64]: ...
    @property
    def reasons(self) -> Mapping[int, str]: ...


class Solve(Protocol):
    """A solver's `solve_block`."""

    def __call__(self, grids: NDArray[np.uint8], limit: int, /) -> Answered: ...


@dataclass(frozen=True)
class Wish:
    """What the puzzles shall be like."""

    min_clues: int = 22
    max_clues: int = 30
    minimal: bool = False  # no clue can be left out
    difficulty: Difficulty | None = None

    def __post_init__(self) -> None:
        if not 17 <= self.min_clues <= self.max_clues <= 81:
            raise WishError(f"clues from {self.min_clues} to {self.max_clues}: ask for a range within 17 to 81")


def generate_rows(
    n: int, wish: Wish, *, solve: Solve, seed: int = 0, executor: Executor | None = None
) -> Iterator[Rows]:
    """`n` puzzles with their solutions. The same seed gives the same puzzles, with any executor or none."""
    fruitless = 0
    for made in _in_order(wish, seed, solve, executor):
        fruitless = 0 if len(made.puzzles) else fruitless + 1
        if fruitless == PATIENCE:
            tried = PATIENCE * BATCH
            raise WishError(f"no such puzzle among {tried:,} tries; ask for more clues or another difficulty")
        if len(made.puzzles):
            yield Rows(made.puzzles[:n], made.solutions[:n] if made.solutions is not None else None)
        n -= len(made.puzzles)
        if n <= 0:
            return


def generate(
    n: int,
    output: str,
    wish: Wish,
    *,
    solve: Solve,
    seed: int = 0,
    to: str | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Write `n` new puzzles in the format of the output's name, or the one named by `to`; the number of them."""
    entry = writer_for(output, to)

    def counted() -> Iterator[Rows]:
        for rows in generate_rows(n, wish, solve=solve, seed=seed, executor=executor):
            yield rows
            if progress:
                progress(len(rows.puzzles))

    with written(output) as file:
        entry.write(file, counted())
    return n


def _in_order(wish: Wish, seed: int, solve: Solve, executor: Executor | None) -> Iterator[Rows]:
    """Batches 0, 1, 2, … without end; with an executor, a few are made ahead."""
    if executor is None:
        yield from (make_batch(wish, BATCH, seed, number, solve) for number in itertools.count())
        return
    waiting: deque[Future[Rows]] = deque()
    try:
        for number in itertools.count():
            waiting.append(executor.submit(make_batch, wish, BATCH, seed, number, solve))
            if len(waiting) >= AHEAD:
                yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def make_batch(wish: Wish, size: int, seed: int, number: int, solve: Solve) -> Rows:
    """What comes of `size` full grids; those that did not become what is wished are left out."""
    from megadoku.datasets.full_grids import full_grids  # brings numba in, which takes as long as all the rest

    rng = np.random.default_rng((seed, number))
    solutions = full_grids(size, rng, solve)
    puzzles = dig(solutions, wish, rng, solve)
    clues = np.count_nonzero(puzzles, axis=1)
    good = np.flatnonzero((clues >= wish.min_clues) & (clues <= wish.max_clues))
    if wish.difficulty is not None:
        good = good[wish.difficulty.fits(puzzles[good], solve)]
    return Rows(puzzles[good], solutions[good])


def dig(solutions: NDArray[np.uint8], wish: Wish, rng: np.random.Generator, solve: Solve) -> NDArray[np.uint8]:
    """Empty cells in random order, as long as one solution stays, down to a number of clues drawn for each grid."""
    n = len(solutions)
    rank = rng.permuted(np.tile(np.arange(81, dtype=np.uint8), (n, 1)), axis=1)  # when a cell's turn comes
    goal = np.zeros(n, np.int64) if wish.minimal else rng.integers(wish.min_clues, wish.max_clues + 1, n)
    puzzles = solutions.copy()
    clues, turn, step = np.full(n, 81), np.zeros(n, np.int64), np.full(n, STEPS[0][1])
    active = np.arange(n)
    while len(active):
        first, last = turn[active], turn[active] + step[active]
        next_cells = (rank[active] >= first[:, None]) & (rank[active] < last[:, None])
        tried = np.where(next_cells, np.uint8(0), puzzles[active])
        unique = solve(tried, 2).counts == 1
        puzzles[active[unique]] = tried[unique]
        clues[active[unique]] -= step[active[unique]]
        done = unique | (step[active] == 1)
        turn[active[done]] = last[done]
        step[active] = np.where(done, _step(clues[active]), step[active] // 2)
        step[active] = np.minimum(step[active], np.minimum(clues[active] - goal[active], 81 - turn[active]))
        active = active[step[active] > 0]
    return puzzles


def _step(clues: NDArray[np.int64]) -> NDArray[np.int64]:
    steps = np.ones_like(clues)
    for above, size in reversed(STEPS):
        steps[clues > above] = size
    return steps
