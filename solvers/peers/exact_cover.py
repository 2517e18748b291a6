"""`exact-cover`: dancing links in C. It gets the rows of the matrix that the givens leave, and knows no deadline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from exact_cover import get_all_solutions
from exact_cover.error import NoSolution
from exact_cover.io import DTYPE_FOR_ARRAY

from megadoku.solvers.dlx import COLUMNS
from megadoku.solvers.peers.peer import Peer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.solvers.peers.peer import Grid

MATRIX = np.zeros((729, 324), DTYPE_FOR_ARRAY)
MATRIX[np.arange(729)[:, None], np.array(COLUMNS)] = 1
CELL, DIGIT = np.divmod(np.arange(729), 9)


class ExactCover(Peer):
    counts_to = 100_000  # it sets memory aside for as many as it is asked for

    def solutions(self, grid: Grid, limit: int, seconds: float) -> Iterator[Grid]:
        if 0 not in grid:  # version 1.5.0 loses a solution that takes every row of its matrix
            yield grid
            return
        givens = np.array(grid)[CELL]
        rows = np.flatnonzero((givens == 0) | (givens == DIGIT + 1))
        try:
            covers = get_all_solutions(MATRIX[rows], max_count=limit)
        except NoSolution:
            return
        for cover in sorted(covers):
            solution = np.zeros(81, np.uint8)
            chosen = rows[list(cover)]
            solution[CELL[chosen]] = DIGIT[chosen] + 1
            yield solution.tolist()
