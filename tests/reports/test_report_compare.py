"""Two runs compared: what is called, what is not, and what fails a build."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import pytest
from making_runs import Times, lognormal, write_run
from rich.console import Console

from megadoku.reports import compare, print_comparison

if TYPE_CHECKING:
    from pathlib import Path

    from megadoku.reports.comparison import Change, Comparison


def two_runs(folder: Path, *, noise: float = 0.02, ratio: float = 1.0, nodes: int = 10, **info: object) -> Comparison:
    """The same solver before and after, its times multiplied."""
    before = [Times("solver", "set", lognormal(1, 1e-3, noise=noise)), Times("other", "set", lognormal(2, 1e-3))]
    after = [
        Times("solver", "set", lognormal(3, 1e-3 * ratio, noise=noise), nodes),
        Times("other", "set", lognormal(4, 1e-3)),
    ]
    return compare(write_run(folder / "before", before), write_run(folder / "after", after, **info))


def change(comparison: Comparison, solver: str = "solver") -> Change:
    return next(one for one in comparison.changes if one.solver == solver)


def test_twice_as_slow_is_called_and_fails(tmp_path: Path) -> None:
    found = two_runs(tmp_path, ratio=2)
    assert change(found).verdict == "slower"
    assert change(found).percent == pytest.approx(100, abs=8)
    assert change(found).time_ratio.low < 2 < change(found).time_ratio.high  # type: ignore[union-attr,operator]
    assert [one.solver for one in found.worse_than(5)] == ["solver"]
    assert found.worse_than(150) == []


def test_half_the_time_is_faster(tmp_path: Path) -> None:
    found = two_runs(tmp_path, ratio=0.5)
    assert change(found).verdict == "faster"
    assert found.worse_than(5) == []


def test_three_percent_in_twenty_percent_noise_is_no_difference(tmp_path: Path) -> None:
    found = two_runs(tmp_path, noise=0.2, ratio=1.03)
    assert change(found).verdict == "no difference that can be shown"
    assert found.worse_than(0) == []


def test_node_counts_are_compared_exactly(tmp_path: Path) -> None:
    found = two_runs(tmp_path, nodes=11)
    assert change(found).other_nodes == 200
    assert (change(found).nodes_before, change(found).nodes_after) == (2000, 2200)
    assert change(found, "other").other_nodes == 0
    assert [one.solver for one in found.worse_than(5)] == ["solver"]
    assert found.worse_than(15) == []


def test_other_machines_times_are_not_compared(tmp_path: Path) -> None:
    found = two_runs(tmp_path, ratio=9, nodes=11, machine={"cpu": "another", "cores": 2})
    assert change(found).verdict == "times not compared"
    assert change(found).time_ratio is None
    assert change(found).other_nodes == 200
    assert "different machines" in found.warnings[0]


def test_other_options_are_warned_of(tmp_path: Path) -> None:
    found = two_runs(tmp_path, max_nodes=5)
    assert found.warnings == ["The runs differ in the nodes that a puzzle may cost (None, then 5): so may the figures."]


def test_other_puzzles_are_not_compared(tmp_path: Path) -> None:
    before = write_run(tmp_path / "a", [Times("solver", "set", lognormal(1, 1e-3))])
    after = write_run(tmp_path / "b", [Times("solver", "set", lognormal(1, 1e-3, puzzles=50))])
    found = compare(before, after)
    assert found.changes == []
    assert "other puzzles" in found.warnings[0]


def test_puzzles_no_longer_solved_fail(tmp_path: Path) -> None:
    times = np.full((20, 3), 1e-3)
    before = write_run(tmp_path / "a", [Times("solver", "set", times)])
    after = write_run(tmp_path / "b", [Times("solver", "set", times, status={3: "exhausted"})])
    assert compare(before, after).worse_than(50)[0].newly_unsolved == 1


def test_the_comparison_is_printed(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=200)
    two = two_runs(tmp_path, ratio=2)
    print_comparison(two, console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "slower" in printed
    assert "none shown" in printed
    assert "no difference that can be shown" in two.table().markdown()
