"""A pass: one round of the rules on all three bands, or all three stacks, of 32 puzzles.

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

Candidates only disappear, so the sum of a lane's 81 masks falls with every change. `sums` keeps those of the last two
passes. The sum of two passes ago again: neither bands nor stacks changed anything, nothing is left to deduce. Nine
rows of the nine bits 1 to 256 make 4,599: a lane with that sum, nothing left to deduce and no contradiction has every
digit once in every row, one in each cell, and is solved. (The sum alone would not do: the last changes would not
have been checked against the crossing units.)
"""

from __future__ import annotations

import logging
from typing import Any

from numba import types

from megadoku.solvers.compiled import emitter, part
from megadoku.solvers.lanes.rules import ALL, THREE, squeeze
from megadoku.solvers.lanes.vector import Variable, Vec, Vectors, data_of, number, three_times

SOLVED_SUM = 9 * ALL
DEAD_SHIFT = 32
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
    dead = (placeable.get() != ALL) | (least.get() == 0)
    return _verdict(builder, sums, total.get(), dead.bits())


def _cells_of(builder: Any, first: Any, down: Any, along: Any) -> list[list[list[Any]]]:
    """The numbers of a band's 27 cells, as the rules want them."""
    lines = [builder.add(first, builder.mul(down, number(i))) for i in THREE]
    steps = [builder.mul(along, number(k)) for k in range(9)]
    return [[[builder.add(line, steps[3 * box + k]) for k in THREE] for box in THREE] for line in lines]


def _verdict(builder: Any, sums: Vectors, total: Vec, dead: Any) -> Any:
    """Remember the sums; one bit a lane: nothing changed for two passes (low half), contradiction (high half)."""
    settled = (sums[1] == total).bits()
    sums[1] = sums[0]
    sums[0] = total
    return builder.or_(builder.shl(dead, number(DEAD_SHIFT)), settled)


@part
def squeeze_bands_or_stacks(state: Any, sums: Any, stacks: Any) -> Any:
    """One pass. Gives the lanes that have settled (bits 0 to 31) and those with a contradiction (bits 32 to 63)."""
    if stacks:
        start, down, along = 3, 1, 9
    else:
        start, down, along = 27, 9, 1
    return _emit_pass(state, sums, start, down, along)
