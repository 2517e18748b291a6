"""The pieces of `lanes` that know no rules: vectors, boards in and out, the choice of a guess."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numba import types

from megadoku.compiled import emitter
from megadoku.solvers.board import PEERS
from megadoku.solvers.lanes.boards import load_boards, store_boards
from megadoku.solvers.lanes.guess import ROW_LENGTH, WORTH_OF_A_PAIR, choose, strongest_digit
from megadoku.solvers.lanes.lane import put, take
from megadoku.solvers.lanes.vector import LANES, Vec, Vectors, data_of
from megadoku.solvers.lanes.workspace import _vectors

OPERATIONS = {
    "and": (lambda a, b: a & b, lambda a, b: a & b),
    "or": (lambda a, b: a | b, lambda a, b: a | b),
    "xor": (lambda a, b: a ^ b, lambda a, b: a ^ b),
    "not": (lambda a, b: ~a, lambda a, b: ~a),
    "plus": (lambda a, b: a + b, lambda a, b: a + b),
    "minus": (lambda a, b: a - b, lambda a, b: a - b),
    "minus a number": (lambda a, b: a - 1, lambda a, b: a - np.uint16(1)),
    "left": (lambda a, b: a << (b & 15), lambda a, b: a << (b & 15)),
    "right": (lambda a, b: a >> (b & 15), lambda a, b: a >> (b & 15)),
    "popcount": (lambda a, b: a.popcount(), lambda a, b: np.bitwise_count(a)),
    "min": (lambda a, b: a.min(b), np.minimum),
    "max": (lambda a, b: a.max(b), np.maximum),
    "pick equal": (lambda a, b: (a == b).pick(a, 7), lambda a, b: np.where(a == b, a, 7)),
    "pick unequal": (lambda a, b: (a != 5).pick(b, a), lambda a, b: np.where(a != 5, b, a)),
    "pick less": (lambda a, b: (a < b).pick(a, b), lambda a, b: np.where(a < b, a, b)),
    "pick either": (lambda a, b: ((a > b) | (a == b)).pick(a, 0), lambda a, b: np.where(a >= b, a, 0)),
}


@emitter
def all_operations(_: Any, operands: Any, results: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        a, b = (Vectors(builder, data_of(context, builder, signature.args[0], args[0]))[i] for i in range(2))
        out = Vectors(builder, data_of(context, builder, signature.args[1], args[1]))
        for row, (operation, _) in enumerate(OPERATIONS.values()):
            out[row] = operation(a, b)
        out[len(OPERATIONS)] = Vec.same(builder, 513)
        return (a == b).bits()

    return types.uint64(operands, results), emit


def test_vectors_reckon_as_numpy_does() -> None:
    operands, results = _vectors(2, LANES), _vectors(len(OPERATIONS) + 1, LANES)
    rng = np.random.default_rng(3)
    operands[:] = rng.integers(0, 1 << 16, (2, LANES))
    operands[1, ::3] = operands[0, ::3]
    operands[0, 1], operands[1, 2] = 5, 0

    @numba.njit
    def run(operands: Any, results: Any) -> Any:
        return all_operations(operands, results)

    bits = run(operands, results)
    for row, (name, (_, plain)) in enumerate(OPERATIONS.items()):
        assert results[row].tolist() == plain(*operands).astype(np.uint16).tolist(), name
    assert (results[-1] == 513).all()
    assert [bits >> lane & 1 for lane in range(LANES)] == (operands[0] == operands[1]).tolist()


def test_boards_go_into_lanes_and_come_back() -> None:
    rng = np.random.default_rng(4)
    grids = rng.integers(0, 10, (100, 81), np.uint8)
    grids[37 + 11, 80] = 10
    state = _vectors(81, LANES)

    @numba.njit
    def load(grids: Any, first: Any, state: Any) -> Any:
        return load_boards(grids, first, state)

    assert load(grids, 37, state) == 1 << 11
    grids[37 + 11, 80] = 9
    assert load(grids, 37, state) == 0
    expected = np.where(grids == 0, 511, 1 << (np.maximum(grids, 1).astype(int) - 1))[37:69].T
    assert (state == expected).all()

    @numba.njit
    def store(state: Any, grids: Any, first: Any) -> None:
        store_boards(state, grids, first)

    full = rng.integers(1, 10, (40, 81), np.uint8)
    written = np.zeros_like(full)
    load(full, 5, state)
    store(state, written, 5)
    assert (written[5:37] == full[5:37]).all()
    assert not written[:5].any()
    assert not written[37:].any()


def slow_choice(masks: list[int], at_most: int) -> int:
    sizes = [mask.bit_count() for mask in masks]
    fewest = min(size for size in sizes if size > 1)

    def worth(cell: int) -> int:
        touched = [peer for peer in PEERS[cell] if masks[peer] & masks[cell]]
        return len(touched) + WORTH_OF_A_PAIR * sum(sizes[peer] == 2 for peer in touched)

    in_question = [cell for cell in range(81) if sizes[cell] == fewest]
    return max(in_question[:at_most], key=lambda cell: (worth(cell), -cell))


def slow_digit(masks: list[int], cell: int) -> int:
    digits = [1 << d for d in range(9) if masks[cell] >> d & 1]
    return max(digits, key=lambda digit: (sum(bool(masks[peer] & digit) for peer in PEERS[cell]), -digit))


@pytest.mark.parametrize("sizes", [(1, 2, 3), (1, 3, 4), (2,), (5, 9)])
def test_the_choice_of_a_guess(sizes: tuple[int, ...]) -> None:
    @numba.njit
    def chosen(row: Any, at_most: Any) -> Any:
        cell = choose(row, at_most)
        return cell, strongest_digit(row, cell)

    rng = np.random.default_rng(5)
    for _ in range(200):
        masks = [sum(1 << int(d) for d in rng.permutation(9)[: rng.choice(sizes)]) for _ in range(81)]
        if max(mask.bit_count() for mask in masks) > 1:
            row = _vectors(ROW_LENGTH)
            row[:81] = masks
            for at_most in (1, 5, 81):
                cell = slow_choice(masks, at_most)
                assert chosen(row, at_most) == (cell, slow_digit(masks, cell))


def test_a_puzzle_leaves_its_lane_and_enters_another() -> None:
    @numba.njit
    def move(state: Any, lane: Any, row: Any, sums: Any, other: Any) -> None:
        take(state, lane, row)
        put(row, state, sums, other)

    rng = np.random.default_rng(7)
    state, sums, row = _vectors(81, LANES), _vectors(3, LANES), _vectors(ROW_LENGTH)
    state[:] = rng.integers(0, 512, (81, LANES))
    sums[:] = row[:] = 9
    before = state.copy()
    move(state, 30, row, sums, 4)
    assert row.tolist() == [*before[:, 30].tolist(), *[0] * 15]
    assert (state[:, 4] == before[:, 30]).all()
    assert (np.delete(state, 4, axis=1) == np.delete(before, 4, axis=1)).all()
    assert sums[:, 4].tolist() == [0, 0, 0]
    assert (np.delete(sums, 4, axis=1) == 9).all()
