"""What a benchmark is asked to do."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from megadoku.pipeline.errors import UsageError
from megadoku.pipeline.pool import Kind, default_workers
from megadoku.solvers import Budget

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BenchOptions:
    inputs: Sequence[str]
    solvers: Sequence[str]
    folder: Path
    sample: int | None = None
    repeats: int = 3
    workers: int = field(default_factory=default_workers)
    scaling: Sequence[int] = ()  # numbers of workers to compare
    sizes: Sequence[int] = ()  # numbers of puzzles to compare
    unique: bool = False
    max_nodes: int | None = 1_000_000
    timeout: float | None = None
    solver_seconds: float | None = None
    seed: int = 0
    resume: bool = False
    executor: Kind = "auto"
    start_method: str | None = None
    progress: bool | None = None

    @property
    def limit(self) -> int:
        return 2 if self.unique else 1

    @property
    def budget(self) -> Budget:
        return Budget(self.max_nodes, self.timeout)


def within_cores(options: BenchOptions, cores: int) -> BenchOptions:
    """The same with at most one worker a core: two that share one would time each other."""
    most = max([options.workers, *options.scaling])
    if most <= cores:
        return options
    log.warning("%d cores can be used: nothing is timed with more workers than that, not with %d", cores, most)
    fitting = [workers for workers in options.scaling if workers <= cores]
    return replace(options, workers=min(options.workers, cores), scaling=fitting)


def counts_of(option: str, text: str | None) -> list[int]:
    """The numbers that a list with commas names, ascending."""
    try:
        counts = sorted({int(part) for part in text.split(",")} if text else ())
    except ValueError:
        counts = [0]
    if counts and counts[0] < 1:
        raise UsageError(f"{option} {text}: give whole numbers from 1 on, with commas between")
    return counts
