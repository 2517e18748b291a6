from __future__ import annotations

import pytest

from megadoku import solve_board

LEETCODE = [
    list(row)
    for row in [
        "53..7....",
        "6..195...",
        ".98....6.",
        "8...6...3",
        "4..8.3..1",
        "7...2...6",
        ".6....28.",
        "...419..5",
        "....8..79",
    ]
]
SOLVED = [
    list(row)
    for row in [
        "534678912",
        "672195348",
        "198342567",
        "859761423",
        "426853791",
        "713924856",
        "961537284",
        "287419635",
        "345286179",
    ]
]


def test_a_leetcode_board_is_solved_in_place() -> None:
    board = [row.copy() for row in LEETCODE]
    rows = list(board)
    assert solve_board(board) is None
    assert board == SOLVED
    assert all(now is before for now, before in zip(board, rows, strict=True))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda board: board.pop(), "nine lists of nine"),
        (lambda board: board[3].append("."), "nine lists of nine"),
        (lambda board: board[0].__setitem__(0, "x"), "nine lists of nine"),
        (lambda board: board[0].__setitem__(2, "3"), "both hold 3"),
        (lambda board: board[0].__setitem__(2, "2"), "no solution"),
    ],
)
def test_what_cannot_be_solved_is_left_alone(change: object, message: str) -> None:
    board = [row.copy() for row in LEETCODE]
    change(board)  # type: ignore[operator]
    before = [row.copy() for row in board]
    with pytest.raises(ValueError, match=message):
        solve_board(board)
    assert board == before
