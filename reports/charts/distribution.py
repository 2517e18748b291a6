"""How time is spread over the puzzles of one data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from megadoku.reports import escape, numbers
from megadoku.reports.charts import base

if TYPE_CHECKING:
    from megadoku.reports.analysis import Contest
    from megadoku.reports.charts.base import Chart, Look
    from megadoku.reports.runs import Floats, Sample

POINTS = 120  # of a curve: more cannot be seen
ECDF_CAPTION = (
    "For every time on the bottom axis, the share of puzzles solved within it: a curve further left is faster, a "
    "steep one treats all puzzles alike, a flat tail means a few that are far harder. A curve that ends below 100% "
    "ran out of its budget on the rest. The key lists the median time a puzzle takes."
)


def ecdf(contest: Contest, looks: dict[str, Look], title: str) -> Chart:
    figure = base.new_figure(8.6, 3.9)
    rows = contest.summaries
    values = tuple(
        f"{row.solver}: median {numbers.seconds(row.median_s)}, 95th percentile {numbers.seconds(row.p95_s)}."
        for row in rows
    )
    name = f"time-distribution-{escape.file_stem(contest.dataset)}"
    chart = base.Chart(name, title, ECDF_CAPTION, figure, contest.dataset, values=values)
    axes = figure.subplots()
    for row in rows:
        times, shares = curve(contest.sample(row.solver))
        look = looks[row.solver]
        (line,) = axes.step(times, 100 * shares, where="post", color=look.colour, linestyle=look.dash)
        chart.tag(line, look, f"median {numbers.seconds(row.median_s)}")
    base.time_axis(axes.xaxis, "time for a puzzle")
    axes.set_ylabel("puzzles solved, %")
    axes.set_ylim(0, 101)
    ordered = sorted(rows, key=lambda row: row.median_s.value)
    base.side_key(axes, chart, [(looks[row.solver], numbers.short(row.median_s)) for row in ordered], "median time")
    return chart


def curve(sample: Sample) -> tuple[Floats, Floats]:
    """Times and the shares of puzzles answered within them, at no more points than can be seen."""
    times = np.sort(sample.spent[sample.answered])
    if not len(times):
        return np.array([]), np.array([])
    index = np.unique(np.linspace(0, len(times) - 1, POINTS).round().astype(int))
    return times[index], (index + 1) / len(sample.rows)
