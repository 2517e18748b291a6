"""Two solvers on the same puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from megadoku.reports import escape, numbers
from megadoku.reports.charts import base, scales
from megadoku.reports.puzzles import outstanding

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from megadoku.reports.analysis import Contest
    from megadoku.reports.charts.base import Chart, Look
    from megadoku.reports.runs import Bools, Floats

DOTS = 3000
CAPTION = (
    "Each dot is one puzzle, solved by both: its place along the bottom is the time of one solver, its height that of "
    "the other. Along a diagonal one is as many times as fast as the line says, seen from the solver named on the left "
    "axis. Dots in a band along a diagonal mean that the same puzzles are hard for both. A cross ran out; a "
    "ring stands out, and in the page a click opens it."
)


def duel(contest: Contest, first: str, second: str, looks: dict[str, Look], title: str) -> Chart:
    figure = base.new_figure(6.6, 5.2)
    name = f"duel-{escape.file_stem(contest.dataset)}"
    pair = contest.pair(first, second)
    said = f"{first} is faster on {numbers.percent(pair.share_faster)} of {pair.puzzles} puzzles; median ratio"
    values = (f"{said} {numbers.with_interval(pair.median_ratio)}.",)
    chart = base.Chart(name, title, CAPTION, figure, contest.dataset, values=values)
    axes = figure.subplots()
    mine, theirs, ran_out = _times(contest, first, second)
    for look, wins in ((looks[first], mine < theirs), (looks[second], mine >= theirs)):
        _dots(axes, chart, look, theirs, mine, wins, ran_out)
    scales.time_axis(axes, "x", f"{looks[second].short}: time for a puzzle")
    scales.time_axis(axes, "y", f"{looks[first].short}: time for a puzzle")
    _diagonals(axes)
    _rings(axes, chart, contest, first, second)
    return chart


def _rings(axes: Axes, chart: Chart, contest: Contest, first: str, second: str) -> None:
    """Around the puzzles that stand out, which the page can open."""
    one, other = contest.sample(first), contest.sample(second)
    for place, puzzle in enumerate(outstanding(contest)):
        x, y = (float(sample.spent[np.searchsorted(sample.rows, puzzle.row)]) for sample in (other, one))
        (ring,) = axes.plot(x, y, "o", markersize=9, markerfacecolor="#00000001", markeredgecolor=base.INK)
        chart.link(ring, place, f"row {puzzle.row}: {puzzle.why}")


def _diagonals(axes: Axes) -> None:
    """Where both took the same time, or one ten, a hundred … times as long, as far as the chart shows them."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    for exponent in range(-5, 6):
        start, end = max(left, bottom * 10.0**exponent), min(right, top * 10.0**exponent)
        if end > start * (right / left) ** 0.35:  # long enough for its label
            x = np.array([start, end])
            axes.plot(x, x / 10.0**exponent, color=base.INK, linewidth=0.7 if exponent else 1.4, alpha=0.5, zorder=1)
            factor = numbers.number(10.0 ** abs(exponent), 1)
            label = f"{factor} times as fast" if exponent > 0 else f"{factor} times as slow" if exponent else "equal"
            _write_along(axes, label, end, end / 10.0**exponent)
    axes.set(xlim=(left, right), ylim=(bottom, top))


def _write_along(axes: Axes, label: str, x: float, y: float) -> None:
    axes.annotate(label, (x, y), (-4, -2), textcoords="offset points", ha="right", va="top", fontsize=7.5, alpha=0.8)


def _times(contest: Contest, first: str, second: str) -> tuple[Floats, Floats, Bools]:
    one, other = contest.sample(first), contest.sample(second)
    _, mine, theirs = np.intersect1d(one.rows, other.rows, assume_unique=True, return_indices=True)
    some = np.random.default_rng(0).permutation(len(mine))[:DOTS]
    mine, theirs = mine[some], theirs[some]
    return one.spent[mine], other.spent[theirs], one.exhausted[mine] | other.exhausted[theirs]


def _dots(axes: Axes, chart: Chart, look: Look, x: Floats, y: Floats, wins: Bools, ran_out: Bools) -> None:
    share = f"faster on {numbers.percent(float(wins.mean()))} of the puzzles"
    for chosen, marker in ((wins & ~ran_out, "o"), (wins & ran_out, "x")):
        if chosen.any():
            edge = 0 if marker == "o" else 1
            axes.scatter(
                x[chosen],
                y[chosen],
                s=12,
                color=look.colour,
                alpha=0.5,
                linewidths=edge,
                marker=marker,
                rasterized=True,
            )
    if wins.any():
        (middle,) = axes.plot(
            np.median(x[wins]),
            np.median(y[wins]),
            look.marker,
            color=look.colour,
            markeredgecolor=base.INK,
            markersize=8,
        )
        chart.tag(middle, look, share)
