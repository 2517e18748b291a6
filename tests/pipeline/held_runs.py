"""Runs of the command in processes of their own, to be broken in the middle.

A run that is to be broken must not be over before that happens, however slow the test is and however fast the machine:
`held` gives one that has written so much and waits there, workers and all, until it is ended or released.
"""

from __future__ import annotations

import atexit
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psutil
import pytest

if TYPE_CHECKING:
    from pathlib import Path

SMALL_PIECES = """
from megadoku.pipeline import encoding, file_output, solve
file_output.SECONDS_BETWEEN_CHECKPOINTS = 0
encoding.FRAME_BYTES, encoding.ROW_GROUP, solve.SolveOptions.rows_a_block = 50_000, 500, 500
"""
HOLD = """
import time
from pathlib import Path
keep_up = file_output.FileOutput._keep_up
def hold(output):
    keep_up(output)
    while output._end.bytes > {least} and Path({gate!r}).exists():
        time.sleep(0.02)
file_output.FileOutput._keep_up = hold
"""
MAIN = "\nfrom megadoku.command_line import main; main()"


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "megadoku", *map(str, arguments)]


def solve(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command("solve", *arguments), capture_output=True, text=True, **options)  # type: ignore[call-overload, no-any-return]


def start(folder: Path, out: Path, *more: str, before: str = "") -> subprocess.Popen[str]:
    """A run on `in.csv` of that folder that checkpoints at every block, in a process group of its own."""
    arguments = ["solve", folder / "in.csv", "-o", out, "--solver", "preprocess", "--workers", "2", *more]
    return subprocess.Popen(
        [sys.executable, "-c", f"{SMALL_PIECES}{before}{MAIN}", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def held(folder: Path, out: Path, *more: str, least: int = 2000, before: str = "") -> subprocess.Popen[str]:
    """The same, and when this returns it has written more than `least` bytes and goes no further."""
    gate = _gate(out)
    gate.touch()
    run = start(folder, out, *more, before=before + HOLD.format(least=least, gate=str(gate)))
    atexit.register(run.kill)  # a test that fails before its end leaves nobody waiting
    partial = out.with_name(f".{out.name}.partial")
    deadline = time.monotonic() + 60
    while not (partial.exists() and partial.stat().st_size > least):
        if run.poll() is not None or time.monotonic() > deadline:
            run.kill()
            pytest.fail(f"it wrote too little: {run.communicate()[1]}")
        time.sleep(0.01)
    return run


def release(out: Path) -> None:
    _gate(out).unlink()


def _gate(out: Path) -> Path:
    return out.with_name(f"{out.name}.hold")


def left_running(children: list[psutil.Process]) -> list[psutil.Process]:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and any(map(_is_alive, children)):
        time.sleep(0.05)
    return [child for child in children if _is_alive(child)]


def _is_alive(process: psutil.Process) -> bool:
    """Not so if it only waits to be reaped, which in a container nobody may do."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
