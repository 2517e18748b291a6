"""The commonest shape of a big file, at the speed of memory: every line of a chunk is built like its first.

    530070000…,534678912…⏎     stride 164, puzzle at 0, delimiter at 81, solution at 82
    005300000…,145327698…⏎

Then the chunk is a matrix of characters, and a column of it a slice. Anything else is somebody else's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from megadoku.datasets.cells import cells_of_bytes
from megadoku.datasets.piece import Piece

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from megadoku.datasets.formats.lines import LineLayout
    from megadoku.datasets.text import Chunk


def strided(chunk: Chunk, layout: LineLayout) -> Piece | None:
    """The chunk as slices; None if its lines are not all built alike, or one of them holds no puzzle."""
    columns = layout.columns
    if not chunk.lines or not chunk.stride or columns.puzzle[1] > 1 or b'"' in chunk.data:
        return None
    lines = np.frombuffer(chunk.data, np.uint8).reshape(chunk.lines, chunk.stride)
    starts = _starts(chunk, lines, layout.delimiter.encode())
    if len(starts) != columns.width + 1:
        return None
    texts = _column(lines, starts, columns.puzzle[0])
    if texts is None:
        return None
    grids, good = cells_of_bytes(texts)
    if not good.all():
        return None
    known = None
    if columns.solution:
        solutions = _column(lines, starts, columns.solution[0])
        if solutions is None:
            return None
        known, solved = cells_of_bytes(solutions)
        if not solved.all():
            return None
    numbers = np.arange(chunk.first_line, chunk.first_line + chunk.lines)
    return Piece(numbers, _strings(texts), grids=grids, known_grids=known)


def _starts(chunk: Chunk, lines: NDArray[np.uint8], delimiter: bytes) -> list[int]:
    """Where the columns begin, and one behind the line; none if the delimiters stand elsewhere in other lines."""
    marks = [] if not delimiter else [at for at, sign in enumerate(bytes(lines[0])) if sign == delimiter[0]]
    alike = all((lines[:, at] == delimiter[0]).all() for at in marks)
    if not alike or (delimiter and np.count_nonzero(lines == delimiter[0]) != len(marks) * chunk.lines):
        return []
    return [0, *(at + 1 for at in marks), chunk.stride]


def _column(lines: NDArray[np.uint8], starts: list[int], column: int) -> NDArray[np.uint8] | None:
    """One column, if it is 81 characters wide; without what pads the line's end."""
    first, stop = starts[column], starts[column + 1] - 1
    return np.ascontiguousarray(lines[:, first:stop]) if stop - first == 81 else None


def _strings(texts: NDArray[np.uint8]) -> pa.StringArray:
    offsets = np.arange(0, 81 * len(texts) + 1, 81, dtype=np.int32)
    return pa.StringArray.from_buffers(len(texts), pa.py_buffer(offsets), pa.py_buffer(texts))
