"""Runs that go on, grow and run out of time, with declared times; and one that is really killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow.parquet
import pytest

from megadoku.pipeline import machine
from megadoku.pipeline.bench import bench
from megadoku.pipeline.bench.into import add_solvers
from megadoku.pipeline.bench.options import counts_of, within_cores
from megadoku.pipeline.bench.scaling import scaling_lines, size_lines
from megadoku.pipeline.crew import Crew
from megadoku.pipeline.errors import BusyError, DriftError, UsageError
from tests.pipeline.fake_pool import FakePool
from tests.pipeline.test_bench import options_for, puzzles
from tests.pipeline.test_solve import megadoku
from tests.solvers.test_contract import GOLDEN

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["puzzles"]  # the fixture


def rows_of(run: Path) -> dict[str, dict[str, list[object]]]:
    return {path.name: pyarrow.parquet.read_table(path).to_pydict() for path in (run / "shards").iterdir()}


def test_what_is_there_is_not_run_again(puzzles: Path) -> None:
    options = options_for(puzzles, repeats=3)
    broken = FakePool(bitmask=1, marks=2)
    broken.lasts = 5
    with pytest.raises(KeyboardInterrupt):
        bench(options, broken.open)
    before = rows_of(options.folder)
    assert 0 < len(before) < 6
    second = FakePool(bitmask=7, marks=7)
    bench(replace(options, resume=True), second.open)
    after = rows_of(options.folder)
    assert len(after) == 6
    assert {name: after[name] for name in before} == before
    assert len(second.asked) == 2 * (6 - len(before)), "28 puzzles are two jobs"
    third = FakePool()
    bench(replace(options, resume=True), third.open)
    assert third.asked == []


def test_solutions_outlive_an_interruption(puzzles: Path) -> None:
    options = options_for(puzzles, repeats=1)
    pool = FakePool(bitmask=1, marks=1)
    pool.lasts = 2
    with pytest.raises(KeyboardInterrupt):
        bench(options, pool.open)
    pool.lasts = 100
    bench(replace(options, resume=True), pool.open)
    kept = pyarrow.parquet.read_table(options.folder / "puzzles" / "golden.parquet")["solution"].to_pylist()
    assert [solution is None for solution in kept] == [line[1] == "0" for line in GOLDEN]


def test_a_torn_shard_is_measured_again(puzzles: Path) -> None:
    options = options_for(puzzles, repeats=1)
    bench(options, FakePool(bitmask=1, marks=1).open)
    torn = next((options.folder / "shards").glob("marks*"))
    torn.write_bytes(torn.read_bytes()[:-20])
    pool = FakePool(marks=3)
    bench(replace(options, resume=True), pool.open)
    assert set(pool.asked) == {"marks"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"repeats": 5}, "repeats was 2, now 5"),
        ({"solvers": ["bitmask"]}, "solver marks was in it, now not there"),
        ({"unique": True}, "limit was 1, now 2"),
        ({"sample": 3}, "data set golden was 28 puzzles"),
        ({"solver_seconds": 5.0}, "solver seconds was not there, now 5.0"),
    ],
)
def test_a_run_goes_on_only_as_it_began(puzzles: Path, change: dict[str, object], says: str) -> None:
    options = options_for(puzzles)
    bench(options, FakePool(bitmask=1, marks=1).open)
    with pytest.raises(UsageError, match=says):
        bench(replace(options, resume=True, **change), FakePool().open)  # type: ignore[arg-type]


def test_another_machine_is_refused(puzzles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = options_for(puzzles)
    bench(options, FakePool(bitmask=1, marks=1).open)
    facts = machine.machine_facts() | {"cpu": "another processor"}
    monkeypatch.setattr(machine, "machine_facts", lambda: facts)
    with pytest.raises(UsageError, match=r"the machine's cpu was .*, now another processor"):
        bench(replace(options, resume=True), FakePool().open)
    with pytest.raises(UsageError, match="nothing can be added from here"):
        add_solvers(options.folder, ["mrv"], None, options, FakePool().open)


def test_a_solver_joins_a_run_beside_a_reference(puzzles: Path) -> None:
    options = options_for(puzzles)
    bench(options, FakePool(bitmask=1, marks=1).open)
    before = rows_of(options.folder)
    pool = FakePool(bitmask=1.05, mrv=3)
    assert add_solvers(options.folder, ["mrv"], None, options, pool.open) == pytest.approx(1.05)
    assert set(pool.asked) == {"bitmask", "mrv"}
    after = rows_of(options.folder)
    assert {name: after[name] for name in before} == before
    assert len(after) == len(before) + 2
    info = json.loads((options.folder / "run.json").read_text())
    assert [solver["name"] for solver in info["solvers"]] == ["bitmask", "marks", "mrv"]
    assert info["additions"][0]["reference"] == "bitmask"
    assert not (options.folder / "adding").exists()
    with pytest.raises(UsageError, match="has mrv already"):
        add_solvers(options.folder, ["mrv"], None, options, pool.open)


def test_a_machine_that_drifted_adds_nothing(puzzles: Path) -> None:
    options = options_for(puzzles)
    bench(options, FakePool(bitmask=1, marks=1).open)
    before = {path: path.read_bytes() for path in options.folder.rglob("*") if path.is_file()}
    with pytest.raises(DriftError, match=r"bitmask now takes 1\.30 times"):
        add_solvers(options.folder, ["mrv"], None, options, FakePool(bitmask=1.3, mrv=3).open)
    assert {path: path.read_bytes() for path in options.folder.rglob("*") if path.is_file()} == before


def test_what_a_solver_had_no_time_for_is_kept_as_exhausted(puzzles: Path) -> None:
    options = options_for(puzzles, solver_seconds=0.3, repeats=3)  # a tenth of a second for each repeat
    pool = FakePool(bitmask=1, marks=10)
    run = bench(options, pool.open)
    shards = rows_of(run)
    assert sum(len(shard["row"]) for shard in shards.values()) == 2 * 3 * len(GOLDEN), "nothing is dropped"
    slow = [name for name in shards if name.startswith("marks")]
    late = [
        place for name in slow for place in zip(*shards[name].values(), strict=True) if "not reached" in str(place[9])
    ]
    assert late
    assert {place[4] for place in late} == {"exhausted"}
    assert {place[7] for place in late} == {100_000_000}, "the whole share, so that it never looks quick"
    assert {tuple(shards[name]["status"]) for name in slow} == {tuple(shards[slow[0]]["status"])}, (
        "alike in every repeat"
    )
    quick = [reason for name in shards if name.startswith("bitmask") for reason in shards[name]["reason"]]
    assert not any(quick)


def test_solvers_that_share_a_block_get_whole_blocks(puzzles: Path) -> None:
    pool = FakePool(bitmask=1, lanes=1)
    bench(options_for(puzzles, solvers=["bitmask", "lanes"], repeats=1), pool.open)
    assert sorted(zip(pool.asked, pool.blocks, strict=True)) == [("bitmask", 8), ("bitmask", 20), ("lanes", 28)]


def test_two_runs_do_not_share_a_folder(puzzles: Path) -> None:
    from megadoku.pipeline.bench.folder import RunFolder

    options = options_for(puzzles, repeats=1)
    bench(options, FakePool(bitmask=1, marks=1).open)
    with RunFolder(options.folder).held(), pytest.raises(BusyError):
        bench(replace(options, resume=True), FakePool().open)


def test_no_more_workers_than_cores(puzzles: Path, caplog: pytest.LogCaptureFixture) -> None:
    fitting = within_cores(options_for(puzzles, workers=8, scaling=(1, 2, 8)), 2)
    assert (fitting.workers, list(fitting.scaling)) == (2, [1, 2])
    assert "not with 8" in caplog.text
    assert within_cores(options_for(puzzles), 2) == options_for(puzzles)


@pytest.mark.parametrize("text", ["0", "two", "1,,2", "-1"])
def test_numbers_that_are_none(text: str) -> None:
    with pytest.raises(UsageError, match="--workers"):
        counts_of("--workers", text)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no cores to choose here")
def test_workers_stay_on_a_core_of_their_own() -> None:
    with Crew(1, pin=True) as crew:
        assert crew.submit(os.sched_getaffinity, 0).result(30) == {min(os.sched_getaffinity(0))}


def test_wall_times_become_speed_up_and_cost() -> None:
    walls = [(1, 100, 2.0), (2, 100, 1.25), (1, 100, 2.0), (2, 100, 1.25)]
    measured = [
        {"solver": "sets", "dataset": "easy", "workers": w, "repeat": 0, "puzzles": n, "wall_s": s} for w, n, s in walls
    ]
    assert list(scaling_lines(measured)) == ["sets: 2 workers are 1.60 times as fast as one (80% of the ideal)"]  # type: ignore[arg-type]
    measured = [{**measured[0], "puzzles": 1000, "wall_s": 1.0}, measured[0]]
    assert list(size_lines(measured)) == ["sets: 2e+04 µs a puzzle of 100, 1e+03 µs a puzzle of 1,000"]  # type: ignore[arg-type]


def test_scaling_and_sizes_are_kept(puzzles: Path) -> None:
    run = bench(options_for(puzzles, repeats=1, scaling=(1, 2), sizes=(10, 60)))
    info = json.loads((run / "run.json").read_text())
    assert sorted((one["solver"], one["workers"], one["puzzles"]) for one in info["scaling"]) == [
        (name, workers, 28) for name in ("bitmask", "marks") for workers in (1, 2)
    ]
    assert {one["puzzles"] for one in info["sizes"]} == {10, 60}
    assert info["machine"]["clock_overhead_ns"] > 0


# The last thing that happens to a shard is that it is given its name; the fourth one waits for that, half done.
HELD_AT_THE_FOURTH = """
import time
from pathlib import Path
replace = Path.replace
def hold(path, target):
    while target.parent.name == "shards" and len(list(target.parent.glob("[!.]*"))) == 3:
        time.sleep(0.1)
    return replace(path, target)
Path.replace = hold
from megadoku.command_line import main; main()
"""


def test_a_killed_benchmark_goes_on(puzzles: Path, tmp_path: Path) -> None:
    arguments = ["bench", str(puzzles), "--solvers", "sets,naive", "--repeats", "20", "--quiet", "-o", "run"]
    shards = tmp_path / "run" / "shards"
    running = subprocess.Popen([sys.executable, "-c", HELD_AT_THE_FOURTH, *arguments], cwd=tmp_path)
    try:
        deadline = time.monotonic() + 180
        while not (half_done := list(shards.glob(".*"))) or len(list(shards.glob("[!.]*"))) < 3:
            assert running.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        running.kill()
        running.wait()
    before = {path: path.read_bytes() for path in shards.glob("[!.]*")}
    assert (len(before), len(half_done)) == (3, 1)
    done = megadoku(*arguments, "--resume", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    after = {path: path.read_bytes() for path in shards.glob("[!.]*")}
    assert len(after) == 40
    assert {path: after[path] for path in before} == before


def test_compare_fails_above_what_was_allowed(puzzles: Path, tmp_path: Path) -> None:
    options = options_for(puzzles, folder=tmp_path / "before", repeats=5)
    bench(options, FakePool(bitmask=1, marks=1).open)
    bench(replace(options, folder=tmp_path / "after"), FakePool(bitmask=1, marks=2).open)
    assert megadoku("compare", "before", "after", cwd=tmp_path).returncode == 0
    worse = megadoku("compare", "before", "after", "--fail-above", "5", cwd=tmp_path)
    assert worse.returncode == 1
    assert "worse by more than 5%: marks on golden" in worse.stderr
    assert "bitmask" not in worse.stderr
    assert megadoku("compare", "before", "after", "--fail-above", "150", cwd=tmp_path).returncode == 0
