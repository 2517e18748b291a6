"""One puzzle out of its lane, and into one.

state[cell][lane]   a column is one puzzle: its 81 masks lie 64 bytes apart
row[cell]           the same masks side by side, 15 zeros after them
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from megadoku.compiled import emitter, part
from megadoku.solvers.lanes.vector import LANES, VECTOR, WORD, Vec, Vectors, data_of, number


@emitter
def take(_: Any, state: Any, lane: Any, row: Any) -> Any:
    """Copy a lane into a row.

    The row is written as three vectors, not as 81 words: it is read as vectors next, and a processor that finds words
    on their way to memory where it wants a vector waits until all have arrived.
    """

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        words = builder.bitcast(data_of(context, builder, signature.args[0], args[0]), WORD.as_pointer())
        column = builder.gep(words, [args[1]])
        vectors = Vectors(builder, data_of(context, builder, signature.args[2], args[2]))
        for index in range(3):
            gathered = ir.Constant(VECTOR, [0] * LANES)
            for place, cell in enumerate(range(LANES * index, min(LANES * (index + 1), 81))):
                mask = builder.load(builder.gep(column, [number(cell * LANES)]), align=2)
                gathered = builder.insert_element(gathered, mask, ir.Constant(ir.IntType(32), place))
            vectors[index] = Vec(builder, gathered)
        return context.get_dummy_value()

    return types.void(state, types.uint64, row), emit


@part
def put(row: Any, state: Any, sums: Any, lane: Any) -> None:
    """Copy a row into a lane. Its sums start anew: what the lane held before is nothing to compare with."""
    for cell in range(81):
        state[cell, lane] = row[cell]
    sums[0, lane] = sums[1, lane] = sums[2, lane] = 0
