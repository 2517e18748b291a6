"""Each solver against the best: over puzzles (performance profile), and over data sets (heat map)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.patches import Rectangle

from megadoku.reports import escape, numbers
from megadoku.reports.charts import base, scales

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from megadoku.reports.analysis import Contest, Summary
    from megadoku.reports.charts.base import Chart, Look
    from megadoku.reports.runs import Floats

POINTS = 150
Colour = tuple[float, float, float, float]
PROFILE_CAPTION = (
    "For every factor on the bottom axis, the share of puzzles that a solver solves within that factor of the fastest "
    "solver of the same puzzle; every data set weighs the same. At the left edge stands how often it is the fastest "
    "itself, and a curve further up and left is better throughout. A puzzle that ran out or failed is never reached."
)
HEAT_CAPTION = (
    "How many times as long as the fastest solver of the data set each one takes: 1 is the fastest, pale is close to "
    "it, dark is far. An equals sign marks solvers that cannot be told apart from the fastest; an arrow up marks "
    "figures that are lower bounds, because a budget ran out."
)


def profile(contests: Sequence[Contest], order: Sequence[str], looks: dict[str, Look], title: str) -> Chart:
    figure = base.new_figure(8.6, scales.key_height(len(order)))
    factors = np.concatenate([[1.0], np.geomspace(1.0001, _worst(contests), POINTS)])
    curves = {name: np.mean([_shares(contest, name, factors) for contest in contests], axis=0) for name in order}
    values = tuple(f"{name}: fastest on {numbers.percent(curve[0])} of the puzzles." for name, curve in curves.items())
    chart = base.Chart("performance-profile", title, PROFILE_CAPTION, figure, values=values)
    axes = figure.subplots()
    for name, curve in curves.items():
        look = looks[name]
        (line,) = axes.step(factors, 100 * curve, where="post", color=look.colour, linestyle=look.dash)
        chart.tag(line, look, f"fastest on {numbers.percent(curve[0])}")
    axes.set_ylim(-1, 101)
    axes.set_ylabel("puzzles solved within it, %")
    scales.count_axis(axes, "x", "times as long as the fastest solver of the puzzle")
    ranked = sorted(order, key=lambda name: -float(curves[name].sum()))
    scales.side_key(axes, chart, [(looks[name], numbers.percent(curves[name][0])) for name in ranked], "fastest on")
    return chart


def fastest_shares(contests: Sequence[Contest], order: Sequence[str]) -> dict[str, float]:
    """How often each solver is the fastest of a puzzle, every data set weighing the same."""
    once = np.ones(1)
    return {name: float(np.mean([_shares(contest, name, once)[0] for contest in contests])) for name in order}


def _ratios(contest: Contest) -> dict[str, Floats]:
    """By solver, the time of each puzzle over the best one's; infinite where it was not answered."""
    rows = np.unique(np.concatenate([sample.rows for sample in contest.samples]))
    times = np.full((len(contest.samples), len(rows)), np.inf)
    for line, sample in zip(times, contest.samples, strict=True):
        line[np.searchsorted(rows, sample.rows[sample.answered])] = sample.spent[sample.answered]
    best = times.min(axis=0)
    known = np.isfinite(best)
    ratios = np.full_like(times, np.inf)
    ratios[:, known] = times[:, known] / best[known]
    return {sample.solver: line for sample, line in zip(contest.samples, ratios, strict=True)}


def _shares(contest: Contest, name: str, factors: Floats) -> Floats:
    ratios = _ratios(contest).get(name)
    if ratios is None:
        return np.zeros(len(factors))
    return np.searchsorted(np.sort(ratios), factors, side="right") / len(ratios)


def _worst(contests: Sequence[Contest]) -> float:
    finite = [line[np.isfinite(line)] for contest in contests for line in _ratios(contest).values()]
    return max(2.0, *(float(line.max(initial=1.0)) for line in finite)) * 1.05


def heat_map(contests: Sequence[Contest], order: Sequence[str], looks: dict[str, Look], title: str) -> Chart:
    figure = base.new_figure(2.6 + 0.85 * len(contests), 1.9 + 0.3 * len(order))
    chart = base.Chart("ratio-to-best", title, HEAT_CAPTION, figure, values=tuple(_sentences(contests)))
    axes = figure.subplots()
    worst = max(ratio for contest in contests for ratio in _ratio_to_best(contest).values())
    colours = mpl.colormaps["cividis_r"]
    norm = LogNorm(1, max(worst, 10))
    for column, contest in enumerate(contests):
        for row in contest.summaries:
            ratio = _ratio_to_best(contest).get(row.solver)
            colour = None if ratio is None else colours(0.85 * float(norm(ratio)))
            place = (column, list(order).index(row.solver))
            _cell(axes, chart, place, colour, _say(contest, row, ratio), looks[row.solver])
    axes.set_xticks(range(len(contests)), [escape.shorten(contest.dataset, 24) for contest in contests])
    axes.tick_params(axis="x", labelrotation=35 if len(contests) > 2 else 0, length=0)
    if len(contests) > 2:
        for label in axes.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(order)), [looks[name].short for name in order])
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(-0.5, len(contests) - 0.5), ylim=(len(order) - 0.5, -0.5))
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    return chart


def _ratio_to_best(contest: Contest) -> dict[str, float]:
    if not contest.ranked:
        return {"": 1.0}
    best = contest.ranked[0].mean_s.value
    return {row.solver: row.mean_s.value / best for row in contest.ranked}


def _say(contest: Contest, row: Summary, ratio: float | None) -> str:
    if ratio is None:
        return "failed" if row.failed else "none solved"
    first = contest.ranked[0].solver
    level = row.rank == 1 and row.solver != first and contest.pair(first, row.solver).verdict == "tie"
    return f"{'= ' if level else ''}{numbers.compact(ratio) if ratio > 1 else '1'}{'↑' if row.exhausted else ''}"


def _cell(axes: Axes, chart: Chart, place: tuple[int, int], colour: Colour | None, text: str, look: Look) -> None:
    x, y = place
    box = Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=colour or "none", edgecolor=base.GRID, linewidth=0.7)
    axes.add_patch(box)
    ink = base.INK if colour is None else "black" if sum(colour[:3]) > 1.4 else "white"
    label = axes.text(x, y, text, ha="center", va="center", fontsize=8.5, color=ink)
    for artist in (box, label):
        chart.tag(artist, look, f"{text} times the fastest")


def _sentences(contests: Sequence[Contest]) -> list[str]:
    return [
        f"{contest.dataset}: "
        + ", ".join(
            f"{row.solver} {_say(contest, row, _ratio_to_best(contest).get(row.solver))}" for row in contest.summaries
        )
        + "."
        for contest in contests
    ]
