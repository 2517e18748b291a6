"""Boards to lanes and back: 32 grids of 81 bytes become 81 vectors of 32 masks, and solutions return the same way.

      grids                              state
    puzzle 0:  5 3 0 0 7 …             cell 0:  {5} {1} {…} …        {5}: the mask of the digit
    puzzle 1:  1 0 9 0 0 …      <->    cell 1:  {3} all {9} …        all: nine candidates
      :                                  :
    puzzle 31                          cell 80

Bytes are exchanged in squares of 32 × 32. Three squares cover 81 cells; the last two overlap, which harms nobody.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from megadoku.compiled import emitter
from megadoku.solvers.lanes.rules import ALL
from megadoku.solvers.lanes.vector import LANES, LONG, VECTOR, Variable, Vec, Vectors, data_of, number, three_times

BYTE = ir.IntType(8)
BYTES = ir.VectorType(BYTE, LANES)
CELLS = 81
SQUARE_STARTS = (0, 32, 49)


@emitter
def load_boards(_: Any, grids: Any, first: Any, state: Any) -> Any:
    """Puzzles `first` to `first + 31` into the lanes; gives the lanes that hold something above 9."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rows = _byte_rows(context, builder, signature.args[0], args[0], args[1])
        cells = Vectors(builder, data_of(context, builder, signature.args[2], args[2]))
        highest = Variable(builder, 0)
        with three_times(builder) as loop:
            start = _square_start(builder, loop.index)
            square = [builder.load(_place(builder, rows, row, start), align=1) for row in range(LANES)]
            for offset, column in enumerate(_exchanged(builder, square)):
                digit = Vec(builder, builder.zext(column, VECTOR))
                highest.set(highest.get().max(digit))
                mask = (Vec.same(builder, 1) << (digit & 15)) >> 1
                cells[builder.add(start, number(offset))] = (digit == 0).pick(Vec.same(builder, ALL), mask & ALL)
        return (highest.get() > 9).bits()

    return types.uint64(grids, types.int64, state), emit


@emitter
def store_boards(_: Any, state: Any, grids: Any, first: Any) -> Any:
    """Solved lanes as rows `first` to `first + 31` of `grids`; lanes that are not solved leave nonsense there."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cells = Vectors(builder, data_of(context, builder, signature.args[0], args[0]))
        rows = _byte_rows(context, builder, signature.args[1], args[1], args[2])
        with three_times(builder) as loop:
            start = _square_start(builder, loop.index)
            digits = [_digit(cells[builder.add(start, number(offset))]) for offset in range(LANES)]
            square = [builder.trunc(digit.value, BYTES) for digit in digits]
            for row, bytes_of_row in enumerate(_exchanged(builder, square)):
                builder.store(bytes_of_row, _place(builder, rows, row, start), align=1)
        return context.get_dummy_value()

    return types.void(state, grids, types.int64), emit


def _digit(mask: Vec) -> Vec:
    """The digit of a mask with one bit: how many bits lie below it, and one."""
    return (mask - 1).popcount() + 1


def _exchanged(builder: Any, rows: list[Any]) -> list[Any]:
    """Rows become columns: zip the first half with the second, five times (2 to the 5th is 32)."""
    index = ir.VectorType(ir.IntType(32), LANES)
    low = ir.Constant(index, [i // 2 + LANES * (i % 2) for i in range(LANES)])
    high = ir.Constant(index, [LANES // 2 + i // 2 + LANES * (i % 2) for i in range(LANES)])
    half = LANES // 2
    for _ in range(5):
        rows = [builder.shuffle_vector(rows[i], rows[i + half], zipped) for i in range(half) for zipped in (low, high)]
    return rows


def _byte_rows(context: Any, builder: Any, array_type: Any, array: Any, first: Any) -> Any:
    base = builder.bitcast(data_of(context, builder, array_type, array), BYTE.as_pointer())
    return builder.gep(base, [builder.mul(first, number(CELLS))])


def _place(builder: Any, rows: Any, row: int, start: Any) -> Any:
    at = builder.gep(rows, [builder.add(start, number(CELLS * row))])
    return builder.bitcast(at, BYTES.as_pointer())


def _square_start(builder: Any, index: Any) -> Any:
    first, second, third = (ir.Constant(LONG, start) for start in SQUARE_STARTS)
    start = builder.select(builder.icmp_unsigned("==", index, number(1)), second, first)
    return builder.select(builder.icmp_unsigned("==", index, number(2)), third, start)
