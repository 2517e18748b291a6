"""Results as bytes: what a block and its answers look like in each kind of output.

`encode` and `pack` may run in any thread. `pack` compresses a piece of the file on its own, so that it can be cut and
continued between pieces: gzip, bzip2 and zstd files may be made of several, one behind the other, and so may Parquet if
an index of all follows (parquet_output.py).
"""

from __future__ import annotations

import bz2
import functools
import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from megadoku.pipeline import csv_text, parquet_output
from megadoku.pipeline.errors import UsageError
from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from megadoku.datasets import Block
    from megadoku.pipeline.kept import Kept

FRAME_BYTES = 1 << 24  # compressed outputs are cut every so many bytes of text, wherever blocks end
ROW_GROUP = 1 << 17  # and Parquet every so many rows
_TYPES = (pa.string(), pa.string(), pa.string(), pa.int64(), pa.string())


@dataclass(frozen=True)
class Encoding:
    """One kind of output."""

    header: bytes
    encode: Callable[[Block, Answers], Any]
    pack: Callable[[list[Any]], bytes | memoryview] | None = None  # None: bytes go down as they are
    piece: int = 0  # so much of what `encode` gives is packed at a time
    is_parquet: bool = False


def encode_csv(block: Block, answers: Answers, kept: Kept | None = None) -> memoryview:
    return csv_text.rows(block.texts, block.grids, answers, kept.tails(block) if kept else None)


def encode_list(block: Block, answers: Answers) -> bytes:
    """One solution a line; a row without one keeps its place as an empty line."""
    lines = np.full((len(answers), 82), ord("\n"), np.uint8)
    lines[:, :81] = answers.solutions + np.uint8(ord("0"))
    found = answers.solutions[:, 0] != 0
    keep = np.broadcast_to(found[:, None], lines.shape).copy()
    keep[:, 81] = True
    text: bytes = lines[keep].tobytes()
    return text


def encode_arrow(block: Block, answers: Answers, kept: Kept | None = None) -> pa.RecordBatch:
    reasons = [answers.reasons.get(at) for at in range(len(answers))] if answers.reasons else None
    columns = [
        block.texts,
        solution_texts(answers.solutions),
        _status_names().take(pa.array(answers.status)),
        pa.array(answers.nodes),
        pa.array(reasons, pa.string()) if reasons else pa.nulls(len(answers), pa.string()),
        *(kept.of(block) if kept else ()),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema(kept))


def schema(kept: Kept | None = None) -> pa.Schema:
    more = [(name, pa.string()) for name in kept.names] if kept else []
    return pa.schema([*zip(csv_text.COLUMNS, _TYPES, strict=True), *more])


@functools.cache  # not at import: making an array of Python strings makes pyarrow import pandas
def _status_names() -> pa.StringArray:
    return pa.array(["", *(str(status) for status in Status)])


def solution_texts(grids: NDArray[np.uint8]) -> pa.StringArray:
    """Full grids as 81 digits, null where there is none; the digits are written straight into the array's buffer."""
    found = grids[:, 0] != 0
    text = grids[found] + np.uint8(ord("0"))
    offsets = np.zeros(len(grids) + 1, np.int32)
    np.cumsum(found * np.int32(81), out=offsets[1:])
    valid = None if found.all() else pa.py_buffer(np.packbits(found, bitorder="little"))
    return pa.StringArray.from_buffers(len(grids), pa.py_buffer(offsets), pa.py_buffer(text), valid)


_PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda content: gzip.compress(content, 6, mtime=0),  # no time stamp: same rows, same bytes
    ".bz2": bz2.compress,
    ".zst": lambda content: pa.Codec("zstd").compress(content, asbytes=True),
}


def encoding_for(name: str, kept: Kept | None = None) -> Encoding:
    """How an output of this name is written."""
    path = Path("-.csv" if name == "-" else name)
    pack = _PACKERS.get(path.suffix)
    suffix = path.with_suffix("").suffix if pack else path.suffix
    packed = pack and functools.partial(_packed, pack)
    if suffix == ".csv":
        header = csv_text.header(kept.names if kept else ())
        return Encoding(header, functools.partial(encode_csv, kept=kept), packed, FRAME_BYTES)
    if suffix == ".txt" and kept:
        raise UsageError(f"{name}: a list has no place for --keep-columns; write .csv or .parquet")
    if suffix == ".txt":
        return Encoding(b"", encode_list, packed, FRAME_BYTES)
    if suffix == ".parquet" and not pack:
        pack_rows = functools.partial(parquet_output.pack, schema(kept))
        return Encoding(b"", functools.partial(encode_arrow, kept=kept), pack_rows, ROW_GROUP, is_parquet=True)
    wanted = ".csv, .txt (each may end in .gz .zst .bz2) or .parquet"
    raise UsageError(f"{name}: cannot tell the format from the name; end it in {wanted}")


def _packed(pack: Callable[[bytes], bytes], texts: list[bytes | memoryview]) -> bytes:
    return pack(b"".join(texts))
