"""Tables: golden, in every format, from one field list."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from making_runs import Times, write_run
from rich.console import Console

from megadoku.reports import numbers
from megadoku.reports.analysis import analyse
from megadoku.reports.duels import all_duels
from megadoku.reports.runs import read_runs
from megadoku.reports.standing import standing_table
from megadoku.reports.statistics import Estimate, geometric_mean
from megadoku.reports.summary import summary_table

if TYPE_CHECKING:
    from megadoku.reports.analysis import Analysis


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> Analysis:
    """Times without any spread, so that every figure is known: 1, 2 and 4 ms, and one that failed."""
    ones = np.ones((30, 3))
    times = [
        Times("fast", "a set", ones * 1e-3, nodes=20, block=True),
        Times("twin", "a set", ones * 1e-3, nodes=10),
        Times("slow", "a set", ones * 2e-3, nodes=40, status={0: "exhausted", 1: "exhausted"}),
        Times("wrong", "a set", ones * 1e-6, wrong=(4,)),
        Times("fast", "b", ones * 4e-3, nodes=0, block=True),
        Times("slow", "b", ones * 8e-3, nodes=0),
    ]
    return analyse(read_runs([write_run(tmp_path_factory.mktemp("exact") / "run", times)]))


GOLDEN = Path(__file__).parent / "golden" / "summary.md"


def test_the_summary_as_markdown(exact: Analysis) -> None:
    assert summary_table(exact).markdown() == GOLDEN.read_text(encoding="utf-8")


def test_the_summary_as_latex(exact: Analysis) -> None:
    lines = summary_table(exact).latex().splitlines()
    assert lines[0] == r"\begin{tabular}{llrrrrrrrrrr}"
    assert lines[6].startswith(r"a set & slow & 3 & 30 & 28 & 2 & 0 & 470 (430--500) & 2.000 ms & $\geq$ 2.000 ms & 40")
    assert r"\textbf{250.0 (250.0--250.0)}" in lines[8]
    assert lines[-1] == r"\end{tabular}"


def test_the_summary_as_csv_and_json_are_numbers(exact: Analysis) -> None:
    rows = list(csv.DictReader(io.StringIO(summary_table(exact).csv())))
    slow = rows[2]
    assert float(slow["puzzles_per_s"]) == pytest.approx(468.75)
    assert float(slow["puzzles_per_s_low"]) < 468.75 < float(slow["puzzles_per_s_high"])
    assert slow["p95_s_is_lower_bound"] == "true"
    assert slow["median_s_is_lower_bound"] == "false"
    assert rows[3]["puzzles_per_s"] == ""
    data = json.loads(summary_table(exact).json())
    assert data["rows"][2]["p95_s"]["lower_bound"] is True
    values = [key for key in rows[0] if not key.endswith(("_low", "_high", "_bound"))]
    assert list(data["rows"][0]) == values


def test_a_terminal_gets_what_fits(exact: Analysis) -> None:
    def printed(width: int) -> str:
        console = Console(file=io.StringIO(), width=width)
        console.print(summary_table(exact).terminal(width))
        return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]

    assert max(len(line.rstrip()) for line in printed(80).splitlines()) <= 80
    assert "nodes/s" in printed(160)
    assert "nodes/s" not in printed(80)
    assert printed(160).count(" a set ") == 1


def test_ties_are_shown_as_ties(exact: Analysis) -> None:
    first, *_ = all_duels(exact.current).rows
    assert {first.first, first.second} == {"fast", "twin"}
    assert first.verdict == "tie"
    assert "level (no difference can be shown)" in all_duels(exact.current).markdown().replace("\\", "")
    assert "wrong" not in all_duels(exact.current).csv()


def test_standing_over_all_sets(exact: Analysis) -> None:
    rows = {row.solver: row for row in standing_table(exact.current).rows}
    assert rows["fast"].throughput.value == pytest.approx(np.sqrt(1000 * 250))  # type: ignore[union-attr]
    assert (rows["fast"].wins, rows["fast"].level) == (1, 1)
    assert rows["wrong"].datasets == 0
    assert rows["slow"].behind.value == pytest.approx(np.sqrt(2 * 64 / 60 * 2))  # type: ignore[union-attr]


def test_geometric_means_add_widths_as_squares() -> None:
    mean = geometric_mean([Estimate(10, 5, 20), Estimate(1000, 500, 2000)])
    assert mean is not None
    assert mean.value == pytest.approx(100)
    assert mean.high == pytest.approx(100 * 2 ** (np.sqrt(2) / 2))
    assert geometric_mean([]) is None


@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        (Estimate(643.2, 611, 668), "640 (610–670)"),
        (Estimate(1.2345, 1.21, 1.26), "1.23 (1.21–1.26)"),
        (Estimate(1.2345, 1.11, 1.33), "1.23 (1.11–1.33)"),
        (Estimate(12345.6, 9000, 16000), "12,000 (9,000–16,000)"),
        (Estimate(0.05), "0.0500"),
        (Estimate(7, 7, 7), "7.000 (7.000–7.000)"),
        (Estimate(4, 1, 9000), "4 (1–9,000)"),
        (Estimate(99.6, 90, 110, bound=True), "≥ 100 (90–110)"),
    ],
)
def test_digits_follow_the_uncertainty(estimate: Estimate, said: str) -> None:
    assert numbers.with_interval(estimate) == said


def test_small_words_for_figures() -> None:
    assert numbers.plain_seconds(1.5e-6) == "1.50 µs"
    assert numbers.plain_seconds(0.9999999) == "1 s"
    assert numbers.tick(1e-5) == "10 µs"
    assert numbers.number(0.99996) == "1"
    assert numbers.compact(1_234_567) == "1.23M"
    assert numbers.percent(0.99999) == ">99.9%"
    assert numbers.percent(1) == "100%"
    assert numbers.percent(0.0001) == "<0.1%"
    assert numbers.change(Estimate(1.04, 1.01, 1.07)) == "+4% (+1% to +7%)"
    assert numbers.change(Estimate(0.999, 0.9, 1.1)) == "0% (-10% to +10%)"
    assert numbers.change(Estimate(0.5, 0.45, 0.55)) == "-50% (-55% to -45%)"
