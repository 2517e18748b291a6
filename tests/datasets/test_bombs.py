"""Small files that unpack to very much: they are refused, and never in more memory than any other file."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zipfile
import zlib
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.datasets.apart import needs_proc, read_apart

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MB = 1 << 20
SIZE = 256 * MB
ROOM = 100  # MB; some 60 are a reader's own, and an unpacker without a limit takes 128 and more
ZEROS, LINE = bytes(MB), b"1" * MB
XZ_HEADER, XZ_DICTIONARY = 12, 16  # places of the header of the first block and, in it, of the dictionary's size
DICTIONARY_OF_384_MB = 33


def _gz(unit: bytes) -> bytes:
    packer = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)  # one member, not one for every unit
    return b"".join(packer.compress(unit) for _ in range(SIZE // MB)) + packer.flush()


def _xz(unit: bytes) -> bytes:
    packer = lzma.LZMACompressor(preset=0)
    return b"".join(packer.compress(unit) for _ in range(SIZE // MB)) + packer.flush()


def _zst(unit: bytes) -> bytes:
    return bytes(pa.compress(unit * (SIZE // MB), codec="zstd", asbytes=True))


def _zip(unit: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("puzzles.csv", unit * (SIZE // MB))
    return out.getvalue()


BOMBS: dict[str, Callable[[bytes], bytes]] = {
    "gz": _gz,
    "gz-twice": lambda unit: gzip.compress(_gz(unit)),
    "bz2": lambda unit: bz2.compress(unit * (SIZE // MB), 1),
    "xz": _xz,
    "zst": _zst,
    "zip": _zip,
}


@needs_proc
@pytest.mark.parametrize("kind", BOMBS)
def test_zeros_are_no_puzzle_file(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(BOMBS[kind](ZEROS))
    told, grown = read_apart(path)
    assert len(told) == 1
    assert re.fullmatch(rf"NotAPuzzleFileError: {path}\S*: no puzzle file: binary data of an unknown kind", told[0])
    assert grown < ROOM


@needs_proc
@pytest.mark.parametrize("kind", BOMBS)
def test_a_line_without_end_is_one_row_refused(kind: str, tmp_path: Path) -> None:
    """The whole bomb is unpacked here, to see what comes behind that line."""
    path = tmp_path / "bomb"
    path.write_bytes(BOMBS[kind](LINE))
    told, grown = read_apart(path)
    assert told == ["line too long to be a puzzle"]
    assert grown < ROOM


@needs_proc
def test_a_dictionary_as_large_as_the_memory_is_not_made(tmp_path: Path) -> None:
    """The file only claims to need it: its first block's header is rewritten, with the checksum behind it."""
    packed = bytearray(_xz(LINE))
    packed[XZ_DICTIONARY] = DICTIONARY_OF_384_MB
    end = XZ_HEADER + 4 * packed[XZ_HEADER]
    packed[end : end + 4] = zlib.crc32(packed[XZ_HEADER:end]).to_bytes(4, "little")
    path = tmp_path / "bomb"
    path.write_bytes(packed)
    told, grown = read_apart(path)
    assert len(told) == 1
    assert re.fullmatch(rf"BrokenInputError: {path}: .*Memory usage limit.*", told[0])
    assert grown < ROOM


@needs_proc
def test_compressed_four_times_over(tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(gzip.compress(gzip.compress(gzip.compress(_gz(LINE)))))
    told, grown = read_apart(path)
    assert told == [f"NotAPuzzleFileError: {path}: compressed more than 3 times over; unpack it first"]
    assert grown < ROOM
