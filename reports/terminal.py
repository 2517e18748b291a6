"""The summary on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from megadoku.reports import escape, verdicts
from megadoku.reports.analysis import analyse
from megadoku.reports.runs import read_runs
from megadoku.reports.summary import summary_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console


def print_summary(runs: Sequence[Path], console: Console) -> None:
    analysis = analyse(read_runs(runs))
    table = summary_table(analysis)
    console.print(table.terminal())
    warnings = {verdicts.noise_warning(contest.noise) for contest in analysis.current} - {None}
    findings = [verdicts.contest_verdict(contest) for contest in analysis.current]
    for line in (*table.notes, *findings, *sorted(filter(None, warnings))):
        console.print(Text(escape.printable(line)))
