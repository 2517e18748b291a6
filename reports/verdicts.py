"""Findings in plain sentences, made from the data: what is claimed here was shown, and what was not is called a tie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from megadoku.reports import numbers
from megadoku.reports.statistics import repeat_totals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from megadoku.reports.analysis import Contest
    from megadoku.reports.statistics import Noise
    from megadoku.reports.statistics_pairs import Pair

MATTERS = 1.15  # a ratio closer to one than this explains nothing
ODD = 3.0  # times the usual time of a repeat


def overall(contests: Sequence[Contest]) -> str:
    """Who wins most data sets."""
    winners = [row.solver for contest in contests for row in contest.ranked[:1] if row.best]
    decided, many = len(winners), len(contests)
    if not decided:
        return "No solver can be shown to be the fastest on any data set"
    best = max(dict.fromkeys(winners), key=winners.count)
    wins = winners.count(best)
    if wins == many:
        return f"{best} is the fastest on {'every data set' if many > 1 else contests[0].dataset}"
    open_ones = f"; {many - decided} undecided" if many > decided else ""
    return f"{best} is the fastest on {wins} of {many} data sets{open_ones}"


def contest_verdict(contest: Contest) -> str:
    """Who is fastest on one data set, by how much, and why."""
    ranked = contest.ranked
    if not ranked:
        return f"No solver answered {contest.dataset} without fault."
    if len(ranked) == 1:
        return f"{ranked[0].solver} alone solves {contest.dataset}, {_rate(contest)} puzzles a second."
    first = ranked[0]
    tied = [row.solver for row in ranked[1:] if contest.pair(first.solver, row.solver).verdict == "tie"]
    if tied:
        return f"On {contest.dataset} no difference can be shown between {listed([first.solver, *tied])}."
    pair = contest.pair(first.solver, ranked[1].solver)
    return f"{speed_sentence(pair)}; {reason(pair)}." if reason(pair) else f"{speed_sentence(pair)}."


def _rate(contest: Contest) -> str:
    rate = contest.ranked[0].throughput
    return numbers.with_interval(rate) if rate else "0"


def speed_sentence(pair: Pair) -> str:
    """`lanes solves 17-clue 640 (610–670) times as fast as bitmask`."""
    at_least = "at least " if pair.speedup.bound else ""
    ratio = numbers.with_interval(pair.speedup).removeprefix("≥ ")
    return f"{pair.first} solves {pair.dataset} {at_least}{ratio} times as fast as {pair.second}"


def reason(pair: Pair) -> str:
    """Why the first is faster: `it searches 9 times less and a node costs 70 times less`."""
    if pair.fewer_nodes is None or pair.cheaper_node is None:
        return ""
    search = _factor(pair.fewer_nodes, "it searches {} times less", "it searches {} times more")
    cost = _factor(pair.cheaper_node, "a node costs {} times less", "a node costs {} times more")
    if search and cost:
        against = (pair.fewer_nodes > 1) != (pair.cheaper_node > 1)
        return f"{search} {'but' if against else 'and'} {cost}"
    if search:
        return f"{search}, at about the same cost of a node"
    return f"{cost}, for about as many nodes" if cost else ""


def _factor(ratio: float, less: str, more: str) -> str:
    if 1 / MATTERS < ratio < MATTERS:
        return ""
    return less.format(two_digits(ratio)) if ratio > 1 else more.format(two_digits(1 / ratio))


def two_digits(ratio: float) -> str:
    return numbers.number(ratio, 10.0 ** (len(str(int(ratio))) - 2))


def warnings(contests: Sequence[Contest]) -> list[str]:
    """What to beware of, each said once."""
    said = [noise_warning(contest.noise) for contest in contests]
    said += [odd for contest in contests for odd in odd_repeats(contest)]
    return list(dict.fromkeys(warning for warning in said if warning))


def odd_repeats(contest: Contest) -> Iterator[str]:
    """Repeats that took far longer than the others: something else happened in them."""
    for sample in contest.samples:
        totals = repeat_totals(sample)
        factor = float(totals.max() / np.median(totals)) if len(totals) > 2 else 1.0
        if factor > ODD:
            yield (
                f"One repeat of {sample.solver} on {contest.dataset} took {numbers.number(factor)} times as long as "
                "usual: something else happened in it. It is left out of times, but makes intervals wider."
            )


def noise_warning(noise: Noise) -> str | None:
    if noise.assumed:
        return (
            f"Each puzzle was timed once, so the machine's noise is not known; {numbers.percent(noise.spread)} is "
            "assumed. Run with --repeats 3 or more to measure it."
        )
    if noise.loud:
        return (
            f"The machine is noisy: the same work differs by {numbers.percent(noise.spread)} from repeat to repeat, so "
            "smaller differences cannot be shown. Close other programs, use fewer workers than cores, fix the "
            "processor's frequency (governor performance), or add repeats."
        )
    return None


def listed(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
