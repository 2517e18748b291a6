"""What must survive what: each test breaks the thing for real and looks at the bytes that come out."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from megadoku.pipeline import encoding, journal
from tests.pipeline.held_runs import MAIN, SMALL_PIECES, command, held, left_running, release, solve, start
from tests.solvers.test_contract import GOLDEN, LEETCODE

ROWS = 5_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that keeps `marks` busy for a second or two, with refused rows in it, and what must come of it."""
    path = tmp_path_factory.mktemp("trust")
    lines = [line[0] for line in GOLDEN if line[1] == "1"] + [LEETCODE[:80], "=cmd(),x"]
    (path / "in.csv").write_text("puzzle\n" + "".join(f"{lines[row % len(lines)]}\n" for row in range(ROWS)))
    for name in ("whole.csv", "whole.csv.gz", "whole.parquet"):
        assert start(path, path / name).wait() == 0
    return path


def leftovers(out: Path) -> list[str]:
    return [path.name for path in out.parent.iterdir() if path.name.startswith(f".{out.name}")]


def test_a_killed_worker_costs_nothing(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    run = held(folder, out)
    for _ in range(3):
        victims = psutil.Process(run.pid).children()
        with contextlib.suppress(psutil.NoSuchProcess):
            random.choice(victims).kill()
        time.sleep(0.1)
    release(out)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 0, errors
    assert out.read_bytes() == (folder / "whole.csv").read_bytes()
    assert leftovers(out) == []


@pytest.mark.parametrize("name", ["whole.csv", "whole.csv.gz", "whole.parquet"])
@pytest.mark.parametrize("share", [0.0001, 0.3, 0.8])
def test_a_killed_parent_costs_a_resume(folder: Path, tmp_path: Path, name: str, share: float) -> None:
    out = tmp_path / name
    run = held(folder, out, least=int(share * (folder / name).stat().st_size))
    children = psutil.Process(run.pid).children(recursive=True)
    assert len(children) >= 2
    run.kill()
    run.wait()
    assert left_running(children) == []
    assert not out.exists()
    resumed = start(folder, out, "--resume")
    _, errors = resumed.communicate(timeout=60)
    assert resumed.returncode == 0, errors
    assert out.read_bytes() == (folder / name).read_bytes()
    assert leftovers(out) == []


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("solver", ["preprocess", "lanes"])
def test_signals_stop_at_once_and_say_how_to_go_on(
    folder: Path, tmp_path: Path, number: signal.Signals, code: int, solver: str
) -> None:
    out, whole = tmp_path / "out file.csv", tmp_path / "whole.csv"
    assert start(folder, whole, "--solver", solver).wait() == 0
    run = held(folder, out, "--solver", solver)
    children = psutil.Process(run.pid).children(recursive=True)
    started = time.monotonic()
    os.killpg(run.pid, number)
    _, errors = run.communicate(timeout=30)
    assert time.monotonic() - started < 6  # 0.03 s on a quiet machine; the last sync waits for a disk others keep busy
    assert run.returncode == code
    assert "Traceback" not in errors
    assert "--resume" in errors
    assert f"'{out}'" in errors
    assert left_running(children) == []
    assert not out.exists()
    assert solve(folder / "in.csv", "-o", out, "--solver", solver, "--resume").returncode == 0
    assert out.read_bytes() == whole.read_bytes()


CRASHING = f"""
import os, sys
from megadoku.pipeline import journal, output
{SMALL_PIECES}
steps = int(sys.argv.pop(1))
def dying(function):
    def step(*arguments, **options):
        global steps
        steps -= 1
        if steps <= 0:
            os._exit(9)
        return function(*arguments, **options)
    return step
os.fsync = dying(os.fsync)
os.replace = dying(os.replace)
journal._sealed = dying(journal._sealed)
file_output.FileOutput._put = dying(file_output.FileOutput._put)
output.Path.replace = dying(output.Path.replace)
{MAIN}
"""


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.parquet"])
def test_a_crash_at_any_write_is_survivable(folder: Path, tmp_path: Path, name: str) -> None:
    """Die at the first write, fsync or rename, resume and die at the next …, until a run gets through."""
    source = tmp_path / "in.csv"
    source.write_text("\n".join((folder / "in.csv").read_text().splitlines()[:1500]) + "\n")
    out = tmp_path / name
    options = ["solve", source, "-o", out, "--solver", "preprocess", "--workers", "1"]
    script = [sys.executable, "-c", CRASHING]
    whole = tmp_path / f"whole-{name}"
    done = subprocess.run([*script, "1000000", *map(str, options[:3]), str(whole), *options[4:]], check=False)
    assert done.returncode == 0
    for step in range(1, 40):
        resume = ["--resume"] if step > 1 else []
        done = subprocess.run([*script, str(step), *map(str, options), *resume], capture_output=True, check=False)
        if done.returncode == 0:
            break
        assert done.returncode == 9, done.stderr
        if out.exists():  # died after the rename: the output is complete
            assert out.read_bytes() == whole.read_bytes()
            out.unlink()
    assert done.returncode == 0
    assert out.read_bytes() == whole.read_bytes()
    assert step > 3, "it must have died a few times"


def interrupted_run(folder: Path, tmp_path: Path, name: str = "whole.csv") -> Path:
    out = tmp_path / name
    run = held(folder, out, least=(folder / name).stat().st_size // 4)
    run.kill()
    run.wait()
    assert not out.exists()
    return out


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("whole.csv", "cut partial"),
        ("whole.csv", "garble partial"),
        ("whole.csv", "cut journal"),
        ("whole.csv", "garble journal"),
        ("whole.csv", "empty journal"),
        ("whole.parquet", "cut partial"),
        ("whole.parquet", "garble partial"),
        ("whole.parquet", "garble journal"),
    ],
)
def test_torn_and_garbled_checkpoints_are_noticed(folder: Path, tmp_path: Path, name: str, damage: str) -> None:
    out = interrupted_run(folder, tmp_path, name)
    how, which = damage.split()
    victim = out.with_name(f".{out.name}.{which}")
    content = bytearray(victim.read_bytes())
    if how == "cut":
        content = content[:-7]
    elif how == "garble":
        content[-40:-20] = os.urandom(20)
    else:
        content = bytearray()
    victim.write_bytes(content)
    resumed = start(folder, out, "--resume")
    _, errors = resumed.communicate(timeout=60)
    assert resumed.returncode == 0, errors
    assert out.read_bytes() == (folder / name).read_bytes()


def test_a_resume_of_something_else_is_refused_with_the_reason(folder: Path, tmp_path: Path) -> None:
    out = interrupted_run(folder, tmp_path)
    other = solve(folder / "in.csv", "-o", out, "--solver", "marks", "--resume")
    assert other.returncode == 2
    assert "solver was 'preprocess', is 'marks'" in other.stderr
    shutil.copy(folder / "in.csv", tmp_path / "in.csv")
    changed = solve(tmp_path / "in.csv", "-o", out, "--solver", "preprocess", "--resume")
    assert changed.returncode == 2
    assert "inputs was" in changed.stderr
    plain = solve(folder / "in.csv", "-o", out, "--solver", "preprocess")
    assert plain.returncode == 2
    assert "--resume" in plain.stderr
    assert solve(folder / "in.csv", "-o", out, "--solver", "preprocess", "--force").returncode == 0
    assert out.read_bytes() == (folder / "whole.csv").read_bytes()


def test_a_full_disk_is_exit_4_and_resumable(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    limit = 400_000

    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    full = solve(folder / "in.csv", "-o", out, "--solver", "preprocess", preexec_fn=small_files)
    assert full.returncode == 4
    assert str(out) in full.stderr
    assert "--resume" in full.stderr
    assert not out.exists()
    assert solve(folder / "in.csv", "-o", out, "--solver", "preprocess", "--resume").returncode == 0
    assert out.read_bytes() == (folder / "whole.csv").read_bytes()


def test_a_full_device_on_standard_output_is_exit_4(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command("solve", folder / "in.csv"), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 4
    assert "standard output" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_exit_4(folder: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    done = solve(folder / "in.csv", "-o", tmp_path / "out.csv")
    assert done.returncode == 4


def test_a_reader_who_leaves_ends_it_quietly(folder: Path) -> None:
    line = f"{' '.join(command('solve', folder / 'in.csv', '--quiet'))} | head -n 2"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, text=True)
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == ""


def test_one_writer_an_output(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    first = held(folder, out)
    second = solve(folder / "in.csv", "-o", out, "--solver", "preprocess", "--force")
    release(out)
    assert second.returncode == 5
    assert "another run" in second.stderr
    first.communicate(timeout=60)
    assert first.returncode == 0
    assert out.read_bytes() == (folder / "whole.csv").read_bytes()


def test_the_lock_of_a_killed_run_clears_itself(folder: Path, tmp_path: Path) -> None:
    out = interrupted_run(folder, tmp_path)
    again = journal.Journal(out.with_name(f".{out.name}.journal"))
    again.close()


@pytest.mark.parametrize("change", ["append", "shrink", "replace"])
def test_an_input_that_changes_is_noticed(folder: Path, tmp_path: Path, change: str) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    shutil.copy(folder / "in.csv", source)
    run = held(tmp_path, out)
    if change == "append":
        with source.open("a") as stream:
            stream.write(f"{LEETCODE}\n")
    elif change == "shrink":
        os.truncate(source, 2000)
    else:
        (tmp_path / "other").write_text("puzzle\n")
        (tmp_path / "other").replace(source)
    release(out)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 3
    assert "changed while it was read" in errors
    assert not out.exists()


def test_rejects_survive_an_interruption(folder: Path, tmp_path: Path) -> None:
    arguments = [folder / "in.csv", "--solver", "preprocess"]
    assert solve(*arguments, "-o", tmp_path / "a.csv", "--rejects", tmp_path / "whole.csv").returncode == 0
    out = tmp_path / "out.csv"
    run = held(folder, out, "--rejects", str(tmp_path / "rejects.csv"), least=300_000)
    run.kill()
    run.wait()
    resumed = solve(*arguments, "-o", out, "--rejects", tmp_path / "rejects.csv", "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert (tmp_path / "rejects.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    lines = (tmp_path / "whole.csv").read_text().splitlines()
    assert lines[0] == "number,file,line,status,reason,puzzle"
    assert len(lines) == 1 + 2 * (ROWS // 12)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to read a peak from")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Peak memory of a file fifteen times as long is much the same."""
    peaks = []
    for rows in (100_000, 1_500_000):
        source = tmp_path / f"{rows}.csv"
        source.write_text("puzzle\n" + f"{LEETCODE}\n" * rows)
        script = (
            "import re; from pathlib import Path; from megadoku.pipeline.solve import *;"
            f"solve_files(SolveOptions([{str(source)!r}], {str(tmp_path / f'{rows}.out.csv')!r}, workers=2));"
            "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])"  # not its parent's
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout) / 1024)
    assert peaks[1] < peaks[0] + 100, peaks
    assert peaks[1] < 1000, peaks


@pytest.mark.parametrize("suffix", [".csv.zst", ".parquet"])
def test_pieces_make_outputs_the_same_whatever_the_blocks(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    from megadoku.pipeline.solve import SolveOptions, solve_files

    monkeypatch.setattr(encoding, "FRAME_BYTES", 30_000)
    monkeypatch.setattr(encoding, "ROW_GROUP", 700)
    contents = set()
    for block_rows in (100, 333, 5000):
        out = tmp_path / f"{block_rows}{suffix}"
        solve_files(SolveOptions([str(folder / "in.csv")], str(out), block_rows=block_rows, workers=2))
        contents.add(out.read_bytes())
    assert len(contents) == 1


def test_a_hanging_disk_does_not_hold_ctrl_c_up(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "whole.csv"
    hang = "import os, time; first = os.fsync; calls = [];"
    stuck = tmp_path / "stuck"
    hang += f"os.fsync = lambda handle: (open({str(stuck)!r}, 'w'), time.sleep(60)) if len(calls) > 3 else "
    hang += "(calls.append(1), first(handle))"
    run = held(folder, out, least=300_000, before=hang)
    assert stuck.exists()
    started = time.monotonic()
    os.killpg(run.pid, signal.SIGINT)
    run.communicate(timeout=30)
    assert run.returncode == 130
    assert time.monotonic() - started < 6  # 1.5 s, and what a busy machine adds
    resumed = start(folder, out, "--resume")
    assert resumed.wait(timeout=60) == 0
    assert out.read_bytes() == (folder / "whole.csv").read_bytes()


def test_rejects_and_ctrl_c(folder: Path, tmp_path: Path) -> None:
    """The file of rejects is closed before the output writes its last checkpoint, which wants it synced."""
    run = held(folder, tmp_path / "out.csv", "--rejects", str(tmp_path / "rejects.csv"), least=100_000)
    os.killpg(run.pid, signal.SIGINT)
    _, errors = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "Traceback" not in errors
