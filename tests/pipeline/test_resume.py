"""What a resume trusts, and what it does not: in this process, with a run that is stopped after so many rows."""

from __future__ import annotations

import itertools
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from megadoku.pipeline import encoding, file_output, jobs, journal, output, progress, solve
from megadoku.pipeline.errors import UsageError
from megadoku.pipeline.solve import SolveOptions, solve_files
from tests.solvers.test_contract import GOLDEN, LEETCODE

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS, BLOCK, STOP = 1500, 100, 1000
NAMES = ["out.csv", "out.csv.gz", "out.parquet"]
ALL_NAMES = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_output, "SECONDS_BETWEEN_CHECKPOINTS", 0)
    monkeypatch.setattr(encoding, "FRAME_BYTES", 15_000)
    monkeypatch.setattr(encoding, "ROW_GROUP", 130)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path, lines = tmp_path / "in.csv", [line[0] for line in GOLDEN if line[1] == "1"] + [LEETCODE[:80]]
    path.write_text("puzzle,level\n" + "".join(f"{lines[row % len(lines)]},{row}\n" for row in range(ROWS)))
    return path


def options(source: Path, name: str, **more: Any) -> SolveOptions:
    usual: dict[str, Any] = {"solver": "jit", "workers": 1, "block_rows": BLOCK}
    return SolveOptions([str(source)], str(source.with_name(name)), **{**usual, **more})


def whole(source: Path, name: str) -> bytes:
    """What an uninterrupted run writes; the output is out of the way again."""
    solve_files(options(source, name))
    content = source.with_name(name).read_bytes()
    source.with_name(name).unlink()
    return content


def stopped(source: Path, name: str, monkeypatch: pytest.MonkeyPatch, **more: Any) -> list[dict[str, Any]]:
    """A run that is interrupted after STOP rows; gives its checkpoints."""

    def tell(shown: object, rows: int, statuses: Any, meter: object) -> None:
        if statuses.total() + rows > STOP:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(progress, "tell", tell)
        with pytest.raises(KeyboardInterrupt):
            solve_files(options(source, name, **more))
    lines = source.with_name(f".{name}.journal").read_bytes().splitlines()
    return [json.loads(line.partition(b" ")[2]) for line in lines[1:]]


def rows_solved(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the blocks that are solved from now on."""
    sizes: list[int] = []
    make = solve._job

    def noted(block: Any, question: Any) -> Any:
        sizes.append(len(block))
        return make(block, question)

    monkeypatch.setattr(solve, "_job", noted)
    return sizes


@ALL_NAMES
def test_it_goes_on_where_it_was_and_does_not_start_over(
    source: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = whole(source, name)
    last = stopped(source, name, monkeypatch)[-1]
    assert last["rows"] > STOP / 2
    sizes = rows_solved(monkeypatch)
    solve_files(options(source, name, resume=True, block_rows=77))
    assert sum(sizes) == ROWS - last["rows"]
    assert source.with_name(name).read_bytes() == wanted


@ALL_NAMES
@pytest.mark.parametrize("share", [0.0, 0.5, 0.999])
def test_a_byte_that_changed_below_the_last_checkpoint_is_noticed(
    source: Path, name: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = whole(source, name)
    last = stopped(source, name, monkeypatch)[-1]
    partial = source.with_name(f".{name}.partial")
    content = bytearray(partial.read_bytes())
    content[int(share * last["bytes"])] ^= 1
    partial.write_bytes(content)
    sizes = rows_solved(monkeypatch)
    solve_files(options(source, name, resume=True))
    assert sum(sizes) > ROWS - last["rows"], "an earlier checkpoint must have been used"
    assert source.with_name(name).read_bytes() == wanted


OTHER_RUNS: dict[str, Any] = {
    "first": True, "column": "puzzle", "format": "csv", "keep_columns": True,
    "max_nodes": 10**6, "timeout": 1e6, "solver": "lanes",
}  # fmt: skip


@pytest.mark.parametrize("key", OTHER_RUNS)
def test_another_option_is_another_run(source: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(source, "out.csv", monkeypatch)
    with pytest.raises(UsageError, match=f"{key} was .*; --force starts over"):
        solve_files(options(source, "out.csv", resume=True, **{key: OTHER_RUNS[key]}))


def test_another_version_is_another_run(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(source, "out.csv", monkeypatch)
    monkeypatch.setattr(solve, "VERSION", "0.0.0")
    with pytest.raises(UsageError, match=r"megadoku was .*, is '0\.0\.0'"):
        solve_files(options(source, "out.csv", resume=True))


@pytest.mark.parametrize("at", [20, -20])
def test_an_input_that_was_changed_in_place_is_another(source: Path, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(source, "out.csv", monkeypatch)
    content = bytearray(source.read_bytes())
    content[at] = ord("7") if content[at] != ord("7") else ord("8")
    source.write_bytes(content)
    with pytest.raises(UsageError, match="inputs was"):
        solve_files(options(source, "out.csv", resume=True))


def test_workers_and_blocks_may_be_others(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = whole(source, "out.csv")
    stopped(source, "out.csv", monkeypatch)
    solve_files(options(source, "out.csv", resume=True, workers=2, block_rows=333))
    assert source.with_name("out.csv").read_bytes() == wanted


def test_standard_input_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to resume"):
        solve_files(SolveOptions(["-"], str(tmp_path / "out.csv"), resume=True))


def test_force_leaves_nothing_of_a_longer_run(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(source, "out.csv", monkeypatch)
    short = source.with_name("short.csv")
    short.write_text(f"puzzle\n{LEETCODE}\n")
    solve_files(SolveOptions([str(short)], str(source.with_name("out.csv")), force=True))
    assert len(source.with_name("out.csv").read_text().splitlines()) == 2


@dataclass
class Disk:
    """What a run asks of the disk, in order: how much of which file is safe, what is written and renamed."""

    events: list[tuple[str, Any]] = field(default_factory=list)

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fsync, add, replace = os.fsync, journal.Journal.add, Path.replace

        def synced(handle: int) -> None:
            fsync(handle)
            self.events.append((Path(f"/proc/self/fd/{handle}").readlink().name, os.fstat(handle).st_size))

        def noted(book: journal.Journal, checkpoint: journal.Checkpoint) -> None:
            self.events.append(("checkpoint", checkpoint.bytes))
            add(book, checkpoint)

        def renamed(path: Path, target: Path) -> Path:
            self.events.append(("renamed", Path(target).name))
            return replace(path, target)

        monkeypatch.setattr(os, "fsync", synced)
        monkeypatch.setattr(journal.Journal, "add", noted)
        monkeypatch.setattr(Path, "replace", renamed)

    def safe(self, name: str, before: int) -> int:
        return max((what for which, what in self.events[:before] if which == name), default=-1)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc to tell files by")
@ALL_NAMES
def test_nothing_is_called_safe_before_the_disk_says_so(
    source: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk()
    disk.watch(monkeypatch)
    solve_files(options(source, name, rejects=str(source.with_name("rejects.csv"))))
    checkpoints = [at for at, (what, _) in enumerate(disk.events) if what == "checkpoint"]
    assert len(checkpoints) > 3
    for at, after in itertools.pairwise([*checkpoints, len(disk.events)]):
        assert disk.safe(f".{name}.partial", at) >= disk.events[at][1]
        assert disk.safe(".rejects.csv.partial", at) > 0
        assert f".{name}.journal" in [what for what, _ in disk.events[at:after]]
    end = disk.events.index(("renamed", name))
    assert disk.safe(f".{name}.partial", end) == source.with_name(name).stat().st_size
    assert disk.safe(".rejects.csv.partial", disk.events.index(("renamed", "rejects.csv"))) > 0
    assert source.parent.name in [what for what, _ in disk.events[end:]], "the folder with the new name"


def test_checkpoints_come_every_two_seconds(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, entries = [0.0], []
    monkeypatch.setattr(file_output, "SECONDS_BETWEEN_CHECKPOINTS", 2.0)
    monkeypatch.setattr(file_output.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(file_output.FileOutput, "_in_background", lambda _, task, *arguments: task(*arguments))
    monkeypatch.setattr(journal.Journal, "add", lambda _, checkpoint: entries.append((now[0], checkpoint.rows)))
    monkeypatch.setattr(progress, "tell", lambda *_: now.__setitem__(0, now[0] + 0.5))
    solve_files(options(source, "out.csv"))
    assert len(entries) >= ROWS // BLOCK * 0.5 // 2 - 1
    assert all(rows >= at / 0.5 * BLOCK for at, rows in entries), "of all that was written by then"


def test_what_is_promised_in_seconds() -> None:
    from megadoku import leaving

    assert leaving.PATIENCE + leaving.LAST_WORDS < 2
    assert jobs.GRACE_SECONDS <= 1


class Reluctant:
    """A stream on a disk that is filling up."""

    def __init__(self, takes: Callable[[int], int]) -> None:
        self.content, self._takes = bytearray(), takes

    def write(self, content: bytes) -> int:
        taken = self._takes(len(content))
        self.content += content[:taken]
        return taken


def test_a_write_that_takes_half_is_gone_on_with() -> None:
    stream = Reluctant(lambda size: (size + 1) // 2)
    file_output.write_all(stream, memoryview(b"0123456789" * 10))  # type: ignore[arg-type]
    assert stream.content == b"0123456789" * 10


def test_a_torn_line_of_the_journal_does_not_spoil_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = journal.Journal(tmp_path / "journal")
    book.begin({"run": 1})
    sealed = journal._sealed
    whole_line = sealed(vars(journal.START))
    real = book._file

    class Half:
        def __getattr__(self, name: str) -> Any:
            return getattr(real, name)

        def write(self, line: bytes) -> int:
            return real.write(line[: len(line) // 2])

    monkeypatch.setattr(book, "_file", Half())
    with pytest.raises(OSError, match="No space left"):
        book.add(journal.START)
    monkeypatch.setattr(book, "_file", real)
    book.add(journal.START)
    assert (tmp_path / "journal").read_bytes() == sealed({"run": 1}) + whole_line
    book.close()


def test_it_stays_hidden_until_it_is_complete(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(progress, "tell", lambda *_: seen.append(source.with_name("out.csv").exists()))
    with pytest.raises(UsageError), output.open_output(str(source.with_name("out.xyz")), {}):
        pass
    solve_files(options(source, "out.csv"))
    assert seen
    assert not any(seen)
