"""How hard a puzzle is, by what it takes: singles, locked candidates, or search and how much of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from megadoku.datasets.errors import WishError
from megadoku.datasets.logic import fill_locked, fill_singles, is_full

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from megadoku.datasets.generator import Solve

LEVELS = ("singles", "locked", "search")


def levels(puzzles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """For each puzzle the place in `LEVELS` of the least that is enough for it."""
    level = np.full(len(puzzles), 2, np.uint8)
    filled = fill_singles(puzzles)
    level[is_full(filled)] = 0
    open_ones = np.flatnonzero(level)
    level[open_ones[is_full(fill_locked(filled[open_ones]))]] = 1
    return level


@dataclass(frozen=True)
class Difficulty:
    """A band: one of `LEVELS`, or so many nodes of the solver at hand."""

    level: int | None = None
    nodes: tuple[int, int | None] | None = None

    @classmethod
    def parse(cls, text: str) -> Difficulty:
        """`singles`, `locked`, `search`, or `nodes:10-100`, `nodes:50-`"""
        if text in LEVELS:
            return cls(level=LEVELS.index(text))
        found = re.fullmatch(r"nodes:(\d+)-(\d*)", text)
        if not found:
            raise WishError(f"no difficulty {text!r}; there are {', '.join(LEVELS)} and nodes:MIN-MAX")
        return cls(nodes=(int(found[1]), int(found[2]) if found[2] else None))

    def fits(self, puzzles: NDArray[np.uint8], solve: Solve) -> NDArray[np.bool_]:
        if self.level is not None:
            same: NDArray[np.bool_] = levels(puzzles) == self.level
            return same
        least, most = self.nodes or (0, None)
        nodes = solve(puzzles, 1).nodes
        fits: NDArray[np.bool_] = (nodes >= least) & (nodes <= (np.iinfo(np.int64).max if most is None else most))
        return fits
