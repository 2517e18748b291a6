"""Commands as people mistype them, and surroundings that lack what is usual."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from megadoku import leaving
from megadoku.commands.solving import _is_unfinished
from megadoku.datasets import MissingInputError
from megadoku.pipeline import locks, progress
from megadoku.pipeline.crew import Crew
from megadoku.pipeline.errors import NoWorkerError, UsageError
from megadoku.pipeline.solve import SolveOptions, solve_files
from tests.pipeline.held_runs import command, held, release, solve
from tests.solvers.test_contract import LEETCODE

if TYPE_CHECKING:
    from megadoku.pipeline.summary import Summary

ROWS = 40


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text("puzzle\n" + f"{LEETCODE}\n" * ROWS + f"{LEETCODE[:80]}\n")
    return path


def run(source: Path, **options: Any) -> Summary:
    return solve_files(SolveOptions([str(source)], **{"output": str(source.with_name("out.csv")), **options}))


def rows(path: Path) -> list[list[str]]:
    return [line.split(",") for line in path.read_text(errors="surrogateescape").splitlines()[1:]]


def one_line_and_exit_2(done: subprocess.CompletedProcess[str], says: str) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert says in done.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["-o", "out.csv", "--rejects", "./out.csv"], "is the output and --rejects at once"),
        (["-o", "in.csv", "--force"], "is an input and the output at once"),
        (["-o", "out.csv", "--rejects", "in.csv", "--force"], "is an input and --rejects at once"),
        (["-o", "out.csv", "--rejects", ""], "is no name of a file"),
        (["-o", ".", "--force"], "is no name of a file"),
        (["-o", "folder.csv", "--force"], "is a folder"),
    ],
)
def test_files_are_kept_apart(source: Path, options: list[str], says: str) -> None:
    before = source.read_bytes()
    source.with_name("folder.csv").mkdir()
    one_line_and_exit_2(solve("in.csv", *options, cwd=source.parent), says)
    assert source.read_bytes() == before
    assert sorted(path.name for path in source.parent.iterdir()) == ["folder.csv", "in.csv"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "an empty name"),
        ("dead.csv", "a link that leads nowhere"),
        ("de?d.csv", "no file matches"),
        ("in.csv/", "no such file"),
        ("x" * 300, "cannot be opened"),
    ],
)
def test_inputs_that_lead_nowhere(source: Path, name: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(source.parent)
    Path("dead.csv").symlink_to("nowhere")
    with pytest.raises(MissingInputError, match=says):
        solve_files(SolveOptions([name], "out.csv"))


@pytest.mark.parametrize("options", [{"max_nodes": 10**20}, {"timeout": float("inf")}, {"timeout": float("nan")}])
@pytest.mark.parametrize("solver", ["lanes", "bitmask"])
def test_budgets_beyond_all_bounds_are_none(source: Path, solver: str, options: dict[str, Any]) -> None:
    assert run(source, solver=solver, workers=1, **options).statuses == {"unique": ROWS, "invalid": 1}


@pytest.mark.parametrize("length", [240, 251])
def test_a_name_as_long_as_names_may_be(source: Path, length: int) -> None:
    out = source.with_name("o" * (length - 4) + ".csv")
    assert run(source, output=str(out)).rows == ROWS + 1
    assert sorted(source.parent.iterdir()) == [source, out]


def stop_after(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def tell(shown: object, just: int, statuses: Any, meter: object) -> None:
        if statuses.total() >= count:
            raise KeyboardInterrupt

    monkeypatch.setattr(progress, "tell", tell)


def test_rejects_belong_to_the_run(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        stop_after(20, patch)
        with pytest.raises(KeyboardInterrupt):
            run(source, block_rows=10)
    with pytest.raises(UsageError, match="rejects was None"):
        run(source, resume=True, rejects=str(source.with_name("late.csv")))


def test_an_output_that_came_to_be_meanwhile_is_not_overwritten(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = source.with_name("out.csv")
    monkeypatch.setattr(progress, "tell", lambda *_: out.write_text("precious"))
    with pytest.raises(UsageError, match="somebody else has put it there"):
        run(source)
    assert out.read_text() == "precious"


def test_a_start_that_failed_leaves_nothing(source: Path) -> None:
    rejects = source.with_name("rejects.csv")
    rejects.write_text("precious")
    with pytest.raises(UsageError, match="is there already"):
        run(source, rejects=str(rejects))
    assert run(source).rows == ROWS + 1, "no unfinished run may stand in the way"


def test_a_lock_is_on_the_file_that_stands_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between opening and locking, who had the lock removes the file."""
    path, lock, calls = tmp_path / "journal", fcntl.flock, []

    def late(file: Any, how: int) -> None:
        if not calls:
            path.unlink()
        calls.append(how)
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with locks.opened(path) as file:
        assert os.path.samestat(path.stat(), os.fstat(file.fileno()))
    assert len(calls) == 2


def test_no_threads_to_watch_workers_with(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {child.pid for child in psutil.Process().children()}

    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(NoWorkerError, match="can't start new thread"):
        Crew(2, "fork")
    assert {child.pid for child in psutil.Process().children()} <= before


KERNEL = """
import sys
sys.path.insert(0, {repo!r})
import numpy as np
from megadoku.compiled import kernel
@kernel
def twice(numbers):
    for at in range(len(numbers)):
        numbers[at] *= 2
numbers = np.arange(4)
twice(numbers)
print(numbers.tolist())
"""


@pytest.mark.parametrize(("kind", "keep"), [("nbi", 0), ("nbi", 20), ("nbc", 0), ("nbc", 100)])
def test_half_a_file_in_the_cache_of_kernels(tmp_path: Path, kind: str, keep: int) -> None:
    (tmp_path / "script.py").write_text(KERNEL.format(repo=str(Path(__file__).parents[2])))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def says() -> str:
        script = [sys.executable, tmp_path / "script.py"]
        return subprocess.run(script, env=environment, capture_output=True, text=True, check=True).stdout

    assert says() == "[0, 2, 4, 6]\n"
    (kept,) = (tmp_path / "cache").rglob(f"*.{kind}")
    kept.write_bytes(kept.read_bytes()[:keep])
    assert says() == "[0, 2, 4, 6]\n"
    assert says() == "[0, 2, 4, 6]\n"


@pytest.mark.parametrize(
    ("redirect", "output", "code"),
    [
        (">&-", "out.csv", 0),
        ("2>&-", "out.csv", 0),
        ("<&- >&- 2>&-", "out.csv", 0),
        ("2>/dev/full", "out.csv", 0),
        ("2>/dev/full", "out.csv --progress", 0),
        ("2> >(exit 0)", "out.csv --progress", 0),
        (">&-", "-", 4),
    ],
)
def test_standard_streams_that_are_closed_or_full(source: Path, redirect: str, output: str, code: int) -> None:
    line = f"{' '.join(command('solve', source, '-o'))} {output} {redirect}"
    done = subprocess.run(["bash", "-c", line], cwd=source.parent, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    if not code:
        assert len(rows(source.with_name("out.csv"))) == ROWS + 1


def test_closed_standard_input_and_a_summary_that_stays_off_the_answers(source: Path) -> None:
    line = f"{' '.join(command('solve', '-', '--no-progress'))} <&-"
    done = subprocess.run(["bash", "-c", line], cwd=source.parent, capture_output=True, text=True)
    assert (done.returncode, "Traceback" in done.stderr) == (3, False)
    line = f"{' '.join(command('solve', source, '--no-progress'))} 2>&-"
    done = subprocess.run(["bash", "-c", line], cwd=source.parent, capture_output=True, text=True)
    assert len(done.stdout.splitlines()) == ROWS + 2


def test_a_table_without_rows_has_its_header_everywhere(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("puzzle\n")
    done = solve("in.csv", "--quiet", cwd=tmp_path)
    if done.returncode == 0:
        assert done.stdout == "puzzle,solution,status,nodes,reason\n"
    assert (done.returncode == 0) == (solve("in.csv", "-o", "out.csv", cwd=tmp_path).returncode == 0)


def test_what_is_said_cannot_command_a_terminal(source: Path) -> None:
    red = source.rename(source.with_name("\x1b[31mred.csv"))
    done = solve(red, "-o", source.with_name("out.csv"))
    assert "\x1b" not in done.stderr
    assert "\\x1b[31mred.csv, line 42: invalid" in done.stderr


def test_the_hint_can_be_typed(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["megadoku", "solve", "-o", "out.csv", "--", "-dash.txt"])
    assert leaving._how_to_resume() == "megadoku solve -o out.csv --resume -- -dash.txt"
    source.with_name(".out.csv.journal").touch()
    assert _is_unfinished([str(source)], str(source.with_name("out.csv")))
    assert not _is_unfinished(["-"], str(source.with_name("out.csv")))
    assert not _is_unfinished([str(source)], "x" * 300)


def test_seconds_of_before_count_too(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        stop_after(20, patch)
        with pytest.raises(KeyboardInterrupt):
            run(source, block_rows=10)
    journal = source.with_name(".out.csv.journal").read_text()
    before = float(re.findall(r'"seconds": ([0-9.]+)', journal)[-1])
    assert before > 0
    assert run(source, resume=True).seconds > before


def test_nohup(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    run = held(source.parent, out, before="import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN);")
    os.kill(run.pid, signal.SIGHUP)
    release(out)
    assert run.wait(timeout=60) == 0
