"""How many rows go to a worker at a time, where a row may take a microsecond or a second.

Handing a task over costs the parent half a millisecond, and at the end of a run everybody waits for whoever has the
last one: so a task should take a tenth of a second, and how many rows that is shows as the first of them come back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.datasets import Block

TASK_SECONDS = 0.1
FIRST_ROWS = 32  # while nothing is known yet
WEIGHT = 0.5  # of what is known against what has just been seen: hard puzzles come in clusters


class Pace:
    def __init__(self) -> None:
        self._seconds_a_row: float | None = None

    @property
    def rows(self) -> int:
        if self._seconds_a_row is None:
            return FIRST_ROWS
        return max(1, int(TASK_SECONDS / max(self._seconds_a_row, 1e-9)))

    def saw(self, rows: int, seconds: float) -> None:
        """So many rows took a worker so long."""
        now = seconds / rows
        before = now if self._seconds_a_row is None else self._seconds_a_row
        self._seconds_a_row = WEIGHT * before + (1 - WEIGHT) * now

    def cut(self, blocks: Iterator[Block]) -> Iterator[Block]:
        """The same rows, each block in as many pieces as it takes."""
        for block in blocks:
            start = 0
            while start < len(block):
                stop = min(len(block), start + self.rows)
                yield block.part(start, stop)
                start = stop
