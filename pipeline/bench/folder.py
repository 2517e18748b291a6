"""The files of a run (megadoku.run_schema says what they are), each written whole or not at all."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import pyarrow as pa
import pyarrow.parquet

from megadoku import run_schema
from megadoku.pipeline.bench.samples import Sample, grids_of
from megadoku.pipeline.bench.tables import puzzle_table, shard_table
from megadoku.pipeline.errors import BusyError, OutputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from megadoku.pipeline.bench.plan import Measurement
    from megadoku.solvers import Answers


class RunFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._solutions: dict[str, NDArray[np.uint8]] = {}  # by data set, all zero where none is known yet

    def create(self, info: run_schema.RunInfo) -> None:
        with _writable(self.path):
            if self.path.exists() and any(self.path.iterdir()):
                raise UsageError(
                    f"{self.path}: is not empty, and a run never changes; choose another folder with -o, or go on with "
                    "what is missing there with --resume"
                )
            for folder in (run_schema.SHARDS_FOLDER, run_schema.PUZZLES_FOLDER):
                (self.path / folder).mkdir(parents=True, exist_ok=True)
        self.write_info(info)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody else writes here meanwhile. The lock goes with the process, however that ends."""
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise BusyError(f"{self.path}: another benchmark is writing this run") from None
        finally:
            os.close(descriptor)

    @property
    def is_begun(self) -> bool:
        return (self.path / run_schema.RUN_FILE).is_file()

    def info(self) -> run_schema.RunInfo:
        try:
            info = json.loads((self.path / run_schema.RUN_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UsageError(f"{self.path}: no run folder ({run_schema.RUN_FILE}: {error})") from error
        return cast("run_schema.RunInfo", info)

    def write_info(self, info: run_schema.RunInfo) -> None:
        target = self.path / run_schema.RUN_FILE
        with _writable(target):
            replace_file(target, json.dumps(info, indent=2).encode())

    def shard(self, solver: str, dataset: str, repeat: int) -> Path:
        return self.path / run_schema.SHARDS_FOLDER / run_schema.shard_name(solver, dataset, repeat)

    def has(self, measurement: Measurement) -> bool:
        """Whether this was measured before. A file that cannot be read was not."""
        path = self.shard(measurement.solver, measurement.sample.name, measurement.repeat)
        try:
            return int(pa.parquet.read_metadata(path).num_rows) == len(measurement.sample)
        except (OSError, ValueError):
            return False

    def keep(self, measurement: Measurement, answers: Answers) -> None:
        """Write a shard; before it the solutions that it brought, because it holds none itself."""
        solutions = self.solutions(measurement.sample)
        fresh = ~solutions.any(axis=1) & answers.solutions.any(axis=1)
        solutions[fresh] = answers.solutions[fresh]
        if fresh.any():
            self.write_puzzles(measurement.sample)
        name = measurement.sample.name
        self._write(self.shard(measurement.solver, name, measurement.repeat), shard_table(measurement, answers))

    def write_puzzles(self, sample: Sample) -> None:
        self._write(self._puzzles(sample.name), puzzle_table(sample, self.solutions(sample)))

    def solutions(self, sample: Sample) -> NDArray[np.uint8]:
        """Those that any solver has found so far."""
        if sample.name not in self._solutions:
            path = self._puzzles(sample.name)
            kept = pa.parquet.read_table(path)["solution"].to_pylist() if path.exists() else [None] * len(sample)
            self._solutions[sample.name] = grids_of(kept)
        return self._solutions[sample.name]

    def sample(self, dataset: run_schema.DatasetInfo) -> Sample:
        """The puzzles of a data set, as they were measured."""
        try:
            kept = pa.parquet.read_table(self._puzzles(dataset["name"]))
        except (OSError, ValueError) as error:
            raise UsageError(f"{self.path}: its puzzles cannot be read: {error}") from error
        grids = grids_of(kept["puzzle"].to_pylist())
        return Sample(dataset["name"], dataset["source"], kept["row"].to_numpy(), grids)

    def _puzzles(self, dataset: str) -> Path:
        return self.path / run_schema.PUZZLES_FOLDER / run_schema.puzzles_name(dataset)

    def _write(self, target: Path, table: pa.Table) -> None:
        sink = pa.BufferOutputStream()
        pa.parquet.write_table(table, sink, compression="zstd")
        with _writable(target):
            replace_file(target, sink.getvalue())


def replace_file(target: Path, content: bytes | pa.Buffer) -> None:
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
