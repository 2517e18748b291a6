"""Parquet that can be continued: whole little Parquet files one behind the other, then one index of them all.

    PAR1 rows index PAR1 │ PAR1 rows index PAR1 │ … │ index of all PAR1
    └───── a part ─────┘

Readers begin at the end, and find in the last index where the rows of each part are; they never see the parts' own
indices. A resume does: it walks back from part to part, and so knows what the last index has to say.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from megadoku.pipeline import thrift
from megadoku.pipeline.pieces import Pieces
from megadoku.pipeline.thrift import Field, Items, Struct

if TYPE_CHECKING:
    from io import FileIO

    from megadoku.pipeline.encoding import Encoding
    from megadoku.pipeline.file_output import Bytes, End
    from megadoku.pipeline.journal import Checkpoint, Journal

MAGIC = b"PAR1"
_TAIL = struct.Struct("<I4s")  # the index's length, and the magic again
_ALL_DIFFERENT = ("puzzle", "solution")  # so a dictionary would only double them, and nobody asks for the smallest

# Where the format keeps what changes when parts come together: the numbers of the fields in its Thrift structs.
_ROWS, _ROW_GROUPS = 3, 4  # of a file
_COLUMNS, _FILE_OFFSET, _COMPRESSED_SIZE, _ORDINAL = 1, 5, 6, 7  # of a row group
_CHUNK_OFFSETS, _CHUNK_DETAILS = (4, 6), 3  # of a column in it
_DETAIL_OFFSETS = (9, 10, 11, 14)  # of its pages


@dataclass(frozen=True)
class Part:
    start: int  # in the file
    index: bytes


def pack(schema: pa.Schema, batches: list[pa.RecordBatch]) -> memoryview:
    """One part, from these rows however they are cut."""
    import pyarrow.parquet

    few = [name for name in schema.names if name not in _ALL_DIFFERENT]
    table = pa.Table.from_batches(batches, schema).combine_chunks()  # pages end where chunks do
    sink = pa.BufferOutputStream()
    with pyarrow.parquet.ParquetWriter(sink, schema, use_dictionary=few, write_statistics=few) as writer:
        if len(table):
            writer.write_table(table, row_group_size=len(table))
    return memoryview(sink.getvalue())


class Parquet(Pieces):
    def __init__(self, stream: FileIO, journal: Journal, how: Encoding, found: Checkpoint) -> None:
        self._parts = parts_before(stream, found.bytes)
        super().__init__(stream, journal, how, found)

    def _put_piece(self, packed: Bytes) -> End:
        self._parts.append(Part(self._end.bytes, _index_at_the_end(packed)))
        return super()._put_piece(packed)

    def _ending(self) -> bytes:
        return index_of_all(self._parts)


def parts_before(stream: FileIO, end: int) -> list[Part]:
    """The parts of a file that ends with one there; the stream is left at that end."""
    parts: list[Part] = []
    at = end
    while at:
        stream.seek(at - _TAIL.size)
        size, magic = _TAIL.unpack(stream.read(_TAIL.size))
        assert magic == MAGIC
        stream.seek(at - _TAIL.size - size)
        index = stream.read(size)
        at -= len(MAGIC) + _bytes_of_rows(index) + size + _TAIL.size
        parts.append(Part(at, index))
    stream.seek(end)
    return parts[::-1]


def _index_at_the_end(packed: Bytes) -> bytes:
    size, _ = _TAIL.unpack(packed[-_TAIL.size :])
    return bytes(packed[-_TAIL.size - size : -_TAIL.size])


def _bytes_of_rows(index: bytes) -> int:
    return sum(group[_COMPRESSED_SIZE].value for group in thrift.read(index)[_ROW_GROUPS].value.values)


def index_of_all(parts: list[Part]) -> bytes:
    """One index as if all rows had been written by one writer, with its tail."""
    files = [thrift.read(part.index) for part in parts]
    for file, part in zip(files, parts, strict=True):
        for group in file[_ROW_GROUPS].value.values:
            _move(group, part.start)
    groups = [group for file in files for group in file[_ROW_GROUPS].value.values]
    for number, group in enumerate(groups):
        _set(group, _ORDINAL, number)
    whole = files[0]
    _set(whole, _ROWS, sum(file[_ROWS].value for file in files))
    _set(whole, _ROW_GROUPS, Items(thrift.STRUCT, groups))
    index = thrift.written(whole)
    return index + _TAIL.pack(len(index), MAGIC)


def _move(group: Struct, by: int) -> None:
    """Every place that the row group names is so much further behind."""
    _add(group, (_FILE_OFFSET,), by)
    for column in group[_COLUMNS].value.values:
        _add(column, _CHUNK_OFFSETS, by)
        _add(column[_CHUNK_DETAILS].value, _DETAIL_OFFSETS, by)


def _add(fields: Struct, numbers: tuple[int, ...], by: int) -> None:
    for number in numbers:
        if number in fields:
            _set(fields, number, fields[number].value + by)


def _set(fields: Struct, number: int, value: Any) -> None:
    if number in fields:
        fields[number] = Field(fields[number].kind, value)
