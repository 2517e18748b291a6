"""Writes the files of a run (megadoku.run_schema says what they are), each whole or not at all."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet

from megadoku import run_schema
from megadoku.pipeline.errors import OutputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class RunFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def create(self, info: run_schema.RunInfo) -> None:
        with _writable(self.path):
            if self.path.exists() and any(self.path.iterdir()):
                raise UsageError(f"{self.path}: is not empty, and a run never changes; choose another folder with -o")
            for folder in (run_schema.SHARDS_FOLDER, run_schema.PUZZLES_FOLDER):
                (self.path / folder).mkdir(parents=True, exist_ok=True)
            _replace(self.path / run_schema.RUN_FILE, json.dumps(info, indent=2).encode())

    def write_puzzles(self, dataset: str, table: pa.Table) -> None:
        self._write(self.path / run_schema.PUZZLES_FOLDER / run_schema.puzzles_name(dataset), table)

    def write_shard(self, solver: str, dataset: str, repeat: int, table: pa.Table) -> None:
        self._write(self.path / run_schema.SHARDS_FOLDER / run_schema.shard_name(solver, dataset, repeat), table)

    def _write(self, target: Path, table: pa.Table) -> None:
        sink = pa.BufferOutputStream()
        pa.parquet.write_table(table, sink, compression="zstd")
        with _writable(target):
            _replace(target, sink.getvalue())


def _replace(target: Path, content: bytes | pa.Buffer) -> None:
    partial = target.with_name(f".{target.name}.partial")
    with partial.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(target)


@contextmanager
def _writable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written: {error.strerror or error}; try another folder with -o"
        ) from error
