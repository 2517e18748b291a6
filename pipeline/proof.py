"""How many solutions are there really? A search of the checker's own, for what no look at a grid can tell.

That there is no solution, or no second one, is a solver's word until somebody searches again. This search is plain and
shares nothing with any solver: a cell for one digit, a digit for one cell of a unit, or else the cell with the fewest
digits. Compiled, it is much faster than the solvers in Python that it looks after; those that are compiled too are not
looked after like this (docs/trust.md).

    order    cells in the order they are filled │ cells still empty, the next one found among them
    left     digits not yet tried in each of them
    placed   the digit that stands there now
    free     digits that each empty cell could take
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from megadoku.compiled import kernel, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLASHES, UNKNOWN = -2, -1
MOST_NODES = 200_000  # for one puzzle, a third of a second; then the solver's word stands
_ALL = 0b1_1111_1111
_ROW = np.arange(81) // 9
_COLUMN = np.arange(81) % 9
_BOX = _ROW // 3 * 3 + _COLUMN // 3
_UNITS = np.stack([_ROW, 9 + _COLUMN, 18 + _BOX], axis=1)  # the three units of each cell, of 27
_CELLS = np.array(
    [np.flatnonzero(np.equal(_UNITS, unit).any(axis=1)) for unit in range(27)]
)  # and the nine cells of each
_HOW_MANY = np.array([mask.bit_count() for mask in range(512)])
_RULES = (_UNITS, _CELLS, _HOW_MANY)


def counted(puzzles: NDArray[np.uint8], limit: int) -> NDArray[np.int64]:
    """For each puzzle: its solutions, up to `limit`; CLASHES if its givens do, UNKNOWN if it takes too long."""
    counts = np.zeros(len(puzzles), np.int64)
    scratch = np.zeros((4, 81), np.int64)
    _count(np.ascontiguousarray(puzzles), limit, MOST_NODES, _RULES, np.zeros(27, np.int64), scratch, counts)
    return counts


@kernel
def _count(
    puzzles: NDArray[np.uint8],
    limit: int,
    most_nodes: int,
    rules: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    used: NDArray[np.int64],
    scratch: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    for row in range(len(puzzles)):
        empty = _begin(puzzles[row], rules[0], used, scratch[0])
        counts[row] = empty if empty < 0 else _search(empty, limit, most_nodes, rules, used, scratch)


@part
def _begin(puzzle: Any, units: Any, used: Any, order: Any) -> Any:
    """Mark the givens; how many cells are empty, or that givens clash."""
    used[:] = 0
    empty = 0
    for cell in range(81):
        if puzzle[cell] == 0:
            order[empty] = cell
            empty += 1
            continue
        bit = 1 << (puzzle[cell] - 1)
        if bit & ~_free(cell, units, used):
            return CLASHES
        _flip(cell, bit, units, used)
    return empty


@part
def _search(empty: Any, limit: Any, most_nodes: Any, rules: Any, used: Any, scratch: Any) -> Any:
    units, order, left, placed = rules[0], scratch[0], scratch[1], scratch[2]
    if empty == 0:
        return 1
    found = nodes = depth = 0
    left[0] = _next(0, empty, rules, used, scratch)
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            if depth >= 0:
                _flip(order[depth], placed[depth], units, used)
            continue
        nodes += 1
        if nodes > most_nodes:
            return UNKNOWN
        bit = left[depth] & -left[depth]
        left[depth] ^= bit
        if depth + 1 == empty:
            found += 1
            if found == limit:
                return found
            continue
        placed[depth] = bit
        _flip(order[depth], bit, units, used)
        depth += 1
        left[depth] = _next(depth, empty, rules, used, scratch)
    return found


@part
def _next(depth: Any, empty: Any, rules: Any, used: Any, scratch: Any) -> Any:
    """Put the best cell to fill first among those that are empty; the digits to try in it."""
    units, _, how_many = rules
    order, free = scratch[0], scratch[3]
    free[:] = 0
    best, fewest = depth, 10
    for place in range(depth, empty):
        cell = order[place]
        free[cell] = _free(cell, units, used)
        if how_many[free[cell]] < fewest:
            best, fewest = place, how_many[free[cell]]
    digits = free[order[best]]
    if fewest > 1:
        cell, bit = _only_place(rules[1], used, free)
        if bit == 0:  # a digit has no place at all
            digits = 0
        elif bit > 0:
            digits = bit
            for place in range(depth, empty):
                if order[place] == cell:
                    best = place
    order[depth], order[best] = order[best], order[depth]
    return digits


@part
def _only_place(cells: Any, used: Any, free: Any) -> Any:
    """A cell and the digit that has no other place in a unit; the digit is -1 for none, 0 where one has no place."""
    for unit in range(27):
        once = twice = 0
        for cell in cells[unit]:
            twice |= once & free[cell]
            once |= free[cell]
        if once | used[unit] != _ALL:
            return -1, 0
        alone = once & ~twice
        if alone:
            for cell in cells[unit]:
                if free[cell] & alone:
                    bit = free[cell] & alone
                    return cell, bit & -bit
    return -1, -1


@part
def _free(cell: Any, units: Any, used: Any) -> Any:
    return _ALL & ~(used[units[cell, 0]] | used[units[cell, 1]] | used[units[cell, 2]])


@part
def _flip(cell: Any, bit: Any, units: Any, used: Any) -> None:
    for unit in range(3):
        used[units[cell, unit]] ^= bit
