"""Files as people publish them; they are not part of this repository. Their list says how many rows they hold."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from megadoku.datasets import NotAPuzzleFileError, read_blocks

SHARED = Path(os.environ.get("MEGADOKU_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
DATA = SHARED / "data"
NO_PUZZLES = r"^bigger/|README\.md$|LICENSE\.txt$|\.doku$|komo_too_short|komo_with_marks"
GRIDS_OVER_LINES = {
    "formats/misc/dimitri_sudoku.txt": 50,
    "norvig/easy50_separators_tkych.txt": 50,
    "norvig/emerentius_easy_sudokus.txt": 50,
    "norvig/p096_sudoku_euler.txt": 50,
    "lists/30k/sudokuEasy.txt": 10_001,
    "lists/30k/sudokuHard.txt": 10_000,
    "lists/30k/sudokuMedium.txt": 10_001,
    "seventeen/hodoku_sudoku17_20100413.txt": 49_151,
}
REFUSED = ("too_short", "invalid_char")

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the real files are not beside this checkout")


def listed() -> dict[str, int]:
    """File → rows, where the list counts them."""
    readme = DATA / "README.md"
    lines = readme.read_text().splitlines() if readme.exists() else []
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if re.match(r"\| \w+/", line)]
    return {row[0]: int(row[1] or 0) for row in cells}


@pytest.mark.parametrize(("name", "rows"), sorted(listed().items()))
def test_file(name: str, rows: int) -> None:
    if re.search(NO_PUZZLES, name) and not name.endswith("_doku.doku"):
        with pytest.raises(NotAPuzzleFileError, match="no puzzle file"):
            list(read_blocks([str(DATA / name)]))
        return
    blocks = list(read_blocks([str(DATA / name)]))
    refused = sum(len(block.refused) for block in blocks)
    assert sum(map(len, blocks)) == (rows or GRIDS_OVER_LINES.get(name, 1))
    assert refused == (1 if any(mark in name for mark in REFUSED) or "_doku.doku" in name else 0)


def test_the_puzzle_bank() -> None:
    blocks = list(read_blocks([str(DATA / "puzzlebank")]))
    assert sum(map(len, blocks)) == 321_592
    assert not any(block.refused for block in blocks)


def test_solutions_in_some_lines_only() -> None:
    (block,) = read_blocks([str(DATA / "tdoku" / "test_puzzles")])
    assert block.known is not None
    assert block.known.all(axis=1).sum() == 18
