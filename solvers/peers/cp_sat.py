"""`cp-sat`: the constraint solver of OR-Tools. The model of the rules is built once; a puzzle narrows its domains."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from megadoku.solvers.board import UNITS
from megadoku.solvers.peers.peer import Peer, out_of_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.solvers.peers.peer import Grid


class CpSat(Peer):
    def __init__(self) -> None:
        self._model = cp_model.CpModel()
        self._cells = [self._model.new_int_var(1, 9, f"cell {cell + 1}") for cell in range(81)]
        for unit in UNITS:
            self._model.add_all_different([self._cells[cell] for cell in unit])

    def solutions(self, grid: Grid, limit: int, seconds: float) -> Iterator[Grid]:
        for cell, digit in enumerate(grid):
            domain = self._cells[cell].proto.domain
            domain[0], domain[1] = digit or 1, digit or 9
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1  # one worker of ours is one core
        solver.parameters.enumerate_all_solutions = limit > 1
        if math.isfinite(seconds):
            solver.parameters.max_time_in_seconds = seconds
        gathered = _Gather(self._cells, limit)
        ended = solver.solve(self._model, gathered)
        yield from gathered.grids
        if len(gathered.grids) < limit and ended not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            raise out_of_time(seconds)


class _Gather(cp_model.CpSolverSolutionCallback):
    def __init__(self, cells: list[cp_model.IntVar], limit: int) -> None:
        super().__init__()
        self._cells, self._limit = cells, limit
        self.grids: list[Grid] = []

    def on_solution_callback(self) -> None:
        self.grids.append([self.value(cell) for cell in self._cells])
        if len(self.grids) >= self._limit:
            self.stop_search()
