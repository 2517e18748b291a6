"""All that a report says about its runs, worked out once: tables, charts and sentences only show it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from megadoku.reports.statistics import Estimate, Noise, mean_seconds, noise_of, quantile_seconds, throughput
from megadoku.reports.statistics_pairs import Pair, pairs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from megadoku.reports.runs import Run, Sample


@dataclass(frozen=True)
class Summary:
    """One solver on one data set, in figures."""

    run: str
    dataset: str
    solver: str
    block: bool
    puzzles: int
    solved: int
    exhausted: int
    failed: int
    rank: int | None  # one more than there are solvers shown to be faster: ties share it; none where it failed
    best: bool  # shown to be faster than every other
    throughput: Estimate | None
    mean_s: Estimate
    median_s: Estimate
    p95_s: Estimate
    median_nodes: float
    mean_nodes: float
    nodes_per_s: float | None
    backtracks: float


@dataclass(frozen=True)
class Contest:
    """One data set of one run: who solved it, and how they compare."""

    run: Run
    dataset: str
    samples: list[Sample]
    pairs: list[Pair]
    noise: Noise

    @cached_property
    def summaries(self) -> list[Summary]:
        """Fastest first; those that failed or answered nothing last."""
        summaries = [self._summary(sample) for sample in self.samples]
        return sorted(summaries, key=lambda summary: (summary.rank is None, summary.mean_s.value))

    @cached_property
    def ranked(self) -> list[Summary]:
        return [summary for summary in self.summaries if summary.rank is not None]

    def pair(self, first: str, second: str) -> Pair:
        """How the first does against the second."""
        for known in self.pairs:
            if (known.first, known.second) == (first, second):
                return known
            if (known.first, known.second) == (second, first):
                return known.reversed()
        raise KeyError((first, second))

    def sample(self, solver: str) -> Sample:
        return self.run.samples[self.dataset, solver]

    def _summary(self, sample: Sample) -> Summary:
        verdicts = [self._verdict(sample.solver, known) for known in self.pairs]
        fit = sample.answered.any() and not sample.failed.any()
        searched = sample.nodes.sum()
        return Summary(
            run=self.run.label,
            dataset=self.dataset,
            solver=sample.solver,
            block=sample.block,
            puzzles=len(sample.rows),
            solved=int(sample.answered.sum()),
            exhausted=int(sample.exhausted.sum()),
            failed=int(sample.failed.sum()),
            rank=1 + verdicts.count("slower") if fit else None,
            best=bool(fit and len(self.samples) > 1 and set(verdicts) - {""} <= {"faster"}),
            throughput=throughput(sample, self.noise) if fit else None,
            mean_s=mean_seconds(sample, self.noise),
            median_s=quantile_seconds(sample, 0.5, self.noise),
            p95_s=quantile_seconds(sample, 0.95, self.noise),
            median_nodes=float(np.median(sample.nodes)),
            mean_nodes=float(sample.nodes.mean()),
            nodes_per_s=float(searched / sample.spent.sum()) if searched else None,
            backtracks=float(sample.backtracks.mean()),
        )

    @staticmethod
    def _verdict(solver: str, known: Pair) -> str:
        if known.first == solver:
            return known.verdict
        return known.reversed().verdict if known.second == solver else ""


@dataclass(frozen=True)
class Analysis:
    """Runs, oldest first, and every contest in them."""

    runs: list[Run]
    contests: list[Contest]

    @cached_property
    def current(self) -> list[Contest]:
        """Each data set as the newest run that has it measured it: what the charts show."""
        newest = {contest.dataset: contest for contest in self.contests}
        return list(newest.values())

    @cached_property
    def summaries(self) -> list[Summary]:
        return [summary for contest in self.contests for summary in contest.summaries]

    @cached_property
    def solvers(self) -> list[str]:
        """Every solver's name, once, in the order of the runs: its place is its colour in every chart."""
        return list(dict.fromkeys(name for run in self.runs for name in run.solvers))


def analyse(runs: Sequence[Run]) -> Analysis:
    return Analysis(list(runs), [contest for run in runs for contest in _contests(run)])


def _contests(run: Run) -> list[Contest]:
    noise = noise_of(run.samples.values())
    measured = [(dataset, run.of(dataset)) for dataset in run.datasets]
    return [Contest(run, dataset, samples, pairs_of(samples, noise), noise) for dataset, samples in measured if samples]
