"""Each rule of `lanes` alone, against a slow and obvious version of it, on random bands; then the compiled pass."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import pytest

from megadoku.solvers.lanes import rules
from megadoku.solvers.lanes.sweep import SOLVED_SUM, sweep
from megadoku.solvers.lanes.workspace import _vectors
from tests.solvers.plain_vectors import PlainVec

if TYPE_CHECKING:
    from collections.abc import Callable

LANES = 32
THREE = range(3)
Sets = dict[tuple[int, ...], set[int]]  # (line, box, k) or (line, box) to digits


def random_band(seed: int) -> np.ndarray:
    """(3, 3, 3, 32) masks: sparse, dense and nearly solved lanes, so that every rule has something to do."""
    rng = np.random.default_rng(seed)
    chance = rng.choice([0.15, 0.3, 0.5, 0.8], size=LANES)
    bits = rng.random((9, 3, 3, 3, LANES)) < chance
    return (bits * (1 << np.arange(9)).reshape(9, 1, 1, 1, 1)).sum(axis=0).astype(np.uint16)


def digits(mask: int) -> set[int]:
    return {digit for digit in range(9) if mask >> digit & 1}


def cell_sets(band: np.ndarray, lane: int) -> Sets:
    return {index: digits(int(band[(*index, lane)])) for index in itertools.product(THREE, THREE, THREE)}


def mini_sets(minis: list[list[PlainVec]], lane: int) -> Sets:
    return {(i, b): digits(int(minis[i][b].numbers[lane])) for i in THREE for b in THREE}


def vectors(band: np.ndarray) -> list[list[list[PlainVec]]]:
    return [[[PlainVec(band[i, b, k]) for k in THREE] for b in THREE] for i in THREE]


def numbers(cells: Any) -> np.ndarray:
    return np.array([[[cell.numbers for cell in mini] for mini in line] for line in cells])


def some_of(band: np.ndarray) -> list[list[PlainVec]]:
    return [[PlainVec(np.bitwise_or.reduce(band[i, b])) for b in THREE] for i in THREE]


def slow_strip(cells: Sets) -> Sets:
    left = {}
    for (i, b, k), candidates in cells.items():
        others = [c for (j, a, m), c in cells.items() if (j == i or a == b) and (j, a, m) != (i, b, k)]
        placed = set().union(*(c for c in others if len(c) == 1))
        left[i, b, k] = candidates if len(candidates) <= 1 else candidates - placed
    return left


def slow_fits(some: Sets) -> Sets:
    """A digit fits in a mini if some way to give each line its own box, through that mini, finds it everywhere."""
    fits: Sets = {mini: set() for mini in some}
    for digit, boxes in itertools.product(range(9), itertools.permutations(THREE)):
        for line in THREE:
            if all(digit in some[other, boxes[other]] for other in THREE if other != line):
                fits[line, boxes[line]].add(digit)
    return fits


def slow_triples(some: Sets, fits: Sets) -> Sets:
    left = {}
    for (i, b), fit in fits.items():
        others = [some[j, a] for j, a in some if (j == i) != (a == b)]
        fit = fit - set().union(*(digits_left for digits_left in others if len(digits_left) == 3))
        due = some[i, b] - set().union(*(some[i, a] for a in THREE if a != b))
        left[i, b] = fit & due if len(due) == 3 else fit
    return left


def slow_hidden(cells: Sets, fits: Sets) -> Sets:
    possible = {(i, b, k): candidates & fits[i, b] for (i, b, k), candidates in cells.items()}

    def only_place(digit: int, place: tuple[int, ...]) -> bool:
        line = [p for p in possible if p[0] == place[0] and digit in possible[p]]
        box = [p for p in possible if p[1] == place[1] and digit in possible[p]]
        return len(line) == 1 or len(box) == 1

    left = {}
    for place, candidates in possible.items():
        alone = {digit for digit in candidates if only_place(digit, place)}
        left[place] = alone or candidates
    return left


@pytest.mark.parametrize("seed", range(8))
def test_naked_singles(seed: int) -> None:
    band = random_band(seed)
    after = numbers(rules.strip_placed(vectors(band)))
    for lane in range(LANES):
        assert cell_sets(after, lane) == slow_strip(cell_sets(band, lane))


@pytest.mark.parametrize("seed", range(8))
def test_locked_candidates(seed: int) -> None:
    some = some_of(random_band(seed))
    fits = rules.locked_candidates(some)
    for lane in range(LANES):
        assert mini_sets(fits, lane) == slow_fits(mini_sets(some, lane))


@pytest.mark.parametrize("seed", range(8))
def test_triples(seed: int) -> None:
    some = some_of(random_band(seed))
    fits = rules.locked_candidates(some)
    some = rules.both(some, fits)
    after = rules.triples(some, fits)
    for lane in range(LANES):
        assert mini_sets(after, lane) == slow_triples(mini_sets(some, lane), mini_sets(fits, lane))


@pytest.mark.parametrize("seed", range(8))
def test_hidden_singles(seed: int) -> None:
    band = random_band(seed)
    some = some_of(band)
    fits = rules.locked_candidates(some)
    after = numbers(rules.hidden_singles(vectors(band), rules.both(some, fits), fits))
    for lane in range(LANES):
        assert cell_sets(after, lane) == slow_hidden(cell_sets(band, lane), mini_sets(fits, lane))


def test_a_digit_with_no_place_is_noticed() -> None:
    band = np.full((3, 3, 3, LANES), rules.ALL, np.uint16)
    band[1, :, :, 5] &= ~np.uint16(1 << 6)  # lane 5: digit 7 nowhere in the middle line
    placeable = rules.squeeze(vectors(band)).placeable.numbers
    assert np.flatnonzero(placeable != rules.ALL).tolist() == [5]


@pytest.mark.parametrize(("first", "second"), [((0, 0, 0), (0, 2, 1)), ((0, 0, 0), (2, 0, 1))], ids=["line", "box"])
def test_two_equal_singles_leave_the_digit_no_place(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    band = np.full((3, 3, 3, LANES), rules.ALL, np.uint16)
    band[(*first, 3)] = band[(*second, 3)] = 1
    placeable = rules.squeeze(vectors(band)).placeable.numbers
    assert np.flatnonzero(placeable != rules.ALL).tolist() == [3]


@pytest.fixture(scope="module")
def compiled_sweep() -> Callable[..., int]:
    @numba.njit
    def one_sweep(state: Any, sums: Any, thorough: Any) -> Any:
        return sweep(state, sums, np.uint16(thorough))

    return one_sweep


def slow_pass(state: np.ndarray, stacks: bool) -> tuple[np.ndarray, np.ndarray]:
    """The same rules on numpy arrays: the new state, and the lanes with a contradiction."""
    grids = state.reshape(9, 9, LANES).copy()
    if stacks:
        grids = grids.swapaxes(0, 1)
    dead = np.zeros(LANES, bool)
    for number in THREE:
        band = grids[3 * number : 3 * number + 3].reshape(3, 3, 3, LANES)
        squeezed = rules.squeeze(vectors(band))
        grids[3 * number : 3 * number + 3] = numbers(squeezed.cells).reshape(3, 9, LANES)
        dead |= squeezed.placeable.numbers != rules.ALL
    if stacks:
        grids = grids.swapaxes(0, 1)
    return grids.reshape(81, LANES), dead | (grids == 0).any(axis=(0, 1))


@pytest.mark.parametrize("seed", range(4))
def test_the_compiled_sweep_is_the_rules(compiled_sweep: Callable[..., int], seed: int) -> None:
    state, sums = _vectors(81, LANES), _vectors(3, LANES)
    state[:] = np.concatenate([random_band(3 * seed + part).reshape(27, LANES) for part in THREE])
    state[:, :16] |= np.random.default_rng(seed).integers(0, 512, (81, 16), np.uint16)
    by_bands, dead_in_bands = slow_pass(state, stacks=False)
    by_stacks, dead_in_stacks = slow_pass(by_bands, stacks=True)
    found = int(compiled_sweep(state, sums, 0))
    assert (state == by_stacks).all()
    assert [found >> (32 + lane) & 1 for lane in range(LANES)] == (dead_in_bands | dead_in_stacks).tolist()
    assert (sums[:2] == [by_stacks.sum(axis=0), by_bands.sum(axis=0)]).all()


def bits(lanes: Any) -> int:
    return sum(1 << lane for lane in range(LANES) if lanes[lane])


def test_settled_lanes(compiled_sweep: Callable[..., int]) -> None:
    """Random puzzles until nothing changes; what each sweep says of a lane is compared with what it did to it."""
    rng = np.random.default_rng(8)
    state, sums, solution = _vectors(81, LANES), _vectors(3, LANES), random_solutions(rng)
    state[:] = np.where(rng.random((81, LANES)) < rng.choice([0.3, 0.4, 0.5], LANES), solution, rules.ALL)
    seen = set()
    for number in range(14):
        before = state.copy()
        by_bands, _ = slow_pass(before, stacks=False)
        thorough = number % 2
        found = int(compiled_sweep(state, sums, thorough))
        stacks_did_nothing = (state == by_bands).all(axis=0)
        nothing_done = (state == before).all(axis=0) & (number > 0)
        solved = (state == solution).all(axis=0)
        settled = np.where(solved | bool(thorough), nothing_done, stacks_did_nothing)
        assert found == bits(settled), "and no lane has a contradiction"
        seen |= set(zip(stacks_did_nothing.tolist(), nothing_done.tolist(), solved.tolist(), strict=True))
    assert {(False, False, False), (True, True, False), (True, True, True), (True, False, True)} <= seen


def random_solutions(rng: np.random.Generator) -> np.ndarray:
    rows = np.array([[(3 * (row % 3) + row // 3 + column) % 9 for column in range(9)] for row in range(9)])
    solutions = np.empty((81, LANES), np.uint16)
    for lane in range(LANES):
        order = [np.concatenate([3 * b + rng.permutation(3) for b in rng.permutation(3)]) for _ in range(2)]
        solutions[:, lane] = 1 << rng.permutation(9)[rows[np.ix_(*order)]].ravel()
    return solutions


def test_a_sweep_keeps_every_solution(compiled_sweep: Callable[..., int]) -> None:
    """Candidates that a known full grid needs are never taken away."""
    rng = np.random.default_rng(1)
    state, sums, solution = _vectors(81, LANES), _vectors(3, LANES), random_solutions(rng)
    state[:] = solution | np.where(rng.random((81, LANES)) < 0.6, rng.integers(0, 512, (81, LANES)), 0)
    for _ in range(6):
        assert int(compiled_sweep(state, sums, 0)) >> 32 == 0
        assert ((state & solution) == solution).all()
    solved = (state == solution).all(axis=0)
    assert solved.any()
    assert (sums[0][solved] == SOLVED_SUM).all()
