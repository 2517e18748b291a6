"""The checker's own search, and what it finds out about what solvers only say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from megadoku import solvers
from megadoku.pipeline import checker, proof
from megadoku.pipeline.solve import SolveOptions, solve_files
from megadoku.solvers import Status
from tests.solvers.test_contract import GOLDEN, LEETCODE, grids_of

if TYPE_CHECKING:
    from pathlib import Path

PUZZLES = grids_of(*(line[0] for line in GOLDEN))
TRUE = np.array([int(line[1]) for line in GOLDEN])


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_it_counts_as_the_golden_lines_do(limit: int) -> None:
    found = proof.counted(PUZZLES, limit)
    assert (np.maximum(found, 0) == np.minimum(TRUE, limit)).all()
    assert proof.UNKNOWN not in found


def test_it_knows_givens_that_clash() -> None:
    assert proof.counted(grids_of("55" + "." * 79, "5" + "." * 8 + "5" + "." * 71), 1).tolist() == [proof.CLASHES] * 2


def test_it_gives_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "MOST_NODES", 3)
    assert proof.counted(grids_of("." * 81, LEETCODE), 2).tolist() == [proof.UNKNOWN, proof.UNKNOWN]


@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("name", ["bitmask", "lanes"])
def test_the_truth_is_left_alone(name: str, limit: int) -> None:
    answers = solvers.get(name).solve_block(PUZZLES, limit)
    before = answers.status.copy()
    checker.search_again(PUZZLES, answers, limit)
    checker.review(PUZZLES, answers, limit)
    assert (answers.status == before).all()


ONE, SEVERAL, NONE = (
    next(line[0] for line, grid in zip(GOLDEN, PUZZLES, strict=True)
         if fits(int(line[1])) and proof.counted(grid[None], 1)[0] != proof.CLASHES)
    for fits in (lambda count: count == 1, lambda count: count > 1, lambda count: count == 0)
)  # fmt: skip


@pytest.mark.parametrize(
    ("puzzle", "limit", "lie", "count"),
    [
        (ONE, 1, Status.UNSOLVABLE, 0),
        (ONE, 2, Status.UNSOLVABLE, 0),
        (ONE, 2, Status.MULTIPLE, 2),
        (ONE, 2, Status.INVALID, 0),
        (SEVERAL, 2, Status.UNIQUE, 1),
        (SEVERAL, 2, Status.UNSOLVABLE, 0),
        (NONE, 2, Status.INVALID, 0),
    ],
)
def test_a_lie_that_no_grid_gives_away(puzzle: str, limit: int, lie: Status, count: int) -> None:
    grids = grids_of(LEETCODE, puzzle)
    answers = solvers.get("bitmask").solve_block(grids, limit)
    answers.status[1], answers.counts[1] = lie, count
    if lie in (Status.UNSOLVABLE, Status.INVALID):
        answers.solutions[1] = 0
    if lie == Status.INVALID:
        answers.reasons = {1: "so it seems"}
    checker.search_again(grids, answers, limit)
    checker.review(grids, answers, limit)
    assert [Status(status) for status in answers.status] == [
        Status.SOLVED if limit == 1 else Status.UNIQUE,
        Status.FAILED,
    ]
    assert answers.reasons[1].startswith(f"the solver said {lie}, but ")


LIAR = """
from megadoku import solvers
class Liar(solvers.Solver):
    releases_gil = {compiled}
    def solve_block(self, grids, limit=1, budget=None):
        answers = solvers.Answers.blank(len(grids))
        return answers
"""


@pytest.mark.parametrize("compiled", [False, True])
def test_no_wrong_answer_gets_out(tmp_path: Path, compiled: bool) -> None:
    (tmp_path / "liar.py").write_text(LIAR.format(compiled=compiled))
    (tmp_path / "in.csv").write_text(f"puzzle\n{LEETCODE}\n{NONE}\n")
    done = solve_files(SolveOptions([str(tmp_path / "in.csv")], str(tmp_path / "o.csv"), f"{tmp_path}/liar.py:Liar"))
    assert done.statuses == {"failed": 1, "unsolvable": 1}


def test_our_compiled_solvers_are_believed_and_nobody_else() -> None:
    assert {name for name in solvers.NAMES if not solvers.wants_search(name)} == {"jit", "lanes"}
