"""One board, as LeetCode 37 has it: nine lists of nine strings, '.' for empty."""

from __future__ import annotations


def solve_board(board: list[list[str]]) -> None:
    """Solve a board in place. A board that is none, or that has no solution, is left alone and is a ValueError."""
    import numpy as np

    from megadoku import solvers
    from megadoku.solvers import Status

    cells = [cell for row in board for cell in row]
    if [len(row) for row in board] != [9] * 9 or not all(cell in list(".123456789") for cell in cells):
        raise ValueError("a board is nine lists of nine strings, each '1' to '9' or '.'")
    grid = np.array([[0 if cell == "." else int(cell) for cell in cells]], np.uint8)
    answers = solvers.get("bitmask").solve_block(grid)  # no compiling for one board
    if answers.status[0] != Status.SOLVED:
        raise ValueError(answers.reasons.get(0, "the board has no solution"))
    for row, digits in zip(board, answers.solutions[0].reshape(9, 9).tolist(), strict=True):
        row[:] = map(str, digits)
