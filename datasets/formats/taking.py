"""Cells out of lines that are all built alike, in one pass that looks at every byte before it is believed.

line     5 3 0 0 7 …  ,  5 3 4 6 7 …  ⏎
text     5 3 0 0 7 …                        as it was read
grid     5 3 0 0 7 …     known 5 3 4 6 7 …  as digits
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from megadoku.compiled import kernel, part

if TYPE_CHECKING:
    from numpy.typing import NDArray

NINE, ZERO = np.uint8(9), np.uint8(ord("0"))
_QUOTE, _LINE_END = ord('"'), ord("\n")


@kernel
def take(
    lines: NDArray[np.uint8],
    fences: NDArray[np.int64],
    others: NDArray[np.int64],
    signs: tuple[int, int],
    starts: tuple[int, int],
    into: tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]],
) -> bool:
    """Fill texts, grids and known solutions; False as soon as a line is not built like the others.

    `fences` and `others` are where a delimiter stands, and where no sign may that would cut the line another way;
    `signs` the delimiter and the mark of an empty cell; `starts` where puzzle and solution begin, -1 for no solution.
    """
    # Compared as bytes: eight times as many of them as of ints fit in a register.
    delimiter, blank = np.uint8(signs[0]), np.uint8(signs[1])
    puzzle, solution = starts
    texts, grids, known = into
    for row in range(len(lines)):
        line = lines[row]
        strange = _copy(line[puzzle : puzzle + 81], blank, texts[row], grids[row])
        if solution >= 0:
            strange |= _digits(line[solution : solution + 81], known[row])
        for at in fences:
            strange |= line[at] != delimiter
        for at in others:
            strange |= (line[at] == delimiter) | (line[at] == _QUOTE) | (line[at] == _LINE_END)
        if strange:
            return False
    return True


@part
def _copy(marks: Any, blank: Any, text: Any, grid: Any) -> Any:
    """Marks as they are and as cells; is there one that is none?

    What is wrong shows in the highest digit: a maximum of bytes is one vector instruction, a chain of comparisons many.
    """
    highest = np.uint8(0)
    for cell in range(81):
        mark = marks[cell]
        text[cell] = mark
        digit = np.uint8(mark - ZERO) if mark != blank else np.uint8(0)
        grid[cell] = digit
        highest = max(highest, digit)
    return highest > NINE


@part
def _digits(marks: Any, grid: Any) -> Any:
    highest = np.uint8(0)
    for cell in range(81):
        digit = np.uint8(marks[cell] - ZERO)
        grid[cell] = digit
        highest = max(highest, digit)
    return highest > NINE
