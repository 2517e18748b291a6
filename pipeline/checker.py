"""Is an answer right? Decided here from the rules of sudoku alone; no code that solves is used.

Compiled, because every row of every file goes through it, and without the GIL, because threads do it side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from megadoku.solvers import Answers, Status
from megadoku.solvers.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WITH_SOLUTION = (Status.SOLVED, Status.UNIQUE, Status.MULTIPLE)
_LEAST_COUNT = {Status.SOLVED: 1, Status.UNIQUE: 1, Status.MULTIPLE: 2, Status.UNSOLVABLE: 0}


def completes(puzzles: NDArray[np.uint8], solutions: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """For each row: is this solution a full, legal grid that keeps the puzzle's givens?"""
    right = np.zeros(len(puzzles), np.bool_)
    _judge(np.ascontiguousarray(puzzles), np.ascontiguousarray(solutions), right)
    return right


@kernel
def _judge(puzzles: NDArray[np.uint8], solutions: NDArray[np.uint8], right: NDArray[np.bool_]) -> None:
    """Nine cells hold nine different digits exactly when the OR of their bits is the bits of all nine digits."""
    for row in range(len(puzzles)):
        puzzle, solution = puzzles[row], solutions[row]
        good = True
        for cell in range(81):
            good &= (puzzle[cell] == 0) | (puzzle[cell] == solution[cell])
            good &= solution[cell] <= 9
        for unit in range(9):
            corner = unit // 3 * 27 + unit % 3 * 3
            in_row = in_column = in_box = 0
            for step in range(9):
                in_row |= 1 << (solution[unit * 9 + step] & 15)
                in_column |= 1 << (solution[step * 9 + unit] & 15)
                in_box |= 1 << (solution[corner + step // 3 * 9 + step % 3] & 15)
            good &= (in_row & in_column & in_box) == 0b11_1111_1110
            good &= (in_row | in_column | in_box) == 0b11_1111_1110
        right[row] = good


@dataclass(frozen=True)
class Known:
    """Solutions that came with the puzzles, and what the rules say of them."""

    brought: NDArray[np.bool_]  # rows that came with one
    right: NDArray[np.bool_]  # of those, where it completes its puzzle: a fact, whatever a solver says
    same: NDArray[np.bool_]  # where it is the solver's


def compare(
    puzzles: NDArray[np.uint8], known: NDArray[np.uint8], solutions: NDArray[np.uint8], right: NDArray[np.bool_]
) -> Known:
    """`right` says where the solver's solutions are; a known one that is the same need not be looked at again."""
    result = Known(np.zeros(len(puzzles), np.bool_), right.copy(), np.zeros(len(puzzles), np.bool_))
    _compare(np.ascontiguousarray(known), solutions, result.brought, result.same)
    others = np.flatnonzero(~result.same)
    result.right[others] = completes(puzzles[others], known[others])
    return result


@kernel
def _compare(
    known: NDArray[np.uint8], solutions: NDArray[np.uint8], brought: NDArray[np.bool_], same: NDArray[np.bool_]
) -> None:
    for row in range(len(known)):
        digits, difference = 0, 0
        for cell in range(81):
            digits |= known[row, cell]
            difference |= known[row, cell] ^ solutions[row, cell]
        brought[row] = digits != 0
        same[row] = difference == 0


def review(
    puzzles: NDArray[np.uint8], answers: Answers, limit: int, known: NDArray[np.uint8] | None = None
) -> Known | None:
    """Turn every answer that cannot be true into `failed`, with the reason; says what it found of known solutions."""
    status, counts = answers.status, answers.counts
    right = completes(puzzles, answers.solutions)
    facts = None if known is None else compare(puzzles, known, answers.solutions, right)
    claimed = np.isin(status, _WITH_SOLUTION)
    _fail(answers, claimed & ~right, "the solver's grid is no solution of the puzzle")
    if not claimed.all():
        kept = answers.solutions.any(axis=1)
        _fail(answers, ~claimed & kept & ~right, "the solver left a grid that is no solution")
        _fail(answers, ~np.isin(status, list(Status)), "the solver's status is none of the contract's")
    asked = (Status.SOLVED,) if limit == 1 else (Status.UNIQUE, Status.MULTIPLE)
    _fail(answers, claimed & ~np.isin(status, asked), f"the solver's status does not answer a limit of {limit}")
    for kind, least in _LEAST_COUNT.items():
        most = limit if kind == Status.MULTIPLE else least
        _fail(answers, (status == kind) & ((counts < least) | (counts > most)), f"the count does not go with {kind}")
    if facts is not None:
        _fail(answers, facts.right & (status == Status.UNSOLVABLE), "called unsolvable, but the known solution fits")
        differs = facts.right & ~facts.same
        _fail(answers, differs & (status == Status.UNIQUE), "called unique, but the known solution is another")
    return facts


def _fail(answers: Answers, wrong: NDArray[np.bool_], reason: str) -> None:
    for position in np.flatnonzero(wrong & (answers.status != Status.FAILED)).tolist():
        answers.refuse(position, Status.FAILED, reason)
