"""The same rows are the same bytes, however the work is spread; and a damaged input loses none of its rows."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import itertools
import lzma
import os
import zipfile
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from megadoku.datasets import InputError, read_blocks
from megadoku.pipeline import encoding
from megadoku.pipeline.errors import UsageError
from megadoku.pipeline.solve import SolveOptions, solve_files
from megadoku.solvers import Status
from tests.pipeline.test_solve import SOLUTION, megadoku
from tests.solvers.test_contract import GOLDEN, LEETCODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

OUTPUTS = ("out.csv", "out.csv.gz", "out.parquet")
WORKERS, BLOCKS = (1, 2, 7), (13, 100, 4096)


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rows of every kind; and frames and row groups so small that every output has several."""
    monkeypatch.setattr(encoding, "FRAME_BYTES", 5_000)
    monkeypatch.setattr(encoding, "ROW_GROUP", 64)
    lines = [*(line[0] for line in GOLDEN[:8]), LEETCODE[:80], '"=cmd(),x"', "", "9" * 81]
    path = tmp_path / "in.csv"
    path.write_text("puzzle,id\n" + "".join(f"{lines[row % len(lines)]},{row}\n" for row in range(300)))
    return path


def bytes_of(source: Path, name: str, number: int, **options: Any) -> bytes:
    out = source.with_name(f"{number}-{name}")
    summary = solve_files(SolveOptions([str(source)], str(out), **options))
    assert summary.rows == sum(summary.statuses.values()) == 300
    return out.read_bytes()


@pytest.mark.parametrize("name", OUTPUTS)
def test_threads(source: Path, name: str) -> None:
    ways = [{"workers": workers, "block_rows": rows} for workers, rows in itertools.product(WORKERS, BLOCKS)]
    assert len({bytes_of(source, name, number, **way) for number, way in enumerate(ways)}) == 1


@pytest.mark.parametrize("name", OUTPUTS)
def test_processes(source: Path, name: str) -> None:
    forked = [
        {"workers": workers, "block_rows": rows, "start_method": "fork"}
        for workers, rows in itertools.product(WORKERS, BLOCKS)
    ]
    spawned = [{"workers": 2, "block_rows": 13, "start_method": "spawn"}]
    ways = forked + spawned if name == "out.csv" else forked[::4]  # an encoding does not care how workers start
    assert len({bytes_of(source, name, number, solver="bitmask", **way) for number, way in enumerate(ways)}) == 1


ALMOST_SOLVED = [SOLUTION[:at] + "." + SOLUTION[at + 1 :] for at in range(81)]
MANY_ROWS = ("puzzle\n" + "".join(f"{ALMOST_SOLVED[at * at % 81]}\n" for at in range(30_000))).encode()
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": lambda content: bz2.compress(content, 1),
    "xz": lambda content: lzma.compress(content, preset=0),
    "zst": lambda content: pa.Codec("zstd").compress(content, asbytes=True),
}


@pytest.mark.parametrize("kind", PACKERS)
def test_a_compressed_input_that_breaks_off(kind: str, tmp_path: Path) -> None:
    """Exit 3 and one line; the rows before the break are kept; the whole file is another input, and that is said."""
    whole = PACKERS[kind](MANY_ROWS)
    source, out = tmp_path / f"in.csv.{kind}", tmp_path / "out.csv"
    source.write_bytes(whole[: len(whole) * 3 // 4])
    done = megadoku("solve", source, "-o", out, "--workers", "2")
    assert done.returncode == 3
    message, going_on = done.stderr.splitlines()
    assert message.startswith(f"megadoku: {source}: the compressed data breaks off")
    assert "--resume" in going_on
    assert not out.exists()
    kept = (tmp_path / ".out.csv.partial").read_bytes()
    source.write_bytes(whole)
    with pytest.raises(UsageError, match=r"inputs was .*--force starts over"):
        solve_files(SolveOptions([str(source)], str(out), resume=True))
    assert (tmp_path / ".out.csv.partial").read_bytes() == kept
    solve_files(SolveOptions([str(source)], str(out), force=True))
    assert out.read_bytes().startswith(kept)
    assert out.read_bytes().count(b"\n") == 30_001


def zipped(content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("puzzles.csv", content)
    return out.getvalue()


def checked_zst(content: bytes) -> bytes:
    """As `zstd` writes it; pyarrow leaves the checksum out. Nothing here reckons one, but that of our rows is known."""
    assert content == MANY_ROWS
    frame = bytearray(PACKERS["zst"](content))
    frame[ZST_FLAGS] |= ZST_HAS_CHECKSUM
    return bytes(frame) + CHECKSUM_OF_MANY_ROWS.to_bytes(4, "little")


ZST_FLAGS, ZST_HAS_CHECKSUM = 4, 4
CHECKSUM_OF_MANY_ROWS = 0x4B8EBCAF  # the lower half of their XXH64
CHECKED_PACKERS = {**PACKERS, "zst": checked_zst, "zip": zipped}


@pytest.mark.parametrize(
    ("kind", "share"),
    [*((kind, 0.5) for kind in CHECKED_PACKERS), ("zst", 1)],  # its end is the checksum: all else decodes
)
def test_a_compressed_input_with_other_bytes(kind: str, share: float, tmp_path: Path) -> None:
    """Exit 3 and one line, and no output that looks whole; without the damage it is read to its end."""
    packed = bytearray(CHECKED_PACKERS[kind](MANY_ROWS))
    source, out = tmp_path / f"in.csv.{kind}", tmp_path / "out.csv"
    source.write_bytes(packed)
    assert sum(map(len, read_blocks([str(source)]))) == 30_000
    place = int(len(packed) * share)
    for at in range(place - 4, place):
        packed[at] ^= 0x55
    source.write_bytes(packed)
    done = megadoku("solve", source, "-o", out, "--workers", "2")
    assert done.returncode == 3
    message, *going_on = done.stderr.splitlines()
    assert message.startswith(f"megadoku: {source}:")
    assert "damaged" in message or "breaks off" in message  # a lost end looks like either
    assert all("--resume" in line for line in going_on)
    assert len(going_on) <= 1, "nothing to go on with where the damage is met at once"
    assert not out.exists()


LINES = [LEETCODE, SOLUTION, LEETCODE.replace(".", "0"), *(line[0] for line in GOLDEN[:5])]
CONTENT = "".join(f"{line},{number}\n" for number, line in enumerate(LINES * 3)).encode()
DAMAGE = st.lists(
    st.tuples(st.integers(0, len(CONTENT) - 1), st.sampled_from(["replace", "insert", "delete"]), st.integers(0, 255)),
    min_size=1,
    max_size=12,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)  # hundreds of little files that nobody needs tomorrow
        yield tmp_path_factory.mktemp("damage")


def damaged(damage: list[tuple[int, str, int]]) -> bytes:
    content = bytearray(CONTENT)
    for at, how, byte in damage:
        content[at : at + (how != "insert")] = b"" if how == "delete" else bytes([byte])
    return b"puzzle,id\n" + bytes(content)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(DAMAGE)
def test_every_row_of_a_damaged_input_is_accounted_for(folder: Path, damage: list[tuple[int, str, int]]) -> None:
    source, out = folder / "in.csv", folder / "out.csv"
    source.write_bytes(damaged(damage))
    try:
        came_in = [text for block in read_blocks([str(source)]) for text in block.texts.to_pylist()]
    except InputError:  # no puzzle file any more: then nothing is written either
        with pytest.raises(InputError):
            solve_files(SolveOptions([str(source)], str(out), workers=1, force=True))
        return
    summary = solve_files(SolveOptions([str(source)], str(out), workers=1, force=True))
    header, *rows = csv.reader(io.StringIO(out.read_bytes().decode(), newline=""))
    assert len(rows) == summary.rows == len(came_in)
    assert all(len(row) == len(header) for row in rows)
    assert {row[2] for row in rows} <= {str(status) for status in Status}
    assert all(bool(row[4]) == (row[2] == "invalid") for row in rows)
    lines = source.read_bytes().split(b"\n")
    comments = [line for line in lines if line.startswith((b"#", b"%", b";", b"!", b"//"))]  # as docs/formats.md says
    if not set(b'\r\n"') & {byte for _, _, byte in damage} and all(lines[:-1]) and not comments:
        assert len(rows) == len([*filter(None, lines)]) - 1
