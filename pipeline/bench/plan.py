"""What is measured in which order, and in which pieces it goes to the workers."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from megadoku import solvers
from megadoku.pipeline.jobs import Job, Question

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from megadoku.pipeline.bench.options import BenchOptions
    from megadoku.pipeline.bench.samples import Sample

PUZZLES_PER_JOB = 20  # small enough that workers end together, large enough that shipping costs nothing
PUZZLES_PER_PAID_JOB = 5  # a solver's time is looked at between two jobs
BLOCK = 10_000  # for solvers that take whole blocks: what they share out must be a block's time


@dataclass(frozen=True)
class Measurement:
    """One shard: one solver on one data set, once."""

    solver: str
    sample: Sample
    repeat: int


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


def jobs_of(measurement: Measurement, options: BenchOptions) -> Iterator[Job]:
    """The tag of a job is its measurement and the place of its first puzzle."""
    question = Question(measurement.solver, options.limit, options.budget)
    alone = PUZZLES_PER_JOB if options.solver_seconds is None else PUZZLES_PER_PAID_JOB
    size = alone if solvers.get(measurement.solver).times_each else BLOCK
    for start in range(0, len(measurement.sample), size):
        yield Job(question, measurement.sample.grids[start : start + size], (measurement, start))
