"""The table of formats. Reading tries them in this order; a new one is a module and a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from megadoku.datasets.errors import UnknownFormatError
from megadoku.datasets.formats import columnar, delimited, drawn, jsons, opensudoku

if TYPE_CHECKING:
    from collections.abc import Callable

    from megadoku.datasets.formats.sample import Options, Sample
    from megadoku.datasets.piece import PieceReader


@dataclass(frozen=True)
class Format:
    name: str  # what `format` overrules by
    summary: str
    sniff: Callable[[Sample, Options], PieceReader | None]
    aliases: tuple[str, ...] = ()
    binary: bool = False  # looks at the bytes as they are, not at text


FORMATS = (
    Format("columnar", "Parquet and Arrow, files and streams", columnar.sniff, ("parquet", "arrow"), binary=True),
    Format("opensudoku", "OpenSudoku XML", opensudoku.sniff, ("xml",)),
    Format("json", "boards, arrays, objects, JSON lines", jsons.sniff, ("jsonl",)),
    Format("lines", "one puzzle a line: CSV and its kin, lists, .sdm", delimited.sniff, ("csv", "tsv", "list", "sdm")),
    Format("drawn", "one puzzle over nine lines: .sdk, .ss, drawn grids", drawn.sniff, ("sdk", "ss", "grid")),
)


def formats_named(name: str | None) -> tuple[Format, ...]:
    """The one format of that name, or all of them."""
    if name is None:
        return FORMATS
    found = tuple(entry for entry in FORMATS if name.lower() in (entry.name, *entry.aliases))
    if not found:
        names = ", ".join(name for entry in FORMATS for name in (entry.name, *entry.aliases))
        raise UnknownFormatError(f"no format named {name!r}; there are {names}")
    return found
