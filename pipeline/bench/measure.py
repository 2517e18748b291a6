"""Runs a plan: jobs out, answers in, a shard written whenever one is complete."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NoReturn

from megadoku import solvers
from megadoku.pipeline import checker, progress
from megadoku.pipeline.bench.plan import jobs_of
from megadoku.pipeline.jobs import answered, joined
from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor

    from tqdm import tqdm

    from megadoku.pipeline.bench.folder import RunFolder
    from megadoku.pipeline.bench.options import BenchOptions
    from megadoku.pipeline.bench.plan import Measurement
    from megadoku.pipeline.jobs import Job


def measure(plan: Sequence[Measurement], folder: RunFolder, options: BenchOptions, pool: Executor) -> None:
    """Run what the plan says; answers are checked here, where nobody looks at the clock."""
    purse = Purse(options.solver_seconds, len(folder.info()["datasets"]) * options.repeats)
    total = sum(len(measurement.sample) for measurement in plan)
    with progress.bar(total, "puzzles", options.progress) as bar:
        shards = Shards(folder, bar)
        jobs = affordable(plan, options, purse, shards)
        ahead = 2 if options.solver_seconds is None else 1  # what waits is run, whether its solver has time left or not
        for job, answers in answered(pool, jobs, ahead * options.workers):
            measurement, start = job.tag
            purse.pay(measurement, answers)
            known = folder.solutions(measurement.sample)[start : start + len(answers)]
            if solvers.wants_search(measurement.solver):
                checker.search_again(job.grids, answers, options.limit)
            checker.review(job.grids, answers, options.limit, known)
            shards.add(measurement, start, answers)


def affordable(plan: Sequence[Measurement], options: BenchOptions, purse: Purse, shards: Shards) -> Iterator[Job]:
    """The jobs whose solver has time left. The others are answered on the spot: they were not reached."""
    for measurement in plan:
        for job in jobs_of(measurement, options):
            if purse.is_empty(measurement):
                _, start = job.tag
                shards.add(measurement, start, purse.not_reached(len(job.grids)))
            else:
                yield job


class Purse:
    """The seconds that a solver may spend in the whole run, in equal shares for every data set and repeat.

    So a slow solver gets to the same first puzzles of every set in every repeat, not all over one set and nowhere else.
    """

    def __init__(self, seconds: float | None, shares: int) -> None:
        self._share_s = math.inf if seconds is None else seconds / shares
        self._spent_ns: Counter[Measurement] = Counter()

    def pay(self, measurement: Measurement, answers: Answers) -> None:
        self._spent_ns[measurement] += int(answers.elapsed_ns.sum())

    def is_empty(self, measurement: Measurement) -> bool:
        return self._spent_ns[measurement] >= 1e9 * self._share_s

    def not_reached(self, n: int) -> Answers:
        """Each puzzle is charged the whole share, so that nobody looks quick for having been too slow to get there."""
        answers = Answers.blank(n)
        answers.elapsed_ns[:] = round(1e9 * self._share_s)
        for position in range(n):
            reason = f"not reached: the solver's share of {self._share_s:.3g} s was spent"
            answers.refuse(position, Status.EXHAUSTED, reason)
        return answers


class Shards:
    """Measurements in the making; their answers come in pieces, in any order."""

    def __init__(self, folder: RunFolder, bar: tqdm[NoReturn]) -> None:
        self._folder = folder
        self._bar = bar
        self._pieces: defaultdict[Measurement, dict[int, Answers]] = defaultdict(dict)

    def add(self, measurement: Measurement, start: int, answers: Answers) -> None:
        pieces = self._pieces[measurement]
        pieces[start] = answers
        if sum(map(len, pieces.values())) == len(measurement.sample):
            self._folder.keep(measurement, joined([pieces[place] for place in sorted(pieces)]))
            del self._pieces[measurement]
        self._bar.set_description_str(f"{measurement.solver} on {measurement.sample.name}", refresh=False)
        self._bar.update(len(answers))
