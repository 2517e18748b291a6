"""Results as CSV text, without a Python object a row.

A plain row (81 digits or dots, no reason) is laid out by a compiled loop; the few others, a refused row's text or a
reason, are made safe one by one before, and the loop puts them between:

    block     plain plain plain refused plain plain refused …
    ready         0     0     0      24     0     0      31 …   how long the line is that is there already
    lines     refused refused …                                 one behind the other
    tails     ,7,easy ,8,hard …                                 kept columns, behind every row, where there are any
    bounds    0      7       14 …

pyarrow's own CSV writer would put every string in quotes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from megadoku.compiled import kernel, part
from megadoku.datasets import inert
from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    Tails = tuple[NDArray[np.uint8], NDArray[np.int64]]  # text behind each row's own columns, and where it ends

COLUMNS = ("puzzle", "solution", "status", "nodes", "reason")
NO_TAILS: Tails = (np.zeros(0, np.uint8), np.zeros(0, np.int64))
_LONGEST_ROW = 81 + 1 + 81 + 1 + 10 + 1 + 19 + 2  # puzzle, solution, status, nodes, no reason
_MARK_OF = np.frombuffer(b".123456789" + b"?" * 246, np.uint8)
_PLAIN = set("0123456789.")
_COMMA, _NEW_LINE, _DOT, _ZERO = (np.uint8(ord(sign)) for sign in ",\n.0")
_NAMES = np.zeros((len(Status) + 1, 12), np.uint8)  # a row for each status: its length, then its letters
for _status in Status:
    _NAMES[_status, : len(str(_status)) + 1] = [len(str(_status)), *str(_status).encode()]


def header(kept: Sequence[str] = ()) -> bytes:
    return (",".join((*COLUMNS, *map(field, kept))) + "\n").encode()


def rows(texts: pa.StringArray, grids: NDArray[np.uint8], answers: Answers, tails: Tails | None = None) -> memoryview:
    """The lines of a block. A puzzle stands as it was read if that is 81 digits and dots, else with dots for blanks."""
    tail, bounds = tails or NO_TAILS
    marks = _marks(texts, grids)
    ready = np.zeros(len(texts), np.int64)
    lines = []
    for special in sorted(answers.reasons):
        refused = answers.status[special] == Status.INVALID
        lines.append(_one_row(texts[special].as_py() if refused else _shown(marks, grids, special), answers, special))
        ready[special] = len(lines[-1])
    known = np.frombuffer(b"".join(lines), np.uint8)
    out = np.empty(len(texts) * _LONGEST_ROW + len(known) + len(tail), np.uint8)
    length = _lay_out(
        marks, grids, answers.solutions, answers.status, answers.nodes, ready, known, tail, bounds, _NAMES, out
    )
    return out.data[:length]


def _marks(texts: pa.StringArray, grids: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """81 marks a row; of a usual block these are the texts themselves, not a copy."""
    _, offsets, content = texts.buffers()
    bounds = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    usual = np.diff(bounds) == 81
    if usual.all() and len(texts):
        return np.frombuffer(content, np.uint8)[bounds[0] : bounds[-1]].reshape(-1, 81)
    marks: NDArray[np.uint8] = _MARK_OF[grids]
    read = np.frombuffer(content or b"", np.uint8)
    marks[usual] = read[bounds[:-1][usual, None] + np.arange(81)]
    return marks


def _shown(marks: NDArray[np.uint8], grids: NDArray[np.uint8], position: int) -> str:
    text = marks[position].tobytes().decode("latin-1")
    plain: NDArray[np.uint8] = _MARK_OF[grids[position]]
    return text if set(text) <= _PLAIN else plain.tobytes().decode("latin-1")


@part
def _number(line: NDArray[np.uint8], at: int, number: int) -> int:
    """Write a comma and the number; where it ends."""
    line[at] = _COMMA
    digits, left = 1, number // 10
    while left:
        left //= 10
        digits += 1
    for place in range(digits):
        line[at + digits - place] = 48 + number % 10
        number //= 10
    return at + digits + 1


@part
def _copied(text: NDArray[np.uint8], out: NDArray[np.uint8], at: int) -> int:
    """Write the text; where it ends."""
    for letter in range(len(text)):
        out[at + letter] = text[letter]
    return at + len(text)


@part
def _draw(grid: NDArray[np.uint8], line: NDArray[np.uint8]) -> None:
    for cell in range(81):
        line[cell] = grid[cell] + _ZERO if grid[cell] else _DOT


@kernel
def _lay_out(
    marks: NDArray[np.uint8],
    grids: NDArray[np.uint8],
    solutions: NDArray[np.uint8],
    status: NDArray[np.uint8],
    nodes: NDArray[np.int64],
    ready: NDArray[np.int64],
    lines: NDArray[np.uint8],
    tails: NDArray[np.uint8],
    bounds: NDArray[np.int64],
    names: NDArray[np.uint8],
    out: NDArray[np.uint8],
) -> int:
    """Write the rows one after the other; how long they are together."""
    at, used = 0, 0
    for row in range(len(marks)):
        if ready[row]:
            at = _copied(lines[used : used + ready[row]], out, at)
            used += ready[row]
        else:
            line = out[at : at + _LONGEST_ROW]  # indexed from its own start, the copies below become vector moves
            puzzle, solution = marks[row], solutions[row]
            highest = np.uint8(0)
            for cell in range(81):
                mark = puzzle[cell]
                line[cell] = mark
                highest = max(highest, np.uint8(mark - _ZERO) if mark != _DOT else np.uint8(0))
            if highest > 9:
                _draw(grids[row], line)
            line[81] = _COMMA
            end = 82
            if solution[0] != 0:
                for cell in range(81):
                    line[82 + cell] = solution[cell] + _ZERO
                end = 163
            line[end] = _COMMA
            name = names[status[row]]
            for letter in range(1, name[0] + 1):
                line[end + letter] = name[letter]
            end = _number(line, end + 1 + name[0], nodes[row])
            line[end] = _COMMA
            at += end + 1
        if len(bounds):
            at = _copied(tails[bounds[row] : bounds[row + 1]], out, at)
        out[at] = _NEW_LINE
        at += 1
    return at


def _one_row(text: str, answers: Answers, position: int) -> bytes:
    """A row with a reason; one that is no puzzle shows its text as it was."""
    solution = answers.solutions[position]
    fields = [
        field(text),
        "".join(map(str, solution.tolist())) if solution[0] else "",
        str(Status(int(answers.status[position]))),
        str(answers.nodes[position]),
        field(answers.reasons.get(position, "")),
    ]
    return ",".join(fields).encode()


def field(text: str) -> str:
    """One field, safe in any spreadsheet."""
    text = inert(text)
    if any(mark in text for mark in ',"\r\n') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text
