"""The compiled search of `jit`, on one board.

Each of the 27 units keeps the mask of the digits it still misses. What a cell may take is the `&` of three masks; a
cell with one such digit, or a digit with one such cell in a unit, is filled at once, and only then is a digit guessed
where the fewest remain. A path is a list of filled cells, so undoing is walking it back:

    trail   | deduced  deduced | guess  deduced | guess  deduced … |
                               ^ mark           ^ mark                 back to the last mark, then its next digit
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from megadoku.compiled import kernel, part
from megadoku.solvers.board import BOX, COLUMN, ROW, UNITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALL = 0b111_111_111
UNITS_OF = np.array([(ROW[cell], 9 + COLUMN[cell], 18 + BOX[cell]) for cell in range(81)], np.uint8)
CELLS_OF = np.array(UNITS, np.uint8)
SIZE_OF = np.array([mask.bit_count() for mask in range(512)], np.uint8)
DIGIT_OF = np.array([mask.bit_length() for mask in range(512)], np.uint8)

# What the search counts: places in `Board.memory`.
FILLED, DEPTH, COUNT, NODES, BACKTRACKS = range(5)
OVER, OUT_OF_NODES = range(2)  # how a call of the kernel ends


class Board(NamedTuple):
    """The arrays of a search."""

    grid: NDArray[np.uint8]
    missing: NDArray[np.int64]  # one mask a unit
    trail: NDArray[np.int64]  # filled cells, in order
    guesses: NDArray[np.int64]  # one row a depth: cell, digits not tried yet, length of the trail before it
    memory: NDArray[np.int64]


def new_board() -> Board:
    sizes: tuple[Any, ...] = (27, 81, (82, 3), 5)
    return Board(np.zeros(81, np.uint8), *(np.zeros(size, np.int64) for size in sizes))


@part
def _options(board: Any, cell: Any) -> Any:
    """The digits an empty cell may take."""
    missing = board.missing
    return missing[UNITS_OF[cell, 0]] & missing[UNITS_OF[cell, 1]] & missing[UNITS_OF[cell, 2]]


@part
def _turn(board: Any, cell: Any, bit: Any) -> None:
    """A digit comes or goes: its bit turns over in three units."""
    for k in range(3):
        board.missing[UNITS_OF[cell, k]] ^= bit


@part
def _fill(board: Any, cell: Any, bit: Any) -> None:
    board.grid[cell] = DIGIT_OF[bit]
    _turn(board, cell, bit)
    board.trail[board.memory[FILLED]] = cell
    board.memory[FILLED] += 1


@part
def _undo(board: Any, mark: Any) -> None:
    """Empty the cells filled since the trail was that long."""
    while board.memory[FILLED] > mark:
        board.memory[FILLED] -= 1
        cell = board.trail[board.memory[FILLED]]
        _turn(board, cell, 1 << (np.int64(board.grid[cell]) - 1))
        board.grid[cell] = 0


@part
def _deduce(board: Any) -> Any:
    """Fill singles until none is left. Gives the empty cell with fewest options; 81: none is empty; -1: no way on."""
    while True:
        before = board.memory[FILLED]
        best, fewest = 81, 10
        for cell in range(81):
            if board.grid[cell]:
                continue
            options = _options(board, cell)
            size = int(SIZE_OF[options])
            if size == 0:
                return -1
            if size == 1:
                _fill(board, cell, options)
            elif size < fewest:
                best, fewest = cell, size
        if board.memory[FILLED] > before:
            continue
        if not _hidden_singles(board):
            return -1
        if board.memory[FILLED] == before:
            return best


@part
def _hidden_singles(board: Any) -> Any:
    """Fill cells that are a digit's only place in a unit; False if a digit has no place."""
    for unit in range(27):
        once = twice = np.int64(0)
        for cell in CELLS_OF[unit]:
            if not board.grid[cell]:
                options = _options(board, cell)
                twice |= once & options
                once |= options
        if once != board.missing[unit]:
            return False
        once &= ~twice
        for cell in CELLS_OF[unit]:
            if once and not board.grid[cell]:
                bit = _options(board, cell) & once
                if bit & (bit - 1):
                    return False  # the only place of two digits
                if bit:
                    _fill(board, cell, bit)
    return True


@part
def _next_digit(board: Any) -> Any:
    """Back to the last guess with a digit left to try; False if there is none."""
    memory = board.memory
    while memory[DEPTH]:
        guess = board.guesses[memory[DEPTH] - 1]
        if memory[FILLED] > guess[2]:
            memory[BACKTRACKS] += 1
            _undo(board, guess[2])
        if guess[1]:
            return True
        memory[DEPTH] -= 1
    return False


@part
def _place(board: Any) -> None:
    """The lowest digit left to the last guess."""
    guess = board.guesses[board.memory[DEPTH] - 1]
    bit = guess[1] & -guess[1]
    guess[1] ^= bit
    board.memory[NODES] += 1
    _fill(board, guess[0], bit)


@part
def _start(given: Any, board: Any) -> None:
    board.memory[:] = 0
    board.missing[:] = ALL
    for cell in range(81):
        board.grid[cell] = given[cell]
        if given[cell]:
            _turn(board, cell, 1 << (np.int64(given[cell]) - 1))


@kernel
def search(given: Any, solution: Any, limit: Any, most: Any, resume: Any, board: Any) -> Any:
    """Search until it is over or `most` nodes are placed; then it may be resumed."""
    memory = board.memory
    if resume:
        _place(board)
    else:
        _start(given, board)
    while True:
        cell = _deduce(board)
        if cell == 81:
            for cell in range(81 if memory[COUNT] == 0 else 0):
                solution[cell] = board.grid[cell]
            memory[COUNT] += 1
            if memory[COUNT] == limit:
                return OVER
        elif cell >= 0:
            guess = board.guesses[memory[DEPTH]]
            guess[0], guess[1], guess[2] = cell, _options(board, cell), memory[FILLED]
            memory[DEPTH] += 1
        if not _next_digit(board):
            return OVER
        if memory[NODES] == most:
            return OUT_OF_NODES
        _place(board)
