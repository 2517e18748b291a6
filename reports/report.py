"""Run folders in, a folder of tables, charts and one page out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from megadoku.reports.analysis import analyse
from megadoku.reports.charts.all import draw_charts
from megadoku.reports.duels import all_duels
from megadoku.reports.page import render_page
from megadoku.reports.runs import read_runs
from megadoku.reports.standing import standing_table
from megadoku.reports.summary import summary_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from megadoku.reports.analysis import Analysis
    from megadoku.reports.charts.base import Chart
    from megadoku.reports.tables import Table

CHART_FORMATS = ("svg", "png", "pdf")


@dataclass(frozen=True)
class ReportPaths:
    """What was written."""

    page: Path
    tables: list[Path]
    charts: list[Path]


def write_report(runs: Sequence[Path], out: Path) -> ReportPaths:
    """Read the run folders, and write tables, charts and the page that holds them into `out`."""
    analysis = analyse(read_runs(runs))
    charts = draw_charts(analysis)
    out.mkdir(parents=True, exist_ok=True)
    tables = _write_tables(_tables(analysis), out / "tables")
    drawn = _write_charts(charts, out / "charts")
    page = out / "index.html"
    page.write_text(render_page(analysis, charts), encoding="utf-8")
    return ReportPaths(page, tables, drawn)


def _tables(analysis: Analysis) -> dict[str, Table[Any]]:
    return {
        "summary": summary_table(analysis),
        "standing": standing_table(analysis.current),
        "pairs": all_duels(analysis.current),
    }


def _write_tables(tables: dict[str, Table[Any]], folder: Path) -> list[Path]:
    folder.mkdir(exist_ok=True)
    written = []
    for name, table in tables.items():
        forms = {"md": table.markdown, "csv": table.csv, "tex": table.latex, "json": table.json}
        for suffix, form in forms.items():
            path = folder / f"{name}.{suffix}"
            path.write_text(form(), encoding="utf-8")
            written.append(path)
    return written


def _write_charts(charts: Sequence[Chart], folder: Path) -> list[Path]:
    folder.mkdir(exist_ok=True)
    written = []
    for chart in charts:
        for form in CHART_FORMATS:
            path = folder / f"{chart.name}.{form}"
            path.write_bytes(chart.svg if form == "svg" else chart.render(form))
            written.append(path)
    return written
