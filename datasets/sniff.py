"""What is this? Judged by the first bytes; the caller may overrule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from megadoku.datasets import looks
from megadoku.datasets.errors import NotAPuzzleFileError
from megadoku.datasets.formats import Format, delimited, formats_named
from megadoku.datasets.formats.sample import Options, Sample
from megadoku.datasets.sources import Peekable
from megadoku.datasets.text import SNIFFED, Text

if TYPE_CHECKING:
    from megadoku.datasets.piece import PieceReader
    from megadoku.datasets.sources import ByteStream


def recognise(stream: Peekable, options: Options) -> tuple[Format, PieceReader, ByteStream]:
    """The format of a stream, its reader, and the stream as that reader wants it."""
    formats = formats_named(options.format_name)
    raw = _sample(stream)
    for entry in formats:
        if entry.binary and (reader := entry.sniff(raw, options)):
            return entry, reader, stream
    text = Peekable(Text(stream))
    sample = _sample(text)
    for entry in formats:
        if not entry.binary and not looks.binary(sample.head) and (reader := entry.sniff(sample, options)):
            return entry, reader, text
    if text.error is not None:  # broken so early that there is nothing to judge by
        raise text.error
    if not sample.head.strip():
        raise NotAPuzzleFileError("empty: there is nothing in it")
    words = looks.binary(sample.head) or looks.text(sample)
    if words is None and (reader := delimited.sniff_bare(sample)):
        return formats_named("lines")[0], reader, text
    raise NotAPuzzleFileError(f"no puzzle file: {words or looks.anything_else(sample)}")


def _sample(stream: Peekable) -> Sample:
    head = stream.peek(SNIFFED)
    return Sample(head, whole=len(head) < SNIFFED)
