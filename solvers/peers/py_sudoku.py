"""`py-sudoku`: the package of that name, fewest candidates first in plain Python.

Its search calls itself once for each digit it places. Standing in that call, we count its nodes and end it when the
budget is spent. It can tell one solution from several, but not how many.
"""

from __future__ import annotations

from typing import Any

from sudoku import Sudoku
from sudoku.sudoku import _SudokuSolver

from megadoku.solvers.contract import Strategy, Tally


class PySudoku(Strategy):
    counts_to = 2

    def search(self, grid: list[int], tally: Tally) -> None:
        board = [grid[start : start + 9] for start in range(0, 81, 9)]
        searcher = _Counted(Sudoku(3, 3, board=board), tally)
        solved = searcher._solve()
        if solved is None:
            return
        solution = [digit for row in solved.board for digit in row]
        enough = tally.found(solution)
        if not enough and searcher._has_multiple_solutions():
            tally.found(solution)


class _Counted(_SudokuSolver):
    def __init__(self, sudoku: Any, tally: Tally) -> None:
        super().__init__(sudoku)
        self._tally = tally

    def _SudokuSolver__get_solution(  # noqa: N802  the name that Python gives its private method
        self, board: Any, blanks: Any, fillers: Any, filled: list[bool], reverse: bool = False
    ) -> Any:
        if any(filled):
            self._tally.node()
        return super()._SudokuSolver__get_solution(board, blanks, fillers, filled, reverse=reverse)
