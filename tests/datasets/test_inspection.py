"""An inspection finds what was hidden in a file."""

from __future__ import annotations

import dataclasses
import gzip
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from rich.console import Console

from megadoku import solvers
from megadoku.datasets import inspect, read_blocks
from megadoku.datasets.full_grids import shuffle
from megadoku.datasets.inspection_view import view
from megadoku.datasets.writers import lines_of

if TYPE_CHECKING:
    from pathlib import Path

solve = solvers.get("bitmask").solve_block


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    """200 easy puzzles with solutions, and one of everything that can be wrong."""
    (block,) = read_blocks(["easy"])
    assert block.known is not None
    puzzles, solutions = lines_of(block.grids), lines_of(block.known)
    lines = [f"{puzzle};{solution}" for puzzle, solution in zip(puzzles, solutions, strict=True)]
    lines.append(lines[5])  # a duplicate
    lines.append(f"{lines_of(shuffle(block.grids[:1], np.random.default_rng(1)))[0]};")  # the same up to symmetry
    lines.append(f"{'.' * 81};{solutions[0]}")  # many solutions, one of which is given
    lines.append(f"11{'.' * 79};{solutions[0]}")  # a clash, and so the solution is wrong
    lines.append(f"{puzzles[0][:80]};{solutions[0]}")  # refused
    path = tmp_path / "messy.txt.gz"
    path.write_bytes(gzip.compress("\r\n".join(["quiz;answer", *lines]).encode("utf-16")))
    return path


def test_everything_is_found(messy: Path) -> None:
    found = inspect([str(messy)], solve=solve)
    assert (found.rows, found.refused, found.duplicates, found.clashing, found.alike) == (205, 1, 1, 1, 1)
    assert (found.known, found.wrong) == (203, 1)
    assert found.examples == [f"{messy}, line 206: 80 characters, not 81"]
    assert sum(found.clues.values()) == found.compared == found.sample == 204
    assert found.counts == {"unsolvable": 0, "unique": 202, "multiple": 1, "undecided": 1}
    assert sum(found.takes.values()) == 202
    (source,) = found.sources
    assert (source.format, source.encoding, source.line_ends, source.compression) == ("lines", "utf-16", "CRLF", "gzip")
    assert source.layout == "header; columns set apart by ; are quiz (puzzle), answer (solution)"


def test_the_sample_is_random_and_repeatable(messy: Path) -> None:
    first, again, other = (inspect([str(messy)], sample=20, seed=seed, solve=solve) for seed in (1, 1, 2))
    assert first == again != other
    assert first.sample == 20


def test_as_json_and_on_the_terminal(messy: Path) -> None:
    found = inspect([str(messy)], solve=solve)
    assert json.loads(json.dumps(dataclasses.asdict(found)))["rows"] == 205
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: PTH123, SIM115
    console.print(view(found))
    page = console.export_text()
    assert "205, of which 1 refused" in page
    assert "203, of which 1 wrong" in page
    assert "unique 99%" in page


def test_an_empty_set_and_no_solver(tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    path.write_text("puzzle,solution\n")
    found = inspect([str(path)])
    assert (found.rows, found.sample, found.counts) == (0, 0, {})
    Console(file=(tmp_path / "page").open("w")).print(view(found))
