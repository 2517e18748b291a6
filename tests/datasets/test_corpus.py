"""Files that are each nasty in one way, with what must come of them; they are not part of this repository."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from megadoku.datasets import Block, InputError, read_blocks

SHARED = Path(os.environ.get("MEGADOKU_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
CORPUS = SHARED / "corpus"

# Where a label allows several behaviours and ours is another one than it names: line → what we do, and why.
OURS: dict[str, dict[int, str]] = {
    "csv/header_repeated.csv": {5: "refused"},  # it is a row, and no row vanishes
    "csv/backslash_escape.csv": {2: "accepted"},  # the puzzle's own cell is whole
    "csv/excel_text_guard.csv": {2: "accepted", 3: "accepted"},  # unwrapped
    "csv/field_140k.csv": {3: "accepted"},  # the puzzle's own cell is whole
    "csv/unclosed_quote_mid.csv": {4: "accepted", 5: "accepted", 6: "accepted"},  # only line 3 is lost
}


def labels() -> list[dict[str, Any]]:
    path = CORPUS / "expected.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not beside this checkout")
@pytest.mark.parametrize("label", labels(), ids=lambda label: label["file"])
def test_corpus_file(label: dict[str, Any]) -> None:
    path = str(CORPUS / label["file"])
    if label["exit"] == 2:
        with pytest.raises(InputError):
            list(read_blocks([path]))
        return
    blocks = list(read_blocks([path]))
    expected = {row["line"]: "accepted" if row["verdict"] == "accept" else "refused" for row in label["rows"]}
    expected |= OURS.get(label["file"], {})
    assert [(line, what) for line, what, _ in _rows(blocks)] == sorted(expected.items())
    puzzles = {row["line"]: row.get("puzzle") for row in label["rows"]}
    for line, what, grid in _rows(blocks):
        if what == "accepted" and puzzles.get(line):
            assert grid == puzzles[line]


def _rows(blocks: list[Block]) -> list[tuple[int, str, str]]:
    return [
        (int(line), "refused" if at in block.refused else "accepted", "".join(map(str, grid)).replace("0", "."))
        for block in blocks
        for at, (line, grid) in enumerate(zip(block.lines, block.grids.tolist(), strict=True))
    ]
