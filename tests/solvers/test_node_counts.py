"""Node counts are the same in every process and on every machine, and mean what the vocabulary says."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from megadoku import solvers
from tests.solvers.test_contract import LEETCODE, grids_of

COUNT = """
import json, numpy, megadoku.solvers as solvers
grid = numpy.array([[0 if mark == "." else int(mark) for mark in {puzzle!r}]], numpy.uint8)
print(json.dumps({{name: int(solvers.get(name).solve_block(grid, 2).nodes[0]) for name in solvers.NAMES}}))
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_hash_order_changes_nothing(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    script = COUNT.format(puzzle=LEETCODE)
    printed = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True).stdout
    here = {name: int(solvers.get(name).solve_block(grids_of(LEETCODE), 2).nodes[0]) for name in solvers.NAMES}
    assert json.loads(printed) == here


@pytest.mark.parametrize("name", ["naive", "scan-sets", "sets", "marks"])
def test_row_major_searches_place_the_known_number_of_digits(name: str) -> None:
    """4,208 placements until the first solution of this board were counted elsewhere, by another program."""
    assert solvers.get(name).solve_block(grids_of(LEETCODE)).nodes[0] == 4208


def test_singles_are_deduced_not_searched() -> None:
    answers = solvers.get("preprocess").solve_block(grids_of(LEETCODE), 2)
    assert answers.nodes[0] == 0
