"""A block: many rows of one input, moved as arrays. Refused rows keep their place, so nothing is lost on the way.

position   0          1             2          3
rows       41         42            43         44          row of the input, from 1
lines      42         43            44         45          physical line, from 1
grids      81 cells   81 cells      all zero   81 cells    uint8, 0 = empty
texts      "53..7…"   "0043…"       "53..x…"   "1.9…"      the puzzle as it was read
refused                             {2: "cell 5 is 'x', …"}
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass
class Block:
    source: str  # the input's name, for messages
    rows: NDArray[np.int64]
    lines: NDArray[np.int64]
    grids: NDArray[np.uint8]  # (n, 81)
    texts: pa.StringArray
    refused: dict[int, str] = field(default_factory=dict)  # position → reason
    known: NDArray[np.uint8] | None = None  # (n, 81) solutions that came with the puzzles; all zero where none did
    others: pa.RecordBatch | None = None  # the input's other columns, where they were asked for

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def accepted(self) -> NDArray[np.int64]:
        """Positions of the rows that are puzzles."""
        keep = np.ones(len(self), np.bool_)
        keep[list(self.refused)] = False
        return np.flatnonzero(keep)

    def part(self, start: int, stop: int) -> Block:
        """The rows at positions `start` to `stop - 1`; views, not copies."""
        if (start, stop) == (0, len(self)):
            return self
        return Block(
            self.source,
            self.rows[start:stop],
            self.lines[start:stop],
            self.grids[start:stop],
            self.texts.slice(start, stop - start),
            {position - start: reason for position, reason in self.refused.items() if start <= position < stop},
            None if self.known is None else self.known[start:stop],
            None if self.others is None else self.others.slice(start, stop - start),
        )
