"""Is an answer right? Decided here from the rules of sudoku alone; no code that solves is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BITS = np.array([0, *(1 << digit for digit in range(9))], np.uint16)
_ALL_NINE = np.uint16(0b111_111_111)
_WITH_SOLUTION = (Status.SOLVED, Status.UNIQUE, Status.MULTIPLE)
_COUNT_OF = {Status.SOLVED: (1, 1), Status.UNIQUE: (1, 1), Status.MULTIPLE: (2, None), Status.UNSOLVABLE: (0, 0)}


def completes(puzzles: NDArray[np.uint8], solutions: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """For each row: is this solution a full, legal grid that keeps the puzzle's givens?"""
    keeps_givens = ((puzzles == 0) | (puzzles == solutions)).all(axis=1)
    completed: NDArray[np.bool_] = keeps_givens & _legal(solutions)
    return completed


def review(puzzles: NDArray[np.uint8], answers: Answers, limit: int, known: NDArray[np.uint8] | None = None) -> None:
    """Turn every answer that cannot be true into `failed`, with the reason.

    `known` are solutions from elsewhere, all zero where there is none; those that complete their puzzle are facts.
    """
    status = answers.status
    claimed = np.isin(status, _WITH_SOLUTION)
    right = completes(puzzles, answers.solutions)
    _fail(answers, claimed & ~right, "the solver's grid is no solution of the puzzle")
    _fail(answers, ~np.isin(status, list(Status)), "the solver's status is none of the contract's")
    asked = (Status.SOLVED,) if limit == 1 else (Status.UNIQUE, Status.MULTIPLE)
    _fail(answers, claimed & ~np.isin(status, asked), f"the solver's status does not answer a limit of {limit}")
    for kind, (least, most) in _COUNT_OF.items():
        counts = answers.counts
        wrong = (counts < least) | (counts > (limit if most is None else most))
        _fail(answers, (status == kind) & wrong, f"the solver's count does not go with {kind}")
    solution_kept = answers.solutions.any(axis=1)
    _fail(answers, ~claimed & solution_kept & ~right, "the solver left a grid that is no solution")
    if known is not None:
        _compare(puzzles, answers, known)


def _compare(puzzles: NDArray[np.uint8], answers: Answers, known: NDArray[np.uint8]) -> None:
    is_fact = completes(puzzles, known)
    differs = (known != answers.solutions).any(axis=1)
    _fail(answers, is_fact & (answers.status == Status.UNSOLVABLE), "called unsolvable, but the known solution fits")
    _fail(
        answers,
        is_fact & differs & (answers.status == Status.UNIQUE),
        "called unique, but the known solution is another",
    )


def _fail(answers: Answers, wrong: NDArray[np.bool_], reason: str) -> None:
    for position in np.flatnonzero(wrong & (answers.status != Status.FAILED)).tolist():
        answers.refuse(position, Status.FAILED, reason)


def _legal(grids: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Nine cells hold nine different digits exactly when the OR of their bits is all nine bits."""
    bits = _BITS[np.where(grids > 9, 0, grids)]
    cube = bits.reshape(-1, 3, 3, 3, 3)  # band, row in band, stack, column in stack
    units = (
        np.bitwise_or.reduce(bits.reshape(-1, 9, 9), axis=2),
        np.bitwise_or.reduce(bits.reshape(-1, 9, 9), axis=1),
        np.bitwise_or.reduce(np.bitwise_or.reduce(cube, axis=4), axis=2).reshape(-1, 9),
    )
    legal = np.ones(len(grids), np.bool_)
    for unit in units:
        legal &= (unit == _ALL_NINE).all(axis=1)
    return legal
