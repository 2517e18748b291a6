"""Hardness against the number of clues."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from megadoku.reports import escape, numbers
from megadoku.reports.charts import base, scales

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from megadoku.reports.analysis import Contest
    from megadoku.reports.charts.base import Chart, Look
    from megadoku.reports.runs import Ints, Sample

FEWEST = 5  # puzzles with the same number of clues: of fewer, a median says nothing
CAPTION = (
    "For each number of clues, the median time a puzzle with so many takes, with a bar over the middle half of them. "
    "The number of clues alone does not make a puzzle hard: long bars and bumps show how little it tells. Numbers of "
    f"clues with fewer than {FEWEST} puzzles are left out."
)


def clues_of(contest: Contest) -> tuple[Ints, Ints]:
    """Rows of the data set, and how many clues each has."""
    puzzles = contest.run.puzzles(contest.dataset)["puzzle"]
    counts = np.array([sum(mark not in ".0" for mark in puzzle) for puzzle in puzzles], dtype=np.int64)
    return puzzles.index.to_numpy(np.int64), counts


def worth_drawing(contest: Contest) -> bool:
    counts = np.bincount(clues_of(contest)[1], minlength=1)
    return int((counts >= FEWEST).sum()) >= 3


def hardness(contest: Contest, looks: dict[str, Look], title: str) -> Chart:
    figure = base.new_figure(8.6, scales.key_height(len(contest.samples)))
    name = f"clues-{escape.file_stem(contest.dataset)}"
    rows, clues = clues_of(contest)
    values = (f"{contest.dataset} has puzzles of {clues.min()} to {clues.max()} clues.",)
    chart = base.Chart(name, title, CAPTION, figure, contest.dataset, values=values)
    axes = figure.subplots()
    ends = []
    for place, row in enumerate(contest.summaries):
        look = looks[row.solver]
        shift = (place - len(contest.summaries) / 2) * 0.5 / len(contest.summaries)  # bars side by side
        sample = contest.sample(row.solver)
        x, y = _line(axes, chart, sample, clues[np.searchsorted(rows, sample.rows)], look, shift)
        ends.append((look, x, y, numbers.plain_seconds(y)))
    axes.set_xlabel("clues")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    scales.time_axis(axes, "y", "time for a puzzle")
    scales.end_labels(axes, chart, ends)
    return chart


def _line(axes: Axes, chart: Chart, sample: Sample, clues: Ints, look: Look, shift: float) -> tuple[float, float]:
    """Median and middle half for every number of clues; returns where the line ends."""
    counts = [count for count in np.unique(clues) if (clues == count).sum() >= FEWEST]
    middle = np.array([np.quantile(sample.spent[clues == count], [0.25, 0.5, 0.75]) for count in counts])
    x = np.array(counts) + shift
    (line,) = axes.plot(x, middle[:, 1], color=look.colour, linestyle=look.dash)
    bars = scales.bars(axes, x, middle[:, 0], middle[:, 2], color=look.colour, linewidth=0.9, alpha=0.4)
    few, many = (f"{counts[end]} clues {numbers.plain_seconds(middle[end, 1])}" for end in (0, -1))
    for artist in (line, bars):
        chart.tag(artist, look, f"{few}, {many}")
    return float(x[-1]), float(middle[-1, 1])
