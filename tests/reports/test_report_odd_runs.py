"""Runs that lack something: the report is still drawn, and says what it can."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest
from making_runs import Times, lognormal, write_run

from megadoku.reports.analysis import analyse
from megadoku.reports.charts.all import draw_charts
from megadoku.reports.page import render_page
from megadoku.reports.runs import RunFolderError, read_run, read_runs
from megadoku.reports.summary import summary_table

if TYPE_CHECKING:
    from pathlib import Path

    from megadoku.reports.charts.base import Chart

ALL = dict.fromkeys(range(40), "exhausted")
MEASURED = np.full((40, 2), 1e-3)

ODD = {
    "one solver": [Times("a", "set", MEASURED)],
    "one puzzle, one repeat": [Times("a", "set", MEASURED[:1, :1]), Times("b", "set", MEASURED[:1, :1] * 2)],
    "all ran out": [Times("a", "set", MEASURED, status=ALL), Times("b", "set", MEASURED)],
    "nobody answered": [Times("a", "set", MEASURED, status=ALL), Times("b", "set", MEASURED, wrong=tuple(range(40)))],
    "no time passed": [Times("a", "set", MEASURED * 0), Times("b", "set", MEASURED)],
    "no search": [Times("a", "set", MEASURED, nodes=0), Times("b", "set", MEASURED * 2, nodes=0)],
    "sets that only some solved": [
        Times("a", "set", lognormal(1, 1e-3)),
        Times("b", "set", lognormal(2, 2e-3)),
        Times("a", "other", lognormal(3, 1e-3)),
    ],
}


def drawn(runs: list[Path]) -> tuple[list[Chart], str]:
    analysis = analyse(read_runs(runs))
    charts = draw_charts(analysis)
    summary_table(analysis).json()
    return charts, render_page(analysis, charts)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ODD)
def test_is_drawn(name: str, tmp_path: Path) -> None:
    charts, page = drawn([write_run(tmp_path / "run", ODD[name])])
    assert charts
    assert all(chart.title and chart.caption and chart.values for chart in charts)
    assert not re.search(
        r"\b(nan|inf|None)\b", re.sub(r"(?s)<script>.*?</script>|data:image[^\"]*|<svg.*?</svg>", "", page)
    )
    assert not re.search(r'[ "](nan|inf)[ "]', page)


def test_a_run_that_was_interrupted(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [Times("a", "set", lognormal(1, 1e-3)), Times("b", "set", lognormal(2, 1e-3))])
    (run / "shards" / "b--set--2.parquet").unlink()
    shutil.rmtree(run / "puzzles")
    assert read_run(run).samples["set", "b"].repeats == 2
    _, page = drawn([run])
    assert "Puzzles that stand out" not in page


def test_answers_of_every_status_count(tmp_path: Path) -> None:
    """What is rightly called unsolvable was answered; the helper's checker refuses what is listed."""
    run = write_run(tmp_path / "run", [Times("a", "set", MEASURED, wrong=(3,), status={5: "exhausted", 6: "failed"})])
    sample = read_run(run).samples["set", "a"]
    assert np.flatnonzero(sample.failed).tolist() == [3, 6]
    assert np.flatnonzero(sample.exhausted).tolist() == [5]
    assert sample.answered.sum() == 37


def test_several_runs_with_scaling_and_memory(tmp_path: Path) -> None:
    def run(name: str, median: float, day: int) -> Path:
        solvers = [{"name": "a", "summary": "x", "block": False, "peak_bytes": day * 2**26}]
        scaling = [
            {"solver": "a", "dataset": "set", "workers": count, "repeat": 0, "puzzles": 10, "wall_s": 1 / count}
            for count in (1, 2, 4)
        ]
        times = [Times("a", "set", lognormal(day, median))]
        created = f"2026-01-0{day}T00:00:00Z"
        return write_run(tmp_path / name, times, created=created, solvers=solvers, scaling=scaling)

    charts, page = drawn([run("second", 1e-3, 2), run("first", 4e-3, 1)])
    titles = {chart.name: chart.title for chart in charts}
    assert titles["history"].startswith("Since the first run a became 4")
    assert titles["scaling-set"] == "With 4 workers a goes through set 4 times as fast as with one"
    assert titles["memory"] == "All solvers need about the same memory"
    assert page.index("Run <b>first</b>") < page.index("Run <b>second</b>")


def test_files_of_another_version_are_refused(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", ODD["one solver"], schema_version=99)
    with pytest.raises(RunFolderError, match="version 99"):
        read_run(run)


def test_a_run_without_results_is_refused(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", ODD["one solver"])
    shutil.rmtree(run / "shards")
    with pytest.raises(RunFolderError, match="no results"):
        read_run(run)
