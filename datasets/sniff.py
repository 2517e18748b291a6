"""What is this? Judged by the first bytes; the name only helps, `format` and `column` overrule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from megadoku.datasets.errors import NotAPuzzleFileError
from megadoku.datasets.formats.delimited import DelimitedReader
from megadoku.datasets.formats.layout import find_layout
from megadoku.datasets.text import CTRL_Z

if TYPE_CHECKING:
    from megadoku.datasets.piece import PieceReader


@dataclass(frozen=True)
class Options:
    """What the caller overrules or asks for."""

    column: str | None = None
    format_name: str | None = None
    keep_columns: bool = False


def recognise(head: bytes, whole: bool, options: Options) -> PieceReader:
    """The reader for a text that begins so. `whole` says that there is no more of it."""
    lines = head.rstrip(CTRL_Z).decode(errors="replace").split("\n")
    if len(lines) > 1 and (not whole or not lines[-1]):
        lines.pop()
    if not any(line.strip() for line in lines):
        raise NotAPuzzleFileError("empty: no line holds anything")
    layout = find_layout(lines, options.column)
    if layout is None:
        raise NotAPuzzleFileError("no puzzles found")
    return DelimitedReader(layout, options.keep_columns)
