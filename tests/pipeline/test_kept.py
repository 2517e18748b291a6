"""`--keep-columns`: what else the input says goes along."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import megadoku
from megadoku import datasets
from megadoku.datasets import Block
from megadoku.pipeline import encoding
from megadoku.pipeline.kept import Kept
from megadoku.solvers import Answers
from tests.pipeline.held_runs import solve
from tests.solvers.test_contract import LEETCODE

if TYPE_CHECKING:
    from pathlib import Path

OUR_COLUMNS = ["puzzle", "solution", "status", "nodes", "reason"]
ROWS = [["7", LEETCODE, "easy"], ["8", LEETCODE[:80], "a, b"], ["9", LEETCODE, "=cmd()"], ["10", LEETCODE, "-1.5"]]


def written(path: Path, header: list[str], rows: list[list[str]]) -> Path:
    with path.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    return path


def table_of(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(), newline="")))


@pytest.mark.parametrize("solver", ["lanes", "bitmask"])
def test_they_stand_behind_ours_in_every_row(tmp_path: Path, solver: str) -> None:
    source, out = written(tmp_path / "in.csv", ["id", "puzzle", "level"], ROWS), tmp_path / "out.csv"
    megadoku.solve_file(source, output=out, keep_columns=True, solver=solver)
    header, *rows = table_of(out)
    assert header == [*OUR_COLUMNS, "id", "level"]
    assert [row[2] for row in rows] == ["unique", "invalid", "unique", "unique"]
    assert [row[5:] for row in rows] == [["7", "easy"], ["8", "a, b"], ["9", "'=cmd()"], ["10", "-1.5"]]


def test_without_others_nothing_changes(tmp_path: Path) -> None:
    source = written(tmp_path / "in.csv", ["puzzle"], [[LEETCODE]])
    for keep in (False, True):
        megadoku.solve_file(source, output=tmp_path / f"{keep}.csv", keep_columns=keep)
    assert (tmp_path / "True.csv").read_bytes() == (tmp_path / "False.csv").read_bytes()


def test_parquet_and_typed_columns(tmp_path: Path) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    kept = {"rating": [1.5, None], "tags": [["a"], []], "nodes": [3, 4]}
    pa.parquet.write_table(pa.table({"puzzle": [LEETCODE, LEETCODE], **kept}), source)
    megadoku.solve_file(source, output=out, keep_columns=True)
    table = pa.parquet.read_table(out)
    assert table.column_names == [*OUR_COLUMNS, "rating", "tags", "nodes_"]  # ours has the name
    assert table.select([5, 6, 7]).to_pydict() == {
        "rating": ["1.5", None],
        "tags": ["['a']", "[]"],
        "nodes_": ["3", "4"],
    }


def test_what_another_input_lacks_is_empty_and_what_it_has_besides_is_refused(tmp_path: Path) -> None:
    first = written(tmp_path / "a.csv", ["id", "puzzle"], [["7", LEETCODE]])
    second = written(tmp_path / "b.csv", ["puzzle"], [[LEETCODE]])
    out = tmp_path / "out.csv"
    megadoku.solve_file(first, second, output=out, keep_columns=True)
    assert [row[5:] for row in table_of(out)] == [["id"], ["7"], [""]]
    other = solve(second, first, "-o", tmp_path / "other.csv", "--keep-columns")
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    assert "a.csv: has a column 'id' that" in other.stderr


def test_a_list_has_no_place_for_them(tmp_path: Path) -> None:
    source = written(tmp_path / "in.csv", ["id", "puzzle"], [["7", LEETCODE]])
    done = solve(source, "-o", tmp_path / "out.txt", "--keep-columns")
    assert done.returncode == 2
    assert "--keep-columns" in done.stderr


def test_a_resume_with_other_columns_is_another_run(tmp_path: Path) -> None:
    source = written(tmp_path / "in.csv", ["id", "puzzle"], [["7", LEETCODE]])
    options: dict[str, Any] = {"output": tmp_path / "out.csv"}
    (tmp_path / ".out.csv.journal").write_bytes(b"")
    assert megadoku.solve_file(source, **options, resume=True, keep_columns=True).rows == 1
    assert table_of(tmp_path / "out.csv")[1][5:] == ["7"]


CELLS = st.text(st.sampled_from("ab ,\"'\n\r\t=+-@1.é"), max_size=6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=12), st.integers(0, 3))
def test_csv_reads_back_as_what_it_was(cells: list[tuple[str, str]], start: int) -> None:
    others = pa.record_batch([pa.array(column, pa.string()) for column in zip(*cells, strict=True)], ["x", "y"])
    numbers, grids = np.arange(1, len(cells) + 1), np.zeros((len(cells), 81), np.uint8)
    block = Block("here", numbers, numbers, grids, pa.array(["." * 81] * len(cells)), others=others)
    block = block.part(min(start, len(cells) - 1), len(cells))  # arrays that start in the middle of their buffers
    text = bytes(encoding.encode_csv(block, Answers.blank(len(block)), Kept(block))).decode()
    read = [row[5:] for row in csv.reader(io.StringIO(text, newline=""))]
    assert read == [[datasets.inert(cell) for cell in row] for row in cells[-len(block) :]]
