"""Two samples on the same puzzles: how many times as fast, how sure, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy import stats

from megadoku.reports.statistics import (
    Estimate,
    Noise,
    estimate,
    repeat_draws,
    resampled_means,
    resampled_quantiles,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from megadoku.reports.runs import Floats, Sample

SIGNIFICANCE = 0.05
FEW = 20  # puzzles: corrected for many pairs, a rank test of fewer cannot show even a factor of a thousand

Verdict = Literal["faster", "slower", "tie"]


@dataclass(frozen=True)
class Pair:
    """How `first` does against `second`. Ratios are second's time over first's: above one, first is faster."""

    dataset: str
    first: str
    second: str
    puzzles: int  # that both tried
    speedup: Estimate  # of the mean (PAR-2) times: what a whole file feels
    median_ratio: Estimate  # of the times puzzle by puzzle
    share_faster: float  # of the puzzles; those alike count half
    p_value: float  # that neither is faster; corrected (Holm) for all pairs of the data set
    fewer_nodes: float | None  # speed-up = fewer nodes × cheaper node
    cheaper_node: float | None

    @property
    def verdict(self) -> Verdict:
        """Only where mean, median and test agree; all else is a tie."""
        sign = self.speedup.certain_sign
        if not sign or sign != self.median_ratio.certain_sign or self.p_value >= SIGNIFICANCE:
            return "tie"
        return "faster" if sign > 0 else "slower"

    def reversed(self) -> Pair:
        """The same, seen from the other side."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            speedup=self.speedup.inverse(),
            median_ratio=self.median_ratio.inverse(),
            share_faster=1 - self.share_faster,
            fewer_nodes=_inverse(self.fewer_nodes),
            cheaper_node=_inverse(self.cheaper_node),
        )


def pairs_of(samples: Sequence[Sample], noise: Noise) -> list[Pair]:
    """All pairs of the samples of one data set. A solver that failed is compared with none: it is not a solver here."""
    fit = [sample for sample in samples if not sample.failed.any() and sample.answered.any()]
    return holm([pair(first, second, noise) for first, second in combinations(fit, 2)])


def pair(first: Sample, second: Sample, noise: Noise) -> Pair:
    """One pair on the puzzles that both tried, its p-value not corrected yet."""
    _, in_first, in_second = np.intersect1d(first.rows, second.rows, assume_unique=True, return_indices=True)
    first, second = first.at(in_first), second.at(in_second)
    jitter = repeat_draws(noise, first, second)
    means = np.log(resampled_means(second.par2)) - np.log(resampled_means(first.par2))
    speedup = estimate(float(second.par2.mean() / first.par2.mean()), means + jitter)
    ratios = np.sort(np.log(second.par2 / first.par2))
    median_ratio = estimate(float(np.exp(np.median(ratios))), resampled_quantiles(ratios, 0.5) + jitter)
    fewer_nodes, cheaper_node = explain(first, second)
    return Pair(
        first.dataset,
        first.solver,
        second.solver,
        len(ratios),
        replace(speedup, bound=bool(second.exhausted.any())),
        median_ratio,
        float((ratios > 0).mean() + (ratios == 0).mean() / 2),
        _test(ratios),
        fewer_nodes,
        cheaper_node,
    )


def explain(first: Sample, second: Sample) -> tuple[float | None, float | None]:
    """Why: time is nodes × cost of a node, so the speed-up is the product of the two ratios.

    Where one of the two did not search at all, a node has no cost and there is nothing to split.
    """
    nodes = first.nodes.sum(), second.nodes.sum()
    if not all(nodes):
        return None, None
    fewer = float(nodes[1] / nodes[0])
    return fewer, float(second.par2.sum() / first.par2.sum() / fewer)


def _test(ratios: Floats) -> float:
    """Wilcoxon's signed rank test of the logarithms of ratios; Student's of a few, which ranks cannot tell apart."""
    if len(ratios) < 2 or not ratios.any():
        return 1.0
    if len(ratios) >= FEW:
        return float(stats.wilcoxon(ratios, zero_method="zsplit").pvalue)
    return float(stats.ttest_1samp(ratios, 0).pvalue) if np.ptp(ratios) else 0.0


def holm(pairs: Sequence[Pair]) -> list[Pair]:
    """Holm's step-down: the smallest of m p-values is multiplied by m, the next by m - 1, never falling."""
    order = sorted(range(len(pairs)), key=lambda index: pairs[index].p_value)
    corrected, floor = list(pairs), 0.0
    for step, index in enumerate(order):
        floor = max(floor, min(1.0, pairs[index].p_value * (len(pairs) - step)))
        corrected[index] = replace(pairs[index], p_value=floor)
    return corrected


def _inverse(value: float | None) -> float | None:
    return 1 / value if value else None
