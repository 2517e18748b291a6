from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow.parquet
import pytest

from megadoku import run_schema
from megadoku.pipeline.bench import BenchOptions, bench
from megadoku.pipeline.bench.plan import interleaved
from megadoku.pipeline.bench.samples import take_sample
from megadoku.pipeline.errors import UsageError
from tests.pipeline import odd_solvers
from tests.pipeline.test_solve import megadoku
from tests.solvers.test_contract import GOLDEN

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    path = tmp_path / "golden.txt"
    path.write_text("".join(f"{line[0]}\n" for line in GOLDEN))
    return path


def options_for(puzzles: Path, **changes: object) -> BenchOptions:
    usual = BenchOptions([str(puzzles)], ["bitmask", "marks"], puzzles.parent / "run", repeats=2, workers=2)
    return replace(usual, **changes)  # type: ignore[arg-type]


def test_a_run_has_one_row_for_each_solver_puzzle_and_repeat(puzzles: Path) -> None:
    run = bench(options_for(puzzles, unique=True))
    info: run_schema.RunInfo = json.loads((run / "run.json").read_text())
    assert info["schema_version"] == run_schema.SCHEMA_VERSION
    assert [solver["name"] for solver in info["solvers"]] == ["bitmask", "marks"]
    assert info["datasets"][0]["rows"] == len(GOLDEN)
    shards = sorted((run / "shards").iterdir())
    assert [shard.name for shard in shards] == [
        run_schema.shard_name(solver, "golden", repeat) for solver in ("bitmask", "marks") for repeat in (0, 1)
    ]
    table = pyarrow.parquet.read_table(shards[0])
    assert table.schema.equals(run_schema.SHARD_SCHEMA.append(run_schema.REASON))
    statuses = {"0": "unsolvable", "1": "unique"}
    assert table["status"].to_pylist() == [statuses.get(line[1], "multiple") for line in GOLDEN]
    assert all(table["correct"].to_pylist())
    assert min(table["elapsed_ns"].to_pylist()) > 0
    kept = pyarrow.parquet.read_table(run / "puzzles" / "golden.parquet")
    assert kept["puzzle"].to_pylist() == [line[0] for line in GOLDEN]
    assert [solution is None for solution in kept["solution"].to_pylist()] == [line[1] == "0" for line in GOLDEN]


def test_node_counts_do_not_depend_on_repeat_or_workers(puzzles: Path, tmp_path: Path) -> None:
    nodes = set()
    for workers in (1, 2):
        run = bench(options_for(puzzles, workers=workers, folder=tmp_path / f"run-{workers}", solvers=["mrv"]))
        for shard in (run / "shards").iterdir():
            nodes.add(tuple(pyarrow.parquet.read_table(shard)["nodes"].to_pylist()))
    assert len(nodes) == 1


def test_a_wrong_solver_is_kept_and_marked(puzzles: Path) -> None:
    with odd_solvers.registered():
        run = bench(options_for(puzzles, solvers=["wrong-grid"], repeats=1, start_method="fork"))
    [shard] = (run / "shards").iterdir()
    table = pyarrow.parquet.read_table(shard)
    assert table.num_rows == len(GOLDEN)
    wrong = [not right for right in table["correct"].to_pylist()]
    assert 1 <= sum(wrong) < len(GOLDEN)
    assert [status == "failed" for status in table["status"].to_pylist()] == wrong


def test_what_ran_out_is_kept(puzzles: Path) -> None:
    run = bench(options_for(puzzles, solvers=["naive"], repeats=1, max_nodes=100))
    [shard] = (run / "shards").iterdir()
    table = pyarrow.parquet.read_table(shard)
    assert "exhausted" in table["status"].to_pylist()
    assert max(table["nodes"].to_pylist()) == 100


def test_the_sample_and_the_order_follow_the_seed(puzzles: Path) -> None:
    samples = [take_sample(str(puzzles), options_for(puzzles, sample=5, seed=seed)) for seed in (1, 1, 2)]
    assert samples[0].rows.tolist() == samples[1].rows.tolist() != samples[2].rows.tolist()
    plans = [interleaved(options_for(puzzles, seed=seed, repeats=9), samples[:1]) for seed in (1, 1, 2)]
    orders = [[(step.solver, step.repeat) for step in plan] for plan in plans]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])


def test_a_run_is_never_changed(puzzles: Path) -> None:
    bench(options_for(puzzles, repeats=1))
    with pytest.raises(UsageError, match="never changes"):
        bench(options_for(puzzles, repeats=1))


def test_two_sets_of_one_name_are_refused(puzzles: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    twin = tmp_path / "other" / "golden.csv"
    twin.write_text(f"puzzle\n{GOLDEN[0][0]}\n")
    options = BenchOptions(inputs=[str(puzzles), str(twin)], solvers=["bitmask"], folder=tmp_path / "run")
    with pytest.raises(UsageError, match="rename one"):
        bench(options)


def test_bench_then_report_from_the_command_line(puzzles: Path, tmp_path: Path) -> None:
    done = megadoku("bench", puzzles, "--solvers", "bitmask,sets", "--repeats", "2", "-o", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "bitmask" in done.stdout
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    done = megadoku("report", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()} == before
    names = {path.suffix for path in (tmp_path / "run-report").rglob("*")}
    assert {".html", ".svg", ".png", ".md", ".csv"} <= names


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["bench", "--solvers", "mrw"], "did you mean mrv?"),
        (["bench", "no-such-set"], "no-such-set"),
        (["report", "no-such-run"], "no-such-run"),
    ],
)
def test_slips_are_one_line_and_exit_2(arguments: list[str], says: str, tmp_path: Path) -> None:
    done = megadoku(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
