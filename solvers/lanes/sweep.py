"""A sweep: one round of the rules on the three bands, then on the three stacks, of 32 puzzles.

The state is 81 vectors, `state[cell][lane]`; 5 KB, so it stays in the fastest cache:

    cell         lane 0   lane 1   lane 2    …    lane 31
      0           mask     mask     mask            mask
      1           mask     mask     mask            mask        a column is one puzzle,
      :             :        :        :               :         a row one cell of 32 puzzles
     80           mask     mask     mask            mask

Bands and stacks differ only in the way from cell to cell:   cell = start * which + down * line + along * place

               start  down  along
    bands        27     9      1
    stacks        3     1      9

Candidates only disappear, so the sum of a lane's 81 masks falls with every change. `sums` keeps the sums after the
last three passes:

    sums[0]   after the stacks of this sweep
    sums[1]   after the bands of this sweep       the same: the stacks changed nothing
    sums[2]   after the stacks of the last one    the same: neither did the bands

A lane has *settled* when the stacks changed nothing. That the bands would find more after all is rare, and guessing
then costs less than sweeping once more in every case. Only solutions are held to both: nine rows of the nine bits 1 to
256 make 4,599, and a lane with that sum, where neither bands nor stacks change or miss anything, has each digit once in
every row, column and box. (The sum alone would not do: what the stacks changed last, no row has seen yet.)
"""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
from numba import types

from megadoku.compiled import emitter, part
from megadoku.solvers.lanes.rules import ALL, THREE, squeeze
from megadoku.solvers.lanes.vector import Variable, Vec, Vectors, data_of, number, three_times

SOLVED_SUM = 9 * ALL
DEAD_SHIFT = np.uint64(32)
log = logging.getLogger(__name__)


@emitter
def _emit_pass(_: Any, state: Any, sums: Any, start: Any, down: Any, along: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # Reached only when there is no compiled kernel in the cache, so this is the place to say why it takes a while.
        log.warning("compiling the lanes kernel for this machine; later processes find it in numba's cache")
        cells = Vectors(builder, data_of(context, builder, signature.args[0], args[0]))
        totals = Vectors(builder, data_of(context, builder, signature.args[1], args[1]))
        return _pass(builder, cells, totals, *args[2:])

    return types.uint64(state, sums, types.int64, types.int64, types.int64), emit


def _pass(builder: Any, state: Vectors, sums: Vectors, start: Any, down: Any, along: Any) -> Any:
    placeable, total, least = Variable(builder, ALL), Variable(builder, 0), Variable(builder, 0xFFFF)
    with three_times(builder) as loop:
        where = _cells_of(builder, builder.mul(loop.index, start), down, along)
        band = squeeze([[[state[cell] for cell in mini] for mini in line] for line in where])
        placeable.set(placeable.get() & band.placeable)
        for line, masks in zip(where, band.cells, strict=True):
            for places, mini in zip(line, masks, strict=True):
                for place, mask in zip(places, mini, strict=True):
                    state[place] = mask
                    total.set(total.get() + mask)
                    least.set(least.get().min(mask))
    sums[2] = sums[1]
    sums[1] = sums[0]
    sums[0] = total.get()
    return ((placeable.get() != ALL) | (least.get() == 0)).bits()


def _cells_of(builder: Any, first: Any, down: Any, along: Any) -> list[list[list[Any]]]:
    """The numbers of a band's 27 cells, as the rules want them."""
    lines = [builder.add(first, builder.mul(down, number(i))) for i in THREE]
    steps = [builder.mul(along, number(k)) for k in range(9)]
    return [[[builder.add(line, steps[3 * box + k]) for k in THREE] for box in THREE] for line in lines]


@emitter
def _emit_settled(_: Any, sums: Any, thorough: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        totals = Vectors(builder, data_of(context, builder, signature.args[0], args[0]))
        by_stacks, by_bands = totals[0] ^ totals[1], totals[0] ^ totals[2]
        held_to_both = (totals[0] == SOLVED_SUM) | (Vec.spread(builder, args[1]) != 0)
        return ((by_stacks | held_to_both.pick(by_bands, 0)) == 0).bits()

    return types.uint64(sums, types.uint16), emit


@part
def sweep(state: Any, sums: Any, thorough: Any) -> Any:
    """Both passes. Gives the lanes that have settled (bits 0 to 31) and those with a contradiction (bits 32 to 63).

    `thorough` holds every lane to both: nothing at all is left to deduce where it has settled.
    """
    dead = np.uint64(0)
    start, down, along = 27, 9, 1
    for _ in range(2):  # one loop, so that the rules are compiled once
        dead |= _emit_pass(state, sums, start, down, along)
        start, down, along = 3, 1, 9
    return dead << DEAD_SHIFT | _emit_settled(sums, thorough)
