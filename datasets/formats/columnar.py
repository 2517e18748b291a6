"""Parquet and Arrow: batches of typed columns, read through pyarrow. A row's line is its number."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc

from megadoku.datasets.errors import BrokenInputError, NotAPuzzleFileError
from megadoku.datasets.formats.layout import Layout, find_columns
from megadoku.datasets.piece import Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.datasets.formats.sample import Options, Sample
    from megadoku.datasets.sources import ByteStream

PARQUET, ARROW_FILE, ARROW_STREAM = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
PIECE = 1 << 20
SAMPLE = 64  # rows


def sniff(sample: Sample, options: Options) -> ColumnarReader | None:
    kind = next((magic for magic in (PARQUET, ARROW_FILE, ARROW_STREAM) if sample.head.startswith(magic)), None)
    return None if kind is None else ColumnarReader(kind, options)


@dataclass(frozen=True)
class ColumnarReader:
    kind: bytes
    options: Options

    def describe(self) -> str:
        return {PARQUET: "Parquet", ARROW_FILE: "Arrow file", ARROW_STREAM: "Arrow stream"}[self.kind]

    def pieces(self, stream: ByteStream, rows: int) -> Iterator[Piece]:
        """They are read from their end, so the stream goes to a file without a name first, which nobody can change."""
        with tempfile.TemporaryFile() as file:
            _copy(stream, file)
            try:
                yield from self._from(file, rows)
            except (pa.ArrowException, OSError) as error:
                raise BrokenInputError(f"breaks off or is damaged ({str(error).splitlines()[0]})") from None

    def _from(self, file: IO[bytes], rows: int) -> Iterator[Piece]:
        layout: Layout | None = None
        first = 1
        for batch in self._batches(file, rows):
            layout = layout or self._layout(batch)
            if len(batch):
                yield self._piece(batch, layout, first)
            first += len(batch)

    def _batches(self, file: IO[bytes], rows: int) -> Iterator[pa.RecordBatch]:
        if self.kind == PARQUET:
            import pyarrow.parquet as pq

            yield from pq.ParquetFile(file).iter_batches(batch_size=rows)
        elif self.kind == ARROW_STREAM:
            yield from _sliced(iter(pa.ipc.open_stream(file)), rows)
        else:
            reader = pa.ipc.open_file(file)
            yield from _sliced((reader.get_batch(at) for at in range(reader.num_record_batches)), rows)

    def _layout(self, batch: pa.RecordBatch) -> Layout:
        head = batch.slice(0, SAMPLE)
        columns = [[text or "" for text in texts_of(column).to_pylist()] for column in head.columns]
        layout = find_columns(columns, tuple(batch.schema.names), self.options.column)
        if layout is None:
            names = ", ".join(batch.schema.names)
            raise NotAPuzzleFileError(f"a table of {names}; no cell of its first rows holds the 81 cells of a grid")
        kind = batch.column(layout.puzzle[0]).type
        if not layout.found and (pa.types.is_floating(kind) or pa.types.is_integer(kind)) and len(batch):
            name = batch.schema.names[layout.puzzle[0]]
            raise NotAPuzzleFileError(
                f"column {name} holds numbers ({kind}), the digits are lost; write it as text again"
            )
        return layout

    def _piece(self, batch: pa.RecordBatch, layout: Layout, first: int) -> Piece:
        texts = _texts(batch, layout.puzzle)
        others = list(layout.others)
        return Piece(
            lines=np.arange(first, first + len(batch)),
            texts=texts,
            known=_texts(batch, layout.solution) if layout.solution else None,
            others=batch.select(others) if self.options.keep_columns else None,
        )


def _copy(stream: ByteStream, file: IO[bytes]) -> None:
    while data := stream.read(PIECE):
        file.write(data)
    file.seek(0)


def _sliced(batches: Iterator[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for at in range(0, max(len(batch), 1), rows):
            yield batch.slice(at, rows)


def _texts(batch: pa.RecordBatch, span: tuple[int, int]) -> pa.StringArray:
    first, count = span
    columns = [texts_of(batch.column(at)) for at in range(first, first + count)]
    if count == 1:
        return columns[0]
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(*columns, "," if count == 81 else " ")


def texts_of(column: pa.Array) -> pa.StringArray:
    """A column as texts: strings as they are, lists as their cells, numbers as they print."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return texts_of(column.dictionary_decode())
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return pa.array([_joined(value) for value in column.to_pylist()], pa.string())
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_string_view(kind):
        return pa.array([_decoded(value) for value in column.to_pylist()], pa.string())
    if pa.types.is_nested(kind):
        return pa.nulls(len(column), pa.string())
    return column.cast(pa.string()).fill_null("")


def _joined(value: Any) -> str:
    if not isinstance(value, list):
        return "0" if value is None else str(value)
    return "[" + ",".join(map(_joined, value)) + "]"


def _decoded(value: bytes | str | None) -> str:
    return value if isinstance(value, str) else (value or b"").decode(errors="replace")
