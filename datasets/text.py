"""Bytes → lines of UTF-8 ending in LF, in chunks of whole lines, with the number of the line each chunk begins at.

bytes   ÿþ5·3·0·…   or   530…\\r\\n600…   or   530…\\r600…\\x1a
chunks  Chunk(data=b"530…\\n600…\\n", first_line=1, lines=2), …
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from megadoku.datasets.errors import InputError
from megadoku.datasets.sources import Peekable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.datasets.sources import ByteStream

SNIFFED = 64 << 10  # bytes that encoding, line ends and format are judged by
LONGEST_LINE = 4 << 20
LARGEST_CHUNK = 16 << 20
KEPT_OF_OVERLONG = 200  # bytes
TYPICAL_LINE = 164  # puzzle, comma, solution, line end
LF = 10
CTRL_Z = b"\x1a"
BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins like UTF-16's, so it comes first
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass
class Chunk:
    data: bytes  # whole lines, each ending in LF
    first_line: int
    counted: int | None = None  # lines; whoever looks at all of them anyway may say how many there are
    stride: int = 0  # where every so manyth byte is a line end; there may be others in between
    overlong: bool = False  # the beginning of one line that is too long to be kept

    @property
    def lines(self) -> int:
        if self.counted is None:
            self.counted = int(np.count_nonzero(np.frombuffer(self.data, np.uint8) == LF))
        return self.counted


class Text:
    """A byte stream as UTF-8 with LF line ends."""

    def __init__(self, stream: Peekable) -> None:
        head = stream.peek(SNIFFED)
        self.encoding = encoding_of(head)
        self._stream: ByteStream = stream
        if self.encoding not in ("utf-8", "utf-8-sig"):
            self._stream = _Recoded(stream, self.encoding)
        elif self.encoding == "utf-8-sig":
            stream.read(len(codecs.BOM_UTF8))
        wide = self.encoding[:6] in ("utf-16", "utf-32")
        sample = head.replace(b"\0", b"") if wide else head
        self.cr_only = b"\r" in sample and b"\n" not in sample
        self.line_ends = "CR" if self.cr_only else "CRLF" if b"\r\n" in sample else "LF"
        self._held = b""

    def read(self, size: int, /) -> bytes:
        data = self._held + self._stream.read(size)
        if self.cr_only:
            return data.replace(b"\r", b"\n")
        self._held = b""
        if data.endswith(b"\r") and len(data) > 1:  # perhaps the first half of a CRLF
            data, self._held = data[:-1], b"\r"
        return data.replace(b"\r\n", b"\n") if b"\r" in data else data


class _Recoded:
    """UTF-16 or UTF-32 as UTF-8; what cannot be decoded becomes a mark that no puzzle holds."""

    def __init__(self, stream: ByteStream, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")

    def read(self, size: int, /) -> bytes:
        while True:
            raw = self._stream.read(size)
            data = self._decoder.decode(raw, final=not raw).encode()
            if data or not raw:
                return data


def encoding_of(head: bytes) -> str:
    """By the byte-order mark; without one, every second byte of Western UTF-16 text is zero."""
    for mark, encoding in BOMS:
        if head.startswith(mark):
            return encoding
    sample = head[:1024]
    if len(sample) >= 4 and not sample[0::2].strip(b"\0"):
        return "utf-16-be"
    if len(sample) >= 4 and not sample[1::2].strip(b"\0"):
        return "utf-16-le"
    return "utf-8"


def chunks(text: ByteStream, rows: int, line: int = 1) -> Iterator[Chunk]:
    """Whole lines, `rows` a chunk. Where the input breaks off, the half line before the break is dropped."""
    stream = text if isinstance(text, Peekable) else Peekable(text)
    rest, size = b"", rows * TYPICAL_LINE
    try:
        while piece := _filled(stream, min(size, LARGEST_CHUNK)):
            rest += piece
            if len(rest) > LONGEST_LINE and b"\n" not in rest:
                yield Chunk(rest[:KEPT_OF_OVERLONG] + b"\n", line, 1, overlong=True)
                line, rest = line + 1, _after_next_line_end(stream)
            taken = stride = 0
            for chunk in _cut(rest, line, rows, everything=len(rest) > LARGEST_CHUNK):
                yield chunk
                line, taken, stride = line + chunk.lines, taken + len(chunk.data), chunk.stride
            rest = rest[taken:]
            missing = rows * stride - len(rest)  # to the next chunk, which then need not be cut out of its piece
            size = missing if missing > 0 else rows * TYPICAL_LINE
    except InputError:
        yield from _cut(rest, line, rows, everything=True)
        raise
    yield from _cut(_ended(rest), line, rows, everything=True)


def _filled(stream: Peekable, size: int) -> bytes:
    """`size` bytes, fewer only before the end: a pipe or a decompressor hands them out in dribs and drabs."""
    data = stream.read(size)
    return data if len(data) in (0, size) else data + _rest(stream, size - len(data))


def _rest(stream: Peekable, size: int) -> bytes:
    stream.peek(size)
    try:
        return stream.read(size)
    except InputError:  # kept by the stream: the next read meets it again
        return b""


def _cut(data: bytes, line: int, rows: int, everything: bool) -> Iterator[Chunk]:
    """Chunks of `rows` lines; if `everything`, also the shorter one that is left."""
    at = 0
    while chunk := _regular(data, at, line, rows, everything):
        yield chunk
        at, line = at + len(chunk.data), line + chunk.lines
    if at == len(data):
        return
    ends = np.flatnonzero(np.frombuffer(data, np.uint8, offset=at) == LF) + at + 1
    for first in range(0, len(ends), rows):
        group = ends[first : first + rows]
        if len(group) == rows or everything:
            stop = int(group[-1])
            yield Chunk(data[at:stop], line + first, len(group))
            at = stop


def _regular(data: bytes, at: int, line: int, rows: int, everything: bool) -> Chunk | None:
    """The next `rows` lines, if all seem to be equally long: then they need not be looked for one by one."""
    stride = data.find(b"\n", at) + 1 - at
    if stride <= 0:
        return None
    left, odd = divmod(len(data) - at, stride)
    if left < rows and (odd or not everything):
        return None
    rows = min(rows, left)
    stop = at + rows * stride
    ends = np.frombuffer(data, np.uint8, rows * stride, at)[stride - 1 :: stride]
    return Chunk(data[at:stop], line, stride=stride) if (ends == LF).all() else None


def drop_lines(text: Peekable, count: int) -> None:
    """Pass over the first lines, which must lie in what was sniffed."""
    head, at = text.peek(SNIFFED), 0
    for _ in range(count):
        at = head.find(b"\n", at) + 1 or len(head)
    text.read(at)


def _after_next_line_end(stream: Peekable) -> bytes:
    while piece := stream.read(LONGEST_LINE):
        _, found, rest = piece.partition(b"\n")
        if found:
            return rest
    return b""


def _ended(rest: bytes) -> bytes:
    """The last lines of an input, with a line end and without DOS's end-of-file mark."""
    rest = rest.rstrip(CTRL_Z)
    return rest if rest.endswith(b"\n") or not rest else rest + b"\n"
