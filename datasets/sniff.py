"""What is this? Judged by the first bytes; the caller may overrule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from megadoku.datasets import looks
from megadoku.datasets.errors import NotAPuzzleFileError
from megadoku.datasets.formats import delimited, formats_named
from megadoku.datasets.formats.sample import Options, Sample
from megadoku.datasets.sources import Peekable
from megadoku.datasets.text import SNIFFED, Text

if TYPE_CHECKING:
    from megadoku.datasets.piece import PieceReader
    from megadoku.datasets.sources import ByteStream


@dataclass(frozen=True)
class Recognised:
    """A stream that is known for what it is."""

    format: str
    reader: PieceReader
    stream: ByteStream  # as the reader wants it
    encoding: str = ""
    line_ends: str = ""


def recognise(stream: Peekable, options: Options) -> Recognised:
    """Which format this is, with a reader for it. Raises `NotAPuzzleFileError` with what it looks like instead."""
    formats = formats_named(options.format_name)
    raw = _sample(stream)
    for entry in formats:
        if entry.binary and (reader := entry.sniff(raw, options)):
            return Recognised(entry.name, reader, stream)
    decoded = Text(stream)
    text = Peekable(decoded)
    sample = _sample(text)
    for entry in formats:
        if not entry.binary and not looks.binary(sample.head) and (reader := entry.sniff(sample, options)):
            return Recognised(entry.name, reader, text, decoded.encoding, decoded.line_ends)
    if text.error is not None:  # broken so early that there is nothing to judge by
        raise text.error
    if not sample.head.strip():
        raise NotAPuzzleFileError("empty: there is nothing in it")
    words = looks.binary(sample.head) or looks.text(sample)
    if words is None and (reader := delimited.sniff_bare(sample)):
        return Recognised("lines", reader, text, decoded.encoding, decoded.line_ends)
    raise NotAPuzzleFileError(f"no puzzle file: {words or looks.anything_else(sample)}")


def _sample(stream: Peekable) -> Sample:
    head = stream.peek(SNIFFED)
    return Sample(head, whole=len(head) < SNIFFED)
