"""How many rows there will be, told before they are all read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from megadoku.datasets import Meter, read_blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROWS = 30_000


@pytest.fixture(scope="module")
def texts() -> list[str]:
    digits = np.random.default_rng(1).integers(0, 10, (ROWS, 81)) + ord("0")
    return [row.tobytes().decode() for row in digits.astype(np.uint8)]


def zipped(content: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("in.csv", content)
    return archive.getvalue()


def told(inputs: list[str]) -> list[int | None]:
    """What the meter expects after each block."""
    meter = Meter(inputs)
    expected = [meter.expected() for _ in read_blocks(inputs, block_rows=1000, meter=meter)]
    assert meter.expected() == len(expected) * 1000
    return expected


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lambda content: lzma.compress(content, preset=0),
    "zstd": lambda content: pa.Codec("zstd").compress(content, asbytes=True),
    "zip": zipped,
}


@pytest.mark.parametrize("packing", PACKERS)
def test_rows_are_expected_from_the_bytes_that_are_left(packing: str, texts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(PACKERS[packing](("puzzle\n" + "\n".join(texts) + "\n").encode()))
    half_way = told([str(path)])[ROWS // 2000]
    assert half_way is not None
    if packing != "bzip2":  # which unpacks 900 kB at a time
        assert half_way == pytest.approx(ROWS, rel=0.25)


def test_folders_globs_and_several_files(texts: list[str], tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text("\n".join(texts[:4000]) + "\n")
    one_by_one = [str(tmp_path / f"{name}.txt") for name in "abc"]
    for inputs in ([str(tmp_path)], [str(tmp_path / "*.txt")], one_by_one):
        assert told(inputs)[5] == pytest.approx(12_000, rel=0.3)


def test_parquet_says_how_many_rows_it_has(texts: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n".join(texts[:3000]) + "\n")
    pq.write_table(pa.table({"puzzle": texts[:5000]}), tmp_path / "b.parquet")
    assert told([str(tmp_path / "b.parquet")]) == [5000] * 5
    assert told([str(tmp_path)])[-1] == 8000


def test_standard_input_that_is_a_file(texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in.txt").write_text("\n".join(texts) + "\n")
    with (tmp_path / "in.txt").open() as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert told(["-"])[ROWS // 2000] == pytest.approx(ROWS, rel=0.25)


def test_a_pipe_says_nothing_and_nothing_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert Meter([str(tmp_path / "pipe")]).expected() is None


def test_a_damaged_file_is_left_to_its_reader(tmp_path: Path) -> None:
    (tmp_path / "in.parquet").write_bytes(b"PAR1 and nothing more")
    assert Meter([str(tmp_path / "in.parquet")]).expected() is None
