"""A random set written in every format, in every compression, and read back the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from megadoku.datasets import OutputError, UnknownFormatError, convert, read_blocks
from megadoku.datasets.output import PACKERS
from megadoku.datasets.writers import DOTS, WRITERS, Rows, WriterEntry, inert, lines_of, matrix

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

ONCE = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
cells = st.integers(0, 9)
puzzles = st.lists(st.lists(cells, min_size=81, max_size=81), min_size=1, max_size=12)


def _drawn(seed: int, count: int, empties: float) -> NDArray[np.uint8]:
    """Grids that do not clash: parts of a solved one, so that nothing is taken for a table of other numbers."""
    rng = np.random.default_rng(seed)
    solved = np.array([[(3 * row + row // 3 + column) % 9 + 1 for column in range(9)] for row in range(9)], np.uint8)
    grids = np.tile(solved.ravel(), (count, 1))
    grids = rng.permuted(np.tile(np.arange(1, 10, dtype=np.uint8), (count, 1)), axis=1)[
        np.arange(count)[:, None], grids - 1
    ]
    grids[rng.random(grids.shape) < empties] = 0
    return grids


@pytest.mark.parametrize("entry", WRITERS, ids=lambda entry: entry.name)
@given(seed=st.integers(0, 1_000_000), count=st.integers(1, 40), empties=st.floats(0.3, 0.9), rows=st.integers(1, 50))
@ONCE
def test_round_trip(tmp_path: Path, entry: WriterEntry, seed: int, count: int, empties: float, rows: int) -> None:
    grids = _drawn(seed, count, empties)
    path = tmp_path / "set"
    with path.open("wb") as file:
        entry.write(file, iter([Rows(grids[: count // 2]), Rows(grids[count // 2 :])]))
    blocks = list(read_blocks([str(path)], block_rows=rows))
    assert np.concatenate([block.grids for block in blocks]).tolist() == grids.tolist()
    assert np.concatenate([block.rows for block in blocks]).tolist() == list(range(1, count + 1))
    assert not any(block.refused for block in blocks)


@pytest.mark.parametrize("packing", ["", *PACKERS])
@pytest.mark.parametrize("entry", [entry for entry in WRITERS if entry.suffixes], ids=lambda entry: entry.name)
def test_convert_there_and_back(tmp_path: Path, entry: WriterEntry, packing: str) -> None:
    other = tmp_path / f"set{entry.suffixes[0]}{packing}"
    there = convert(["easy"], str(other))
    back = convert([str(other)], str(tmp_path / "back.csv"))
    assert there.written == back.written == 200
    assert ("column solution" in there.lost) != entry.holds_solutions
    (before,), (after,) = read_blocks(["easy"]), read_blocks([str(tmp_path / "back.csv")])
    assert (before.grids == after.grids).all()
    if entry.holds_solutions:
        assert (before.known == after.known).all()  # type: ignore[union-attr]


@pytest.mark.parametrize("entry", [entry for entry in WRITERS if entry.holds_others], ids=lambda entry: entry.name)
def test_other_columns_go_along_and_stay_inert(tmp_path: Path, entry: WriterEntry) -> None:
    source = tmp_path / "source.csv"
    puzzle = lines_of(_drawn(1, 1, 0.6))[0]
    source.write_text(f"id,puzzle,note,level\n7,{puzzle},\"=cmd|'/c calc'!A1\",-1.5\n8,{puzzle[1:]},x,1\n")
    output = tmp_path / f"out{entry.suffixes[0]}"
    result = convert([str(source)], str(output))
    assert (result.written, result.refused, +result.lost) == (1, 1, {})
    (block,) = read_blocks([str(output)], keep_columns=entry.name in ("csv", "tsv", "parquet", "arrow"))
    assert block.texts[0].as_py() == puzzle
    if entry.name in ("csv", "tsv"):
        assert block.others is not None
        assert block.others.to_pydict() == {"id": ["7"], "note": ["'=cmd|'/c calc'!A1"], "level": ["-1.5"]}


def test_inert_leaves_numbers_alone() -> None:
    assert [inert(cell) for cell in ("=1", "-1", "+4.5", "@x", "-x", "a")] == ["'=1", "-1", "+4.5", "'@x", "'-x", "a"]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormatError, match="there are csv"):
        convert(["easy"], str(tmp_path / "set.docx"))
    with pytest.raises(OutputError, match="cannot be written"):
        convert(["easy"], str(tmp_path / "nowhere" / "set.csv"))
    assert list(tmp_path.iterdir()) == []


@given(puzzles)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_81_digits_in_a_headed_csv_are_read_as_they_are(tmp_path: Path, grids: list[list[int]]) -> None:
    path = tmp_path / "set.csv"
    lines = lines_of(np.array(grids, np.uint8))
    path.write_text("puzzle\n" + "\n".join(lines))
    assert [row for block in read_blocks([str(path)]) for row in block.grids.tolist()] == grids


def test_typed_columns_of_parquet(tmp_path: Path) -> None:
    grids = _drawn(3, 5, 0.6)
    flat, nested = grids.tolist(), grids.reshape(-1, 9, 9).tolist()
    texts = lines_of(grids)
    variants = {
        "list": pa.array(flat, pa.list_(pa.int8())),
        "fixed": pa.array(flat, pa.list_(pa.int64(), 81)),
        "nested": pa.array(nested, pa.list_(pa.list_(pa.int32()))),
        "dictionary": pa.array(texts).dictionary_encode(),
        "large": pa.array(texts, pa.large_string()),
        "binary": pa.array([text.encode() for text in texts], pa.binary()),
    }
    for name, column in variants.items():
        path = tmp_path / f"{name}.parquet"
        pa.parquet.write_table(pa.table({"id": range(5), "puzzle": column}), path)
        (block,) = read_blocks([str(path)])
        assert (block.grids == grids).all(), name


def test_json_board(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    grid = _drawn(4, 1, 0.5)
    path.write_text(json.dumps({"newboard": {"grids": [{"value": grid.reshape(9, 9).tolist(), "difficulty": "Easy"}]}}))
    (block,) = read_blocks([str(path)])
    assert (block.grids == grid).all()


def test_matrix_is_what_lines_are() -> None:
    grids = _drawn(5, 2, 0.5)
    assert [bytes(row).decode() for row in matrix(grids, DOTS)] == lines_of(grids)
