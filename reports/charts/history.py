"""Several runs over time: a panel for each solver."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from megadoku.reports import escape, numbers
from megadoku.reports.charts import base, scales
from megadoku.reports.statistics import noise_of
from megadoku.reports.statistics_pairs import pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from megadoku.reports.charts.base import Chart, Look
    from megadoku.reports.runs import Run
    from megadoku.reports.statistics import Estimate

COLUMNS = 3
CAPTION = (
    "A panel for each solver, a line for each data set: how fast it was in each run, against its own first run on the "
    "same puzzles. Up is faster; bars are 95% intervals, and a line whose bars all cross 1 shows no change. Runs stand "
    "in the order of their dates; those that held other puzzles under the data set's name are left out."
)

Trend = list[tuple[int, "Estimate"]]  # by place of the run


def history(runs: Sequence[Run], looks: dict[str, Look], title: str) -> Chart:
    trends = {name: by_set for name in looks if (by_set := trends_of(runs, name))}
    columns = min(COLUMNS, len(trends))
    rows = math.ceil(len(trends) / columns)
    figure = base.new_figure(1.2 + 3.1 * columns, 1.0 + 1.9 * rows)
    chart = base.Chart("history", title, CAPTION, figure, values=tuple(_sentences(trends)))
    panels = base.panels(figure, len(trends), COLUMNS)
    colours = {name: place for place, name in enumerate(dict.fromkeys(key for by in trends.values() for key in by))}
    for axes, (solver, by_set) in zip(panels, trends.items(), strict=True):
        _panel(axes, chart, looks[solver], by_set, colours)
    _run_axis(panels, runs)
    figure.supylabel("times as fast as in the first run", fontsize=9.5)
    handles = [_handle(panels[0], place) for place in colours.values()]
    labels = [escape.shorten(name, 30) for name in colours]
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=8.5)
    return chart


def trends_of(runs: Sequence[Run], solver: str) -> dict[str, Trend]:
    """By data set, the speed in every run against the first that measured the same puzzles."""
    trends: dict[str, Trend] = {}
    for dataset in dict.fromkeys(name for run in runs for name in run.datasets):
        having = [(place, run) for place, run in enumerate(runs) if (dataset, solver) in run.samples]
        measured = [(place, run) for place, run in having if run.checksum(dataset) == having[-1][1].checksum(dataset)]
        if len(measured) > 1:
            first = measured[0][1]
            trends[dataset] = [(place, _speed(first, run, dataset, solver)) for place, run in measured]
    return trends


def _speed(first: Run, run: Run, dataset: str, solver: str) -> Estimate:
    noise = noise_of([*first.samples.values(), *run.samples.values()])
    return pair(run.samples[dataset, solver], first.samples[dataset, solver], noise).speedup


def _panel(axes: Axes, chart: Chart, look: Look, by_set: dict[str, Trend], colours: dict[str, int]) -> None:
    axes.set_title(look.short)
    axes.axhline(1, color=base.INK, linewidth=0.8, alpha=0.6)
    for dataset, trend in by_set.items():
        place = colours[dataset]
        shift = (place - len(colours) / 2) * 0.3 / len(colours)
        x = [run + shift for run, _ in trend]
        colour = base.COLOURS[place % len(base.COLOURS)]
        (line,) = axes.plot(x, [speed.value for _, speed in trend], color=colour, marker="o", markersize=4)
        lows = [speed.low or speed.value for _, speed in trend[1:]]
        highs = [speed.high or speed.value for _, speed in trend[1:]]
        bars = scales.bars(axes, x[1:], lows, highs, color=colour, linewidth=1.2)
        for artist in (line, bars):
            chart.tag(artist, look, f"{escape.printable(dataset)}: {numbers.times(trend[-1][1])} the first run's speed")


def _handle(axes: Axes, place: int) -> Line2D:
    return axes.plot([], [], color=base.COLOURS[place % len(base.COLOURS)], marker="o", markersize=4)[0]


def _run_axis(panels: Sequence[Axes], runs: Sequence[Run]) -> None:
    panels[0].set_xticks(range(len(runs)), list(escape.distinct([run.label for run in runs], 16).values()))
    for axes in panels:
        for label in axes.get_xticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")
    panels[0].set_yscale("log")
    panels[0].yaxis.set_major_locator(LogLocator(subs=(1, 1.5, 2, 3, 5)))
    panels[0].yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panels[0].yaxis.set_minor_formatter(NullFormatter())


def _sentences(trends: dict[str, dict[str, Trend]]) -> list[str]:
    return [
        f"{solver} on {dataset}: {numbers.times(trend[-1][1])} the speed of the first run."
        for solver, by_set in trends.items()
        for dataset, trend in by_set.items()
    ]
