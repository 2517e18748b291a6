"""Trouble from outside, made for real: a disk that fills up, one that cannot be written, a folder that goes away.

A small disk is a tmpfs in a mount namespace of its own, which takes root; it is gone with the shell that made it, so
that one does all that has to be done on it.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.pipeline.held_runs import MAIN, SMALL_PIECES, held, start
from tests.solvers.test_contract import GOLDEN

if TYPE_CHECKING:
    from pathlib import Path

FULL_THEN_ROOMY = """
mount -t tmpfs -o size="$SIZE" none "$DISK" || exit 77
"$@" 2> errors; echo $? > code
wc -l < "$DISK/.$OUT.journal" > entries; ls -A "$DISK" > left
mount -o remount,size=64m "$DISK"
"$@" --resume 2> more-errors && cp "$DISK/$OUT" .
"""
READ_ONLY = """
mount -t tmpfs -o ro none "$DISK" || exit 77
"$@" 2> errors; echo $? > code
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Puzzles that do not compress away: known ones, each time under new names of the digits."""
    path, names = tmp_path_factory.mktemp("outside"), random.Random(5)
    puzzles = [line[0] for line in GOLDEN if line[1] == "1"]
    with (path / "in.csv").open("w") as stream:
        stream.write("puzzle\n")
        for row in range(4000):
            digits = "".join(names.sample("123456789", 9))
            stream.write(puzzles[row % len(puzzles)].translate(str.maketrans("123456789", digits)) + "\n")
    return path


def on_a_disk(script: str, folder: Path, tmp_path: Path, name: str, size: int = 0) -> None:
    """The shell script, with the command to run as its arguments; skips where mounting is not allowed."""
    disk = tmp_path / "disk"
    disk.mkdir()
    megadoku = [sys.executable, "-c", SMALL_PIECES + MAIN]
    options = ["solve", folder / "in.csv", "-o", disk / name, "--solver", "preprocess", "--workers", "2"]
    environment = {"DISK": str(disk), "OUT": name, "SIZE": str(size), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    try:
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script, "sh", *map(str, (*megadoku, *options))],
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
    except FileNotFoundError:
        pytest.skip("no unshare here")
    if not (tmp_path / "code").exists():
        pytest.skip(f"no mounting here: {done.stderr.strip()}")


def one_line_and_exit_4(errors: str, code: str, *, names: Path) -> None:
    told = [line for line in errors.splitlines() if not line.startswith("to go on: ")]
    assert int(code) == 4, errors
    assert len(told) == 1, errors
    assert str(names) in told[0]


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.parquet"])
def test_a_disk_that_fills_up(folder: Path, tmp_path: Path, name: str) -> None:
    whole = folder / name
    run = start(folder, whole)
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 0, errors
    on_a_disk(FULL_THEN_ROOMY, folder, tmp_path, name, size=whole.stat().st_size // 2)
    errors = (tmp_path / "errors").read_text()
    one_line_and_exit_4(errors, (tmp_path / "code").read_text(), names=tmp_path / "disk" / name)
    assert "No space left" in errors
    assert "--resume" in errors
    assert int((tmp_path / "entries").read_text()) >= 2, "the plan, and a checkpoint at least"
    assert (tmp_path / "left").read_text().split() == [f".{name}.journal", f".{name}.partial"]
    assert (tmp_path / name).read_bytes() == whole.read_bytes(), (tmp_path / "more-errors").read_text()


def test_a_disk_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    on_a_disk(READ_ONLY, folder, tmp_path, "out.csv")
    errors = (tmp_path / "errors").read_text()
    one_line_and_exit_4(errors, (tmp_path / "code").read_text(), names=tmp_path / "disk" / "out.csv")
    assert "--resume" not in errors, "nothing was begun"


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_a_folder_that_goes_away(folder: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "here" / name
    out.parent.mkdir()
    run = held(folder, out)
    shutil.rmtree(out.parent)
    _, errors = run.communicate(timeout=60)
    one_line_and_exit_4(errors, str(run.returncode), names=out)
