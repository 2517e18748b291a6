"""Is an answer right? Decided here from the rules of sudoku alone; no code that solves is used.

Compiled, because every row of every file goes through it, and without the GIL, because threads do it side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from megadoku.compiled import kernel, part
from megadoku.pipeline import proof
from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WITH_SOLUTION = (Status.SOLVED, Status.UNIQUE, Status.MULTIPLE)
_GIVEN_UP = (Status.INVALID, Status.EXHAUSTED, Status.FAILED)
_FEW, _ROOM = 8, 128  # rows at a time, and words for each of them
_COLUMNS = 96
_ALL_DIGITS = 0b11_1111_1110
_LEAST_COUNT = {Status.SOLVED: 1, Status.UNIQUE: 1, Status.MULTIPLE: 2, Status.UNSOLVABLE: 0}


def completes(puzzles: NDArray[np.uint8], solutions: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """For each row: is this solution a full, legal grid that keeps the puzzle's givens?"""
    right = np.zeros(len(puzzles), np.bool_)
    bits, ors = np.zeros((_FEW, _ROOM), np.uint16), np.zeros((_FEW, _ROOM), np.uint16)
    _judge(np.ascontiguousarray(puzzles), np.ascontiguousarray(solutions), bits, ors, right)
    return right


@kernel
def _judge(
    puzzles: NDArray[np.uint8],
    solutions: NDArray[np.uint8],
    bits: NDArray[np.uint16],
    ors: NDArray[np.uint16],
    right: NDArray[np.bool_],
) -> None:
    """Nine cells hold nine different digits exactly when the OR of their bits is the bits of all nine digits.

    `bits`  0 … 80   1 << digit of each cell
    `ors`   0 … 78   each cell with the two behind it: a third of a row, and of a box, where it is a multiple of 3
           96 …104   the nine columns

    Each of these is filled by a loop that the compiler turns into a few vector instructions. A few rows take each step
    together: a vector that was just stored cannot be loaded askew before it has reached the cache.
    """
    for first in range(0, len(puzzles), _FEW):
        few = min(_FEW, len(puzzles) - first)
        for row in range(few):
            right[first + row] = _keeps_givens(puzzles[first + row], solutions[first + row], bits[row])
        for row in range(few):
            _join(bits[row], ors[row])
        for row in range(few):
            right[first + row] &= _is_legal(ors[row])


@part
def _keeps_givens(puzzle: Any, solution: Any, bits: Any) -> Any:
    """And no digit above nine; on the way, the bits of the digits. One thing a loop: the
    compiler makes vector instructions of each of these, and of no two of them together.
    """
    change = np.uint8(0)
    for cell in range(81):
        change = max(change, np.uint8(puzzle[cell] ^ solution[cell]) if puzzle[cell] != np.uint8(0) else np.uint8(0))
    highest = np.uint8(0)
    for cell in range(81):
        highest = max(highest, solution[cell])
    for cell in range(81):
        bits[cell] = np.uint16(1) << np.uint16(solution[cell] & 15)
    return (change == 0) & (highest <= 9)


@part
def _join(bits: Any, ors: Any) -> None:
    for cell in range(79):
        ors[cell] = bits[cell] | bits[cell + 1] | bits[cell + 2]
    for column in range(16):  # nine of them count; sixteen are one vector
        upper = bits[column] | bits[9 + column] | bits[18 + column] | bits[27 + column]
        lower = bits[45 + column] | bits[54 + column] | bits[63 + column] | bits[72 + column]
        ors[_COLUMNS + column] = upper | bits[36 + column] | lower


@part
def _is_legal(ors: Any) -> Any:
    everywhere = np.uint16(_ALL_DIGITS)
    for unit in range(9):
        line, corner = unit * 9, unit // 3 * 27 + unit % 3 * 3
        everywhere &= ors[_COLUMNS + unit]
        everywhere &= ors[line] | ors[line + 3] | ors[line + 6]
        everywhere &= ors[corner] | ors[corner + 9] | ors[corner + 18]
    return everywhere == _ALL_DIGITS


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
        mine, other = known[row], solutions[row]
        digits = difference = np.uint8(0)
        for cell in range(81):
            digits = max(digits, mine[cell])
            difference = max(difference, np.uint8(mine[cell] ^ other[cell]))
        brought[row] = digits != 0
        same[row] = difference == 0


def review(
    puzzles: NDArray[np.uint8], answers: Answers, limit: int, known: NDArray[np.uint8] | None = None
) -> Known | None:
    """Turn every answer that cannot be true into `failed`, with the reason; says what it found of known solutions."""
    status, counts = answers.status, answers.counts
    right = completes(puzzles, answers.solutions)
    facts = None if known is None else compare(puzzles, known, answers.solutions, right)
    if _all_plain(answers, limit, right, facts):
        return facts
    _want_reasons(answers)
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


def search_again(puzzles: NDArray[np.uint8], answers: Answers, limit: int) -> None:
    """The same for what only another search can tell: that there is no solution, or no other."""
    status = answers.status
    proven_by_grid = (status == Status.SOLVED) & (limit == 1)
    doubtful = np.flatnonzero(~proven_by_grid & np.isin(status, (*_LEAST_COUNT, Status.INVALID)))
    if not len(doubtful):
        return
    true = proof.counted(puzzles[doubtful], limit)
    said = np.where(status[doubtful] == Status.INVALID, proof.CLASHES, answers.counts[doubtful])
    for position, count, claim in zip(doubtful.tolist(), true.tolist(), said.tolist(), strict=True):
        if count not in (claim, proof.UNKNOWN) and not (count == proof.CLASHES and claim == 0):
            what = "its givens clash" if count == proof.CLASHES else f"a search finds {count}, looking for {limit}"
            answers.refuse(position, Status.FAILED, f"the solver said {Status(status[position])}, but {what}")


def _want_reasons(answers: Answers) -> None:
    """Who gives a puzzle up says why; who does not has nothing to explain."""
    given_up = np.flatnonzero(np.isin(answers.status, _GIVEN_UP)).tolist()
    for position in given_up:
        if position not in answers.reasons:
            answers.refuse(position, Status.FAILED, f"the solver said {Status(answers.status[position])} and not why")
    answers.reasons = {position: answers.reasons[position] for position in given_up}


def _all_plain(answers: Answers, limit: int, right: NDArray[np.bool_], facts: Known | None) -> bool:
    """One right solution for each puzzle, and no other known: most blocks are like that, and none of it can fail."""
    found = Status.SOLVED if limit == 1 else Status.UNIQUE
    agreed = facts is None or bool((facts.same | ~facts.brought).all())
    return (
        agreed
        and not answers.reasons
        and bool(right.all() and (answers.status == found).all() and (answers.counts == 1).all())
    )


def _fail(answers: Answers, wrong: NDArray[np.bool_], reason: str) -> None:
    for position in np.flatnonzero(wrong & (answers.status != Status.FAILED)).tolist():
        answers.refuse(position, Status.FAILED, reason)
