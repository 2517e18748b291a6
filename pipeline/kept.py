"""`--keep-columns`: the input's other columns, behind ours, as they were read.

The first input says which columns there are. What another input lacks is left empty there; what it has besides would
be lost, so it is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from megadoku.datasets import InputError
from megadoku.pipeline.csv_text import COLUMNS, NO_TAILS, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from megadoku.datasets import Block
    from megadoku.pipeline.csv_text import Tails

_ODD = r"""[",\r\n]|^[=+\-@\s]|\s$"""  # a cell that may want quotes, or an apostrophe


class Kept:
    """The columns to keep: what the first block has. `names` are theirs in the output."""

    def __init__(self, first: Block | None) -> None:
        self._read = _names(first)
        self._source = first.source if first else ""
        self.names = _free(self._read, COLUMNS)

    def of(self, block: Block) -> list[pa.StringArray]:
        """A column of texts for each name, null where the input has none."""
        names = _names(block)
        strange = [name for name in names if name not in self._read]
        if strange:
            raise InputError(
                f"{block.source}: has a column '{strange[0]}' that {self._source} has not, so it cannot be kept beside "
                "its columns; solve the two apart"
            )
        columns = block.others.columns if block.others is not None else []
        if names == self._read:  # of several with one name, each in its place
            return [_texts(column) for column in columns]
        found = dict(zip(names, columns, strict=True))
        return [_texts(found[name]) if name in found else pa.nulls(len(block), pa.string()) for name in self._read]

    def tails(self, block: Block) -> Tails:
        """The same as CSV, a comma before each, to stand behind our own columns."""
        cells = [pc.fill_null(_fields(column), "") for column in self.of(block)]
        if not cells:
            return NO_TAILS
        joined = pc.cast(pc.binary_join_element_wise("", *cells, ","), pa.large_string())
        _, offsets, content = joined.buffers()
        return np.frombuffer(content or b"", np.uint8), np.frombuffer(offsets, np.int64)[: len(joined) + 1]


def _names(block: Block | None) -> list[str]:
    return list(block.others.schema.names) if block and block.others is not None else []


def _free(names: Sequence[str], taken: Iterable[str]) -> list[str]:
    """The same names, with `_` behind those that are used already."""
    used, free = set(taken), []
    for name in names:
        while name in used:
            name += "_"
        used.add(name)
        free.append(name)
    return free


def _fields(column: pa.StringArray) -> pa.StringArray:
    """Only cells that look odd are touched one by one."""
    odd = pc.fill_null(pc.match_substring_regex(column, _ODD), False)
    if not pc.any(odd).as_py():
        return column
    return pc.replace_with_mask(column, odd, pa.array(map(field, column.filter(odd).to_pylist()), pa.string()))


def _texts(column: pa.Array) -> pa.StringArray:
    if pa.types.is_string(column.type):
        return column
    try:
        return pc.cast(column, pa.string())
    except pa.ArrowException:  # lists and structs have no text of their own
        return pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.string())
