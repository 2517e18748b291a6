"""The files of a run: what `pipeline` writes and `reports` reads, and all that the two share.

    RUN/
      run.json                            what was run, on what, with which options: the keys of RunInfo
      puzzles/DATASET.parquet             the puzzles that were measured, and their solutions where one was found
      shards/SOLVER--DATASET--REPEAT.parquet   one row a puzzle: the columns of SHARD_SCHEMA

Every file is written whole or not at all, and no measurement is changed afterwards. Two kinds of file may be replaced
by one that says more: run.json when solvers or wall times join the run, the puzzles when a solution becomes known.
"""

from __future__ import annotations

import hashlib
from typing import NotRequired, TypedDict
from urllib.parse import quote

import pyarrow as pa

SCHEMA_VERSION = 1

RUN_FILE = "run.json"
PUZZLES_FOLDER = "puzzles"
SHARDS_FOLDER = "shards"

SHARD_SCHEMA = pa.schema(
    [
        ("solver", pa.string()),
        ("dataset", pa.string()),
        ("row", pa.int64()),  # as in puzzles/DATASET.parquet
        ("repeat", pa.int32()),  # from 0
        ("status", pa.string()),  # what the solver said
        ("nodes", pa.int64()),
        ("backtracks", pa.int64()),
        ("elapsed_ns", pa.int64()),
        ("correct", pa.bool_()),  # what the checker thinks of it
    ]
)
# Shards hold this column too; readers may do without it. Why a puzzle was invalid, exhausted or failed.
REASON = pa.field("reason", pa.string())

MACHINE_KEYS = ("cpu", "architecture", "cores_logical", "memory_bytes")  # two machines that differ in these are two

PUZZLE_SCHEMA = pa.schema(
    [
        ("row", pa.int64()),  # in the data set, from 1
        ("puzzle", pa.string()),  # 81 characters, '.' for empty
        ("solution", pa.string()),  # 81 digits, or null
    ]
)


class SolverInfo(TypedDict):
    name: str
    summary: str
    block: bool  # it solves whole blocks: its time per puzzle is the block's time shared out
    version: NotRequired[str]  # of what is not part of megadoku: its package's, or a checksum of its file
    counts_nodes: NotRequired[bool]  # False where its nodes cannot be seen, and are 0 in the shards
    peak_bytes: NotRequired[int]  # most memory that a worker of it held, where that was measured


class DatasetInfo(TypedDict):
    name: str
    source: str  # file or bundled name, as the user gave it
    rows: int  # puzzles measured
    sha256: str  # of the measured puzzles, one 81-character line each


class ScalingInfo(TypedDict):
    """One data set through the whole pool, on the clock on the wall: what the times per puzzle cannot tell."""

    solver: str
    dataset: str
    workers: int
    repeat: int
    puzzles: int
    wall_s: float


class AdditionInfo(TypedDict):
    """Solvers that joined a run later, and a solver of the run that was measured again beside them."""

    created: str
    megadoku: str
    solvers: list[str]
    reference: str
    drift: float  # how many times as long as in the run the reference took


class RunInfo(TypedDict):
    """The content of run.json."""

    schema_version: int
    created: str  # ISO 8601, UTC
    megadoku: str
    solvers: list[SolverInfo]
    datasets: list[DatasetInfo]
    repeats: int
    workers: int
    limit: int
    max_nodes: int | None
    timeout_s: float | None
    solver_seconds: NotRequired[float | None]  # what each solver could spend on the whole run
    seed: int
    machine: dict[str, str | int | float | None]
    versions: dict[str, str]
    scaling: NotRequired[list[ScalingInfo]]  # where several numbers of workers were measured
    sizes: NotRequired[list[ScalingInfo]]  # where several numbers of puzzles were
    additions: NotRequired[list[AdditionInfo]]


def shard_name(solver: str, dataset: str, repeat: int) -> str:
    return f"{_file_stem(solver)}--{_file_stem(dataset)}--{repeat}.parquet"


def puzzles_name(dataset: str) -> str:
    return f"{_file_stem(dataset)}.parquet"


def _file_stem(name: str) -> str:
    """The name itself, but for what a file name cannot or should not hold: slashes, control marks, great length."""
    quoted = quote(name, safe="")
    if len(quoted) <= 100:
        return quoted
    return f"{quoted[:80]}~{hashlib.sha256(name.encode()).hexdigest()[:16]}"
