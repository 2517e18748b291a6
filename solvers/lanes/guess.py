"""The choice of a guess, on one puzzle.

Here the vectors lie along the puzzle instead of across: its 81 masks and 15 zeros make a *row* of three vectors, and a
question about all cells has an answer of 81 bits, kept in two numbers:

    row     | cells 0 … 31 | 32 … 63 | 64 … 80, zeros |
    answer  | low: one bit each for cells 0 … 63 | high: cells 64 … 80 |

A cell with two candidates is the best to guess in: one wrong, and the other is proved. Among those, the one whose
digits touch most neighbours, and above all neighbours that have two candidates themselves: they are left with one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types

from megadoku.compiled import emitter, part
from megadoku.solvers.board import PEERS
from megadoku.solvers.lanes.vector import Flags, Vec, Vectors, data_of, number

if TYPE_CHECKING:
    from collections.abc import Callable

ROW_LENGTH = 96
WORTH_OF_A_PAIR = 2  # added for a touched neighbour that has two candidates
CELL_BITS = np.uint64(7)
LAST_CELL = np.uint64(127)
ALL_CELLS = 81
ONE = np.uint64(1)
HIGH = np.uint64(64)
ANSWER: Any = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]


def _peer_table() -> Any:
    table = np.zeros((81, 2), np.uint64)
    for cell, peers in enumerate(PEERS):
        for peer in peers:
            table[cell, peer // 64] |= np.uint64(1 << peer % 64)
    return table


PEER_BITS = _peer_table()


@emitter
def lowest(_: Any, bits: Any) -> Any:
    """The number of the lowest bit that is set."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), emit


@emitter
def how_many(_: Any, bits: Any) -> Any:
    """How many bits are set."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), emit


@emitter
def cells_of_size(_: Any, row: Any, size: Any) -> Any:
    """The cells with so many candidates."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = Vec.spread(builder, args[1])
        return _cells_where(context, builder, signature, args, lambda masks: masks.popcount() == size)

    return ANSWER(row, types.uint16), emit


@emitter
def cells_sharing(_: Any, row: Any, mask: Any) -> Any:
    """The cells that have at least one candidate of `mask`."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wanted = Vec.spread(builder, args[1])
        return _cells_where(context, builder, signature, args, lambda masks: (masks & wanted) != 0)

    return ANSWER(row, types.uint16), emit


def _cells_where(context: Any, builder: Any, signature: Any, args: Any, asked: Callable[[Vec], Flags]) -> Any:
    row = Vectors(builder, data_of(context, builder, signature.args[0], args[0]))
    first, second, third = (asked(row[i]).bits() for i in range(3))
    low = builder.or_(first, builder.shl(second, number(32)))
    return context.make_tuple(builder, ANSWER, (low, third))


@part
def choose(row: Any, at_most: Any) -> Any:
    """The cell to guess in, of the first so many that come into question. The row has one."""
    pairs_low, pairs_high = cells_of_size(row, np.uint16(2))
    low, high = pairs_low, pairs_high
    size = np.uint16(2)
    while (low | high) == 0:
        size += np.uint16(1)
        low, high = cells_of_size(row, size)
    best = np.uint64(0)
    while low != 0 and at_most > 0:
        best = max(best, _rank(row, lowest(low), pairs_low, pairs_high))
        low &= low - ONE
        at_most -= 1
    while high != 0 and at_most > 0:
        best = max(best, _rank(row, lowest(high) + HIGH, pairs_low, pairs_high))
        high &= high - ONE
        at_most -= 1
    return LAST_CELL - (best & LAST_CELL)


@part
def strongest_digit(row: Any, cell: Any) -> Any:
    """The candidate of this cell that most neighbours have too; the lowest wins a tie."""
    left = row[cell]
    best, most = np.uint16(0), np.int64(-1)
    while left != 0:
        digit = left & (~left + np.uint16(1))
        left ^= digit
        low, high = _touched(row, cell, digit)
        many = np.int64(how_many(low) + how_many(high))
        if many > most:
            best, most = digit, many
    return best


@part
def _touched(row: Any, cell: Any, mask: Any) -> Any:
    """The neighbours of a cell that have a candidate of `mask`."""
    low, high = cells_sharing(row, mask)
    return low & PEER_BITS[cell, np.uint64(0)], high & PEER_BITS[cell, np.uint64(1)]


@part
def _rank(row: Any, cell: Any, pairs_low: Any, pairs_high: Any) -> Any:
    """How good it is to guess here; the lower cell number wins a tie."""
    low, high = _touched(row, cell, row[cell])
    touched = how_many(low) + how_many(high)
    pairs = how_many(low & pairs_low) + how_many(high & pairs_high)
    return ((touched + np.uint64(WORTH_OF_A_PAIR) * pairs) << CELL_BITS) | (LAST_CELL - cell)
