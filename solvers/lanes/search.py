"""The handling of lanes: 32 searches side by side, each with its own puzzle, depth and saved states.

After every sweep most lanes just go on. Those that settled or met a contradiction are looked at one by one:

    settled, one digit a cell     a solution: enough of them, and the lane is free; else back to the last saved state
    settled, not solved           guess: save the state without the guessed digit, go on with it
    contradiction                 back to the last saved state; none left: the search is over
    free                          take the next puzzle from the queue

A saved state is used once: what it holds is the guess refuted, and from there the lane deduces and, if need be,
guesses anew. Where the refuted guess leaves one digit in its cell, that digit is placed by search too: it is a node.

Nothing a lane does depends on its neighbours, nor on when it does it: lanes are looked at after whole sweeps only, so
each goes its own way of bands, stacks, bands, stacks; and a puzzle comes to its first guess only where nothing at all
is left to deduce, whether it got there in this lane or before it was queued. So the nodes of a puzzle are the same in
every block. (Bands first or stacks first is not the same: a cell that is the only place of two digits is noticed as a
contradiction in one order and not in the other. It took a million puzzles, each in two blocks, to see that.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from megadoku.compiled import part
from megadoku.solvers.contract import Status
from megadoku.solvers.lanes.guess import ALL_CELLS, choose, lowest, strongest_digit
from megadoku.solvers.lanes.lane import put, take
from megadoku.solvers.lanes.sweep import DEAD_SHIFT, SOLVED_SUM, sweep
from megadoku.solvers.lanes.workspace import LIVE, SWEEPS, WAITING

ONE = np.uint64(1)
ALL_LANES = np.uint64(0xFFFF_FFFF)
DEEP, A_FEW = 2, 5  # after so many guesses, none refuted, so many cells are looked at for the next one
UNSOLVABLE, EXHAUSTED = int(Status.UNSOLVABLE), int(Status.EXHAUSTED)
SOLVED, UNIQUE, MULTIPLE = int(Status.SOLVED), int(Status.UNIQUE), int(Status.MULTIPLE)


@part
def search(limit: Any, most_nodes: Any, until: Any, last: Any, work: Any, book: Any) -> Any:
    """Go on until the queue is empty and a lane free; when these are the `last` puzzles, until every lane is free."""
    live = np.uint64(work.counters[LIVE])
    free = ~live & ALL_LANES
    while True:
        live |= _refill(free, work)
        free = ~live & ALL_LANES
        if live == 0 or (free != 0 and not last) or work.counters[SWEEPS] >= until:
            work.counters[LIVE] = np.int64(live)
            return
        found = sweep(work.state, work.sums, np.uint16(0))
        work.counters[SWEEPS] += 1
        dead = (found >> DEAD_SHIFT) & live
        settled = found & live & ~dead
        while settled != 0:
            lane = lowest(settled)
            bit = settled & (~settled + ONE)
            settled ^= bit
            if work.sums[0, lane] == SOLVED_SUM:
                if _solution(lane, limit, work, book):
                    live ^= bit
                else:
                    dead |= bit
            elif _may_guess(lane, work) and _guess(lane, most_nodes, work, book):
                live ^= bit
        while dead != 0:
            lane = lowest(dead)
            bit = dead & (~dead + ONE)
            dead ^= bit
            if _go_back(lane, limit, most_nodes, work, book):
                live ^= bit
        free = ~live & ALL_LANES


@part
def _refill(free: Any, work: Any) -> Any:
    """Puzzles from the queue into free lanes; gives the lanes that got one."""
    filled = np.uint64(0)
    while free != 0 and work.counters[WAITING] > 0:
        lane = lowest(free)
        free &= free - ONE
        filled |= ONE << lane
        work.counters[WAITING] -= 1
        waiting = work.counters[WAITING]
        put(work.queue[waiting], work.state, work.sums, lane)
        work.sums[0, lane] = work.queue_sum[waiting]
        work.puzzle[lane] = work.queue_puzzle[waiting]
        work.since[lane] = work.counters[SWEEPS]
        work.depth[lane] = 0
        work.placed[lane] = 0
        work.overdue[lane] = False
    return filled


@part
def _may_guess(lane: Any, work: Any) -> Any:
    """Before the first guess neither bands nor stacks may have changed anything."""
    return work.placed[lane] > 0 or work.sums[0, lane] == work.sums[2, lane]


@part
def _guess(lane: Any, most_nodes: Any, work: Any, book: Any) -> Any:
    """Place a digit in the best cell; True if the budget forbids it.

    Which digit comes first matters only if not all are tried. As long as no guess was refuted there may be many
    solutions, and the digit with the most consequences leads to one soonest; if several guesses have stood, they are
    likely to be many, and hardly any cell is a bad choice.
    """
    puzzle = work.puzzle[lane]
    if book.nodes[puzzle] == most_nodes:
        end(lane, EXHAUSTED, work, book)
        return True
    depth = work.depth[lane]
    row = work.saved[lane, depth]
    take(work.state, lane, row)
    hopeful = book.backtracks[puzzle] == 0
    cell = choose(row, A_FEW if hopeful and depth >= DEEP else ALL_CELLS)
    digit = strongest_digit(row, cell) if hopeful else row[cell] & (~row[cell] + np.uint16(1))
    row[cell] ^= digit
    work.state[cell, lane] = digit
    work.saved_cell[lane, depth] = cell
    work.saved_placed[lane, depth] = work.placed[lane]
    work.depth[lane] = depth + 1
    work.placed[lane] += 1
    book.nodes[puzzle] += 1
    return False


@part
def _go_back(lane: Any, limit: Any, most_nodes: Any, work: Any, book: Any) -> Any:
    """Undo what was placed since the last saved state and go on from there; True if there is none, or no budget."""
    puzzle = work.puzzle[lane]
    depth = work.depth[lane] - 1
    if depth < 0:
        book.backtracks[puzzle] += work.placed[lane]
        end(lane, verdict(book.counts[puzzle], limit), work, book)
        return True
    placed = work.saved_placed[lane, depth]
    book.backtracks[puzzle] += work.placed[lane] - placed
    row = work.saved[lane, depth]
    rest = row[work.saved_cell[lane, depth]]
    if rest & (rest - np.uint16(1)) == 0:  # the last digit of its cell: placed by search, like the ones before it
        if book.nodes[puzzle] == most_nodes:
            end(lane, EXHAUSTED, work, book)
            return True
        book.nodes[puzzle] += 1
        placed += 1
    work.placed[lane] = placed
    work.depth[lane] = depth
    put(row, work.state, work.sums, lane)
    return False


@part
def _solution(lane: Any, limit: Any, work: Any, book: Any) -> Any:
    """Count it, keep the first; True if it was the last one wanted."""
    puzzle = work.puzzle[lane]
    if book.counts[puzzle] == 0:
        for cell in range(81):
            book.solutions[puzzle, cell] = lowest(np.uint64(work.state[cell, lane])) + ONE
    book.counts[puzzle] += 1
    if book.counts[puzzle] == limit:
        end(lane, verdict(book.counts[puzzle], limit), work, book)
        return True
    return False


@part
def end(lane: Any, status: Any, work: Any, book: Any) -> None:
    puzzle = work.puzzle[lane]
    book.status[puzzle] = status
    book.sweeps[puzzle] += work.counters[SWEEPS] - work.since[lane]


@part
def verdict(count: Any, limit: Any) -> Any:
    """The status of a search that came to its end."""
    if count == 0:
        return UNSOLVABLE
    if limit == 1:
        return SOLVED
    return UNIQUE if count == 1 else MULTIPLE
