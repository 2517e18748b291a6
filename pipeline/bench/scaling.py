"""How fast a pool as a whole goes through many puzzles, by the clock on the wall.

The times per puzzle of a run say nothing about shipping, waiting and sharing; this does. Workers are started and warm
before the clock runs, and the order is shuffled like that of everything else.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from typing import TYPE_CHECKING

import numpy as np

from megadoku.pipeline.bench.folder import RunFolder
from megadoku.pipeline.jobs import Job, Question, answered
from megadoku.pipeline.pool import executor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from numpy.typing import NDArray

    from megadoku.pipeline.bench.options import BenchOptions
    from megadoku.pipeline.bench.samples import Sample
    from megadoku.run_schema import ScalingInfo

JOBS_PER_WORKER = 4  # so that a worker with an easy share takes over from one with a hard share


def measure_scaling(samples: Sequence[Sample], options: BenchOptions) -> list[ScalingInfo]:
    """Every set with every number of workers."""
    return [
        timed(pool, solver, sample.name, sample.grids, workers, repeat, options)
        for solver, workers, repeat, pool in _pools(options, options.scaling)
        for sample in samples
    ]


def measure_sizes(samples: Sequence[Sample], options: BenchOptions) -> list[ScalingInfo]:
    """Every set at every size, over and over where it is smaller than that."""
    return [
        timed(pool, solver, sample.name, np.resize(sample.grids, (size, 81)), workers, repeat, options)
        for solver, workers, repeat, pool in _pools(options, [options.workers])
        for sample in samples
        for size in options.sizes
    ]


def _pools(options: BenchOptions, counts: Iterable[int]) -> Iterator[tuple[str, int, int, Executor]]:
    """A pool for every solver, number of workers and repeat: the kind that `solve` would choose."""
    steps = list(itertools.product(options.solvers, counts, range(options.repeats)))
    random.Random(options.seed).shuffle(steps)
    for solver, workers, repeat in steps:
        with executor([solver], workers, options.executor, options.start_method) as pool:
            yield solver, workers, repeat, pool


def timed(
    pool: Executor,
    solver: str,
    dataset: str,
    grids: NDArray[np.uint8],
    workers: int,
    repeat: int,
    options: BenchOptions,
) -> ScalingInfo:
    question = Question(solver, options.limit, options.budget)
    _finish(pool, question, grids[: 4 * workers], workers)  # everybody is awake
    started = time.perf_counter()
    _finish(pool, question, grids, workers)
    wall_s = time.perf_counter() - started
    return {
        "solver": solver,
        "dataset": dataset,
        "workers": workers,
        "repeat": repeat,
        "puzzles": len(grids),
        "wall_s": wall_s,
    }


def _finish(pool: Executor, question: Question, grids: NDArray[np.uint8], workers: int) -> None:
    pieces = np.array_split(grids, min(len(grids), JOBS_PER_WORKER * workers))
    for _ in answered(pool, (Job(question, piece) for piece in pieces), 2 * workers):
        pass


def wall_lines(run: Path) -> list[str]:
    """What the wall times of a run say, if it has any."""
    info = RunFolder(run).info()
    return [*scaling_lines(info.get("scaling", [])), *size_lines(info.get("sizes", []))]


def scaling_lines(measured: Sequence[ScalingInfo]) -> Iterator[str]:
    """Speed-up and efficiency over the whole run: the geometric mean of its sets, medians of the repeats."""
    for solver, rates in _rates(measured, "workers").items():
        if 1 not in rates:
            continue
        for workers in sorted(set(rates) - {1}):
            ratio = math.exp(np.mean([np.log(rates[workers][name] / rates[1][name]) for name in rates[1]]))
            share = f"{ratio / workers:.0%} of the ideal"
            yield f"{solver}: {workers} workers are {ratio:.2f} times as fast as one ({share})"


def size_lines(measured: Sequence[ScalingInfo]) -> Iterator[str]:
    for solver, rates in _rates(measured, "puzzles").items():
        costs = {size: 1e6 / math.exp(np.mean(np.log(list(by_set.values())))) for size, by_set in sorted(rates.items())}
        yield f"{solver}: " + ", ".join(f"{cost:.3g} µs a puzzle of {size:,}" for size, cost in costs.items())


def _rates(measured: Sequence[ScalingInfo], key: str) -> dict[str, dict[int, dict[str, float]]]:
    """Puzzles a second by solver, then by workers or size, then by data set."""
    every: dict[str, dict[int, dict[str, list[float]]]] = {}
    for one in measured:
        at = one["workers"] if key == "workers" else one["puzzles"]
        by_set = every.setdefault(one["solver"], {}).setdefault(at, {})
        by_set.setdefault(one["dataset"], []).append(one["puzzles"] / one["wall_s"])
    return {
        solver: {at: {name: float(np.median(many)) for name, many in by_set.items()} for at, by_set in by_key.items()}
        for solver, by_key in every.items()
    }
