"""`cadical`: a SAT solver through PySAT. It learns the rules once; the givens of a puzzle are assumptions.

Variable 9 × cell + digit says that the cell holds the digit, digits counted from 1. To find another solution, the
last one is forbidden by a clause that holds only while this puzzle's own switch is assumed; afterwards the switch is
turned off for good, and what the solver learned about sudoku stays.
"""

from __future__ import annotations

import itertools
import weakref
from typing import TYPE_CHECKING

from pysat.solvers import Cadical195

from megadoku.solvers.board import UNITS
from megadoku.solvers.peers.peer import Peer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.solvers.peers.peer import Grid

DIGITS = range(1, 10)
SWITCHES = 10**6  # a puzzle's switch is a variable that no other puzzle has; then the solver starts afresh


def rules() -> list[list[int]]:
    """Every cell has a digit, every digit a cell in each unit, and none of the two has two."""
    choices = [[9 * cell + digit for digit in DIGITS] for cell in range(81)]
    choices += [[9 * cell + digit for cell in unit] for unit in UNITS for digit in DIGITS]
    return choices + [[-one, -other] for choice in choices for one, other in itertools.combinations(choice, 2)]


class Cadical(Peer):
    repeatable = False

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._solver = Cadical195(bootstrap_with=rules())
        weakref.finalize(self, self._solver.delete)  # before the interpreter takes apart what it needs for that
        self._switches = itertools.count(9 * 81 + 1)

    def solutions(self, grid: Grid, limit: int, seconds: float) -> Iterator[Grid]:
        switch = next(self._switches)
        assumed = [switch, *(9 * cell + digit for cell, digit in enumerate(grid) if digit)]
        try:
            while self._solver.solve(assumptions=assumed):
                true = [literal for literal in self._solver.get_model()[: 9 * 81] if literal > 0]
                yield [(literal - 1) % 9 + 1 for literal in true]
                self._solver.add_clause([-switch, *(-literal for literal in true)])
        finally:
            self._solver.add_clause([-switch])
            if switch > SWITCHES:
                self._start()
