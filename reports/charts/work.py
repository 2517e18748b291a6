"""Nodes against time, with what a node costs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import FuncFormatter

from megadoku.reports import escape, numbers
from megadoku.reports.charts import base, scales

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from megadoku.reports.analysis import Contest, Summary
    from megadoku.reports.charts.base import Chart, Look
    from megadoku.reports.runs import Floats, Sample

DOTS = 1500  # of a solver: more only cover each other
CAPTION = (
    "Each dot is one puzzle: further right, more digits were placed by search; further up, it took longer. Along a "
    "thin diagonal a node costs what stands at its foot, so a solver whose dots lie on a lower diagonal has cheaper "
    "nodes, and one whose dots lie further left searches less. The large mark is the solver's mean."
)


def nodes_against_time(contest: Contest, looks: dict[str, Look], title: str) -> Chart:
    figure = base.new_figure(8.6, scales.key_height(len(contest.samples)) + 0.4)
    name = f"nodes-time-{escape.file_stem(contest.dataset)}"
    values = tuple(f"{row.solver}: {_cost(row)}." for row in contest.summaries)
    chart = base.Chart(name, title, CAPTION, figure, contest.dataset, values=values)
    axes = figure.subplots()
    for row in contest.summaries:
        _cloud(axes, chart, contest.sample(row.solver), row, looks[row.solver])
    scales.time_axis(axes, "y", "time for a puzzle")
    _node_axis(axes, without_search=any((sample.nodes == 0).any() for sample in contest.samples))
    _diagonals(axes, [1 / row.nodes_per_s for row in contest.summaries if row.nodes_per_s])
    scales.side_key(axes, chart, [(looks[row.solver], _cost(row)) for row in contest.summaries], "cost of a node")
    return chart


def _cost(row: Summary) -> str:
    return f"{numbers.plain_seconds(1 / row.nodes_per_s)} a node" if row.nodes_per_s else "no search"


def _cloud(axes: Axes, chart: Chart, sample: Sample, row: Summary, look: Look) -> None:
    some = np.random.default_rng(0).permutation(len(sample.rows))[:DOTS]
    axes.scatter(
        sample.nodes[some], sample.spent[some], s=7, color=look.colour, alpha=0.45, linewidths=0, rasterized=True
    )
    # The mean is a drawing, not pixels; it also parts this cloud's picture from the next one's.
    (mean,) = axes.plot(
        row.mean_nodes,
        sample.spent.mean(),
        look.marker,
        color=look.colour,
        markeredgecolor=base.INK,
        markersize=8,
        zorder=3,
    )
    tip = f"mean {numbers.number(row.mean_nodes)} nodes, {numbers.plain_seconds(sample.spent.mean())}, {_cost(row)}"
    chart.tag(mean, look, tip)


def _node_axis(axes: Axes, *, without_search: bool) -> None:
    """Logarithmic, but with a place for puzzles that need no search at all, where there are any."""
    label = "nodes (digits placed by search)"
    if not without_search:
        scales.count_axis(axes, "x", label)
        return
    axes.set_xscale("symlog", linthresh=1, linscale=0.5)
    axes.set_xlim(left=-0.15)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: scales.tick_count(value)))
    axes.set_xlabel(label)


def _diagonals(axes: Axes, costs: list[float]) -> None:
    """Lines of one cost per node, every factor of ten around the costs there are, as far as they cross the chart."""
    if not costs:
        return
    bottom, top = axes.get_ylim()
    left, right = axes.get_xlim()
    nodes = np.geomspace(max(left, 1), max(right, 10), 100)
    for exponent in range(math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs))) + 1):
        seconds = nodes * 10.0**exponent
        inside = (seconds >= bottom) & (seconds <= top)
        if inside.sum() > 10:
            _diagonal(axes, nodes[inside], seconds[inside], numbers.tick(10.0**exponent))
    axes.set(xlim=(left, right), ylim=(bottom, top))


def _diagonal(axes: Axes, nodes: Floats, seconds: Floats, label: str) -> None:
    axes.plot(nodes, seconds, color=base.INK, linewidth=0.6, alpha=0.35, zorder=1)
    start = (nodes[0], seconds[0])
    axes.annotate(label, start, (4, 0), textcoords="offset points", va="bottom", fontsize=7.5, alpha=0.75)
