"""How many rows there will be, told while they are read: from the bytes taken so far and those that are there.

a.csv.gz  ███████████████         bytes taken, as they lie on the disk
b.csv     ▒▒▒▒▒▒▒▒▒▒▒▒▒           rows so far × all bytes ÷ bytes taken
c.parquet ░░░░░░                  says itself how many rows it has
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from megadoku.datasets.inputs import Input, resolve
from megadoku.datasets.sources import STDIN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from megadoku.datasets.block import Block
    from megadoku.datasets.sources import ByteStream

_PARQUET = b"PAR1"
_READ_WHOLE = (_PARQUET, b"ARRO", b"\xff\xff\xff\xff")  # to the last byte, before the first row comes


class _Size(NamedTuple):
    """What can be known of an input beforehand: its rows or its bytes; neither of a pipe."""

    rows: int | None = None
    bytes: int | None = None


class Meter:
    """Watches one reading of the inputs. Counting costs an addition for each piece of a file and each block."""

    def __init__(self, inputs: Sequence[str]) -> None:
        sizes = {one.name: _size(one) for one in resolve(inputs)}
        self._rows_known = {name: size.rows for name, size in sizes.items() if size.rows is not None}
        bytes_known = [size.bytes for size in sizes.values() if size.rows is None]
        self._all_bytes = None if None in bytes_known else sum(filter(None, bytes_known))
        self._bytes = self._rows = 0  # of the others
        self._estimate = None if bytes_known else 0
        self._ended = False

    def expected(self) -> int | None:
        """All rows of all inputs, as far as can be told by now."""
        if not self._ended and self._all_bytes and self._rows and self._bytes < self._all_bytes:
            self._estimate = round(self._rows * self._all_bytes / self._bytes)
        if self._estimate is None:
            return None
        return sum(self._rows_known.values()) + max(self._estimate, self._rows)

    def counted(self, stream: ByteStream, name: str) -> ByteStream:
        return stream if name in self._rows_known else _Counted(stream, self)

    def noted(self, blocks: Iterator[Block], name: str) -> Iterator[Block]:
        for block in blocks:
            if name not in self._rows_known:
                self._rows += len(block)
            yield block

    def took(self, count: int) -> None:
        self._bytes += count

    def ended(self) -> None:
        self._ended, self._estimate = True, self._rows


class _Counted:
    def __init__(self, stream: ByteStream, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter

    def read(self, size: int, /) -> bytes:
        data = self._stream.read(size)
        self._meter.took(len(data))
        return data


def _size(one: Input) -> _Size:
    """Never an error: what is wrong with an input is for its reader to say."""
    try:
        if one.path == STDIN:
            return _size_of_open(sys.stdin.fileno(), one.path)
        if not Path(one.path).is_file():  # opening a FIFO would wait for who writes to it
            return _Size()
        with Path(one.path).open("rb") as file:
            return _size_of_open(file.fileno(), one.path)
    except (OSError, ValueError):
        return _Size()


def _size_of_open(descriptor: int, path: str) -> _Size:
    """Standard input may be a file too; what lies before its place is not read."""
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):
        return _Size()
    place = os.lseek(descriptor, 0, os.SEEK_CUR)
    head = os.pread(descriptor, 4, place)
    if head == _PARQUET and path != STDIN:
        return _Size(rows=_parquet_rows(path))
    return _Size() if head in _READ_WHOLE else _Size(bytes=facts.st_size - place)


def _parquet_rows(path: str) -> int | None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows: int = pq.read_metadata(path).num_rows
    except (pa.ArrowException, OSError):
        return None
    return rows
