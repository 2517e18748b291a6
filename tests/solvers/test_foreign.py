"""Solvers from a file, a module or an entry point, and what check-solver tells their authors."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest

from megadoku import solvers
from megadoku.pipeline import check_solver as checking
from megadoku.pipeline.bench import BenchOptions, bench
from megadoku.pipeline.promises import PROMISES, Broken
from megadoku.solvers import Answers, Solver, registry
from tests.pipeline.test_bench_runs import rows_of
from tests.pipeline.test_solve import megadoku
from tests.solvers.test_contract import LEETCODE, grids_of

FAULTY = """
import os, time
from megadoku.solvers import Status, get
from megadoku.solvers.contract import Solver

class Faulty(Solver):
    \"\"\"Bitmask with one fault.\"\"\"
    def solve_block(self, grids, limit=1, budget=None):
        answers = get("bitmask").solve_block(grids, limit, budget)
        {fault}
        return answers
"""
FAULTS = {
    "answers_have_the_right_shapes": "answers.nodes = answers.nodes.astype(float)",
    "finds_a_solution": "answers.solutions[:] = 1",
    "proves_uniqueness": "answers.status[answers.status == Status.MULTIPLE] = Status.UNIQUE",
    "counts_no_further_than_asked": "answers.counts[answers.counts > 3] += 1",
    "refuses_givens_that_clash": "answers.reasons.clear()",
    "leaves_full_grids_alone": "answers.nodes += 1",
    "keeps_a_node_budget": "answers = get('bitmask').solve_block(grids, limit)",
    "keeps_a_time_budget": "time.sleep(1.5 if budget and budget.seconds else 0)",
    "puzzles_do_not_disturb_each_other": "answers.nodes += len(grids)",
    "leaves_its_input_alone": "grids[:] = 0",
    "refuses_what_is_no_block": "pass",
    "times_add_up": "answers.elapsed_ns[:] = 10**12",
}


@pytest.fixture
def template(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(checking.TEMPLATE.read_text())
    return f"{tmp_path / 'mine.py'}:Mine"


def broken_by(solver: Solver) -> set[str]:
    broken = set()
    for promise in PROMISES:
        try:
            promise(solver)
        except Broken:
            broken.add(promise.__name__)
    return broken


@pytest.mark.parametrize("name", [*solvers.NAMES, "megadoku.solvers.template:Mine"])
def test_every_solver_keeps_every_promise(name: str) -> None:
    assert broken_by(solvers.get(name)) == set()


@pytest.mark.parametrize("promise", [promise.__name__ for promise in PROMISES if promise.__name__ in FAULTS])
def test_every_promise_can_be_broken(promise: str, tmp_path: Path) -> None:
    fault = FAULTS[promise]
    if promise == "refuses_what_is_no_block":
        fault = "answers = answers"
    path = tmp_path / f"{promise}.py"
    path.write_text(FAULTY.format(fault=fault))
    solver = solvers.get(f"{path}:Faulty")
    if promise == "refuses_what_is_no_block":
        tolerant = type("Tolerant", (Solver,), {"solve_block": lambda *_: Answers.blank(0)})()
        assert promise in broken_by_one(tolerant, promise)
    else:
        assert promise in broken_by_one(solver, promise)


def broken_by_one(solver: Solver, name: str) -> set[str]:
    [promise] = [promise for promise in PROMISES if promise.__name__ == name]
    try:
        promise(solver)
    except Broken:
        return {name}
    return set()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_file_joins_the_benchmark(template: str, tmp_path: Path, method: str) -> None:
    puzzles = tmp_path / "few.txt"
    puzzles.write_text(f"{LEETCODE}\n")
    options = BenchOptions(
        [str(puzzles)], [template, "naive"], tmp_path / "run", repeats=1, workers=1, start_method=method
    )
    shards = list(rows_of(bench(options)).values())
    assert [shard["status"] for shard in shards] == [["solved"], ["solved"]]
    assert [shard["nodes"] for shard in shards] == [[4208], [4208]]


def test_the_version_of_a_file_is_its_checksum(template: str) -> None:
    first = solvers.entry_of(template)
    assert first.summary.startswith("The first empty cell")
    path = Path(template.rpartition(":")[0])
    path.write_text(path.read_text() + "\n")
    assert solvers.entry_of(template).version != first.version


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("missing.py:Mine", "there is no file missing.py"),
        ("no_such_package.x:Mine", "cannot be imported: ModuleNotFoundError"),
        ("megadoku.solvers.template:Yours", "there is no 'Yours' in it. Solvers there: Mine"),
        ("megadoku.solvers.template:PEERS", "PEERS is no subclass of Solver"),
    ],
)
def test_a_target_that_leads_nowhere(target: str, says: str) -> None:
    with pytest.raises(solvers.UnknownSolverError) as caught:
        solvers.chosen(target)
    assert says in str(caught.value)


def test_an_entry_point_joins_the_table(tmp_path: Path) -> None:
    info = tmp_path / "theirs-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.2\n")
    points = "[megadoku.solvers]\ntheirs = megadoku.solvers.template:Mine\n"
    (info / "entry_points.txt").write_text(points)
    script = "from megadoku import solvers as s; e = s.entry_of('theirs'); print(e.version, e.summary, s.get('theirs'))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("1.2 from theirs <megadoku.solvers.template.Mine")


def test_peers_are_in_the_table_where_they_are_installed() -> None:
    for peer in registry.PEERS:
        try:
            version = importlib.metadata.version(peer.needs)
        except importlib.metadata.PackageNotFoundError:
            assert peer.name not in solvers.NAMES
        else:
            assert solvers.entry_of(peer.name).version == version


def test_check_solver_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(FAULTY.format(fault="os.kill(os.getpid(), 9) if len(grids) == 1 else 0"))
    done = megadoku("check-solver", "bad.py:Faulty", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "ok      It does not write into the block that it is given." in done.stdout
    assert "BROKEN  A full grid is its own solution" in done.stdout
    assert "died of SIGKILL" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_template_is_printed() -> None:
    done = megadoku("check-solver", "--template", cwd=Path.cwd())
    assert done.stdout == checking.TEMPLATE.read_text()
    assert megadoku("check-solver", cwd=Path.cwd()).returncode == 2


def test_a_meddled_clock_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setattr(time, "perf_counter_ns", lambda: 0)
    assert solvers.get("bitmask").solve_block(grids_of(LEETCODE)).elapsed_ns[0] > 0
