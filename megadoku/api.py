"""The package as functions: `solve` for puzzles in memory, `solve_file` for the command, `solve_board` for LeetCode.

Heavy imports wait inside: `import megadoku` itself costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from megadoku.pipeline.summary import Summary
    from megadoku.solvers import Answers

_DIGITS = "0123456789"


def solve(puzzles: Any, *, solver: str | None = None, unique: bool = False) -> Any:
    """Solutions of puzzles, in the kind they came in.

    A string of 81 marks gives a string; a list of strings a list; a pandas Series a Series with its index; a numpy
    array of 81, (9, 9) or (n, 81) digits an array; nine lists of nine a board, as a new one. What has no solution is
    None, or all zero in an array, and so is, with `unique`, what has several. A ValueError says what is no puzzle.
    """
    import numpy as np

    if isinstance(puzzles, str):
        return _texts(_solved(_grids([puzzles]), solver, unique))[0]
    if isinstance(puzzles, np.ndarray) and puzzles.dtype.kind in "iu":
        grids = np.ascontiguousarray(puzzles.reshape(-1, 81)).astype(np.uint8)
        return _solved(grids, solver, unique).reshape(puzzles.shape).astype(puzzles.dtype)
    if hasattr(puzzles, "index") and hasattr(puzzles, "to_list"):
        return type(puzzles)(_texts(_solved(_grids(puzzles.to_list()), solver, unique)), index=puzzles.index)
    if len(puzzles) == 9 and all(isinstance(row, list) and len(row) == 9 for row in puzzles):
        [text] = _texts(_solved(_grids(["".join(str(mark) for row in puzzles for mark in row)]), solver, unique))
        kind = type(puzzles[0][0])
        return None if text is None else [[kind(mark) for mark in text[at : at + 9]] for at in range(0, 81, 9)]
    return type(puzzles)(_texts(_solved(_grids(puzzles), solver, unique)))


def _grids(texts: Any) -> NDArray[np.uint8]:
    import numpy as np

    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str) or len(text) != 81 or not set(text) <= set(_DIGITS + "."):
            raise ValueError(f"puzzle {number} is {text!r:.40}, not 81 digits and dots")
    marks = np.frombuffer("".join(texts).encode(), np.uint8).reshape(-1, 81)
    return np.where(marks == ord("."), 0, marks - ord("0")).astype(np.uint8)


def _solved(grids: NDArray[np.uint8], solver: str | None, unique: bool) -> NDArray[np.uint8]:
    """Checked solutions; all zero where there is none to give."""
    from megadoku import solvers
    from megadoku.pipeline import checker
    from megadoku.solvers import Status

    limit = 2 if unique else 1
    answers: Answers = solvers.get(solver or solvers.DEFAULT).solve_block(grids, limit)
    checker.review(grids, answers, limit)
    for position, reason in answers.reasons.items():
        kind = RuntimeError if answers.status[position] == Status.FAILED else ValueError
        raise kind(f"puzzle {position + 1}: {reason}")
    answers.solutions[answers.status == Status.MULTIPLE] = 0
    return answers.solutions


def _texts(solutions: NDArray[np.uint8]) -> list[str | None]:
    return ["".join(map(str, grid)) if grid[0] else None for grid in solutions.tolist()]


def solve_file(*inputs: str, output: str, **options: Any) -> Summary:
    """The command `megadoku solve` as a function. Options are the fields of `pipeline.solve.SolveOptions`; raises the
    errors of `megadoku.datasets.errors` and `megadoku.pipeline.errors`."""
    from megadoku.pipeline.solve import SolveOptions, solve_files

    return solve_files(SolveOptions(inputs=list(map(str, inputs)), output=str(output), **options))


def solve_board(board: list[list[str]]) -> None:
    """Solve a LeetCode board in place. A board that is none, or that has no solution, is left alone: a ValueError."""
    if [len(row) for row in board] != [9] * 9 or not all(mark in list(".123456789") for row in board for mark in row):
        raise ValueError("a board is nine lists of nine strings, each '1' to '9' or '.'")
    solved = solve(board, solver="bitmask")  # no compiling for one board
    if solved is None:
        raise ValueError("the board has no solution")
    for row, digits in zip(board, solved, strict=True):
        row[:] = digits
