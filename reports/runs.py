"""Run folders in: each becomes a Run of Samples, one for every solver and data set."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from megadoku.run_schema import (
    PUZZLES_FOLDER,
    RUN_FILE,
    SCHEMA_VERSION,
    SHARD_SCHEMA,
    SHARDS_FOLDER,
    RunInfo,
    puzzles_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

NOT_ANSWERED = ("exhausted", "failed")


class RunFolderError(ValueError):
    """A folder that holds no run that this version can read."""


@dataclass(frozen=True)
class Sample:
    """What one solver did on the puzzles of one data set.

    A puzzle's time is the median of its repeats. What ran out of its budget keeps the time that it had spent.
    """

    solver: str
    dataset: str
    rows: Ints  # (puzzles,) as in the data set, ascending
    seconds: Floats  # (puzzles, repeats), not a number where a repeat is missing
    exhausted: Bools  # (puzzles,) in any repeat
    failed: Bools  # (puzzles,) raised, crashed or answered wrongly, in any repeat
    nodes: Ints
    backtracks: Ints
    block: bool = False  # the time of a block was shared out among its puzzles

    @cached_property
    def spent(self) -> Floats:
        """Seconds a puzzle."""
        return cast("Floats", np.nanmedian(self.seconds, axis=1))

    @cached_property
    def par2(self) -> Floats:
        """Penalised seconds a puzzle: twice what was spent where the budget ran out.

        Failing must not look quick, so what failed counts as twice the longest time of all.
        """
        penalty = np.where(self.exhausted, 2 * self.spent, self.spent)
        return np.where(self.failed, 2 * penalty.max(initial=0), penalty)

    @property
    def answered(self) -> Bools:
        return ~(self.exhausted | self.failed)

    @property
    def key(self) -> tuple[str, str]:
        return self.dataset, self.solver

    @property
    def repeats(self) -> int:
        return int(self.seconds.shape[1])

    def at(self, index: Ints) -> Sample:
        """The same for some of the puzzles only."""
        arrays = ("rows", "seconds", "exhausted", "failed", "nodes", "backtracks")
        chosen = {name: getattr(self, name)[index] for name in arrays}
        return Sample(self.solver, self.dataset, block=self.block, **chosen)


@dataclass(frozen=True)
class Run:
    """One run folder, read."""

    path: Path
    info: RunInfo
    samples: dict[tuple[str, str], Sample]  # by data set and solver

    @property
    def label(self) -> str:
        return self.path.name or str(self.path)

    @property
    def date(self) -> str:
        """When it began, to the minute, if that can be read."""
        try:
            return datetime.fromisoformat(self.info["created"]).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
        except ValueError:
            return self.info["created"]

    @property
    def datasets(self) -> list[str]:
        return [dataset["name"] for dataset in self.info["datasets"]]

    @property
    def solvers(self) -> list[str]:
        return [solver["name"] for solver in self.info["solvers"]]

    def checksum(self, dataset: str) -> str | None:
        """Of the puzzles measured: the same name may hold others in another run."""
        return next((one["sha256"] for one in self.info["datasets"] if one["name"] == dataset), None)

    def of(self, dataset: str) -> list[Sample]:
        """The samples of one data set, solvers in the order of the run."""
        return [self.samples[dataset, name] for name in self.solvers if (dataset, name) in self.samples]

    def puzzles(self, dataset: str) -> pd.DataFrame:
        """Row, puzzle and solution of what was measured; empty where the run kept none."""
        path = self.path / PUZZLES_FOLDER / puzzles_name(dataset)
        if not path.is_file():
            return pd.DataFrame({"puzzle": [], "solution": []}, index=pd.Index([], name="row"))
        return cast("pd.DataFrame", pq.read_table(path).to_pandas()).set_index("row")


def read_runs(paths: Sequence[Path]) -> list[Run]:
    """Every folder's run, oldest first."""
    return sorted((read_run(path) for path in paths), key=lambda run: run.info["created"])


def read_run(path: Path) -> Run:
    info = _read_info(path)
    blocks = {solver["name"] for solver in info["solvers"] if solver["block"]}
    return Run(path, info, {sample.key: sample for sample in _samples(_read_shards(path), blocks)})


def _read_info(path: Path) -> RunInfo:
    try:
        info = json.loads((path / RUN_FILE).read_text(encoding="utf-8"))
        version = info["schema_version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunFolderError(f"{path}: no run folder ({RUN_FILE}: {error}); megadoku bench makes one") from error
    if version != SCHEMA_VERSION:
        raise RunFolderError(f"{path}: its files are of version {version}, this program reads {SCHEMA_VERSION}")
    return cast("RunInfo", info)


def _read_shards(path: Path) -> pd.DataFrame:
    files = sorted((path / SHARDS_FOLDER).glob("*.parquet"))
    if not files:
        raise RunFolderError(f"{path}: no results in it yet; finish the run with megadoku bench --resume")
    try:
        table = pq.read_table(files, schema=SHARD_SCHEMA)
    except (OSError, ValueError) as error:
        raise RunFolderError(f"{path}: results that cannot be read: {error}") from error
    return cast("pd.DataFrame", table.to_pandas(categories=["solver", "dataset", "status"]))


def _samples(results: pd.DataFrame, blocks: set[str]) -> Iterator[Sample]:
    for key, part in results.groupby(["dataset", "solver"], observed=True, sort=False):
        dataset, solver = cast("tuple[str, str]", key)
        yield _sample(solver, dataset, part, block=solver in blocks)


def _sample(solver: str, dataset: str, part: pd.DataFrame, *, block: bool) -> Sample:
    exhausted = part["status"] == "exhausted"
    failed = (part["status"] == "failed") | (~part["status"].isin(NOT_ANSWERED) & ~part["correct"].fillna(False))
    by_row = part.assign(exhausted=exhausted, failed=failed).groupby("row")
    ever = by_row[["exhausted", "failed"]].any()
    work = by_row[["nodes", "backtracks"]].max()
    nanoseconds = part.pivot_table(index="row", columns="repeat", values="elapsed_ns", aggfunc="min")
    return Sample(
        solver,
        dataset,
        rows=ever.index.to_numpy(np.int64),
        # A clock that saw nothing pass is read as its smallest step: zero has no logarithm.
        seconds=np.maximum(nanoseconds.to_numpy(np.float64), 1.0) / 1e9,
        exhausted=ever["exhausted"].to_numpy(bool),
        failed=ever["failed"].to_numpy(bool),
        nodes=work["nodes"].to_numpy(np.int64),
        backtracks=work["backtracks"].to_numpy(np.int64),
        block=block,
    )
