"""One small run and its report, written once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from making_runs import Times, lognormal, write_run
from stress import crowded_times

from megadoku.reports import write_report
from megadoku.reports.analysis import analyse
from megadoku.reports.charts.all import draw_charts
from megadoku.reports.page import render_page
from megadoku.reports.runs import read_runs

if TYPE_CHECKING:
    from pathlib import Path

    from megadoku.reports.report import ReportPaths

SOLVERS = {"naive": (3e-3, 4000), "sets": (1e-3, 4000), "bitmask": (1e-4, 60), "lanes": (2e-6, 30)}


def small_times(scale: float = 1.0) -> list[Times]:
    """Four solvers on two sets, twenty times as hard the second; on that, the slowest runs out at 0.1 s."""
    times = []
    for hardness, dataset in ((1, "easy"), (20, "hard")):
        for seed, (solver, (median, nodes)) in enumerate(SOLVERS.items()):
            wanted = lognormal(seed + hardness, median * hardness * scale, puzzles=120)
            out_of_time = dict.fromkeys(np.flatnonzero(wanted[:, 0] > 0.1).tolist(), "exhausted")
            work = np.rint(nodes * wanted[:, 0] / median).astype(int)
            seconds = np.minimum(wanted, 0.1)
            times.append(Times(solver, dataset, seconds, work, out_of_time, block=solver == "lanes"))
    return times


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("runs") / "small", small_times())


@pytest.fixture(scope="session")
def report(small_run: Path, tmp_path_factory: pytest.TempPathFactory) -> ReportPaths:
    return write_report([small_run], tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="session")
def crowded_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Only the page of fourteen solvers on ten sets: its files would take half a minute."""
    folder = tmp_path_factory.mktemp("crowded")
    analysis = analyse(read_runs([write_run(folder / "run", crowded_times(puzzles=120))]))
    page = folder / "index.html"
    page.write_text(render_page(analysis, draw_charts(analysis)), encoding="utf-8")
    return page
