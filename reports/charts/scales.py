"""Axes with units, and labels at the curves themselves rather than in a legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from megadoku.reports import numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from megadoku.reports.charts.base import Chart, Look
    from megadoku.reports.runs import Floats

    Some = Sequence[float] | Floats

Which = Literal["x", "y"]

ROW = 0.19  # inches that a line of a key takes
SWATCH, LABEL = (1.02, 1.07), 1.09  # right of the axes, in their widths


def time_axis(axes: Axes, which: Which, label: str) -> None:
    """Logarithmic seconds, in ns, µs, ms and s. To be called when all is drawn."""
    _log_axis(axes, which, label, numbers.tick)


def count_axis(axes: Axes, which: Which, label: str) -> None:
    """Logarithmic counts: 1, 1k, 1M. To be called when all is drawn."""
    _log_axis(axes, which, label, tick_count)


def _log_axis(axes: Axes, which: Which, label: str, say: Callable[[float], str]) -> None:
    axis = axes.xaxis if which == "x" else axes.yaxis
    low, high = axis.get_data_interval()
    if 0 < low <= high < low * 1.01:  # one value: it needs a scale around it
        axes.set(**{f"{which}lim": (low / 3, low * 3)})
    axes.set(**{f"{which}scale": "log", f"{which}label": label})
    low, high = axis.get_view_interval()
    if 0 < high < low * 50:  # too narrow for powers of ten alone
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: say(value)))
    axis.set_minor_locator(NullLocator())  # hundreds of strokes that nobody reads


def tick_count(value: float) -> str:
    scale, letter = numbers.count_unit(value)
    return f"{value / scale:g}{letter}"


def bars(axes: Axes, x: Some, low: Some, high: Some, **style: Any) -> Line2D:
    """Upright bars as one broken line: a drawing a tenth as large as that of so many lines."""
    gaps = np.full(len(x), np.nan)
    (line,) = axes.plot(np.column_stack([x, x, gaps]).ravel(), np.column_stack([low, high, gaps]).ravel(), **style)
    return line


def key_height(rows: int) -> float:
    """Inches that a chart must have for a key of so many rows."""
    return max(3.9, 1.2 + ROW * rows)


def side_key(axes: Axes, chart: Chart, rows: Sequence[tuple[Look, str]], heading: str) -> None:
    """Right of the axes, a line a solver in the order of the curves: swatch, name, figure."""
    step = min(0.085, 0.97 / max(len(rows), 1))
    axes.text(SWATCH[0], 1.01, heading, transform=axes.transAxes, va="bottom", fontsize=8.5)
    for place, (look, figure) in enumerate(rows):
        _key_row(axes, chart, look, figure, 0.97 - step * place)


def end_labels(axes: Axes, chart: Chart, ends: Sequence[tuple[Look, float, float, str]]) -> None:
    """Each curve's name beside its end, moved apart where they would meet, with a thin line from end to name."""
    to_axes = axes.transData + axes.transAxes.inverted()
    ordered = sorted(ends, key=lambda end: -end[2])
    heights = spread([to_axes.transform((x, y))[1] for _, x, y, _ in ordered], 0.062)
    for (look, x, y, figure), height in zip(ordered, heights, strict=True):
        start = to_axes.transform((x, y))
        (leader,) = axes.plot(
            [start[0], SWATCH[0]],
            [start[1], height],
            transform=axes.transAxes,
            clip_on=False,
            color=look.colour,
            linewidth=0.6,
            alpha=0.7,
        )
        chart.tag(leader, look, figure)
        _key_row(axes, chart, look, figure, height)


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """The heights, given from the top down, moved as little as keeps them a gap apart and within 0 to 1."""
    gap = min(gap, 1 / max(len(heights) - 1, 1))
    placed: list[float] = []
    for height in heights:
        placed.append(min(height, placed[-1] - gap if placed else 1.0))
    floor = 0.0
    for place in reversed(range(len(placed))):
        placed[place] = max(placed[place], floor)
        floor = placed[place] + gap
    return placed


def _key_row(axes: Axes, chart: Chart, look: Look, figure: str, height: float) -> None:
    (swatch,) = axes.plot(
        SWATCH,
        [height, height],
        transform=axes.transAxes,
        clip_on=False,
        color=look.colour,
        linestyle=look.dash,
        marker=look.marker,
        markersize=4.5,
        markevery=[1],
    )
    label = axes.text(LABEL, height, f"{look.short}  {figure}", transform=axes.transAxes, va="center", fontsize=8.5)
    for artist in (swatch, label):
        chart.tag(artist, look, figure)
