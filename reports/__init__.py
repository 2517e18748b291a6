"""Results → pictures: statistics, tables, charts, HTML. Knows only the files of a run (`megadoku.run_schema`).

What it needs (scipy, matplotlib, jinja2) is slow to import, so it is only imported when a report is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console

    from megadoku.reports.comparison import Comparison
    from megadoku.reports.report import ReportPaths


def write_report(runs: Sequence[Path], out: Path) -> ReportPaths:
    """Read run folders; write tables, charts and one self-contained page that holds them into the folder `out`."""
    from megadoku.reports import report

    return report.write_report(runs, out)


def print_summary(runs: Sequence[Path], console: Console) -> None:
    """Read run folders; print the summary table and the findings."""
    from megadoku.reports import terminal

    terminal.print_summary(runs, console)


def compare(run_a: Path, run_b: Path) -> Comparison:
    """What changed from run A to run B, for every solver and data set that both have."""
    from megadoku.reports import comparison

    return comparison.compare(run_a, run_b)


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Print the table of changes and what to beware of."""
    from megadoku.reports import terminal

    terminal.print_comparison(comparison, console)
