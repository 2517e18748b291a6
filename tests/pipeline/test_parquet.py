"""Parquet made of parts: read back, taken up again, and the index that holds them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from megadoku.datasets import Block
from megadoku.pipeline import encoding, parquet_output, thrift
from megadoku.pipeline.output import open_output
from megadoku.pipeline.summary import Summary
from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROWS = 1000


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "ROW_GROUP", 70)


def blocks(block_rows: int, start: int = 0) -> Iterator[tuple[Block, Answers]]:
    """Rows that say which they are, some of them refused."""
    for first in range(start, ROWS, block_rows):
        numbers = np.arange(first, min(first + block_rows, ROWS))
        answers = Answers.blank(len(numbers))
        answers.solutions[:] = numbers[:, None] % 9 + 1
        answers.nodes[:] = numbers**3
        answers.status[:] = Status.UNIQUE
        for at in np.flatnonzero(numbers % 13 == 0).tolist():
            answers.refuse(at, Status.INVALID, f"row {numbers[at]}")
        texts = pa.array([f"{number:081}" for number in numbers], pa.string())
        yield Block("here", numbers, numbers, np.zeros((len(numbers), 81), np.uint8), texts), answers


def write(out: Path, block_rows: int, lasts: int = ROWS, resume: bool = False) -> int:
    """Write what is missing, or `lasts` blocks of it; how many rows were there already."""
    with open_output(str(out), {"plan": 1}, resume=resume) as output:
        there = output.done.rows
        for number, (block, answers) in enumerate(blocks(block_rows, there)):
            if number == lasts:
                raise KeyboardInterrupt
            output.write(output.encode(block, answers), Summary.of(block, answers, None))
    return there


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    write(tmp_path / "whole.parquet", 64)
    return (tmp_path / "whole.parquet").read_bytes()


@pytest.mark.parametrize(("block_rows", "then"), [(64, 64), (10, 300), (300, 7), (70, 1000), (999, 1)])
def test_it_is_taken_up_where_it_was_left(whole: bytes, tmp_path: Path, block_rows: int, then: int) -> None:
    out = tmp_path / "out.parquet"
    lasts = 700 // block_rows or 1
    with pytest.raises(KeyboardInterrupt):
        write(out, block_rows, lasts)
    there = write(out, then, resume=True)
    assert there > 0 or block_rows > 500, "it must not start over"
    assert out.read_bytes() == whole


def test_it_reads_back_as_one_file(whole: bytes) -> None:
    file = pyarrow.parquet.ParquetFile(pa.BufferReader(whole))
    assert file.metadata.num_rows == ROWS
    assert file.metadata.num_row_groups == -(-ROWS // 70)
    wanted = pa.Table.from_batches([encoding.encode_arrow(*block) for block in blocks(ROWS)])
    assert file.read().combine_chunks().equals(wanted)
    assert file.read_row_group(5).equals(wanted.slice(350, 70))
    smallest = [file.metadata.row_group(at).column(3).statistics.min for at in range(3)]
    assert smallest == [0, 70**3, 140**3]


def test_no_rows_are_a_file_too(tmp_path: Path) -> None:
    with open_output(str(tmp_path / "none.parquet"), {}):
        pass
    table = pyarrow.parquet.read_table(tmp_path / "none.parquet")
    assert (len(table), table.schema) == (0, encoding.schema())


def test_parts_are_found_from_the_end_and_are_files_themselves(tmp_path: Path) -> None:
    packed = [parquet_output.pack(encoding.schema(), [encoding.encode_arrow(*block)]) for block in blocks(400)]
    ends = np.cumsum([0, *map(len, packed)]).tolist()
    path = tmp_path / "parts"
    path.write_bytes(b"".join(packed))
    with path.open("rb", buffering=0) as stream:
        parts = parquet_output.parts_before(stream, ends[-1])
        assert stream.tell() == ends[-1]
    assert [part.start for part in parts] == ends[:-1]
    assert [len(pyarrow.parquet.read_table(pa.BufferReader(part))) for part in packed] == [400, 400, 200]
    assert all(thrift.written(thrift.read(part.index)) == part.index for part in parts)


def test_what_an_index_may_hold_is_written_as_it_was_read() -> None:
    items = thrift.Items(thrift.I64, [0, -1, 1, 2**63 - 1, -(2**63), *range(20)])
    struct = {
        1: thrift.Field(thrift.TRUE, None),
        2: thrift.Field(thrift.LIST, items),
        40: thrift.Field(thrift.TEXT, b"x" * 300),
        41: thrift.Field(thrift.DOUBLE, b"12345678"),
        42: thrift.Field(thrift.BYTE, b"1"),
        43: thrift.Field(thrift.STRUCT, {1: thrift.Field(thrift.FALSE, None)}),
    }
    assert thrift.read(thrift.written(struct)) == struct
