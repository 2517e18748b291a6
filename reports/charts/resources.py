"""Workers and memory."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator, PercentFormatter, ScalarFormatter

from megadoku.reports import escape, numbers
from megadoku.reports.charts import base, scales

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from megadoku.reports.charts.base import Chart, Look
    from megadoku.run_schema import ScalingInfo

SCALING_CAPTION = (
    "Left, how many times as fast the whole pool is as one worker, by the clock on the wall; the thin diagonal is the "
    "ideal, where twice the workers halve the time. Right, the same over the number of workers: the share of them that "
    "is not lost to starting, shipping and sharing. Points are medians of the repeats, bars reach over all of them."
)
MEMORY_CAPTION = (
    "The most memory that one worker held while it ran the solver, with the interpreter and libraries it needs. "
    "A longer bar needs more; with several workers each needs its own."
)


def scaling(measured: Sequence[ScalingInfo], dataset: str, looks: dict[str, Look], title: str) -> Chart:
    figure = base.new_figure(9.6, 4.2)
    speedups = speedups_of(measured)
    values = tuple(
        f"{solver}: "
        + ", ".join(f"{count} workers {numbers.number(np.median(many))} times" for count, many in by.items())
        for solver, by in speedups.items()
    )
    chart = base.Chart(f"scaling-{escape.file_stem(dataset)}", title, SCALING_CAPTION, figure, dataset, values=values)
    left, right = figure.subplots(1, 2)
    for solver, by_workers in speedups.items():
        _curve(left, chart, looks[solver], by_workers, per_worker=False)
        _curve(right, chart, looks[solver], by_workers, per_worker=True)
    most = sorted({one["workers"] for one in measured})
    _worker_axis(left, most, "times as fast as one worker")
    _worker_axis(right, most, "efficiency, % of the ideal")
    left.plot(most, most, color=base.INK, linewidth=0.8, alpha=0.6)
    left.set_yscale("log", base=2)
    left.yaxis.set_major_formatter(ScalarFormatter())
    right.axhline(1, color=base.INK, linewidth=0.8, alpha=0.6)
    right.set_ylim(0, max(1.1, right.get_ylim()[1]))
    right.yaxis.set_major_formatter(PercentFormatter(1, symbol=""))
    _label_ends(right, chart, looks, {solver: by for solver, by in speedups.items() if max(by) > 1})
    return chart


def speedups_of(measured: Sequence[ScalingInfo]) -> dict[str, dict[int, list[float]]]:
    """By solver and workers, one figure a repeat: against the median of its one-worker repeats."""
    rates: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in sorted(measured, key=lambda one: one["workers"]):
        rates[one["solver"]][one["workers"]].append(one["puzzles"] / one["wall_s"])
    return {
        solver: {workers: [rate / float(np.median(by[1])) for rate in many] for workers, many in by.items()}
        for solver, by in rates.items()
        if 1 in by
    }


def _curve(axes: Axes, chart: Chart, look: Look, by_workers: dict[int, list[float]], *, per_worker: bool) -> None:
    workers = np.array(list(by_workers))
    share = workers if per_worker else np.ones_like(workers)
    bounds = np.array([[min(many), np.median(many), max(many)] for many in by_workers.values()]).T / share
    (line,) = axes.plot(workers, bounds[1], color=look.colour, linestyle=look.dash, marker=look.marker, markersize=5)
    bars = scales.bars(axes, workers, bounds[0], bounds[2], color=look.colour, linewidth=1)
    figure = numbers.percent(bounds[1][-1]) if per_worker else f"{numbers.number(bounds[1][-1])} times"
    for artist in (line, bars):
        chart.tag(artist, look, f"{figure} with {workers[-1]} workers")


def _worker_axis(axes: Axes, workers: list[int], label: str) -> None:
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(workers))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.set_xlabel("workers")
    axes.set_ylabel(label)


def _label_ends(axes: Axes, chart: Chart, looks: dict[str, Look], speedups: dict[str, dict[int, list[float]]]) -> None:
    ends = []
    for solver, by_workers in speedups.items():
        most = max(by_workers)
        share = float(np.median(by_workers[most])) / most
        ends.append((looks[solver], float(most), share, numbers.percent(share)))
    scales.end_labels(axes, chart, ends)


def memory(peaks: dict[str, int], looks: dict[str, Look], title: str) -> Chart:
    figure = base.new_figure(8.0, 1.0 + 0.28 * len(peaks))
    ordered = sorted(peaks, key=lambda name: peaks[name])
    values = tuple(f"{name}: {_mebibytes(peaks[name])}." for name in ordered)
    chart = base.Chart("memory", title, MEMORY_CAPTION, figure, values=values)
    axes = figure.subplots()
    for height, name in enumerate(ordered):
        size = peaks[name] / 2**20
        (bar,) = axes.barh(height, size, height=0.62, color=looks[name].colour)
        label = axes.annotate(
            _mebibytes(peaks[name]), (size, height), (4, 0), textcoords="offset points", va="center", fontsize=8.5
        )
        for artist in (bar, label):
            chart.tag(artist, looks[name], _mebibytes(peaks[name]))
    axes.set_yticks(range(len(ordered)), [looks[name].short for name in ordered])
    axes.set_ylim(len(ordered) - 0.4, -0.6)
    axes.set_xlabel("memory of a worker at its most, MiB")
    axes.margins(x=0.14)
    axes.grid(axis="y", visible=False)
    return chart


def _mebibytes(size: int) -> str:
    return f"{numbers.number(size / 2**20)} MiB"
