"""The bundled sets are what their index says."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from megadoku import solvers
from megadoku.datasets import BundledSet, bundled, read_blocks


@pytest.mark.parametrize("entry", bundled(), ids=lambda entry: entry.name)
def test_set_is_as_its_index_says(entry: BundledSet) -> None:
    assert hashlib.sha256(entry.path.read_bytes()).hexdigest() == entry.sha256
    (block,) = read_blocks([entry.name])
    clues = np.count_nonzero(block.grids, axis=1)
    assert (len(block), clues.min(), clues.max()) == (entry.rows, entry.min_clues, entry.max_clues)
    assert not block.refused
    assert len(np.unique(block.grids, axis=0)) == entry.rows


@pytest.mark.parametrize("entry", bundled(), ids=lambda entry: entry.name)
def test_each_puzzle_has_one_solution_and_it_stands_beside_it(entry: BundledSet) -> None:
    (block,) = read_blocks([entry.name])
    answers = solvers.get("bitmask").solve_block(block.grids, limit=2)
    assert (answers.counts == 1).all()
    assert block.known is not None
    assert (answers.solutions == block.known).all()
