"""The commonest shape of a big file, at the speed of memory: every line of a chunk is built like its first.

    530070000…,534678912…⏎     stride 164, puzzle at 0, delimiter at 81, solution at 82
    005300000…,145327698…⏎

Then the chunk is a matrix of characters, and a column of it a slice. Anything else is somebody else's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from megadoku.datasets.cells import EMPTIES
from megadoku.datasets.piece import Piece

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from megadoku.datasets.formats.lines import LineLayout
    from megadoku.datasets.text import Chunk

ALPHABET = {*"123456789", *EMPTIES}  # what no line of cells can be cut by


class _Build(NamedTuple):
    """How a line is built: what every line of its chunk is compared with."""

    fences: list[int]  # where its delimiters stand
    others: list[int]  # the places of what is neither puzzle nor solution
    puzzle: int
    solution: int  # -1 for none
    blank: str


def strided(chunk: Chunk, layout: LineLayout) -> Piece | None:
    """The chunk as slices; None if its lines are not all built alike, or one of them holds no puzzle."""
    from megadoku.datasets.formats.taking import take  # compiled, which is not worth it for a reader of other files

    build = _build(chunk.data[: chunk.stride], layout)
    if build is None:
        return None
    lines = np.frombuffer(chunk.data, np.uint8).reshape(-1, chunk.stride)
    texts, grids, known = (np.empty((len(lines), 81), np.uint8) for _ in range(3))
    signs = ord(layout.delimiter or "\n"), ord(build.blank)
    starts = build.puzzle, build.solution
    if not take(lines, _places(build.fences), _places(build.others), signs, starts, (texts, grids, known)):
        return None
    chunk.counted = len(lines)
    numbers = np.arange(chunk.first_line, chunk.first_line + len(lines))
    return Piece(numbers, _strings(texts), grids=grids, known_grids=known if build.solution >= 0 else None)


def _build(first: bytes, layout: LineLayout) -> _Build | None:
    """The first line's build, if a puzzle and a solution, where there is one, have 81 characters each."""
    columns, delimiter = layout.columns, layout.delimiter
    if not first or columns.puzzle[1] > 1 or delimiter in ALPHABET:
        return None
    line = first[:-1].decode("latin-1")
    cells = line.split(delimiter) if delimiter else [line]
    starts = [0]
    for cell in cells:
        starts.append(starts[-1] + len(cell) + 1)
    wanted = [span[0] for span in (columns.puzzle, columns.solution) if span]
    if len(cells) != columns.width or any(len(cells[at]) != 81 for at in wanted):
        return None
    others = [place for at in range(len(cells)) if at not in wanted for place in range(starts[at], starts[at + 1] - 1)]
    blanks = sorted(set(cells[columns.puzzle[0]]) & set(EMPTIES) - {"0"})
    return _Build(
        fences=[start - 1 for start in starts[1:-1]],
        others=others,
        puzzle=starts[wanted[0]],
        solution=starts[wanted[1]] if columns.solution else -1,
        blank=blanks[0] if blanks else ".",
    )


def _places(numbers: list[int]) -> NDArray[np.int64]:
    return np.array(numbers, np.int64)


def _strings(texts: NDArray[np.uint8]) -> pa.StringArray:
    offsets = np.arange(0, 81 * len(texts) + 1, 81, dtype=np.int32)
    return pa.StringArray.from_buffers(len(texts), pa.py_buffer(offsets), pa.py_buffer(texts))
