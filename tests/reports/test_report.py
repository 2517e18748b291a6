"""The report as a whole: what is written, and that it stands alone."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from megadoku.reports import print_summary, write_report
from megadoku.reports.runs import RunFolderError

if TYPE_CHECKING:
    from pathlib import Path

    from megadoku.reports.report import ReportPaths


def test_writes_tables_and_charts_in_every_form(report: ReportPaths) -> None:
    assert {path.name for path in report.tables} >= {"summary.md", "summary.csv", "summary.tex", "summary.json"}
    names = {path.name for path in report.charts}
    for chart in ("throughput", "time-distribution-hard", "nodes-time-easy"):
        assert {f"{chart}.svg", f"{chart}.png", f"{chart}.pdf"} <= names
    assert all(path.stat().st_size > 0 for path in [*report.tables, *report.charts])


def test_page_is_one_small_file_that_loads_nothing(report: ReportPaths) -> None:
    page = report.page.read_text(encoding="utf-8")
    assert len(page) < 3_000_000
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)
    assert "lanes is the fastest on every data set" in page


def test_the_run_is_not_touched(small_run: Path, report: ReportPaths) -> None:
    assert {path.name for path in small_run.iterdir()} == {"run.json", "shards", "puzzles"}
    assert not report.page.is_relative_to(small_run)


def test_the_summary_is_printed(small_run: Path) -> None:
    console = Console(file=io.StringIO(), width=200)
    print_summary([small_run], console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "puzzles/s" in printed
    assert "lanes solves hard" in printed


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="no run folder"):
        write_report([tmp_path], tmp_path / "out")
    assert not (tmp_path / "out").exists()
