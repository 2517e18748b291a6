"""The summary on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from megadoku.reports import escape, verdicts
from megadoku.reports.analysis import analyse
from megadoku.reports.runs import read_runs
from megadoku.reports.summary import summary_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rich.console import Console

    from megadoku.reports.comparison import Comparison


def print_summary(runs: Sequence[Path], console: Console) -> None:
    analysis = analyse(read_runs(runs))
    table = summary_table(analysis)
    console.print(table.terminal(console.width))
    findings = [verdicts.contest_verdict(contest) for contest in analysis.current]
    _print_lines(console, [*table.notes, *findings, *verdicts.warnings(analysis.current)])


def print_comparison(comparison: Comparison, console: Console) -> None:
    console.print(comparison.table().terminal(console.width))
    _print_lines(console, comparison.warnings)


def _print_lines(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(Text(escape.printable(line)))
