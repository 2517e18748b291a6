"""The page: everything in one file, from a template whose every value is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from megadoku.reports import svg, verdicts
from megadoku.reports.summary import summary_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from megadoku.reports.analysis import Analysis
    from megadoku.reports.charts.base import Chart


def render_page(analysis: Analysis, charts: Sequence[Chart]) -> str:
    environment = Environment(
        loader=PackageLoader("megadoku.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # matplotlib wrote the drawings, and escaped the names in them: they are markup.
    drawings = [(chart, Markup(svg.inline(chart, index))) for index, chart in enumerate(charts)]
    return environment.get_template("page.html").render(
        analysis=analysis,
        headline=verdicts.overall(analysis.current),
        findings=[verdicts.contest_verdict(contest) for contest in analysis.current],
        table=summary_table(analysis),
        drawings=drawings,
    )
