"""How time is spread over the puzzles of one data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from megadoku.reports import escape, numbers
from megadoku.reports.charts import base, scales

if TYPE_CHECKING:
    from megadoku.reports.analysis import Contest, Summary
    from megadoku.reports.charts.base import Chart, Look
    from megadoku.reports.runs import Floats, Sample

POINTS = 90  # of a curve: more cannot be seen
ECDF_CAPTION = (
    "For every time on the bottom axis, the share of puzzles solved within it: a curve further left is faster, a "
    "steep one treats all puzzles alike, a flat tail means a few that are far harder. A curve that ends below 100% "
    "ran out of its budget on the rest. The key lists the median time a puzzle takes."
)
CACTUS_CAPTION = (
    "Each curve sorts the puzzles by how long this solver took: its height over a number of puzzles is the time that "
    "each must be allowed for so many to be solved. Lower is faster, further right solves more. A cross marks a curve "
    "that ends because the rest ran out of its budget."
)


def ecdf(contest: Contest, looks: dict[str, Look], title: str) -> Chart:
    figure = base.new_figure(8.6, scales.key_height(len(contest.samples)))
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
    scales.time_axis(axes, "x", "time for a puzzle")
    axes.set_ylabel("puzzles solved, %")
    axes.set_ylim(0, 101)
    ordered = sorted(rows, key=lambda row: row.median_s.value)
    scales.side_key(axes, chart, [(looks[row.solver], numbers.short(row.median_s)) for row in ordered], "median time")
    return chart


def cactus(contest: Contest, looks: dict[str, Look], title: str) -> Chart:
    """Puzzles sorted from easy to hard for each solver: how many it solves if each may take so long."""
    figure = base.new_figure(8.6, scales.key_height(len(contest.samples)))
    name = f"solved-within-time-{escape.file_stem(contest.dataset)}"
    values = tuple(f"{row.solver}: {_outcome(row)}." for row in contest.summaries)
    chart = base.Chart(name, title, CACTUS_CAPTION, figure, contest.dataset, values=values)
    axes = figure.subplots()
    ends = []
    for row in contest.summaries:
        look = looks[row.solver]
        times, shares = curve(contest.sample(row.solver))
        if len(times):
            (line,) = axes.plot(shares * row.puzzles, times, color=look.colour, linestyle=look.dash)
            chart.tag(line, look, _outcome(row))
            ends.append((look, shares[-1] * row.puzzles, times[-1], _outcome(row)))
        if row.exhausted and len(times):
            (cross,) = axes.plot(ends[-1][1], ends[-1][2], "x", color=look.colour, markersize=9, markeredgewidth=2.5)
            chart.tag(cross, look, _outcome(row))
    axes.set_xlabel("puzzles solved")
    axes.set_xlim(left=0)
    scales.time_axis(axes, "y", "time allowed for each")
    scales.end_labels(axes, chart, ends)
    return chart


def _outcome(row: Summary) -> str:
    if row.failed:
        return f"{numbers.whole(row.failed)} failed"
    return f"{numbers.whole(row.exhausted)} ran out" if row.exhausted else "all solved"


def curve(sample: Sample) -> tuple[Floats, Floats]:
    """Times and the shares of puzzles answered within them, at no more points than can be seen."""
    times = np.sort(sample.spent[sample.answered])
    if not len(times):
        return np.array([]), np.array([])
    index = np.unique(np.linspace(0, len(times) - 1, POINTS).round().astype(int))
    return times[index], (index + 1) / len(sample.rows)
