from __future__ import annotations

import numpy as np
import pytest

from megadoku import solvers
from megadoku.pipeline import checker
from megadoku.solvers import Status
from tests.pipeline import odd_solvers
from tests.solvers.test_contract import GOLDEN, LEETCODE, grids_of

PUZZLE = grids_of(LEETCODE)
SOLUTION = solvers.get("bitmask").solve_block(PUZZLE).solutions


def obviously_right(puzzle: np.ndarray, grid: np.ndarray) -> bool:
    """The rules, spelled out slowly."""
    rows = [[int(grid[9 * row + column]) for column in range(9)] for row in range(9)]
    columns = [[rows[row][column] for row in range(9)] for column in range(9)]
    boxes = [
        [rows[top + down][left + right] for down in range(3) for right in range(3)]
        for top in (0, 3, 6)
        for left in (0, 3, 6)
    ]
    keeps = all(given in (0, digit) for given, digit in zip(puzzle.tolist(), grid.tolist(), strict=True))
    return keeps and all(sorted(unit) == list(range(1, 10)) for unit in rows + columns + boxes)


def test_a_solution_completes_its_puzzle() -> None:
    assert checker.completes(PUZZLE, SOLUTION).tolist() == [True]
    assert obviously_right(PUZZLE[0], SOLUTION[0])


def test_any_other_digit_in_any_cell_is_noticed() -> None:
    spoiled = np.repeat(SOLUTION, 81 * 255, axis=0)
    cells, steps = np.divmod(np.arange(81 * 255), 255)
    spoiled[np.arange(81 * 255), cells] += (steps + 1).astype(np.uint8)
    assert not checker.completes(np.zeros_like(spoiled), spoiled).any()


def test_it_agrees_with_the_rules_on_random_swaps() -> None:
    rng = np.random.default_rng(1)
    grids = np.repeat(SOLUTION, 300, axis=0)
    for grid in grids[:250]:
        first, second = rng.choice(81, 2, replace=False)
        grid[[first, second]] = grid[[second, first]]
    puzzles = np.where(rng.random(grids.shape) < 0.05, SOLUTION, 0).astype(np.uint8)
    assert checker.completes(puzzles, grids).tolist() == [
        obviously_right(puzzle, grid) for puzzle, grid in zip(puzzles, grids, strict=True)
    ]


def test_a_legal_grid_that_changes_a_given_is_no_solution() -> None:
    relabelled = (SOLUTION % 9 + 1).astype(np.uint8)
    assert checker.completes(np.zeros_like(PUZZLE), relabelled).tolist() == [True]
    assert checker.completes(PUZZLE, relabelled).tolist() == [False]


@pytest.mark.parametrize("name", odd_solvers.LIARS)
@pytest.mark.parametrize("limit", [1, 2])
def test_liars_are_caught_and_only_their_lies(name: str, limit: int) -> None:
    grids = grids_of(LEETCODE, *(line[0] for line in GOLDEN if line[1] == "1"))
    known = solvers.get("bitmask").solve_block(grids).solutions
    answers = odd_solvers.ALL[name]().solve_block(grids, limit)
    checker.review(grids, answers, limit, known)
    assert answers.status[0] == Status.FAILED
    assert answers.reasons[0]
    assert not answers.solutions[0].any()
    assert (answers.status[1:] == (Status.SOLVED if limit == 1 else Status.UNIQUE)).all()


def test_a_false_claim_of_uniqueness_is_caught_by_a_known_solution() -> None:
    several = grids_of(next(line[0] for line in GOLDEN if int(line[1]) > 1))
    answers = solvers.get("bitmask").solve_block(several, 2)
    other = solvers.get("bitmask").solve_block(several[:, ::-1].copy(), 2).solutions[:, ::-1].copy()
    if (other == answers.solutions).all():
        pytest.fail("the example must have two solutions that differ")
    answers.status[0], answers.counts[0] = Status.UNIQUE, 1
    checker.review(several, answers, 2, other)
    assert answers.reasons == {0: "called unique, but the known solution is another"}


def test_a_wrong_known_solution_accuses_nobody() -> None:
    answers = solvers.get("bitmask").solve_block(PUZZLE, 2)
    facts = checker.review(PUZZLE, answers, 2, (SOLUTION % 9 + 1).astype(np.uint8))
    assert facts is not None
    assert (facts.brought[0], facts.right[0], facts.same[0]) == (True, False, False)
    assert answers.status[0] == Status.UNIQUE
