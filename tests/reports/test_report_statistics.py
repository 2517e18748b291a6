"""Every statistic on declared times."""

from __future__ import annotations

import numpy as np
import pytest
from making_runs import lognormal

from megadoku.reports.runs import Sample
from megadoku.reports.statistics import (
    ASSUMED_NOISE,
    Estimate,
    Noise,
    mean_seconds,
    noise_of,
    quantile_seconds,
    throughput,
)
from megadoku.reports.statistics_pairs import Pair, explain, holm, pair, pairs_of

QUIET = Noise(0.0, 100)


def sample(
    seconds: object, solver: str = "a", nodes: object = 10, exhausted: object = False, failed: object = False
) -> Sample:
    times = np.array(seconds, dtype=float)
    times = times[:, None] if times.ndim == 1 else times
    count = len(times)
    flags = [np.broadcast_to(np.array(flag, dtype=bool), count) for flag in (exhausted, failed)]
    work = np.broadcast_to(np.array(nodes, dtype=np.int64), count)
    return Sample(solver, "set", np.arange(1, count + 1), times, flags[0], flags[1], work, work // 2)


def test_a_puzzles_time_is_the_median_of_its_repeats() -> None:
    assert sample([[1, 2, 9], [3, 3, 3]]).spent.tolist() == [2, 3]


def test_a_missing_repeat_is_left_out() -> None:
    assert sample([[1, np.nan], [3, 5]]).spent.tolist() == [1, 4]


def test_means_count_twice_what_ran_out() -> None:
    assert mean_seconds(sample([1, 1, 2, 10], exhausted=[0, 0, 0, 1]), QUIET).value == 6
    assert throughput(sample([1, 1, 2, 10], exhausted=[0, 0, 0, 1]), QUIET).value == pytest.approx(1 / 6)  # type: ignore[union-attr]


def test_failing_never_looks_quick() -> None:
    assert sample([0.001, 5, 1], failed=[1, 0, 0]).par2.tolist() == [10, 5, 1]
    assert throughput(sample([1, 1], failed=True), QUIET) is None


def test_quantiles_say_when_they_are_only_lower_bounds() -> None:
    times = sample(np.arange(1, 101), exhausted=np.arange(1, 101) > 90)
    assert quantile_seconds(times, 0.5, QUIET).value == pytest.approx(50.5)
    assert not quantile_seconds(times, 0.5, QUIET).bound
    assert quantile_seconds(times, 0.95, QUIET).bound
    # One that gave up early may have gone on past the median: that is a bound, too.
    early = sample([1.0, 5, 6, 7, 8], exhausted=[1, 1, 1, 0, 0])
    assert quantile_seconds(early, 0.5, QUIET).bound


def test_noise_is_the_spread_of_repeats() -> None:
    steady = sample([[1.0, 1.0, 1.0]] * 5)
    shaky = sample(np.exp([[-0.2, 0.0, 0.2]] * 5))
    assert noise_of([steady]).spread == 0
    assert noise_of([shaky]).spread == pytest.approx(0.2 / np.sqrt(np.log(2)))  # three repeats: half find less
    assert noise_of([shaky]).loud
    assert noise_of([sample([1, 2])]) == Noise(ASSUMED_NOISE, 0)


def test_noise_is_found_as_large_as_it_is() -> None:
    drawn = [sample(lognormal(seed, 1e-3, 50, 3, 0.1)) for seed in range(200)]
    assert noise_of(drawn).spread == pytest.approx(0.1, rel=0.15)


def test_one_pause_is_not_the_machines_noise() -> None:
    calm = [sample(lognormal(seed, 1e-3, 50, 3, 0.01), f"s{seed}") for seed in range(8)]
    paused = calm[0].seconds.copy()
    paused[:, 1] *= 5000
    with_pause = [sample(paused, "s0"), *calm[1:]]
    noise = noise_of(with_pause)
    assert noise.spread < 0.03
    found = mean_seconds(with_pause[0], noise)
    assert found.value == pytest.approx(calm[0].par2.mean(), rel=0.05)
    assert found.high < 2 * found.value


def noisy_pair(ratio: float, noise: float, repeats: int, seed: int, puzzles: int = 300) -> Pair:
    first = sample(lognormal(seed, 1e-3, puzzles, repeats, noise), "a")
    second = sample(lognormal(seed + 500, 1e-3 * ratio, puzzles, repeats, noise), "b")
    others = [sample(lognormal(seed + place, 1e-3, puzzles, repeats, noise)) for place in range(1000, 1006)]
    return pairs_of([first, second], noise_of([first, second, *others]))[0]


@pytest.mark.parametrize("repeats", [2, 3, 5])
def test_three_percent_in_twenty_percent_noise_is_not_called(repeats: int) -> None:
    called = [noisy_pair(1.03, 0.2, repeats, seed).verdict != "tie" for seed in range(40)]
    assert sum(called) <= 4


@pytest.mark.parametrize(("repeats", "often"), [(3, 30), (5, 38)])
def test_twice_as_fast_in_twenty_percent_noise_is_called(repeats: int, often: int) -> None:
    """Not always with three repeats: their medians alone differ by a factor of two now and then."""
    called = [noisy_pair(2.0, 0.2, repeats, seed).verdict for seed in range(40)]
    assert called.count("faster") >= often
    assert "slower" not in called


def test_three_percent_on_a_quiet_machine_is_called() -> None:
    assert noisy_pair(1.03, 0.001, 5, 1).verdict == "faster"


def test_one_repeat_carries_no_three_percent() -> None:
    assert noisy_pair(1.03, 0.0, 1, 1).verdict == "tie"
    assert noisy_pair(2.0, 0.0, 1, 1).verdict == "faster"


def coverage(puzzles: int, repeats: int, noise: float, statistic: object) -> float:
    """How often the interval holds the truth: puzzles and repeats are drawn anew, the true median is 1 ms."""
    hits = 0
    for seed in range(200):
        random = np.random.default_rng(seed)
        times = np.exp(random.normal(0, 1, (puzzles, 1)) + random.normal(0, noise, (1, repeats))) / 1000
        drawn = sample(times)
        found, truth = statistic(drawn, noise_of([drawn]))  # type: ignore[operator]
        hits += found.low <= truth <= found.high
    return hits / 200


@pytest.mark.parametrize(("puzzles", "repeats", "noise"), [(200, 3, 0.02), (100, 5, 0.2), (500, 2, 0.1)])
def test_intervals_hold_the_truth_as_often_as_they_say(puzzles: int, repeats: int, noise: float) -> None:
    def median(drawn: Sample, noise: Noise) -> tuple[Estimate, float]:
        return quantile_seconds(drawn, 0.5, noise), 1e-3

    def mean(drawn: Sample, noise: Noise) -> tuple[Estimate, float]:
        return mean_seconds(drawn, noise), 1e-3 * np.exp(0.5)

    for statistic in (median, mean):
        assert 0.89 <= coverage(puzzles, repeats, noise, statistic) <= 0.995


def test_the_pair_in_figures() -> None:
    first = sample([1.0, 2.0, 4.0, 8.0] * 10, "a", nodes=10)
    second = sample([2.0, 4.0, 8.0, 4.0] * 10, "b", nodes=30)
    found = pair(first, second, QUIET)
    assert found.speedup.value == pytest.approx(18 / 15)
    assert found.median_ratio.value == pytest.approx(2)
    assert found.share_faster == 0.75
    assert found.fewer_nodes == 3
    assert found.cheaper_node == pytest.approx(18 / 15 / 3)
    assert found.reversed().median_ratio.value == pytest.approx(0.5)
    assert found.reversed().reversed().speedup.value == pytest.approx(found.speedup.value)


def test_mean_and_median_must_agree() -> None:
    """Far faster on a tenth of the puzzles and alike on the rest: the mean is sure, the median is not."""
    times = np.random.default_rng(0).lognormal(0, 0.3, 400)
    helped = times.copy()
    helped[:40] /= 100
    times[:40] *= 10
    found = pair(sample(helped), sample(times, "b"), Noise(0.001, 100))
    assert found.speedup.certain_sign == 1
    assert found.median_ratio.certain_sign == 0
    assert found.verdict == "tie"


def test_pairs_use_the_puzzles_that_both_tried() -> None:
    first, second = sample([1.0, 1, 1, 9], "a"), sample([2.0, 2, 2, 2], "b").at(np.array([0, 1, 2]))
    assert pair(first, second, QUIET).puzzles == 3
    assert pair(first, second, QUIET).speedup.value == 2


def test_without_search_a_node_has_no_cost() -> None:
    assert explain(sample([1.0], nodes=0), sample([2.0], nodes=5)) == (None, None)


def test_who_failed_is_compared_with_none() -> None:
    assert pairs_of([sample([1.0, 1]), sample([2.0, 2], failed=[1, 0])], QUIET) == []


def test_equal_times_tie() -> None:
    assert noisy_pair(1.0, 0.0, 3, 0).verdict == "tie"
    same = sample([1.0, 2.0, 3.0])
    assert pair(same, same, QUIET).p_value == 1


def test_holm_multiplies_the_smallest_most() -> None:
    def with_p(value: float) -> Pair:
        return Pair("set", "a", "b", 1, Estimate(1), Estimate(1), 0.5, value, None, None)

    corrected = [one.p_value for one in holm([with_p(0.04), with_p(0.01), with_p(0.03)])]
    assert corrected == pytest.approx([0.06, 0.03, 0.06])


def test_many_puzzles_keep_their_mean() -> None:
    """More than can be drawn one by one are drawn in batches; the interval must not notice."""
    times = np.exp(np.random.default_rng(0).normal(0, 1, 50_000))
    found = mean_seconds(sample(times), QUIET)
    half_width = 1.96 * times.std() / np.sqrt(len(times))
    assert found.low == pytest.approx(times.mean() - half_width, rel=0.01)
    assert found.high == pytest.approx(times.mean() + half_width, rel=0.01)
