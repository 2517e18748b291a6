"""A value out of JSON or a column of lists → the record of one puzzle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from megadoku.datasets.cells import is_cell, shorten
from megadoku.datasets.formats.layout import PUZZLE_NAMES, SOLUTION_NAMES
from megadoku.datasets.piece import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

NESTED = 8  # objects deep
LONGEST_ROW = 30


class Number(str):
    """A number as it is written: 81 digits must not become a float, nor 5,000 an error."""

    __slots__ = ()


@dataclass(frozen=True)
class Damaged:
    """A value that cannot be trusted, and why."""

    reason: str


def record(value: Any, line: int, column: str | None = None) -> Record:
    """The puzzle that a value is, or has under one of the usual keys; refused if it is none."""
    known = None
    if isinstance(value, dict):
        key = _key(value, (column,) if column else (*PUZZLE_NAMES, "value"))
        if key is None:
            return Record(line, shorten(str(value)), reason=f"no puzzle among its keys {shorten(', '.join(value))}")
        solution = _key(value, SOLUTION_NAMES)
        known = None if solution is None else _text(value[solution])[0]
        value = value[key]
    text, reason = _text(value)
    return Record(line, text, known, reason)


def inside(value: Any, depth: int = NESTED) -> Iterator[Any]:
    """Everything in an object that looks like a record."""
    if isinstance(value, dict) and _key(value, (*PUZZLE_NAMES, "value")) is None and depth:
        for part in value.values():
            yield from inside(part, depth - 1)
    elif isinstance(value, list) and value and not is_part_of_board(value[0]):
        for part in value:
            yield from inside(part, depth - 1)
    elif isinstance(value, dict | list) or (isinstance(value, str) and len(value) >= 81):
        yield value


def is_part_of_board(value: Any) -> bool:
    """One cell, or one row of cells: then the array around it is a board and no list of boards."""
    if isinstance(value, list):
        return len(value) <= LONGEST_ROW and not any(isinstance(cell, list | dict) for cell in value)
    return value is None or isinstance(value, Number) or (isinstance(value, str) and len(value) <= LONGEST_ROW)


def _key(value: dict[str, Any], wanted: tuple[str, ...]) -> str | None:
    lowered = {key.strip().lower(): key for key in value}
    return next((lowered[name.lower()] for name in wanted if name.lower() in lowered), None)


def _text(value: Any) -> tuple[str, str | None]:
    """A board as 81 characters, or as it is with the reason why it is none."""
    if isinstance(value, Damaged):
        return "", value.reason
    if isinstance(value, Number):
        return str(value), f"{shorten(value)} is a number, not a text or a board; its leading zeros may be lost"
    if isinstance(value, str):
        return value, None
    if not isinstance(value, list):
        return "", f"{value!r} where a puzzle should be" if value is not None else "null where a puzzle should be"
    return _flat(value)


def _flat(board: list[Any]) -> tuple[str, str | None]:
    rows = board if board and any(isinstance(row, list) for row in board) else [board]
    cells: list[str] = []
    for number, row in enumerate(rows, 1):
        if len(rows) > 1 and (not isinstance(row, list) or len(row) != 9):
            length = len(row) if isinstance(row, list | str) else 0
            return shorten(str(board)), f"row {number} of the board has {length} cells, not 9"
        cells.extend("" if cell is None else str(cell).strip() for cell in row)
    if len(cells) == 9 and all(len(cell) == 9 for cell in cells):
        cells = list("".join(cells))
    if len(cells) != 81:
        return shorten(str(board)), f"a board of {len(cells)} cells, not 81"
    bad = next(((at, cell) for at, cell in enumerate(cells, 1) if not is_cell(cell)), None)
    if bad:
        return shorten(str(board)), f"cell {bad[0]} is {shorten(bad[1])!r}, not a digit from 0 to 9"
    return "".join("." if cell in ("", "-1") else cell[0] for cell in cells), None
