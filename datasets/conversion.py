"""From any format to any other that can hold the data; what cannot be taken along is counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from megadoku.datasets.cells import MANGLED_SOLUTION
from megadoku.datasets.output import writer_for, written
from megadoku.datasets.reader import read_blocks
from megadoku.datasets.writers import Rows, WriterEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from megadoku.datasets.block import Block


@dataclass
class Conversion:
    """What became of the rows."""

    written: int = 0
    refused: int = 0
    lost: Counter[str] = field(default_factory=Counter)  # what was lost → from how many rows

    def __str__(self) -> str:
        parts = [f"{self.written:,} rows written", f"{self.refused:,} refused" if self.refused else ""]
        parts += [f"lost: {what} ({count:,} rows)" for what, count in sorted(self.lost.items()) if count]
        return "; ".join(filter(None, parts))


def convert(
    inputs: Sequence[str],
    output: str,
    *,
    column: str | None = None,
    format: str | None = None,  # noqa: A002
    to: str | None = None,
) -> Conversion:
    """Read all inputs and write one output, in the format of its name or the one named by `to`."""
    entry = writer_for(output, to)
    result = Conversion()
    blocks = read_blocks(inputs, column=column, format=format, keep_columns=True)
    with written(output) as file:
        entry.write(file, _rows(blocks, entry, result))
    return result


def _rows(blocks: Iterable[Block], entry: WriterEntry, result: Conversion) -> Iterator[Rows]:
    """The accepted rows. What the format cannot hold is counted here; its writer does not look at it."""
    names: list[str] = []
    for block in blocks:
        keep = block.accepted
        others = block.others.take(pa.array(keep)) if block.others is not None and block.others.schema.names else None
        rows = Rows(block.grids[keep], _solutions(block, keep, result), others)
        names = names or rows.names()
        result.written += len(keep)
        result.refused += len(block.refused)
        for name in rows.names()[1:]:
            if not _holds(entry, name, names):
                result.lost[f"column {name}"] += len(keep)
        yield rows


def _holds(entry: WriterEntry, name: str, names: list[str]) -> bool:
    """Tables have the columns of their first rows; JSON objects have what they have."""
    if name == "solution" and not entry.holds_solutions:
        return False
    return name == "solution" or (entry.holds_others and (name in names or entry.name.startswith("json")))


def _solutions(block: Block, keep: NDArray[np.int64], result: Conversion) -> NDArray[np.uint8] | None:
    """The known solutions; one that is no grid cannot be written as one."""
    if block.known is None:
        return None
    solutions = block.known[keep]
    mangled = solutions[:, 0] == MANGLED_SOLUTION
    result.lost["solutions that are no grids"] += int(mangled.sum())
    solutions[mangled] = 0
    return solutions
