from __future__ import annotations

import contextlib
import gzip
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from megadoku import api, errors, solve, solve_board, solve_file
from megadoku.pipeline import journal
from megadoku.pipeline.errors import Exit
from tests.pipeline import odd_solvers

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.mark.parametrize("wrong", ["z" * 81, LEETCODE[:80], "55" + LEETCODE[2:], None, 53.0, "\ud800" * 81])
def test_solve_says_what_is_no_puzzle(wrong: object) -> None:
    with pytest.raises(errors.PuzzleError, match="puzzle 2"):
        solve([LEETCODE, wrong])


@pytest.mark.parametrize("sign", "0.-_*x?")
def test_any_sign_for_empty_that_files_may_have(sign: str) -> None:
    assert solve(LEETCODE.replace(".", sign)) == SOLVED


@pytest.mark.parametrize("dtype", [object, "str", "string[pyarrow]", "category"])
def test_a_column_keeps_its_index_its_name_and_how_it_holds_text(dtype: str) -> None:
    column = pd.Series([LEETCODE, NOTHING], index=["a", "b"], name="puzzle", dtype=dtype)
    solved = solve(column)
    assert (solved.name, list(solved.index)) == ("puzzle", ["a", "b"])
    assert solved["a"] == SOLVED
    assert pd.isna(solved["b"])
    assert solved.dtype == (object if dtype == "category" else column.dtype)
    assert len(solve(column[:0])) == 0


def test_arrays_of_texts_and_of_marks() -> None:
    texts = np.array([[LEETCODE], [NOTHING]])
    assert solve(texts).tolist() == [[SOLVED], [""]]
    assert solve(texts).dtype == "U81"
    assert solve(texts.astype(object)).tolist() == [[SOLVED], [None]]
    marks = np.array(board_of(LEETCODE))
    assert solve(marks).tolist() == board_of(SOLVED)
    assert solve(np.array([marks, marks], object)).tolist() == [board_of(SOLVED)] * 2


def test_arrays_of_many_boards_in_any_memory_order() -> None:
    given = np.array([[0 if mark == "." else int(mark) for mark in LEETCODE]] * 3, np.int16).reshape(3, 9, 9)
    for array in (given, np.asfortranarray(given), given[:0]):
        solved = solve(array)
        assert (solved.shape, solved.dtype) == (array.shape, np.int16)
        assert {"".join(map(str, board.ravel())) for board in solved} <= {SOLVED}


def test_a_board_of_numbers_in_tuples() -> None:
    given = tuple(tuple(0 if mark == "." else int(mark) for mark in row) for row in board_of(LEETCODE))
    assert solve(given) == tuple(tuple(map(int, row)) for row in board_of(SOLVED))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (np.full((2, 81), 256), "puzzle 1: cell 1 holds 256"),
        (np.full((2, 81), -1, np.int8), "puzzle 1: cell 1 holds -1"),
        (np.zeros((27, 3), int), "(n, 9, 9)"),
        (np.zeros(0, int), "(n, 9, 9)"),
        ([["5"] * 9] * 8, "nine lists of nine"),
        ([["5"] * 9] * 8 + [LEETCODE], "nine lists of nine"),
        ([[None] * 9] * 9, "row 1, column 1 of the board is 'None'"),
        ("puzzles.csv", "11 characters, not 81"),
    ],
)
def test_what_is_no_puzzle_is_a_puzzle_error(wrong: object, says: str) -> None:
    with pytest.raises(errors.PuzzleError, match=re.escape(says)):
        solve(wrong)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (
            pd.DataFrame({"id": [1], "puzzle": [LEETCODE]}),
            "pass the column that holds the puzzles, such as frame['id']",
        ),
        (np.zeros(81), ".astype(int)"),
        (np.zeros(81, bool), "pass texts or digits"),
        (Path("puzzles.csv"), "megadoku.solve_file"),
        ({LEETCODE: 1}, "cannot solve a dict"),
        (None, "cannot solve a NoneType"),
    ],
)
def test_what_cannot_hold_puzzles_is_a_type_error(wrong: object, says: str) -> None:
    with pytest.raises(TypeError, match=re.escape(says)):
        solve(wrong)


def test_many_are_solved_in_blocks_and_in_order() -> None:
    row = np.array([int(mark) for mark in SOLVED], np.uint8)
    many = np.tile(row, (2 * api.BLOCK + 5, 1))
    many[np.arange(len(many)), np.arange(len(many)) % 81] = 0
    assert (solve(many) == row).all()
    many[-1, :2] = 5
    with pytest.raises(errors.PuzzleError, match=f"puzzle {len(many)}: cells 1 and 2 both hold 5"):
        solve(many)


def test_a_solver_that_lies_is_said_to_have_failed() -> None:
    with odd_solvers.registered(), pytest.raises(errors.SolverFailedError, match="puzzle 1: "):
        solve(LEETCODE, solver="wrong-grid")


def test_every_exit_code_has_an_error_that_is_documented() -> None:
    codes = set(errors.EXIT_CODES.values())
    assert codes == {Exit.NOT_MET, Exit.USAGE, Exit.INPUT_BROKE, Exit.OUTPUT, Exit.BUSY}
    page = (Path(__file__).parents[1] / "docs" / "python.md").read_text()
    for name in errors.__all__:
        assert f"`{name}`" in page


def test_solve_file_is_the_command(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"puzzle\n{LEETCODE}\n")
    summary = solve_file(str(tmp_path / "in.csv"), output=str(tmp_path / "out.csv"))
    assert summary.statuses == {"unique": 1}
    with pytest.raises(errors.UsageError, match="--force"):
        solve_file(str(tmp_path / "in.csv"), output=str(tmp_path / "out.csv"))
    with pytest.raises(errors.MissingInputError):
        solve_file(tmp_path / "none.csv", output=tmp_path / "other.csv")
    with pytest.raises(errors.OutputError):
        solve_file(tmp_path / "in.csv", output=tmp_path / "nowhere" / "out.csv")
    with pytest.raises(errors.UnknownSolverError):
        solve_file(tmp_path / "in.csv", output=tmp_path / "other.csv", solver="nope")


def test_solve_file_can_be_strict_and_says_what_broke(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"puzzle\n{LEETCODE}\n{LEETCODE[:80]}\n")
    with pytest.raises(errors.NotMetError, match="1 of 2 rows"):
        solve_file(tmp_path / "in.csv", output=tmp_path / "out.csv", strict=True)
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 3
    (tmp_path / "cut.csv.gz").write_bytes(gzip.compress((tmp_path / "in.csv").read_bytes())[:-9])
    with pytest.raises(errors.BrokenInputError, match="breaks off"):
        solve_file(tmp_path / "cut.csv.gz", output=tmp_path / "cut.csv")
    held = journal.Journal(tmp_path / ".held.csv.journal")
    with contextlib.closing(held), pytest.raises(errors.BusyError):
        solve_file(tmp_path / "in.csv", output=tmp_path / "held.csv")
