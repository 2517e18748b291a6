"""How many puzzles a second: one panel a data set, one row a solver."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from megadoku.reports import escape, numbers
from megadoku.reports.charts import base, scales

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from megadoku.reports.analysis import Contest, Summary
    from megadoku.reports.charts.base import Chart, Look

COLUMNS = 4
CAPTION = (
    "Each dot is one solver on one data set: puzzles a second of one worker (further right is faster), the line "
    "through it the 95% interval, from puzzles and repeats together. The scale is logarithmic: a step is a "
    "factor of ten. What ran out of its budget counts as twice the time it spent; a solver that failed has no dot."
)


def throughput(contests: Sequence[Contest], order: Sequence[str], looks: dict[str, Look], title: str) -> Chart:
    columns = min(COLUMNS, len(contests))
    rows = math.ceil(len(contests) / columns)
    figure = base.new_figure(1.9 + 2.6 * columns, 0.8 + rows * (0.55 + 0.24 * len(order)))
    chart = base.Chart("throughput", title, CAPTION, figure, values=tuple(_sentences(contests)))
    panels = base.panels(figure, len(contests), COLUMNS)
    for axes, contest in zip(panels, contests, strict=True):
        _panel(axes, chart, contest, order, looks)
    panels[0].set_yticks(range(len(order)), [looks[name].short for name in order])
    panels[0].set_ylim(len(order) - 0.4, -0.6)
    low, high = panels[0].get_xlim()
    panels[0].set_xlim(low, high * (high / low) ** 0.22)  # room for the figures
    figure.supxlabel("puzzles a second, one worker", fontsize=9.5)
    return chart


def solver_order(contests: Sequence[Contest]) -> list[str]:
    """Fastest first, by the mean place over the data sets."""
    places: dict[str, list[int]] = {}
    for contest in contests:
        for place, row in enumerate(contest.summaries):
            places.setdefault(row.solver, []).append(place)
    return sorted(places, key=lambda name: sum(places[name]) / len(places[name]))


def _panel(axes: Axes, chart: Chart, contest: Contest, order: Sequence[str], looks: dict[str, Look]) -> None:
    axes.set_title(escape.shorten(contest.dataset, 30))
    axes.grid(axis="y", visible=False)
    for row in contest.summaries:
        if row.throughput:
            _dot(axes, chart, row, order.index(row.solver), looks[row.solver])
    scales.count_axis(axes, "x", "")


def _dot(axes: Axes, chart: Chart, row: Summary, height: int, look: Look) -> None:
    assert row.throughput is not None
    value, low, high = row.throughput.value, row.throughput.low, row.throughput.high
    tip = f"{numbers.with_interval(row.throughput)} puzzles/s on {escape.printable(row.dataset)}"
    (interval,) = axes.plot([low or value, high or value], [height, height], color=look.colour)
    (dot,) = axes.plot(value, height, look.marker, color=look.colour, markersize=5.5)
    label = axes.annotate(
        numbers.compact(value),
        (high or value, height),
        xytext=(5, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
        fontweight="bold" if row.best else "normal",
    )
    for artist in (interval, dot, label):
        chart.tag(artist, look, tip)


def _sentences(contests: Sequence[Contest]) -> list[str]:
    return [
        f"{contest.dataset}: "
        + ", ".join(
            f"{row.solver} {numbers.with_interval(row.throughput)}" for row in contest.summaries if row.throughput
        )
        + " puzzles a second."
        for contest in contests
    ]
