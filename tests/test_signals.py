"""Ctrl-C and SIGTERM for real, at any moment: one line, 130 or 143, no traceback, nobody left."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.pipeline.held_runs import left_running
from tests.solvers.test_contract import LEETCODE

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks into /proc")
SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
BOTH = pytest.mark.parametrize(("number", "code"), SIGNALS)
SOON = 8  # seconds: two are promised, on a machine that is not this busy
PLAIN = "from megadoku.__main__ import main; main()"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text("puzzle\n" + f"{LEETCODE}\n" * 60_000)
    return path


def start(source: Path, *more: str, script: str = PLAIN) -> subprocess.Popen[str]:
    """A run that hears signals already; what comes before that is Python's own start."""
    arguments = ["solve", str(source), "-o", str(source.with_name("out.csv")), "--workers", "2", *more]
    run = subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    atexit.register(run.kill)  # where a test fails before its end
    wait_until(lambda: caught(run.pid) >> (signal.SIGTERM - 1) & 1)
    return run


def wait_until(there: object) -> None:
    deadline = time.monotonic() + 30
    while not there():  # type: ignore[operator]
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.002)


def caught(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("SigCgt")).split()[1], 16)


def end(run: subprocess.Popen[str], number: signal.Signals, code: int) -> str:
    """Signal the whole group, as a terminal does; what it said."""
    children = psutil.Process(run.pid).children(recursive=True)
    started = time.monotonic()
    os.killpg(run.pid, number)
    _, errors = run.communicate(timeout=30)
    assert time.monotonic() - started < SOON
    assert run.returncode == code, errors
    assert errors.startswith("megadoku: ")
    assert errors.count("\n") == 1, errors
    assert left_running(children) == []
    return errors


@BOTH
@pytest.mark.parametrize("delay", [0, 0.1, 0.5])
def test_early_while_it_imports(source: Path, number: signal.Signals, code: int, delay: float) -> None:
    run = start(source, "--solver", "mrv")  # which needs a minute
    time.sleep(delay)
    said = end(run, number, code)
    assert "before anything was begun" in said or "--resume" in said or "nothing to resume" in said
    assert not source.with_name("out.csv").exists()


@BOTH
@pytest.mark.parametrize(("method", "delay"), [("fork", 0.3), ("spawn", 0.05)])
def test_in_the_middle_while_workers_start_and_work(
    source: Path, number: signal.Signals, code: int, method: str, delay: float
) -> None:
    run = start(source, "--solver", "mrv", "--start-method", method)
    wait_until(source.with_name(".out.csv.journal").exists)
    time.sleep(delay)
    assert "to go on: megadoku solve" in end(run, number, code)


def test_late_it_is_either_done_or_stopped(source: Path) -> None:
    run = start(source, "--quiet")
    wait_until(source.with_name("out.csv").exists)
    os.killpg(run.pid, signal.SIGINT)
    _, errors = run.communicate(timeout=30)
    assert run.returncode in (0, 130)
    assert errors.count("\n") <= 1
    assert "Traceback" not in errors
    assert source.with_name("out.csv").read_text().count("\n") == 60_001


HANGING_DISK = """
import os, time
from megadoku.pipeline import file_output
file_output.SECONDS_BETWEEN_CHECKPOINTS = 0
sync, synced = os.fsync, 0
def stuck(handle):
    global synced
    synced += 1
    if synced > 3:
        open(os.environ["STUCK"], "w").close()
        while True:  # deaf, as a process is that waits for a disk
            try:
                time.sleep(60)
            except BaseException:
                pass
    sync(handle)
os.fsync = stuck
"""
ENDLESS_KERNEL = """
import os
import numba
import numpy as np
from megadoku.solvers.bitmask import Bitmask
@numba.njit(nogil=True)
def spin(flag):
    while flag[0] == 0:
        pass
spin(np.ones(1))
def solve_block(self, *arguments):
    open(os.environ["STUCK"], "w").close()
    spin(np.zeros(1))
Bitmask.solve_block = solve_block
"""


@pytest.mark.parametrize("trouble", [HANGING_DISK, ENDLESS_KERNEL], ids=["disk", "kernel"])
def test_an_end_is_not_held_up_by(trouble: str, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = source.with_name("stuck")
    monkeypatch.setenv("STUCK", str(stuck))
    run = start(source, "--solver", "bitmask", "--executor", "serial", script=trouble + PLAIN)
    wait_until(stuck.exists)
    assert "to go on: megadoku solve" in end(run, signal.SIGTERM, 143)


def test_a_second_signal_ends_it_at_once(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = source.with_name("stuck")
    monkeypatch.setenv("STUCK", str(stuck))
    patient = "from megadoku import leaving; leaving.PATIENCE = 60;"
    run = start(source, "--solver", "bitmask", "--executor", "serial", script=patient + HANGING_DISK + PLAIN)
    wait_until(stuck.exists)
    os.killpg(run.pid, signal.SIGINT)
    time.sleep(0.5)
    assert run.poll() is None
    assert "to go on: megadoku solve" in end(run, signal.SIGINT, 130)


def test_what_was_replaced_by_force_can_be_resumed_as_told(source: Path) -> None:
    source.with_name("out.csv").write_text("old")
    run = start(source, "--solver", "mrv", "--force")
    wait_until(source.with_name(".out.csv.partial").exists)
    said = end(run, signal.SIGINT, 130)
    assert "--force --resume" in said
