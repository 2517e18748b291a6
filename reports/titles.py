"""The title of each chart: what it found, in one line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from megadoku.reports import numbers, verdicts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from megadoku.reports.analysis import Contest
    from megadoku.reports.runs import Ints
    from megadoku.reports.statistics import Estimate


def because(contest: Contest) -> str:
    """The title of nodes against time: why the fastest is faster than the next."""
    if len(contest.ranked) < 2:
        return f"Search and time on {contest.dataset}"
    pair = contest.pair(contest.ranked[0].solver, contest.ranked[1].solver)
    if pair.verdict == "tie":
        return f"{pair.first} and {pair.second} end level on {contest.dataset}"
    if pair.fewer_nodes is None or pair.cheaper_node is None:
        return f"On {contest.dataset} {pair.first} is ahead where one of the two needs no search"
    less, cheaper = pair.fewer_nodes > verdicts.MATTERS, pair.cheaper_node > verdicts.MATTERS
    why = "searches less, at cheaper nodes" if less and cheaper else "searches less" if less else "has cheaper nodes"
    return f"{pair.first} beats {pair.second} on {contest.dataset} because it {why}"


def half_within(contest: Contest) -> str:
    """The title of the time distribution."""
    ranked = sorted(contest.ranked, key=lambda row: row.median_s.value)
    if not ranked:
        return f"Nobody answered {contest.dataset} without fault"
    said = f"{ranked[0].solver} solves half of {contest.dataset} within {_median(ranked[0].median_s.value)} a puzzle"
    return said if len(ranked) < 2 else f"{said}, {ranked[-1].solver} within {_median(ranked[-1].median_s.value)}"


def _median(value: float) -> str:
    scale, unit = numbers.time_unit(value)
    return f"{verdicts.two_digits(value / scale)} {unit}"


def all_solved_within(contest: Contest) -> str:
    """Of the solved-within-time curves."""
    left = [row for row in contest.summaries if row.solved < row.puzzles]
    if left:
        worst = max(left, key=lambda row: row.puzzles - row.solved)
        others = f", {len(left) - 1} more leave some" if len(left) > 1 else ""
        share = f"{worst.puzzles - worst.solved:,} of {worst.puzzles:,}"
        return f"{worst.solver} leaves {share} of {contest.dataset} unsolved{others}"
    if not contest.ranked:
        return f"Nobody answered {contest.dataset} without fault"
    longest = {row.solver: float(contest.sample(row.solver).spent.max()) for row in contest.ranked}
    best = min(longest, key=lambda name: longest[name])
    needs = f"{best} needs at most {numbers.plain_seconds(longest[best])} for any puzzle"
    return f"All solve all of {contest.dataset}; {needs}"


def most_often_fastest(shares: dict[str, float]) -> str:
    """Of the performance profile."""
    best = max(shares, key=lambda name: shares[name])
    return f"{best} is the fastest solver of {numbers.percent(shares[best])} of the puzzles"


def furthest_behind(contests: Sequence[Contest]) -> str:
    """Of the heat map."""
    gaps = [
        (last.mean_s.value / first.mean_s.value, last, contest)
        for contest in contests
        if len(contest.ranked) > 1
        for first, last in [(contest.ranked[0], contest.ranked[-1])]
    ]
    if not gaps:
        return "Solvers against the fastest of each data set"
    ratio, last, contest = max(gaps, key=lambda gap: gap[0])
    first = contest.ranked[0].solver
    factor = f"{'at least ' if last.exhausted else ''}{verdicts.two_digits(ratio)} times"
    return f"The widest gap: {last.solver} takes {factor} as long as {first} on {contest.dataset}"


def duel(contest: Contest, first: str, second: str) -> str:
    pair = contest.pair(first, second)
    share = numbers.percent(pair.share_faster)
    ratio = numbers.with_interval(pair.median_ratio)
    if pair.verdict == "tie":
        return f"{first} and {second} cannot be told apart on {contest.dataset}: median ratio {ratio}"
    return f"{first} is faster than {second} on {share} of {contest.dataset}, typically {ratio} times"


def clues(contest: Contest, rows: Ints, counts: Ints) -> str:
    """Whether the number of clues tells how long the fastest takes."""
    sample = contest.sample(contest.summaries[0].solver)
    of_sample = counts[np.searchsorted(rows, sample.rows)]
    flat = not np.ptp(of_sample) or not np.ptp(sample.spent)
    rank = 0.0 if flat else float(stats.spearmanr(of_sample, sample.spent).statistic)
    if abs(rank) < 0.3:
        return f"On {contest.dataset} the number of clues says little about how long {sample.solver} takes"
    way = "less" if rank < 0 else "more"
    return f"On {contest.dataset} more clues mean {way} time for {sample.solver}"


def scaling(speedups: dict[str, dict[int, list[float]]], dataset: str) -> str:
    ends = {name: (max(by), float(np.median(by[max(by)]))) for name, by in speedups.items()}
    best = max(ends, key=lambda name: ends[name][1])
    workers, ratio = ends[best]
    return f"With {workers} workers {best} goes through {dataset} {numbers.number(ratio)} times as fast as with one"


def memory(peaks: dict[str, int]) -> str:
    most, least = max(peaks, key=lambda name: peaks[name]), min(peaks, key=lambda name: peaks[name])
    ratio = peaks[most] / peaks[least]
    if ratio < verdicts.MATTERS:
        return "All solvers need about the same memory"
    return f"{most} needs {verdicts.two_digits(ratio)} times the memory of {least}"


def history(speeds: dict[tuple[str, str], Estimate]) -> str:
    """The change that is surest the largest since the first run."""
    sure = {key: speed for key, speed in speeds.items() if speed.certain_sign}
    if not sure:
        return "No change since the first run can be shown"
    solver, dataset = max(sure, key=lambda key: abs(np.log(sure[key].value)))
    speed = sure[solver, dataset]
    word, ratio = ("fast", speed) if speed.value > 1 else ("slow", speed.inverse())
    return f"Since the first run {solver} became {numbers.times(replace(ratio, bound=False))} as {word} on {dataset}"
