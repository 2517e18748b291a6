"""One suite for every solver in the registry: what the contract promises, on small puzzles with known answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from megadoku import solvers
from megadoku.pipeline import checker
from megadoku.solvers import Answers, Budget, Solver, Status

GOLDEN = [
    line.split(":")
    for line in (Path(__file__).parent / "golden.txt").read_text().splitlines()
    if not line.startswith("#")
]
EMPTY = np.zeros((1, 81), np.uint8)
LEETCODE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MANY = 1000


def grids_of(*texts: str) -> np.ndarray:
    return np.array([[0 if mark == "." else int(mark) for mark in text] for text in texts], np.uint8)


@pytest.fixture(params=solvers.NAMES)
def solver(request: pytest.FixtureRequest) -> Solver:
    return solvers.get(request.param)


def ask(solver: Solver, grids: np.ndarray, limit: int, budget: Budget | None = None) -> Answers:
    """For limits that some peers cannot be asked for."""
    if limit > solver.counts_to:
        pytest.skip(f"counts to {solver.counts_to}")
    return solver.solve_block(grids, limit, budget)


@pytest.fixture
def seen(solver: Solver) -> Solver:
    """A solver whose nodes can be seen: those of some peers cannot."""
    if not solver.counts_nodes:
        pytest.skip("its nodes cannot be counted")
    return solver


def test_golden_counts(solver: Solver) -> None:
    grids = grids_of(*(line[0] for line in GOLDEN))
    answers = ask(solver, grids, MANY)
    assert answers.counts.tolist() == [int(line[1]) for line in GOLDEN]
    has_one = answers.counts > 0
    assert checker.completes(grids, answers.solutions).tolist() == has_one.tolist()
    for line, solution in zip(GOLDEN, answers.solutions.tolist(), strict=True):
        if len(line) == 3:
            assert "".join(map(str, solution)) == line[2]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_status_and_count_follow_the_limit(solver: Solver, limit: int) -> None:
    answers = ask(solver, grids_of(*(line[0] for line in GOLDEN)), limit)
    for position, line in enumerate(GOLDEN):
        truth = int(line[1])
        assert answers.counts[position] == min(truth, limit)
        if truth == 0:
            expected = Status.UNSOLVABLE
        elif limit == 1:
            expected = Status.SOLVED
        else:
            expected = Status.UNIQUE if truth == 1 else Status.MULTIPLE
        assert answers.status[position] == expected


def test_givens_that_clash_are_invalid_and_say_where(solver: Solver) -> None:
    row, column, box = list("." * 81), list("." * 81), list("." * 81)
    row[0] = row[8] = column[1] = column[73] = box[0] = box[10] = "7"
    answers = solver.solve_block(grids_of("".join(row), "".join(column), "".join(box), LEETCODE), 2)
    assert answers.status.tolist() == [Status.INVALID] * 3 + [Status.UNIQUE]
    assert answers.reasons == {
        0: "cells 1 and 9 both hold 7 in row 1",
        1: "cells 2 and 74 both hold 7 in column 2",
        2: "cells 1 and 11 both hold 7 in box 1",
    }
    assert not answers.solutions[:3].any()
    assert answers.nodes[:3].tolist() == [0, 0, 0]


def test_a_digit_above_nine_is_invalid(solver: Solver) -> None:
    grids = grids_of(LEETCODE)
    grids[0, 40] = 10
    answers = solver.solve_block(grids)
    assert answers.status[0] == Status.INVALID
    assert answers.reasons[0] == "cell 41 holds 10, not 0 to 9"


def test_a_full_grid_is_its_own_solution_without_search(solver: Solver) -> None:
    full = solver.solve_block(grids_of(LEETCODE)).solutions
    answers = solver.solve_block(full, limit=2)
    assert answers.status[0] == Status.UNIQUE
    assert (answers.solutions == full).all()
    assert (answers.nodes[0], answers.backtracks[0]) == (0, 0)


def test_an_empty_grid_under_a_budget(solver: Solver) -> None:
    found = solver.solve_block(EMPTY, limit=1, budget=Budget(nodes=1000))
    assert found.status[0] == Status.SOLVED


def test_a_node_budget_is_kept(seen: Solver) -> None:
    spent = ask(seen, EMPTY, 10**9, Budget(nodes=1000))
    assert spent.status[0] == Status.EXHAUSTED
    assert spent.nodes[0] == 1000
    assert "1,000" in spent.reasons[0]
    assert checker.completes(EMPTY, spent.solutions)[0], "what was found before the budget ran out is kept"


def test_a_time_budget_is_kept(solver: Solver) -> None:
    ask(solver, EMPTY, 10**9, Budget(seconds=0.05))  # the first time some of them compile
    answers = ask(solver, EMPTY, 10**9, Budget(seconds=0.05))
    assert answers.status[0] == Status.EXHAUSTED
    assert "0.05 s" in answers.reasons[0]
    assert 0.045e9 <= answers.elapsed_ns[0] < 4e9  # a peer may keep the time by a coarser clock


def test_a_budget_that_is_just_enough(seen: Solver) -> None:
    grids = grids_of(LEETCODE)
    needed = int(seen.solve_block(grids, limit=2).nodes[0])
    assert seen.solve_block(grids, 2, Budget(nodes=needed)).status[0] == Status.UNIQUE
    if needed:
        short = seen.solve_block(grids, 2, Budget(nodes=needed - 1))
        assert short.status[0] == Status.EXHAUSTED
        assert short.nodes[0] == needed - 1


def test_nodes_stand_or_are_taken_back(solver: Solver) -> None:
    answers = ask(solver, grids_of(*(line[0] for line in GOLDEN)), MANY)
    searched_to_the_end = answers.counts < MANY
    assert (answers.backtracks == answers.nodes)[searched_to_the_end].all()
    first = solver.solve_block(grids_of(LEETCODE))
    assert 0 <= first.nodes[0] - first.backtracks[0] <= 51, "at most the empty cells still stand"


def test_no_puzzle_disturbs_its_neighbours(solver: Solver) -> None:
    texts = [line[0] for line in GOLDEN] + ["7" * 2 + "." * 79]
    together = solver.solve_block(grids_of(*texts), 2)
    for position, text in enumerate(texts):
        alone = solver.solve_block(grids_of(text), 2)
        fields = ["counts", "status", "nodes", "backtracks"]
        if solver.repeatable or alone.status[0] == Status.UNIQUE:
            fields.append("solutions")
        for name in fields:
            assert (getattr(alone, name)[0] == getattr(together, name)[position]).all(), name


def test_blocks_of_none_and_of_one(solver: Solver) -> None:
    nothing = solver.solve_block(np.zeros((0, 81), np.uint8))
    assert len(nothing) == 0
    assert nothing.solutions.shape == (0, 81)
    assert len(solver.solve_block(grids_of(LEETCODE))) == 1


def test_the_input_is_not_changed(solver: Solver) -> None:
    grids = grids_of(LEETCODE)
    solver.solve_block(grids, 2)
    assert (grids == grids_of(LEETCODE)).all()


@pytest.mark.parametrize("wrong", [np.zeros((1, 80), np.uint8), np.zeros(81, np.uint8), np.zeros((1, 81), np.int64)])
def test_what_is_no_block_is_refused(solver: Solver, wrong: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"\(n, 81\) uint8"):
        solver.solve_block(wrong)


def test_a_limit_below_one_is_refused(solver: Solver) -> None:
    with pytest.raises(ValueError, match="limit"):
        solver.solve_block(EMPTY, limit=0)


def test_all_solvers_agree() -> None:
    grids = grids_of(*(line[0] for line in GOLDEN))
    answers = {name: solvers.get(name).solve_block(grids, 2) for name in solvers.NAMES}
    reference = answers["bitmask"]
    for name, other in answers.items():
        assert (other.status == reference.status).all(), name
        assert (other.counts == reference.counts).all(), name
        unique = reference.status == Status.UNIQUE
        assert (other.solutions[unique] == reference.solutions[unique]).all(), name


# A sudoku stays the same sudoku when digits are renamed, bands and rows within them swapped, or all is transposed.


@st.composite
def disguises(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Where each cell goes, and what each digit is called."""

    def lines() -> list[int]:
        bands = draw(st.permutations(range(3)))
        return [3 * band + line for band in bands for line in draw(st.permutations(range(3)))]

    cells = np.arange(81).reshape(9, 9)[np.ix_(lines(), lines())]
    names = np.array([0, *draw(st.permutations(range(1, 10)))], np.uint8)
    return (cells.T if draw(st.booleans()) else cells).ravel(), names


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(disguise=disguises(), line=st.sampled_from(GOLDEN))
def test_disguises_change_nothing(solver: Solver, disguise: tuple[np.ndarray, np.ndarray], line: list[str]) -> None:
    cells, names = disguise
    plain = grids_of(line[0])
    budget = Budget(nodes=300_000)  # a disguise may be far worse for a row-major search
    limit = min(5, solver.counts_to)
    answers = solver.solve_block(names[plain[:, cells]], limit, budget)
    if answers.status[0] != Status.EXHAUSTED:
        truth = min(int(line[1]), limit)
        assert answers.counts[0] == truth
        expected = Status.UNSOLVABLE if truth == 0 else Status.UNIQUE if truth == 1 else Status.MULTIPLE
        assert answers.status[0] == expected


def test_answers_have_the_contracts_types(solver: Solver) -> None:
    answers = solver.solve_block(grids_of(LEETCODE))
    blank = Answers.blank(1)
    for name in ("solutions", "counts", "status", "nodes", "backtracks", "elapsed_ns"):
        assert getattr(answers, name).dtype == getattr(blank, name).dtype, name
        assert getattr(answers, name).shape == getattr(blank, name).shape, name
    assert answers.elapsed_ns[0] > 0
