"""Zip archives, read front to back like any other stream: no seeking, so pipes work and a cut archive gives its rows.

PK··  sizes, method, name │ deflated bytes │ [data descriptor] │ PK·· next member … │ PK·· directory: the end
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from megadoku.datasets.errors import BrokenInputError, NotAPuzzleFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.datasets.sources import Peekable

MEMBER, DIRECTORY, DESCRIPTOR, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x07\x08", b"PK\x05\x06"
END_LENGTH = 22
HEADER = struct.Struct("<4x2xHH4xIIIHH")  # flags, method, checksum, packed size, size, lengths of name and extra
STORED, DEFLATED = 0, 8
ENCRYPTED, SIZES_FOLLOW = 1, 8
PIECE = 64 << 10
OFFICE = ("[Content_Types].xml", "xl/", "word/", "mimetype")


def is_zip(head: bytes) -> bool:
    return head.startswith((MEMBER, END))


def members(stream: Peekable, name: str) -> Iterator[tuple[str, _Member]]:
    """The files in an archive, with their names, one after the other."""
    while stream.peek(4) == MEMBER:
        flags, method, checksum, packed, _, name_length, extra = HEADER.unpack(_exactly(stream, HEADER.size, name))
        title = _exactly(stream, name_length, name).decode(errors="replace")
        _exactly(stream, extra, name)
        if title.startswith(OFFICE):
            raise NotAPuzzleFileError(f"{name}: an Office document; save the sheet as CSV, the puzzles as text")
        if flags & ENCRYPTED or method not in (STORED, DEFLATED) or (method == STORED and flags & SIZES_FOLLOW):
            raise NotAPuzzleFileError(f"{name}: {title} is encrypted or packed in a rare way; unpack the archive first")
        member = _Member(stream, f"{name}:{title}", None if method == DEFLATED else packed)
        if not title.endswith("/") and not title.startswith("__MACOSX/"):
            yield f"{name}:{title}", member
        member.drain()
        if flags & SIZES_FOLLOW:
            checksum = _descriptor(stream, name)
        if member.checksum != checksum:
            raise BrokenInputError(f"{name}: {title} is damaged (its checksum is wrong)")
    if stream.peek(4) not in (DIRECTORY, END) or not _ends_well(stream):
        raise BrokenInputError(f"{name}: the archive breaks off or is damaged; fetch or copy it again")


def _ends_well(stream: Peekable) -> bool:
    """Is the directory followed by its whole end record, of 22 bytes and a comment?"""
    tail = b""
    while data := stream.read(PIECE):
        tail = (tail + data)[-(PIECE + END_LENGTH) :]
    at = tail.rfind(END)
    return at >= 0 and len(tail) - at >= END_LENGTH


def _exactly(stream: Peekable, size: int, name: str) -> bytes:
    if len(stream.peek(size)) < size:
        raise BrokenInputError(f"{name}: the archive breaks off; fetch or copy it again")
    return stream.read(size)


def _descriptor(stream: Peekable, name: str) -> int:
    """The checksum after the data; the sizes behind it take 8 bytes, or 16 in large archives."""
    if stream.peek(4) == DESCRIPTOR:
        stream.read(4)
    (checksum,) = struct.unpack("<I", _exactly(stream, 4, name))
    following = stream.peek(20)
    _exactly(stream, 8 if following[8:10] == b"PK" or len(following) < 18 else 16, name)
    return int(checksum)


class _Member:
    """The bytes of one file in the archive."""

    def __init__(self, stream: Peekable, name: str, stored: int | None) -> None:
        self._stream = stream
        self._name = name
        self._left = stored
        self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        self.checksum = 0

    def read(self, size: int, /) -> bytes:
        data = self._inflated(size) if self._left is None else self._stored(size)
        self.checksum = zlib.crc32(data, self.checksum)
        return data

    def drain(self) -> None:
        while self.read(PIECE):
            pass

    def _stored(self, size: int) -> bytes:
        data = self._stream.read(min(size, self._left or 0)) if self._left else b""
        if self._left and not data:
            raise BrokenInputError(f"{self._name}: the archive breaks off; fetch or copy it again")
        self._left = (self._left or 0) - len(data)
        return data

    def _inflated(self, size: int) -> bytes:
        while not self._inflater.eof:
            packed = self._inflater.unconsumed_tail or self._stream.read(PIECE)
            if not packed:
                raise BrokenInputError(f"{self._name}: the archive breaks off; fetch or copy it again")
            try:
                data = self._inflater.decompress(packed, size)
            except zlib.error as error:
                raise BrokenInputError(f"{self._name}: the compressed data is damaged ({error})") from None
            self._stream.unread(self._inflater.unused_data)  # which is empty before the end
            if data:
                return data
        return b""
