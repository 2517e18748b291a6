"""A line of a delimited file → its cells, quotes minded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

QUOTED_LINES = 64  # a quoted cell that spans more lines than this was never closed
WHOLE_LINE, BLANKS = "", " "  # delimiters: none, and any run of blanks


class OpenQuoteError(ValueError):
    """A quoted cell that does not end on its line."""


def cells_of(line: str, delimiter: str) -> list[str]:
    """The cells of one line."""
    if delimiter == WHOLE_LINE:
        return [line]
    if delimiter == BLANKS:
        return line.split()
    if '"' not in line:
        return line.split(delimiter)
    return _quoted_cells(line, delimiter)


def _quoted_cells(line: str, delimiter: str) -> list[str]:
    cells: list[str] = []
    at = 0
    while True:
        cell = ""
        if line.startswith('"', at):
            cell, at = _quoted(line, at + 1)
            if "\n" in cell and line[at : at + 1] not in ("", delimiter):
                raise OpenQuoteError  # what seems to close it opens another cell, lines further down
        stop = line.find(delimiter, at)
        if stop < 0:
            return [*cells, cell + line[at:]]
        cells.append(cell + line[at:stop])
        at = stop + len(delimiter)


def _quoted(line: str, at: int) -> tuple[str, int]:
    """The text between quotes that begins at `at`, and where the line goes on after them."""
    text = ""
    while True:
        stop = line.find('"', at)
        if stop < 0:
            raise OpenQuoteError
        text += line[at:stop]
        if not line.startswith('""', stop):
            return text, stop + 1
        text, at = text + '"', stop + 2


def rows_of(lines: list[str], delimiter: str, width: int | None = None) -> Iterator[tuple[int, int, list[str] | None]]:
    """Where each row begins, how many lines it takes, and its cells: None where a quote is opened and never closed.

    Blank lines are passed over. A row that takes several lines must have `width` columns: a quote may seem to be
    closed by one that opens another cell, further down.
    """
    at = 0
    while at < len(lines):
        taken = 1
        if lines[at].strip().strip("\x1a"):  # DOS ends its texts with Ctrl-Z
            taken, cells = _row(lines, at, delimiter, width)
            yield at, taken, cells
        at += taken


def _row(lines: list[str], at: int, delimiter: str, width: int | None) -> tuple[int, list[str] | None]:
    for taken in range(1, min(QUOTED_LINES, len(lines) - at) + 1):
        try:
            cells = cells_of("\n".join(lines[at : at + taken]), delimiter)
        except OpenQuoteError:
            continue
        return (taken, cells) if taken == 1 or width in (None, len(cells)) else (1, None)
    return 1, None
