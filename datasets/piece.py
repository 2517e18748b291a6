"""Between a format's reader and a block: rows as text, with the lines they stand on. One function makes the block."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from megadoku.datasets.block import Block
from megadoku.datasets.cells import decode, decode_known
from megadoku.datasets.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from megadoku.datasets.sources import ByteStream


class PieceReader(Protocol):
    """A format's reader, set up for one input."""

    def pieces(self, text: ByteStream, rows: int) -> Iterator[Piece]: ...

    def describe(self) -> str:
        """How the input is laid out, in a few words."""


class Record(NamedTuple):
    """One row that was read on its own."""

    line: int
    text: str
    known: str | None = None
    reason: str | None = None  # why it is refused, where that is known before its cells are looked at
    others: tuple[str, ...] | None = None


@dataclass
class Piece:
    """Many rows. `grids` and `known_grids` spare the decoding where the reader has already done it."""

    lines: NDArray[np.int64]
    texts: pa.StringArray
    known: pa.StringArray | None = None
    reasons: dict[int, str] = field(default_factory=dict)
    others: pa.RecordBatch | None = None
    grids: NDArray[np.uint8] | None = None
    known_grids: NDArray[np.uint8] | None = None

    def block(self, source: str, first_row: int) -> Block:
        grids, refused = (self.grids, {}) if self.grids is not None else decode(self.texts)
        refused.update(self.reasons)
        grids[list(self.reasons)] = 0
        return Block(
            source=source,
            rows=np.arange(first_row, first_row + len(self.lines)),
            lines=self.lines,
            grids=grids,
            texts=self.texts,
            refused=dict(sorted(refused.items())),
            known=self.known_grids if self.known is None else decode_known(self.known),
            others=self.others,
        )


def gather(records: Iterable[Record], rows: int, names: tuple[str, ...] | None = None) -> Iterator[Piece]:
    """Records in pieces of `rows`; those before a break in the input are given before the error is."""
    held: list[Record] = []
    try:
        for record in records:
            held.append(record)
            if len(held) == rows:
                yield _piece(held, names)
                held = []
    except InputError:
        if held:
            yield _piece(held, names)
        raise
    if held:
        yield _piece(held, names)


def _piece(records: list[Record], names: tuple[str, ...] | None) -> Piece:
    has_known = any(record.known is not None for record in records)
    return Piece(
        lines=np.array([record.line for record in records], np.int64),
        texts=pa.array([record.text for record in records], pa.string()),
        known=pa.array([record.known or "" for record in records], pa.string()) if has_known else None,
        reasons={at: record.reason for at, record in enumerate(records) if record.reason is not None},
        others=None if names is None else _others(records, names),
    )


def _others(records: list[Record], names: tuple[str, ...]) -> pa.RecordBatch:
    columns: list[list[str | None]] = [[] for _ in names]
    for record in records:
        values = record.others or ()
        for at, column in enumerate(columns):
            column.append(values[at] if at < len(values) else None)
    return pa.RecordBatch.from_arrays([pa.array(column, pa.string()) for column in columns], list(names))
