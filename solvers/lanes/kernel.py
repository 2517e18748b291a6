"""The whole way of a block: deduce 32 puzzles in step, queue what that does not end, search the queue.

Most puzzles of most files need no guess. They are loaded, deduced and stored 32 at a time with vectors only, and never
see the machinery of the search.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from megadoku import compiled
from megadoku.compiled import kernel, part
from megadoku.solvers.lanes.boards import load_boards, store_boards
from megadoku.solvers.lanes.guess import how_many, lowest
from megadoku.solvers.lanes.lane import take
from megadoku.solvers.lanes.search import ALL_LANES, EXHAUSTED, ONE, end, search, verdict
from megadoku.solvers.lanes.sweep import DEAD_SHIFT, SOLVED_SUM, sweep
from megadoku.solvers.lanes.vector import LANES
from megadoku.solvers.lanes.workspace import LIVE, NEXT, QUEUE_LENGTH, SWEEPS, WAITING

if TYPE_CHECKING:
    from collections.abc import Callable

STRAGGLERS = 4  # when no more lanes than this still deduce, the others stop waiting for them


@part
def deduce(grids: Any, limit: Any, work: Any, book: Any) -> None:
    """The next 32 puzzles: write the answers that need no search, queue the others."""
    first = work.counters[NEXT]
    count = min(LANES, len(grids) - first)
    lanes = ALL_LANES >> np.uint64(LANES - count)
    busy = lanes & ~_load(grids, first, count, work)
    settled = np.uint64(0)
    sweeps = 0
    while how_many(busy) > STRAGGLERS:
        found = sweep(work.fresh, work.fresh_sums, np.uint16(1))
        sweeps += 1
        busy &= ~(found >> DEAD_SHIFT)
        settled |= found & busy
        busy &= ~settled
    for position in range(first, first + count):
        book.sweeps[position] = sweeps
    solved = settled & _solved(work.fresh_sums)
    _store(solved, first, count, limit, work, book)
    _enqueue((settled | busy) & ~solved, first, work)
    work.counters[NEXT] = first + count


@part
def _load(grids: Any, first: Any, count: Any, work: Any) -> Any:
    """Gives the lanes that hold something above 9."""
    work.fresh_sums[:] = 0
    if count == LANES:
        return load_boards(grids, first, work.fresh)
    for row in range(count):
        for cell in range(81):
            work.fresh_grids[row, cell] = grids[first + row, cell]
    return load_boards(work.fresh_grids, 0, work.fresh)


@part
def _solved(sums: Any) -> Any:
    lanes = np.uint64(0)
    for lane in range(LANES):
        lanes |= np.uint64(sums[0, lane] == SOLVED_SUM) << np.uint64(lane)
    return lanes


@part
def _store(solved: Any, first: Any, count: Any, limit: Any, work: Any, book: Any) -> None:
    if solved == 0:
        return
    if count == LANES:
        store_boards(work.fresh, book.solutions, first)
    else:
        store_boards(work.fresh, work.fresh_grids, 0)
        for row in range(count):
            for cell in range(81):
                book.solutions[first + row, cell] = work.fresh_grids[row, cell]
    for lane in range(count):
        if (solved >> np.uint64(lane)) & ONE:
            book.counts[first + lane] = 1
            book.status[first + lane] = verdict(1, limit)
        else:
            for cell in range(81):
                book.solutions[first + lane, cell] = 0


@part
def _enqueue(lanes: Any, first: Any, work: Any) -> None:
    while lanes != 0:
        lane = lowest(lanes)
        lanes &= lanes - ONE
        waiting = work.counters[WAITING]
        take(work.fresh, lane, work.queue[waiting])
        work.queue_puzzle[waiting] = first + np.int64(lane)
        work.queue_sum[waiting] = work.fresh_sums[0, lane]
        work.counters[WAITING] += 1


@part
def _end_overdue(work: Any, book: Any) -> None:
    """Lanes whose time was found to be up between two calls."""
    for lane in range(LANES):
        bit = np.int64(1) << lane
        if work.counters[LIVE] & bit and work.overdue[lane]:
            end(lane, EXHAUSTED, work, book)
            work.counters[LIVE] ^= bit


def _build(sources: int) -> Callable[..., bool]:
    @kernel
    def run(grids: Any, limit: Any, most_nodes: Any, until: Any, work: Any, book: Any) -> Any:
        """Work until sweep `until` at least; True when every puzzle has its answer."""
        # numba's cache looks at the file and the closure of the function it keeps, not at what that calls. With this
        # number in the closure, a kernel compiled from other rules is not taken for this one.
        sources  # noqa: B018
        _end_overdue(work, book)
        while work.counters[SWEEPS] < until:
            while work.counters[NEXT] < len(grids) and work.counters[WAITING] <= QUEUE_LENGTH - LANES:
                deduce(grids, limit, work, book)
            last = work.counters[NEXT] == len(grids)
            search(limit, most_nodes, until, last, work, book)
            if last and work.counters[LIVE] == 0 and work.counters[WAITING] == 0:
                return True
        return False

    return run


def _fingerprint() -> int:
    """A number that changes with any file of this folder, or of those it imports."""
    here = Path(__file__).parent
    digest = hashlib.sha256()
    used = (*(here.parent / f"{name}.py" for name in ("board", "contract")), Path(compiled.__file__))
    for path in (*sorted(here.glob("*.py")), *used):
        digest.update(path.read_bytes())
    return int.from_bytes(digest.digest()[:6])


run = _build(_fingerprint())
