"""`megadoku bench`: solvers × data sets × repeats, interleaved, timed inside the workers, kept in a run folder."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from megadoku import datasets, run_schema, solvers
from megadoku.pipeline import checker, machine, progress
from megadoku.pipeline.errors import UsageError
from megadoku.pipeline.jobs import Job, Question, answered
from megadoku.pipeline.pool import Kind, default_workers, executor
from megadoku.pipeline.run_folder import RunFolder
from megadoku.solvers import Answers, Budget, Status
from megadoku.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

PUZZLES_PER_JOB = 20  # small enough that workers end together, large enough that shipping costs nothing


@dataclass(frozen=True)
class BenchOptions:
    inputs: Sequence[str]
    solvers: Sequence[str]
    folder: Path
    sample: int | None = None
    repeats: int = 3
    workers: int = field(default_factory=default_workers)
    unique: bool = False
    max_nodes: int | None = 1_000_000
    timeout: float | None = None
    seed: int = 0
    executor: Kind = "auto"
    start_method: str | None = None
    progress: bool | None = None

    @property
    def limit(self) -> int:
        return 2 if self.unique else 1


@dataclass(frozen=True)
class Sample:
    """The puzzles of one data set that every solver gets."""

    name: str
    source: str
    rows: NDArray[np.int64]
    grids: NDArray[np.uint8]

    @property
    def texts(self) -> list[str]:
        return ["".join(".123456789"[digit] for digit in grid) for grid in self.grids.tolist()]


@dataclass(frozen=True)
class Measurement:
    """One shard: one solver on one data set, once."""

    solver: str
    sample: Sample
    repeat: int


def bench(options: BenchOptions) -> Path:
    """Load, plan, run, check, write. The run folder's path."""
    samples = [take_sample(name, options) for name in options.inputs]
    _refuse_twins(samples)
    folder = RunFolder(options.folder)
    plan = interleaved(options, samples)
    total = sum(len(measurement.sample.rows) for measurement in plan)
    with (
        executor(options.solvers, options.workers, options.executor, options.start_method) as pool,
        progress.bar(total, "puzzles", options.progress) as bar,
    ):
        folder.create(run_info(options, samples))
        solutions = {sample.name: np.zeros_like(sample.grids) for sample in samples}
        parts: list[Answers] = []
        for job, answers in answered(pool, jobs_of(plan, options), 2 * options.workers):
            measurement: Measurement = job.tag
            checker.review(job.grids, answers, options.limit)
            parts.append(answers)
            if sum(map(len, parts)) == len(measurement.sample.rows):  # jobs come back in order, shard after shard
                _finish(folder, measurement, parts, solutions[measurement.sample.name])
                parts = []
            bar.update(len(answers))
            bar.set_description_str(f"{measurement.solver} on {measurement.sample.name}", refresh=False)
    for sample in samples:
        folder.write_puzzles(sample.name, puzzle_table(sample, solutions[sample.name]))
    return options.folder


def take_sample(name: str, options: BenchOptions) -> Sample:
    """The puzzles of an input, or a random few of them: the same few for the same seed."""
    blocks = list(datasets.read_blocks([name]))
    rows = np.concatenate([block.rows[block.accepted] for block in blocks] or [np.empty(0, np.int64)])
    grids = np.concatenate([block.grids[block.accepted] for block in blocks] or [np.empty((0, 81), np.uint8)])
    if len(rows) == 0:
        raise UsageError(f"{name}: holds no puzzle to measure")
    if options.sample is not None and options.sample < len(rows):
        chosen = np.sort(np.random.default_rng(options.seed).choice(len(rows), options.sample, replace=False))
        rows, grids = rows[chosen], grids[chosen]
    return Sample(Path(name).name.split(".")[0], name, rows, grids)


def _refuse_twins(samples: Sequence[Sample]) -> None:
    seen: dict[str, str] = {}
    for sample in samples:
        if sample.name in seen:
            raise UsageError(f"{seen[sample.name]} and {sample.source} would both be called {sample.name}; rename one")
        seen[sample.name] = sample.source


def interleaved(options: BenchOptions, samples: Sequence[Sample]) -> list[Measurement]:
    """Every measurement once, in a seeded random order, so that a machine that drifts hits all alike."""
    plan = [
        Measurement(solver, sample, repeat)
        for repeat in range(options.repeats)
        for sample in samples
        for solver in options.solvers
    ]
    random.Random(options.seed).shuffle(plan)
    return plan


def jobs_of(plan: Sequence[Measurement], options: BenchOptions) -> Iterator[Job]:
    budget = Budget(options.max_nodes, options.timeout)
    for measurement in plan:
        grids = measurement.sample.grids
        for start in range(0, len(grids), PUZZLES_PER_JOB):
            question = Question(measurement.solver, options.limit, budget)
            yield Job(question, grids[start : start + PUZZLES_PER_JOB], measurement)


def _finish(
    folder: RunFolder, measurement: Measurement, parts: Sequence[Answers], solutions: NDArray[np.uint8]
) -> None:
    found = np.concatenate([part.solutions for part in parts])
    solutions[:] = np.where(solutions.any(axis=1, keepdims=True), solutions, found)
    folder.write_shard(measurement.solver, measurement.sample.name, measurement.repeat, shard_table(measurement, parts))


def shard_table(measurement: Measurement, parts: Sequence[Answers]) -> pa.Table:
    status = np.concatenate([part.status for part in parts])
    n = len(status)
    return pa.table(
        {
            "solver": [measurement.solver] * n,
            "dataset": [measurement.sample.name] * n,
            "row": measurement.sample.rows,
            "repeat": np.full(n, measurement.repeat, np.int32),
            "status": [str(Status(number)) for number in status.tolist()],
            "nodes": np.concatenate([part.nodes for part in parts]),
            "backtracks": np.concatenate([part.backtracks for part in parts]),
            "elapsed_ns": np.concatenate([part.elapsed_ns for part in parts]),
            "correct": status != Status.FAILED,
        },
        schema=run_schema.SHARD_SCHEMA,
    )


def puzzle_table(sample: Sample, solutions: NDArray[np.uint8]) -> pa.Table:
    texts = ["".join(map(str, grid)) if grid[0] else None for grid in solutions.tolist()]
    return pa.table({"row": sample.rows, "puzzle": sample.texts, "solution": texts}, schema=run_schema.PUZZLE_SCHEMA)


def run_info(options: BenchOptions, samples: Sequence[Sample]) -> run_schema.RunInfo:
    return {
        "schema_version": run_schema.SCHEMA_VERSION,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "megadoku": VERSION,
        "solvers": [
            {
                "name": name,
                "summary": solvers.entry_of(name).summary,
                "block": not isinstance(solvers.get(name), solvers.Strategy),
            }
            for name in options.solvers
        ],
        "datasets": [
            {
                "name": sample.name,
                "source": sample.source,
                "rows": len(sample.rows),
                "sha256": hashlib.sha256("\n".join(sample.texts).encode()).hexdigest(),
            }
            for sample in samples
        ],
        "repeats": options.repeats,
        "workers": options.workers,
        "limit": options.limit,
        "max_nodes": options.max_nodes,
        "timeout_s": options.timeout,
        "seed": options.seed,
        "machine": machine.machine_facts(),
        "versions": machine.versions(),
    }
