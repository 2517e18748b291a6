"""Compression, told by the first bytes and never by the name; unpacked as a stream, a bounded piece at a time.

A stream that is cut short or damaged gives every byte before the break and then raises `BrokenInputError`.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from megadoku.datasets.errors import BrokenInputError, NotAPuzzleFileError
from megadoku.datasets.sources import Peekable

if TYPE_CHECKING:
    from collections.abc import Callable

    from megadoku.datasets.sources import ByteStream

LAYERS = 3  # a file compressed more often than this is a trap
XZ_MEMORY = 128 << 20
PIECE = 64 << 10

GZIP, ZSTD, XZ, BZIP2 = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00", b"BZh"


class _Decompressor(Protocol):
    eof: bool
    needs_input: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Gunzip:
    """zlib's object, in the manners of bz2's and lzma's."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._zlib.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data


class _Unpacked:
    """One or more compressed members, one after the other, as one stream."""

    def __init__(self, stream: ByteStream, name: str, make: Callable[[], Any]) -> None:
        self._stream = stream
        self._name = name
        self._make = make
        self._member: _Decompressor = make()
        self._begun = False

    def read(self, size: int, /) -> bytes:
        while True:
            packed = b""
            if self._member.eof:
                packed = self._member.unused_data.lstrip(b"\0") or self._stream.read(PIECE).lstrip(b"\0")
                if not packed:
                    return b""
                self._member = self._make()
            elif self._member.needs_input:
                packed = self._stream.read(PIECE)
                if not packed:
                    raise BrokenInputError(
                        f"{self._name}: the compressed data breaks off; fetch or copy the file again"
                    )
            try:
                data = self._member.decompress(packed, size)
            except (zlib.error, lzma.LZMAError, OSError, EOFError) as error:
                raise BrokenInputError(f"{self._name}: the compressed data is damaged ({error})") from None
            if data:
                return data


class _UnpackedZstd:
    """pyarrow's zstd: unlike some, it notices a stream that is cut short."""

    def __init__(self, stream: ByteStream, name: str) -> None:
        self._name = name
        self._arrow = pa.CompressedInputStream(pa.PythonFile(_Readable(stream), "r"), "zstd")

    def read(self, size: int, /) -> bytes:
        try:
            return bytes(self._arrow.read(min(size, PIECE)))
        except (pa.ArrowException, OSError) as error:
            raise BrokenInputError(f"{self._name}: the compressed data breaks off or is damaged ({error})") from None


class _Readable:
    """What pyarrow asks of a Python file."""

    closed = False

    def __init__(self, stream: ByteStream) -> None:
        self.read = stream.read

    def close(self) -> None:
        self.closed = True


def _xz(stream: ByteStream, name: str) -> ByteStream:
    return _Unpacked(stream, name, lambda: lzma.LZMADecompressor(memlimit=XZ_MEMORY))


COMPRESSIONS: dict[bytes, tuple[str, Callable[[ByteStream, str], ByteStream]]] = {
    GZIP: ("gzip", lambda stream, name: _Unpacked(stream, name, _Gunzip)),
    ZSTD: ("zstd", _UnpackedZstd),
    XZ: ("xz", _xz),
    BZIP2: ("bzip2", lambda stream, name: _Unpacked(stream, name, bz2.BZ2Decompressor)),
}


def decompressed(stream: Peekable, name: str) -> tuple[Peekable, list[str]]:
    """The stream without its compression, and the names of the layers that were taken off."""
    layers: list[str] = []
    while True:
        head = stream.peek(8)
        found = next((row for magic, row in COMPRESSIONS.items() if head.startswith(magic)), None)
        if found is None:
            return stream, layers
        if len(layers) == LAYERS:
            raise NotAPuzzleFileError(f"{name}: compressed more than {LAYERS} times over; unpack it first")
        layers.append(found[0])
        stream = Peekable(found[1](stream, name))
