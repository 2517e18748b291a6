"""Solvers that are bad for their process: each costs its own puzzle at most, and leaves nothing running."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from unittest import mock

import psutil
import pytest

from megadoku.pipeline import crew as crew_module
from megadoku.pipeline import workplace
from megadoku.pipeline.crew import Crew
from megadoku.pipeline.errors import NoWorkerError
from megadoku.pipeline.jobs import Serial
from megadoku.pipeline.pool import executor
from tests.pipeline.test_crew import nap
from tests.solvers.test_contract import LEETCODE

ROOT = Path(__file__).parents[2]
BAD = Path(__file__).with_name("bad_workers.py")
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
MARKED = LEETCODE.translate(str.maketrans("59", "95"))  # begins with a 9
ROWS = [MARKED if row in (5, 21) else LEETCODE for row in range(32)]
MARK = "MEGADOKU_TEST_RUN"


def started(name: str, folder: Path, *more: str, start: str = "", output: Path | None = None) -> subprocess.Popen[str]:
    """A run in which every process, whoever starts it, can be told by its environment."""
    (folder / "in.csv").write_text("puzzle\n" + "".join(f"{row}\n" for row in ROWS))
    command = [sys.executable, "-c", f"{start}\nfrom megadoku.command_line import main; main()"]
    arguments = ["solve", str(folder / "in.csv"), "--solver", f"{BAD}:{name}", "--workers", "2", *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), MARK: str(folder)}
    with contextlib.ExitStack() as stack:
        both = stack.enter_context(output.open("w")) if output else subprocess.PIPE
        return subprocess.Popen([*command, *arguments], stdout=both, stderr=both, text=True, env=environment)


def run(name: str, folder: Path, *more: str, start: str = "") -> tuple[list[list[str]], str]:
    """The rows that came out, and what was said."""
    process = started(name, folder, *more, start=start)
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert left_behind(folder) == []
    return [line.split(",") for line in out.splitlines()[1:]], errors


def left_behind(folder: Path) -> list[int]:
    deadline = time.monotonic() + 10
    while (pids := marked(folder)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return pids


def marked(folder: Path) -> list[int]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == str(folder):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


BLOCKS = "from megadoku.pipeline import solve; solve.SolveOptions.rows_a_block = 8"  # four blocks of eight
TIMEOUT = ("--timeout", "2")  # and a second of grace: the innocent may be slow on a busy machine
KILLED = "the solver did not stop when its time was up"
CASES = {
    "Sleeps": ("exhausted", KILLED, TIMEOUT),
    "HoldsTheGil": ("exhausted", KILLED, TIMEOUT),
    "ChatsOn": ("exhausted", KILLED, TIMEOUT),
    "Segfaults": ("failed", "the worker process died of SIGSEGV", ()),
    "LeavesAtOnce": ("failed", "the worker process exited with 3", ()),
    "Exits": ("failed", "raised SystemExit: enough", ()),
    "Interrupts": ("failed", "raised KeyboardInterrupt", ()),
    "NoMemory": ("failed", "raised MemoryError: none left", ()),
    "ForksAndDies": ("failed", "the worker process died of SIGKILL", ()),
    "ForksAndGoesOn": ("unique", "", ()),
    "StartsThreads": ("unique", "", ()),
    "Smuggles": ("exhausted", "no more", ()),
    "RaisesSmuggled": ("failed", "no more", ()),
}


@pytest.mark.parametrize("name", CASES)
def test_a_bad_puzzle_costs_itself_only(name: str, tmp_path: Path) -> None:
    status, reason, more = CASES[name]
    rows, _ = run(name, tmp_path, *more, start=BLOCKS)
    assert [row[0] for row in rows] == ROWS
    for row in rows:
        if row[0] == MARKED:
            assert row[2] == status
            assert reason in ",".join(row[4:])
        else:
            assert row[1:3] == [SOLUTION, "unique"]


def test_one_worker_is_as_safe(tmp_path: Path) -> None:
    rows, _ = run("Segfaults", tmp_path, "--workers", "1", start=BLOCKS)
    assert sum(row[2] == "failed" for row in rows) == 2


def test_compiled_solvers_stay_here_and_others_do_not() -> None:
    with executor(["lanes"], 1) as pool:
        assert isinstance(pool, Serial)
    with executor(["bitmask"], 1) as pool:
        assert isinstance(pool, Crew)


@pytest.mark.parametrize(("name", "workers"), [("Prints", "2"), ("PrintsBeside", "2"), ("PrintsBeside", "1")])
def test_what_a_solver_prints_is_not_among_the_answers(name: str, workers: str, tmp_path: Path) -> None:
    rows, errors = run(name, tmp_path, "--workers", workers, start=BLOCKS)
    assert len(rows) == len(ROWS)
    assert all(row[2] == "unique" for row in rows)
    assert "printed by a solver" in errors


def test_a_leaking_solver_is_given_fresh_processes(tmp_path: Path) -> None:
    every_row_leaks = [MARKED] * 32
    with mock.patch(f"{__name__}.ROWS", every_row_leaks):
        one_by_one = BLOCKS.replace("8", "1")
        rows, _ = run("Leaks", tmp_path, "--workers", "1", "--log-file", str(tmp_path / "log"), start=one_by_one)
    assert len(rows) == 32
    assert all(row[2] == "unique" for row in rows)
    said = re.findall(r"has grown by more than 200 MB", (tmp_path / "log").read_text())
    assert 3 <= len(said) <= 8  # 60 MB a puzzle: a new process for every five or so


def test_children_of_a_solver_do_not_outlive_a_killed_run(tmp_path: Path) -> None:
    """What it says goes to files: with pipes, waiting for their end would be waiting for the children's."""
    process = started("ForksAndGoesOn", tmp_path, start=BLOCKS + FORKING, output=tmp_path / "said")
    try:
        deadline = time.monotonic() + 180
        while len(list(tmp_path.glob("child-*"))) < 2 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
        children = {int(path.name.removeprefix("child-")) for path in tmp_path.glob("child-*")}
        assert len(children) == 2, (tmp_path / "said").read_text()
        assert children < set(marked(tmp_path))
        process.kill()
        process.wait()
        assert left_behind(tmp_path) == []
    finally:
        for pid in marked(tmp_path):
            os.kill(pid, signal.SIGKILL)
        process.wait()


FORKING = """
import os, pathlib, time
fork = os.fork
def fork_and_sleep():
    if fork() == 0:
        pathlib.Path(os.environ["MEGADOKU_TEST_RUN"], f"child-{os.getpid()}").touch()
    time.sleep(600)
from tests.pipeline import bad_workers
bad_workers.ForksAndGoesOn.misbehave = lambda self: fork_and_sleep()
from megadoku import solvers
found = solvers.get
solvers.get = lambda name: bad_workers.ForksAndGoesOn() if "ForksAndGoesOn" in name else found(name)
"""


def stuck_once(folder: Path) -> None:
    """The first process that comes by never gets any further."""
    try:
        (folder / "came by").mkdir()
    except FileExistsError:
        return
    time.sleep(600)


def test_a_worker_that_is_stuck_at_its_start_is_replaced(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with (
        mock.patch.object(workplace, "_bound_memory", partial(stuck_once, tmp_path)),
        mock.patch.object(crew_module, "START_SECONDS", 3),
        Crew(1, "fork") as crew,
    ):
        assert crew.submit(nap, 0).result(60)
    assert "did not get ready" in caplog.text


def test_a_crew_that_nobody_joins_says_so(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    with (
        mock.patch.object(workplace, "_bound_memory", partial(os._exit, 1)),
        Crew(2, "fork") as crew,
        pytest.raises(NoWorkerError, match="no worker process could be started"),
    ):
        crew.submit(nap, 0).result(60)


def test_a_system_that_gives_no_processes_is_exit_4_in_one_line(tmp_path: Path) -> None:
    refusing = "import os\ndef fork(): raise BlockingIOError(11, 'Resource temporarily unavailable')\nos.fork = fork"
    process = started("Prints", tmp_path, "--start-method", "fork", start=refusing)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 4
    assert errors == "megadoku: no worker process can be started: Resource temporarily unavailable\n"


def test_an_idle_worker_that_is_killed_is_replaced() -> None:
    with Crew(1, "fork") as crew:
        pid = crew.submit(nap, 0).result(30)
        threads = threading.active_count()
        os.kill(pid, signal.SIGKILL)
        time.sleep(0.2)
        with pytest.raises(Exception, match="died of SIGKILL"):
            crew.submit(nap, 0).result(30)
        assert crew.submit(nap, 0).result(30) != pid
        assert threading.active_count() == threads


FULL = 'mount -t tmpfs -o size=4k none /dev/shm && head -c 4096 /dev/zero > /dev/shm/full && exec "$@"'


@pytest.mark.skipif(
    not shutil.which("unshare") or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0,
    reason="mounting is not allowed here",
)
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_full_shared_memory_does_not_matter(method: str, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"puzzle\n{LEETCODE}\n")
    command = [sys.executable, "-m", "megadoku", "solve", str(tmp_path / "in.csv"), "--solver", "bitmask", "--progress"]
    command += ["--start-method", method, "--log-file", str(tmp_path / "log")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    full = ["unshare", "-m", "sh", "-c", FULL, "sh", *command]
    done = subprocess.run(full, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(SOLUTION) == 1
    assert "Traceback" not in done.stderr
