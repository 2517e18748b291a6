"""The kinds of things that hold puzzles in memory: taken apart into texts or digits, and put together again solved.

Series ──► texts ──┐                       ┌──► Series, same index and name
board  ──► text  ──┼──► grids ► solutions ─┼──► board
array  ──► digits ─┘                       └──► array, same shape and type
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from megadoku.datasets import cells
from megadoku.pipeline.errors import PuzzleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Together = Callable[[NDArray[np.uint8]], Any]

ACCEPTED = "a string, a list or tuple of strings, a pandas column, a numpy array or a board of nine lists of nine"


class Apart(NamedTuple):
    """What was taken apart: texts or (n, 81) digits, and how solutions become the kind that it was."""

    puzzles: Sequence[Any] | NDArray[Any]
    together: Together


def apart(puzzles: Any) -> Apart:
    if isinstance(puzzles, str):
        return Apart([puzzles], lambda solutions: texts(solutions)[0])
    if isinstance(puzzles, np.ndarray):
        return _array(puzzles)
    if isinstance(puzzles, list | tuple):
        return _board(puzzles) if _is_nested(puzzles) else Apart(puzzles, lambda found: type(puzzles)(texts(found)))
    pandas = sys.modules.get("pandas")  # who has not imported it cannot have a Series either
    if pandas is not None and isinstance(puzzles, pandas.DataFrame):
        raise TypeError(f"this is a whole DataFrame: pass the column that holds the puzzles, {_columns(puzzles)}")
    if pandas is not None and isinstance(puzzles, pandas.Series):
        return Apart(puzzles.to_list(), partial(_series, puzzles))
    hint = "; megadoku.solve_file solves files" if hasattr(puzzles, "__fspath__") or hasattr(puzzles, "read") else ""
    raise TypeError(f"cannot solve a {type(puzzles).__name__}: pass {ACCEPTED}{hint}")


def grids_of(puzzles: Sequence[Any] | NDArray[Any], start: int, stop: int) -> NDArray[np.uint8]:
    """Cells of some of the puzzles, or a `PuzzleError` about the first that is none."""
    part = puzzles[start:stop]
    if isinstance(part, np.ndarray):
        return _checked_digits(part, start)
    column = _column(part, start)
    grids, refused = cells.decode(column)
    for position, reason in refused.items():
        raise PuzzleError(f"puzzle {start + position + 1}: {reason}")
    return grids


def texts(solutions: NDArray[np.uint8]) -> list[str | None]:
    """81 digits each, None where there is no solution."""
    digits = (solutions + cells.ZERO).tobytes().decode()
    return [digits[at * 81 : at * 81 + 81] if found else None for at, found in enumerate(solutions[:, 0].tolist())]


def _column(part: Sequence[Any], start: int) -> pa.StringArray:
    try:
        if all(isinstance(text, str) for text in part):
            return pa.array(part, pa.string())
    except UnicodeError:
        pass  # half a character: found below
    for number, text in enumerate(part, start + 1):
        if not isinstance(text, str):
            hint = "; read the column as text" if isinstance(text, int | float) else ""
            raise PuzzleError(f"puzzle {number} is {cells.shorten(repr(text))}, not text{hint}")
        if text.encode(errors="replace").decode() != text:
            raise PuzzleError(f"puzzle {number} is {cells.shorten(ascii(text))}, not 81 digits and dots")
    raise AssertionError("asked about a column that is one")


def _checked_digits(part: NDArray[Any], start: int) -> NDArray[np.uint8]:
    """Looked at before they become small numbers: 256 would wrap to an empty cell."""
    wrong = (part < 0) | (part > 9)
    if wrong.any():
        position, cell = np.argwhere(wrong)[0].tolist()
        raise PuzzleError(f"puzzle {start + position + 1}: cell {cell + 1} holds {part[position, cell]}, not 0 to 9")
    return np.ascontiguousarray(part, np.uint8)


def _columns(frame: Any) -> str:
    names = [repr(name) for name in frame.columns]
    return "such as frame[" + "] or frame[".join(names[:3]) + "]" + (" …" if len(names) > 3 else "")


def _series(before: Any, solutions: NDArray[np.uint8]) -> Any:
    pandas = sys.modules["pandas"]
    is_text = pandas.api.types.is_string_dtype(before.dtype) and not isinstance(before.dtype, pandas.CategoricalDtype)
    dtype = before.dtype if is_text else object
    return type(before)(texts(solutions), index=before.index, name=before.name, dtype=dtype)


def _array(array: NDArray[Any]) -> Apart:
    if array.dtype.kind in "iu":
        return Apart(_by_81(array), lambda found: found.reshape(array.shape).astype(array.dtype))
    if array.dtype.kind not in "UOT":
        advice = "; make it whole numbers with .astype(int)" if array.dtype.kind == "f" else ""
        raise TypeError(f"cannot solve an array of {array.dtype}: pass texts or digits{advice}")
    if _holds_marks(array):
        joined = ["".join(map(str, grid)) for grid in _by_81(array).tolist()]
        return Apart(joined, lambda found: found.astype(str).reshape(array.shape).astype(array.dtype))
    return Apart(array.ravel().tolist(), partial(_text_array, array))


def _by_81(array: NDArray[Any]) -> NDArray[Any]:
    if array.shape[-1:] != (81,) and array.shape[-2:] != (9, 9):
        raise PuzzleError(f"an array of {array.shape} is no puzzles: make it (81,), (9, 9), (n, 81) or (n, 9, 9)")
    return array.reshape(-1, 81)


def _holds_marks(array: NDArray[Any]) -> bool:
    """One character a cell, not one text a puzzle?"""
    return array.size > 0 and isinstance(array.flat[0], str) and len(array.flat[0]) == 1


def _text_array(before: NDArray[Any], solutions: NDArray[np.uint8]) -> NDArray[Any]:
    """Text arrays cannot hold None: there, what has no solution is an empty text."""
    found: list[Any] = texts(solutions)
    if before.dtype.kind == "O":
        return np.array(found, object).reshape(before.shape)
    kind = "U81" if before.dtype.kind == "U" else before.dtype
    return np.array([text or "" for text in found], kind).reshape(before.shape)


def _is_nested(puzzles: Sequence[Any]) -> bool:
    return any(isinstance(row, list | tuple) for row in puzzles)


def _board(board: list[Any] | tuple[Any, ...]) -> Apart:
    if len(board) != 9 or not all(isinstance(row, list | tuple) and len(row) == 9 for row in board):
        raise PuzzleError("a board is nine lists of nine")
    marks = [str(mark) for row in board for mark in row]
    for at, mark in enumerate(marks):
        if len(mark) != 1:
            raise PuzzleError(
                f"row {at // 9 + 1}, column {at % 9 + 1} of the board is {cells.shorten(mark)!r}, no cell"
            )
    return Apart(["".join(marks)], partial(_solved_board, board))


def _solved_board(before: list[Any] | tuple[Any, ...], solutions: NDArray[np.uint8]) -> Any:
    if not solutions[0, 0]:
        return None
    mark = type(before[0][0])
    rows = solutions[0].reshape(9, 9).tolist()
    return type(before)(type(row)(map(mark, digits)) for row, digits in zip(before, rows, strict=True))
