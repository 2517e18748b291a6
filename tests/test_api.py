from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from megadoku import solve, solve_board, solve_file
from megadoku.datasets.errors import MissingInputError
from megadoku.pipeline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Board = list[list[str]]

LEETCODE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def board_of(text: str) -> Board:
    return [list(text[start : start + 9]) for start in range(0, 81, 9)]


def test_a_leetcode_board_is_solved_in_place() -> None:
    board = board_of(LEETCODE)
    rows = list(board)
    solve_board(board)
    assert board == board_of(SOLVED)
    assert all(now is before for now, before in zip(board, rows, strict=True))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda board: board.pop(), "nine lists of nine"),
        (lambda board: board[3].append("."), "nine lists of nine"),
        (lambda board: board[0].__setitem__(0, "x"), "nine lists of nine"),
        (lambda board: board[0].__setitem__(2, "3"), "both hold 3"),
        (lambda board: board[0].__setitem__(2, "2"), "no solution"),
    ],
)
def test_what_cannot_be_solved_is_left_alone(spoil: Callable[[Board], None], message: str) -> None:
    board = board_of(LEETCODE)
    spoil(board)
    before = [row.copy() for row in board]
    with pytest.raises(ValueError, match=message):
        solve_board(board)
    assert board == before


NOTHING = "12345678.........9" + "." * 63  # the ninth cell of the first row has no digit left


def test_solve_gives_back_the_kind_it_got() -> None:
    assert solve(LEETCODE) == SOLVED
    assert solve([LEETCODE, NOTHING]) == [SOLVED, None]
    assert solve((LEETCODE,)) == (SOLVED,)
    series = solve(pd.Series([LEETCODE, LEETCODE.replace(".", "0")], index=["a", "b"], name="puzzle"))
    assert series.to_dict() == {"a": SOLVED, "b": SOLVED}
    assert solve(board_of(LEETCODE)) == board_of(SOLVED)
    digits = np.array([int(mark) for mark in SOLVED])
    given = np.array([0 if mark == "." else int(mark) for mark in LEETCODE])
    for shape in ((81,), (9, 9), (1, 81)):
        answer = solve(given.reshape(shape))
        assert answer.shape == shape
        assert answer.dtype == given.dtype
        assert (answer.ravel() == digits).all()


def test_solve_of_several_solutions() -> None:
    several = "." * 81
    assert solve(several) is not None
    assert solve(several, unique=True) is None


@pytest.mark.parametrize("wrong", ["x" * 81, LEETCODE[:80], "55" + LEETCODE[2:]])
def test_solve_says_what_is_no_puzzle(wrong: str) -> None:
    with pytest.raises(ValueError, match="puzzle 2"):
        solve([LEETCODE, wrong])


def test_solve_file_is_the_command(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"puzzle\n{LEETCODE}\n")
    summary = solve_file(str(tmp_path / "in.csv"), output=str(tmp_path / "out.csv"))
    assert summary.statuses == {"unique": 1}
    with pytest.raises(UsageError, match="--force"):
        solve_file(str(tmp_path / "in.csv"), output=str(tmp_path / "out.csv"))
    with pytest.raises(MissingInputError):
        solve_file(str(tmp_path / "none.csv"), output=str(tmp_path / "other.csv"))
