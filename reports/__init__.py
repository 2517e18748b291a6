"""Results → pictures: statistics, tables, charts, HTML. Knows only the files of a run (`megadoku.run_schema`).

What it needs (scipy, matplotlib, jinja2) is slow to import, so it is only imported when a report is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console

    from megadoku.reports.report import ReportPaths


def write_report(runs: Sequence[Path], out: Path) -> ReportPaths:
    """Read run folders; write tables, charts and one self-contained page that holds them into the folder `out`."""
    from megadoku.reports import report

    return report.write_report(runs, out)


def print_summary(runs: Sequence[Path], console: Console) -> None:
    """Read run folders; print the summary table and the findings."""
    from megadoku.reports import terminal

    terminal.print_summary(runs, console)
