from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from megadoku import solve_board

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
