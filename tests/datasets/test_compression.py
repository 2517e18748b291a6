"""Compressed inputs are told by content; a broken stream never looks complete."""

from __future__ import annotations

import bz2
import functools
import gzip
import io
import lzma
import os
import threading
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from megadoku.datasets import Block, BrokenInputError, NotAPuzzleFileError, read_blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@functools.cache
def _text(rows: int) -> bytes:
    """Rows that do not repeat, so that compressed data is spread over all of them."""
    symbols = np.frombuffer(b"123456789......", np.uint8)
    lines = np.random.default_rng(rows).choice(symbols, (rows, 82))
    lines[:, 81] = ord("\n")
    return b"puzzle\n" + lines.tobytes()


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, compresslevel=1)


def _zstd(data: bytes) -> bytes:
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


def _zip(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/puzzles.csv", data)
    return out.getvalue()


class _Pipe(io.RawIOBase):
    """An output that cannot seek, so that zipfile writes sizes after the data."""

    def __init__(self) -> None:
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        self.data += bytes(data)  # type: ignore[call-overload]
        return len(bytes(data))  # type: ignore[call-overload]


def _streamed_zip(data: bytes) -> bytes:
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("puzzles.csv", data)
    return pipe.data


def _stored_zip(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("puzzles.csv", data)
    return out.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": _gzip,
    "gzip-members": lambda data: _gzip(data[:1000]) + _gzip(data[1000:]),
    "bzip2": bz2.compress,
    "xz": functools.partial(lzma.compress, preset=0),
    "zstd": _zstd,
    "zip": _zip,
    "zip-streamed": _streamed_zip,
    "zip-stored": _stored_zip,
    "gzip-twice": lambda data: _gzip(_gzip(data)),
}
ROWS = 30_000


@pytest.mark.parametrize("packer", PACKERS)
def test_read_by_content(tmp_path: Path, packer: str) -> None:
    path = tmp_path / "no-suffix"
    path.write_bytes(PACKERS[packer](_text(1_000)))
    blocks = list(read_blocks([str(path)]))
    assert sum(map(len, blocks)) == 1_000
    assert not any(block.refused for block in blocks)


@pytest.mark.parametrize("keep", [0.999, 0.5])
@pytest.mark.parametrize("packer", PACKERS)
def test_cut_short(tmp_path: Path, packer: str, keep: float) -> None:
    data = PACKERS[packer](_text(ROWS))
    path = tmp_path / "cut"
    path.write_bytes(data[: int(len(data) * keep)] if keep < 0.9 else data[:-30])
    blocks: list[Block] = []
    with pytest.raises(BrokenInputError, match="cut"):
        blocks.extend(read_blocks([str(path)], block_rows=1_000))
    assert not any(block.refused for block in blocks)
    assert sum(map(len, blocks)) > (ROWS * 0.2 if keep < 0.9 else ROWS * 0.7)


@pytest.mark.parametrize("packer", sorted(set(PACKERS) - {"zstd"}))  # pyarrow writes it without a checksum
def test_damaged(tmp_path: Path, packer: str) -> None:
    data = bytearray(PACKERS[packer](_text(ROWS)))
    middle = len(data) // 2
    data[middle : middle + 50] = bytes(50)
    path = tmp_path / "damaged"
    path.write_bytes(data)
    with pytest.raises(BrokenInputError):
        list(read_blocks([str(path)], block_rows=1_000))


def test_office_documents_are_named(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.csv"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    with pytest.raises(NotAPuzzleFileError, match="Office document"):
        list(read_blocks([str(path)]))


def test_fifo(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(gzip.compress(_text(5_000)),), daemon=True)
    writer.start()
    assert sum(map(len, read_blocks([str(path)]))) == 5_000
    writer.join()


def test_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(_text(10))
    with path.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        (block,) = read_blocks(["-"])
    assert (len(block), block.source) == (10, "standard input")


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(_text(ROWS))
    blocks = read_blocks([str(path)], block_rows=100)
    next(blocks)
    os.truncate(path, 1_000_000)
    with pytest.raises(BrokenInputError, match="changed while it was read"):
        list(blocks)


def test_a_file_that_grows_gives_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(_text(ROWS))
    blocks = read_blocks([str(path)], block_rows=100)
    rows = len(next(blocks))
    with path.open("ab") as file:
        file.write(_text(10))
    assert rows + sum(map(len, blocks)) == ROWS
