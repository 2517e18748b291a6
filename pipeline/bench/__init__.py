"""`megadoku bench`: solvers × data sets × repeats, interleaved, timed inside the workers, kept in a run folder."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from megadoku.pipeline.bench.folder import RunFolder
from megadoku.pipeline.bench.measure import measure
from megadoku.pipeline.bench.options import BenchOptions, within_cores
from megadoku.pipeline.bench.plan import interleaved
from megadoku.pipeline.bench.records import refuse_another, run_info
from megadoku.pipeline.bench.samples import Sample, take_samples
from megadoku.pipeline.bench.scaling import measure_scaling, measure_sizes
from megadoku.pipeline.pool import default_workers, executor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    OpenPool = Callable[[BenchOptions], contextlib.AbstractContextManager[Executor]]

__all__ = ["BenchOptions", "bench"]


@contextlib.contextmanager
def timing_pool(options: BenchOptions) -> Iterator[Executor]:
    """Pinned processes even for one worker: threads would wait for each other, and a crash must not end the run."""
    kind = "processes" if options.executor == "auto" else options.executor
    with executor(options.solvers, options.workers, kind, options.start_method, pin=True) as pool:
        yield pool


def bench(options: BenchOptions, open_pool: OpenPool = timing_pool) -> Path:
    """Load, plan, run, check, write. The run folder's path."""
    options = within_cores(options, default_workers())
    samples = take_samples(options)
    run_samples(options, samples, open_pool)
    add_scaling(RunFolder(options.folder), options, samples)
    return options.folder


def run_samples(options: BenchOptions, samples: Sequence[Sample], open_pool: OpenPool = timing_pool) -> RunFolder:
    """Measure what the folder does not have yet."""
    folder = RunFolder(options.folder)
    info = run_info(options, samples)
    if options.resume and folder.is_begun:
        refuse_another(folder.path, folder.info(), info)
    else:
        folder.create(info)
    with folder.held():
        for sample in samples:
            folder.write_puzzles(sample)
        missing = [measurement for measurement in interleaved(options, samples) if not folder.has(measurement)]
        if missing:
            with open_pool(options) as pool:
                measure(missing, folder, options, pool)
    return folder


def add_scaling(folder: RunFolder, options: BenchOptions, samples: Sequence[Sample]) -> None:
    """The clock on the wall, after all else: run.json is the one file that is replaced, by one that says more."""
    info = folder.info()
    if options.scaling and "scaling" not in info:
        info["scaling"] = measure_scaling(samples, options)
        folder.write_info(info)
    if options.sizes and "sizes" not in info:
        info["sizes"] = measure_sizes(samples, options)
        folder.write_info(info)
