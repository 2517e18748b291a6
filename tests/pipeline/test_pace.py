"""How many rows go to a worker at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from megadoku import datasets
from megadoku.pipeline.pace import FIRST_ROWS, TASK_SECONDS, Pace

if TYPE_CHECKING:
    from pathlib import Path


def pieces(source: Path, pace: Pace, seconds_a_row: float) -> list[datasets.Block]:
    got = []
    for piece in pace.cut(datasets.read_blocks([str(source)], block_rows=1000)):
        got.append(piece)
        pace.saw(len(piece), len(piece) * seconds_a_row)
    return got


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Rows whose third cell tells them apart, every hundredth refused."""
    path = tmp_path / "in.csv"
    rows = [f"..{row % 9 + 1}{'.' * 78}" if row % 100 else "x" for row in range(2500)]
    path.write_text("puzzle\n" + "\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(("seconds_a_row", "rows"), [(1.0, 1), (0.01, 10), (0.001, 100), (1e-7, 1000), (0.0, 1000)])
def test_a_task_takes_a_tenth_of_a_second(source: Path, seconds_a_row: float, rows: int) -> None:
    sizes = [len(piece) for piece in pieces(source, Pace(), seconds_a_row)]
    assert sizes[0] == FIRST_ROWS
    assert max(sizes[1:]) in range(min(rows, 1000 - FIRST_ROWS), rows + 1)
    assert seconds_a_row * sizes[1] <= TASK_SECONDS or sizes[1] == 1


def test_no_row_is_lost_or_moved_by_cutting(source: Path) -> None:
    whole = list(datasets.read_blocks([str(source)], block_rows=1000))
    cut = pieces(source, Pace(), 0.003)
    assert len(cut) > len(whole)
    for name in ("rows", "lines", "grids"):
        assert np.array_equal(*(np.concatenate([getattr(block, name) for block in some]) for some in (whole, cut)))
    assert texts(whole) == texts(cut)
    assert refused(whole) == refused(cut)
    assert len(refused(cut)) == 25


def texts(blocks: list[datasets.Block]) -> list[str]:
    return [text for block in blocks for text in block.texts.to_pylist()]


def refused(blocks: list[datasets.Block]) -> dict[int, str]:
    return {int(block.rows[at]): why for block in blocks for at, why in block.refused.items()}


def test_it_follows_puzzles_that_become_harder_and_easier() -> None:
    pace = Pace()
    pace.saw(32, 32 * 0.0001)
    easy = pace.rows
    pace.saw(easy, 10.0)
    assert pace.rows < easy / 10
    for _ in range(8):
        pace.saw(32, 32 * 0.0001)
    assert pace.rows > easy / 2
