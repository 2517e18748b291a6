"""The charts of a report, in the order of the page, each with the title that the data gave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from megadoku.reports import verdicts
from megadoku.reports.charts import base
from megadoku.reports.charts.distribution import ecdf
from megadoku.reports.charts.throughput import throughput
from megadoku.reports.charts.work import nodes_against_time

if TYPE_CHECKING:
    from megadoku.reports.analysis import Analysis
    from megadoku.reports.charts.base import Chart


def draw_charts(analysis: Analysis) -> list[Chart]:
    looks = base.looks_of(analysis.solvers)
    with base.style():
        charts = [throughput(analysis.current, looks, verdicts.overall(analysis.current))]
        for contest in analysis.current:
            charts.append(ecdf(contest, looks, verdicts.half_within(contest)))
            charts.append(nodes_against_time(contest, looks, verdicts.because(contest)))
    return charts
