"""Results → a file: CSV, Parquet or a plain list of solutions, by the name; `-` is standard output.

A file appears under its name only when it is complete: it is written beside it and renamed at the end.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa
import pyarrow.parquet

from megadoku.pipeline import csv_text
from megadoku.pipeline.errors import OutputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCHEMA = pa.schema(
    [
        ("puzzle", pa.string()),
        ("solution", pa.string()),
        ("status", pa.string()),
        ("nodes", pa.int64()),
        ("reason", pa.string()),
    ]
)


class TableSink(Protocol):
    """What takes record batches and can be closed: pyarrow's own writers, and ours for plain lists."""

    def write_batch(self, batch: pa.RecordBatch) -> Any: ...

    def close(self) -> Any: ...


class _CsvSink:
    def __init__(self, stream: pa.NativeFile) -> None:
        self._stream = stream
        stream.write(csv_text.header(SCHEMA))

    def write_batch(self, batch: pa.RecordBatch) -> None:
        self._stream.write(csv_text.lines(batch))

    def close(self) -> None:
        pass


class _ListSink:
    """One solution a line; a row without one keeps its place as an empty line."""

    def __init__(self, stream: pa.NativeFile) -> None:
        self._stream = stream

    def write_batch(self, batch: pa.RecordBatch) -> None:
        lines = batch.column("solution").fill_null("")
        self._stream.write("".join(f"{line}\n" for line in lines.to_pylist()).encode())

    def close(self) -> None:
        pass


def _parquet_sink(stream: pa.NativeFile) -> TableSink:
    sink: TableSink = pa.parquet.ParquetWriter(stream, SCHEMA, compression="zstd")
    return sink


_SINKS: dict[str, Callable[[pa.NativeFile], TableSink]] = {
    ".csv": _CsvSink,
    ".parquet": _parquet_sink,
    ".txt": _ListSink,
}
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}


def _by_name(name: str) -> tuple[Callable[[pa.NativeFile], TableSink], str | None]:
    path = Path(name)
    compression = _COMPRESSIONS.get(path.suffix)
    suffix = path.with_suffix("").suffix if compression else path.suffix
    if suffix not in _SINKS or (suffix == ".parquet" and compression):
        raise UsageError(
            f"{name}: cannot tell the format; name it .csv, .txt (each may end in .gz .zst .bz2) or .parquet"
        )
    return _SINKS[suffix], compression


@contextlib.contextmanager
def open_sink(name: str, force: bool = False) -> Iterator[TableSink]:
    """A place for batches of SCHEMA. Leaving by an exception leaves no file."""
    if name == "-":
        yield _CsvSink(pa.PythonFile(sys.stdout.buffer, mode="w"))
        sys.stdout.flush()
        return
    make_sink, compression = _by_name(name)
    target = Path(name)
    if target.exists() and not force:
        raise UsageError(f"{name}: is there already; --force replaces it")
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        with pa.output_stream(str(partial), compression=compression) as stream, _closing(make_sink(stream)) as sink:
            yield sink
        partial.replace(target)
    except OSError as error:
        raise OutputError(
            f"{name}: cannot be written: {error.strerror or error}; try another folder or disk"
        ) from error
    finally:
        partial.unlink(missing_ok=True)


@contextlib.contextmanager
def _closing(sink: TableSink) -> Iterator[TableSink]:
    try:
        yield sink
    finally:
        sink.close()
