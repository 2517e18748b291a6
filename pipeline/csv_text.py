"""A batch of results as CSV text, without a Python object a row: Arrow joins the columns, whose buffer is the text.

pyarrow's own CSV writer would put every string in quotes. Here a field gets them only where it must, which in practice
is a refused row's text or a reason: those few are made safe one by one.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_LOWEST, _HIGHEST = ord("."), ord("9")  # between them only '/' and the digits: nothing to quote, no formula
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def header(schema: pa.Schema) -> bytes:
    return (",".join(schema.names) + "\n").encode()


def lines(batch: pa.RecordBatch) -> pa.Buffer:
    """One line a row, nulls as nothing."""
    columns = [_as_fields(column) for column in batch.columns]
    columns[-1] = pc.binary_join_element_wise(columns[-1], "\n", "")
    text = pc.binary_join_element_wise(*columns, ",").cast(pa.large_string())
    _, offsets, content = text.buffers()
    bounds = np.frombuffer(offsets, np.int64)
    return content.slice(bounds[text.offset], bounds[text.offset + len(text)] - bounds[text.offset])


def _as_fields(column: pa.Array) -> pa.StringArray:
    text = column.cast(pa.string()).fill_null("")
    return text if not pa.types.is_string(column.type) or _is_plain(text) else pa.array(map(field, text.to_pylist()))


def _is_plain(text: pa.StringArray) -> bool:
    """Only letters, digits and dots? Then no field needs quotes and none is a formula."""
    content = text.buffers()[2]
    if content is None:
        return True
    bounds = np.frombuffer(text.buffers()[1], np.int32)
    codes = np.frombuffer(content, np.uint8)[bounds[text.offset] : bounds[text.offset + len(text)]]
    if ((codes - np.uint8(_LOWEST)) <= _HIGHEST - _LOWEST).all():
        return True
    lower = codes | np.uint8(0x20)
    return bool((((lower >= ord("a")) & (lower <= ord("z"))) | ((codes >= _LOWEST) & (codes <= _HIGHEST))).all())


def field(text: str) -> str:
    """One field, safe in any spreadsheet: what it would take for a formula gets an apostrophe in front."""
    if text.startswith(_FORMULA_STARTS):
        text = f"'{text}"
    if any(mark in text for mark in ',"\r\n') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text
