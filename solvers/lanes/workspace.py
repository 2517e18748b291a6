"""What a kernel works on: arrays only, so that compiled code and Python can both hold them, one set for each thread.

    boards    32 fresh puzzles, all deduced in step       state (81, 32)
      |
      v       puzzles that deduction alone does not end
    queue     | row | row | row | …                       one puzzle a row, its masks side by side
      |
      v       a lane that is free takes the last row
    lanes     32 searches, each at its own depth          state (81, 32)
                 saved[lane]  | row | row | …             one row a guess: the state without the guessed digit

Rows are long enough to be read as three vectors, and what lies beyond cell 80 is always zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from megadoku.solvers.lanes.guess import ROW_LENGTH
from megadoku.solvers.lanes.vector import ALIGNMENT, LANES

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUEUE_LENGTH = 256
DEEPEST = 82  # a guess fills a cell, so no path has more than 81

# What has to be remembered between two calls of the kernel: places in `Work.counters`.
NEXT, WAITING, LIVE, SWEEPS = range(4)


class Work(NamedTuple):
    """Everything but the puzzles and the answers."""

    counters: NDArray[np.int64]
    fresh: NDArray[np.uint16]  # the state of 32 puzzles that just came in
    fresh_sums: NDArray[np.uint16]
    fresh_grids: NDArray[np.uint8]  # the last puzzles of a block, filled up to 32
    queue: NDArray[np.uint16]
    queue_puzzle: NDArray[np.int64]
    queue_sum: NDArray[np.uint16]  # of the masks, as the last sweep left it
    state: NDArray[np.uint16]  # the state of 32 puzzles in search
    sums: NDArray[np.uint16]
    puzzle: NDArray[np.int64]  # and, for each lane: its puzzle,
    since: NDArray[np.int64]  # the sweep in which it came,
    depth: NDArray[np.int64]  # how many states are saved,
    placed: NDArray[np.int64]  # how many digits search has placed on the way here,
    overdue: NDArray[np.bool_]  # whether its time is up
    saved: NDArray[np.uint16]
    saved_cell: NDArray[np.int64]  # for each saved state: where was guessed,
    saved_placed: NDArray[np.int64]  # and `placed` before the guess


class Book(NamedTuple):
    """The arrays of the answers that a kernel writes."""

    solutions: NDArray[np.uint8]
    counts: NDArray[np.int64]
    status: NDArray[np.uint8]
    nodes: NDArray[np.int64]
    backtracks: NDArray[np.int64]
    sweeps: NDArray[np.int64]


def new_work() -> Work:
    return Work(
        counters=np.zeros(4, np.int64),
        fresh=_vectors(81, LANES),
        fresh_sums=_vectors(3, LANES),
        fresh_grids=np.zeros((LANES, 81), np.uint8),
        queue=_vectors(QUEUE_LENGTH, ROW_LENGTH),
        queue_puzzle=np.zeros(QUEUE_LENGTH, np.int64),
        queue_sum=np.zeros(QUEUE_LENGTH, np.uint16),
        state=_vectors(81, LANES),
        sums=_vectors(3, LANES),
        puzzle=np.zeros(LANES, np.int64),
        since=np.zeros(LANES, np.int64),
        depth=np.zeros(LANES, np.int64),
        placed=np.zeros(LANES, np.int64),
        overdue=np.zeros(LANES, np.bool_),
        saved=_vectors(LANES, DEEPEST, ROW_LENGTH),
        saved_cell=np.zeros((LANES, DEEPEST), np.int64),
        saved_placed=np.zeros((LANES, DEEPEST), np.int64),
    )


def _vectors(*shape: int) -> NDArray[np.uint16]:
    """Zeros that start where vectors may be loaded from; numpy promises 16 bytes only."""
    size = 2 * int(np.prod(shape))
    raw = np.zeros(size + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    words: NDArray[Any] = raw[start : start + size].view(np.uint16)
    return words.reshape(shape)
