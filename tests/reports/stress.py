"""Runs that are hard to show: many long names, and names that try to be markup."""

from __future__ import annotations

import numpy as np
from making_runs import Times, lognormal

HOSTILE = (
    r"$\nosuch$ ${x",
    "<script>alert('page')</script>",
    '=cmd()|"/c calc"!A1',
    "../../../../escape",
    "\x1b[31mred\x1b[0m\u202egnp",
    "]]>--><svg onload=alert(1)>&amp;{{ 7*7 }}",
)


def hostile_times(puzzles: int = 30) -> list[Times]:
    """Solvers and data sets with each of the names."""
    return [
        Times(solver, dataset, lognormal(place, 1e-4 * (place + 1), puzzles, 2), nodes=place + 1)
        for place, solver in enumerate(HOSTILE)
        for dataset in HOSTILE[:3]
    ]


def crowded_times(solvers: int = 14, datasets: int = 10, puzzles: int = 300) -> list[Times]:
    """Names of 60 characters that differ only at the end; some run out, one fails, some are alike."""
    times = []
    for column in range(datasets):
        dataset = f"{'a-data-set-with-a-very-long-name-from-somewhere-deep-inside-':.57}{column:03}"
        for place in range(solvers):
            solver = f"{'solver-that-somebody-named-after-everything-that-it-does-':.57}{place:03}"
            seconds = lognormal(100 * column + place, 1e-5 * 2.2 ** (place // 2) * 1.6**column, puzzles)
            ran_out = dict.fromkeys(np.flatnonzero(seconds[:, 0] > 0.05).tolist(), "exhausted")
            wrong = (0,) if place == 5 and column == 2 else ()
            nodes = np.rint(seconds[:, 0] * 1e6).astype(int)
            times.append(Times(solver, dataset, np.minimum(seconds, 0.05), nodes, ran_out, wrong, block=not place))
    return times
