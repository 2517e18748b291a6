"""How much, and how sure: estimates with intervals from samples.

Two things make a measured time differ from the true one. Puzzles differ, and only some were drawn: the interval comes
from the bootstrap over puzzles. The machine is now faster, now slower, for a whole repeat at a time: repeats are too
few to draw from (three have ten combinations), so their spread enters as a Student t draw. Both work on logarithms,
where a factor is a shift, and are added.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from megadoku.reports.runs import Floats, Sample

DRAWS = 1000
CONFIDENCE = 0.95
BATCHES = 2000  # of puzzles: means of many puzzles are drawn as means of this many batches
PRIOR_DEGREES = 4  # of freedom: the weight of the whole run's spread beside that of a sample's own repeats
ASSUMED_NOISE = 0.05  # one repeat tells nothing of the noise; a quiet machine shows about this between two runs
LOUD_NOISE = 0.10
LOUDEST = 5  # times the whole run's noise that a sample's own may count for


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval; `bound` says that it is only a lower bound, because a budget ran out below it."""

    value: float
    low: float | None = None
    high: float | None = None
    bound: bool = False

    def inverse(self) -> Estimate:
        def invert(value: float | None) -> float | None:
            return None if value is None else 1 / value if value else np.inf

        return Estimate(cast("float", invert(self.value)), invert(self.high), invert(self.low), self.bound)

    @property
    def certain_sign(self) -> int:
        """As a ratio: 1 where it is surely above one, -1 surely below, 0 where that cannot be shown."""
        if self.low is None or self.high is None:
            return 0
        return 1 if self.low > 1 else -1 if self.high < 1 else 0


@dataclass(frozen=True)
class Noise:
    """The spread from repeat to repeat, as a share of the time, of all the samples of a run together."""

    spread: float
    degrees: int  # of freedom: repeats beyond the first, of all samples

    @property
    def assumed(self) -> bool:
        """One repeat: nothing was measured."""
        return not self.degrees

    @property
    def loud(self) -> bool:
        return not self.assumed and self.spread > LOUD_NOISE


def noise_of(samples: Iterable[Sample]) -> Noise:
    """The middle one of the samples' spreads: a pause of the machine in one repeat of one of them is not its noise."""
    spreads = [(sample.repeats - 1, _repeat_spread(sample)) for sample in samples if sample.repeats > 1]
    degrees = sum(count for count, _ in spreads)
    if not degrees:
        return Noise(ASSUMED_NOISE, 0)
    # A spread of few repeats is more often too small than too large; half are below these shares of the true one.
    halves = [spread / np.sqrt(stats.chi2.median(count) / count) for count, spread in spreads]
    return Noise(float(np.median(halves)), degrees)


def _repeat_spread(sample: Sample) -> float:
    totals = repeat_totals(sample)
    return float(np.log(totals).std(ddof=1)) if len(totals) > 1 else 0.0


def repeat_totals(sample: Sample) -> Floats:
    """Seconds of each repeat. What ran out took its budget every time and would hide noise: it is left out."""
    measured = sample.seconds[sample.answered & ~np.isnan(sample.seconds).any(axis=1)]
    totals: Floats = measured.sum(axis=0) if len(measured) else np.array([])
    return totals


def throughput(sample: Sample, noise: Noise) -> Estimate | None:
    """Puzzles a second of one worker, from the PAR-2 mean; none where nothing was answered."""
    return mean_seconds(sample, noise).inverse() if sample.answered.any() else None


def mean_seconds(sample: Sample, noise: Noise) -> Estimate:
    draws = np.log(resampled_means(sample.par2)) + repeat_draws(noise, sample)
    return estimate(float(sample.par2.mean()), draws)


def quantile_seconds(sample: Sample, share: float, noise: Noise) -> Estimate:
    """Of the time a puzzle takes; where a budget ran out below it, a lower bound."""
    spent = np.sort(sample.spent)
    value = float(np.quantile(spent, share))
    unbounded = np.where(sample.exhausted, np.inf, sample.spent)
    reached = float(np.quantile(unbounded, share, method="higher")) < np.inf
    draws = np.log(resampled_quantiles(spent, share)) + repeat_draws(noise, sample)
    return estimate(value, draws, bound=not reached)


def estimate(value: float, log_draws: Floats, *, bound: bool = False) -> Estimate:
    """The value with the middle of its draws, which are of its logarithm."""
    tail = (1 - CONFIDENCE) / 2
    low, high = np.exp(np.quantile(log_draws, [tail, 1 - tail]))
    return Estimate(value, min(float(low), value), max(float(high), value), bound)


def resampled_means(values: Floats) -> Floats:
    """Means of bootstrap draws. The same puzzles are drawn for arrays of the same length, so ratios stay paired."""
    batches = _batch_means(values)
    return _bootstrap_weights(len(batches)) @ batches


def _batch_means(values: Floats) -> Floats:
    if len(values) <= BATCHES:
        return values
    order = np.random.default_rng(len(values)).permutation(len(values))
    return np.array([part.mean() for part in np.array_split(values[order], BATCHES)])


@functools.lru_cache(maxsize=8)
def _bootstrap_weights(count: int) -> Floats:
    """(draws, count): how often each of the values is drawn, over how many are."""
    drawn = np.random.default_rng(count).integers(count, size=(DRAWS, count)) + np.arange(DRAWS)[:, None] * count
    return np.bincount(drawn.ravel(), minlength=DRAWS * count).reshape(DRAWS, count) / count


def resampled_quantiles(ordered: Floats, share: float) -> Floats:
    """Quantiles of bootstrap draws, without drawing: the k-th smallest of n uniform numbers is Beta(k, n + 1 - k)."""
    count = len(ordered)
    rank = share * (count - 1) + 1
    uniform = np.random.default_rng(count).beta(rank, count + 1 - rank, DRAWS)
    return cast("Floats", ordered[np.minimum((uniform * count).astype(int), count - 1)])


def repeat_draws(noise: Noise, *samples: Sample) -> Floats:
    """What the repeats' noise may have added to the logarithm of a time, or of a ratio of two times.

    A few repeats give a poor spread, so each sample's own is moderated by that of the whole run.
    """
    variance = sum(_moderated_variance(noise, sample) for sample in samples)
    degrees = min(_prior_degrees(noise, sample) + sample.repeats - 1 for sample in samples)
    name = "".join(sample.solver for sample in samples).encode()
    draws = np.random.default_rng(list(name)).standard_t(degrees, DRAWS)
    return cast("Floats", draws * np.sqrt(variance))


def _moderated_variance(noise: Noise, sample: Sample) -> float:
    own, prior = sample.repeats - 1, _prior_degrees(noise, sample)
    spread = _repeat_spread(sample)
    if prior:
        spread = min(spread, LOUDEST * noise.spread)  # a pause in one repeat: the median has left it out already
    variance = (prior * noise.spread**2 + own * spread**2) / (prior + own)
    median_of_three_or_more = np.pi / 2 if sample.repeats > 2 else 1.0  # a median is less sure than a mean
    return float(variance / sample.repeats * median_of_three_or_more)


def _prior_degrees(noise: Noise, sample: Sample) -> int:
    """What the others' repeats add to the sample's own; alone, it has no others."""
    return PRIOR_DEGREES if noise.assumed else min(PRIOR_DEGREES, noise.degrees - (sample.repeats - 1))


def geometric_mean(estimates: Sequence[Estimate]) -> Estimate | None:
    """Of independent figures; their widths on the logarithmic scale add as squares."""
    if not estimates:
        return None
    middle = float(np.mean([np.log(one.value) for one in estimates]))
    bound = any(one.bound for one in estimates)
    widths = [np.log(one.high / one.low) / 2 for one in estimates if one.low and one.high]
    if len(widths) < len(estimates):
        return Estimate(float(np.exp(middle)), bound=bound)
    half = float(np.sqrt(np.sum(np.square(widths)))) / len(estimates)
    value, low, high = np.exp([middle, middle - half, middle + half])
    return Estimate(float(value), float(low), float(high), bound)
