"""The charts of a report, in the order of the page, each with the title that the data gave it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from megadoku.reports import titles, verdicts
from megadoku.reports.charts import base, clues
from megadoku.reports.charts.distribution import cactus, ecdf
from megadoku.reports.charts.duel import duel
from megadoku.reports.charts.history import history, trends_of
from megadoku.reports.charts.ratios import fastest_shares, heat_map, profile
from megadoku.reports.charts.resources import memory, scaling, speedups_of
from megadoku.reports.charts.throughput import solver_order, throughput
from megadoku.reports.charts.work import nodes_against_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.reports.analysis import Analysis, Contest
    from megadoku.reports.charts.base import Chart, Look

Looks = dict[str, "Look"]


def draw_charts(analysis: Analysis) -> list[Chart]:
    looks = base.looks_of(analysis.solvers)
    with base.style():
        charts = [*_over_all(analysis, looks), *_resources(analysis, looks)]
        for contest in analysis.current:
            charts.extend(_of_one(contest, looks))
        return [base.finish(chart) for chart in _with_own_names(charts)]


def _over_all(analysis: Analysis, looks: Looks) -> Iterator[Chart]:
    contests, order = analysis.current, solver_order(analysis.current)
    yield throughput(contests, order, looks, verdicts.overall(contests))
    if len(order) > 1:
        yield heat_map(contests, order, looks, titles.furthest_behind(contests))
        yield profile(contests, order, looks, titles.most_often_fastest(fastest_shares(contests, order)))
    trends = {(name, key): trend for name in looks for key, trend in trends_of(analysis.runs, name).items()}
    if trends:
        latest = {key: trend[-1][1] for key, trend in trends.items()}
        yield history(analysis.runs, looks, titles.history(latest))


def _resources(analysis: Analysis, looks: Looks) -> Iterator[Chart]:
    info = analysis.runs[-1].info
    measured = info.get("scaling", [])
    for dataset in dict.fromkeys(one["dataset"] for one in measured):
        here = [one for one in measured if one["dataset"] == dataset]
        if speedups_of(here):
            yield scaling(here, dataset, looks, titles.scaling(speedups_of(here), dataset))
    peaks = {solver["name"]: solver["peak_bytes"] for solver in info["solvers"] if "peak_bytes" in solver}
    if peaks:
        yield memory(peaks, looks, titles.memory(peaks))


def _of_one(contest: Contest, looks: Looks) -> Iterator[Chart]:
    yield ecdf(contest, looks, titles.half_within(contest))
    yield cactus(contest, looks, titles.all_solved_within(contest))
    yield nodes_against_time(contest, looks, titles.because(contest))
    if len(contest.ranked) > 1:
        first, second = (row.solver for row in contest.ranked[:2])
        yield duel(contest, first, second, looks, titles.duel(contest, first, second))
    if clues.worth_drawing(contest):
        yield clues.hardness(contest, looks, titles.clues(contest, *clues.clues_of(contest)))


def _with_own_names(charts: list[Chart]) -> list[Chart]:
    """Two data sets may lose what tells them apart when their names become file names."""
    named: dict[str, Chart] = {}
    for chart in charts:
        name, copy = chart.name, 2
        while name.lower() in named:
            name, copy = f"{chart.name}-{copy}", copy + 1
        named[name.lower()] = replace(chart, name=name)
    return list(named.values())
