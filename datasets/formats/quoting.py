"""A line of a delimited file → its cells, quotes minded."""

from __future__ import annotations

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
