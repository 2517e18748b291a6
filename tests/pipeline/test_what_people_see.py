"""What `solve` says while it runs and when it is done; and that standard output has nothing but data."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from megadoku.pipeline.solve import SolveOptions, solve_files
from megadoku.pipeline.summary import Slow, Summary
from tests.pipeline.test_solve import SOLUTION, megadoku, rows_of
from tests.solvers.test_contract import GOLDEN, LEETCODE

if TYPE_CHECKING:
    from pathlib import Path

SEARCHED = next(line[0] for line in GOLDEN if int(line[1]) > 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in.csv").write_text(f"puzzle\n{LEETCODE}\n{SEARCHED}\n{LEETCODE[:80]}\n{SOLUTION}\n")
    return tmp_path


def solved(folder: Path, solver: str, **options: object) -> Summary:
    return solve_files(SolveOptions([str(folder / "in.csv")], str(folder / f"{solver}.csv"), solver, **options))  # type: ignore[arg-type]


def test_the_slowest_are_told_by_time_where_each_has_its_own(folder: Path) -> None:
    summary = solved(folder, "bitmask", workers=1, block_rows=1)
    costs = [slow.elapsed_ns for slow in summary.slowest]
    assert None not in costs
    assert costs == sorted(costs, reverse=True)  # type: ignore[type-var]
    assert len(costs) == 3  # the refused row took none
    nodes = {slow.place.rpartition(" ")[2]: slow.nodes for slow in summary.slowest}
    assert nodes["2"] == 51
    assert nodes["5"] == 0
    [line] = [line for line in summary.lines("-") if line.startswith("slowest: ")]
    assert re.search(r"[\d.]+ [µm]?s, 51 nodes at \S+in.csv, line 2", line)


def test_the_slowest_are_told_by_nodes_where_blocks_are_timed(folder: Path) -> None:
    summary = solved(folder, "lanes", workers=1)
    assert [slow.elapsed_ns for slow in summary.slowest] == [None] * len(summary.slowest)
    assert summary.slowest[0].place.endswith("line 3")
    assert any(line.startswith("slowest, by nodes: ") for line in summary.lines("-"))


def test_a_summary_survives_the_journal(folder: Path) -> None:
    summary = solved(folder, "bitmask", workers=1)
    summary.seconds = 0.5
    assert Summary.from_json(json.loads(json.dumps(summary.as_json()))) == summary


@pytest.mark.parametrize(
    ("elapsed_ns", "says"),
    [(12, "12 ns"), (1_234, "1.23 µs"), (999_999, "1,000 µs"), (17_600_000, "17.6 ms"), (75_200_000_000, "75.2 s")],
)
def test_times_are_told_in_units_that_suit_them(elapsed_ns: int, says: str) -> None:
    assert str(Slow("x", 1, elapsed_ns)) == f"{says}, 1 node at x"


def test_quiet_is_quiet_and_no_progress_is_shown_to_a_pipe(folder: Path) -> None:
    done = megadoku("solve", folder / "in.csv", "--quiet")
    assert done.stderr == ""
    assert len(rows_of(done.stdout)) == 5


def test_the_summary_as_json_is_all_there_is_on_standard_error(folder: Path) -> None:
    done = megadoku("solve", folder / "in.csv", "--json", "--no-progress", "--solver", "bitmask")
    summary = json.loads(done.stderr)
    assert summary["rows"] == 4
    assert summary["statuses"] == {"unique": 2, "multiple": 1, "invalid": 1}
    assert {"place", "nodes", "elapsed_ns"} == set(summary["slowest"][0])
    assert len(rows_of(done.stdout)) == 5


def test_progress_tells_rows_rate_time_left_and_refusals(tmp_path: Path) -> None:
    """To standard error; of a compressed file that comes by standard input too."""
    with gzip.open(tmp_path / "in.csv.gz", "wb") as packed:
        packed.write(f"puzzle\n{LEETCODE[:80]}\n{'x'}\n".encode() + f"{LEETCODE}\n".encode() * 120_000)
    command = [sys.executable, "-m", "megadoku", "solve", "-", "--progress", "--quiet"]
    with (tmp_path / "in.csv.gz").open("rb") as stream, (tmp_path / "out.csv").open("wb") as out:
        done = subprocess.run(command, stdin=stream, stdout=out, stderr=subprocess.PIPE, text=True, check=True)
    last = done.stderr.strip().splitlines()[-1].split("\r")[-1]
    assert re.search(r"100%.*120k/120k \[\d\d:\d\d<.*rows/s, failed=0, refused=2\]", last), done.stderr
    content = (tmp_path / "out.csv").read_text()
    assert content.startswith("puzzle,solution,status,nodes,reason\n")
    assert content.count("\n") == 120_003
