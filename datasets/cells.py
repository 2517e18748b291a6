"""Text → 81 cells, or the reason why it is no puzzle. Nothing is guessed: no padding, no trimming of digits.

Two ways to the same answer: `decode` takes a whole column at once, through a look-up table; the few texts that it
cannot settle (quotes around them, cells set apart, `x` for empty, anything wrong) go to `read_grid` one by one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

EMPTIES = "0.-_*"
RARE_EMPTIES = "xX?"  # empty only where a text uses one of them, and it alone, for all its empty cells
MANGLED_SOLUTION = 255  # fills a known solution that is no grid, so that a comparison calls it wrong
FEWEST_RARE = 9  # one `x` in a full grid is a slip, not an empty cell
SHOWN = 40  # characters of a refused text that a reason quotes

ZERO = np.uint8(ord("0"))
_VALUES = {**dict.fromkeys(EMPTIES, 0), **{str(digit): digit for digit in range(1, 10)}}

_UNITS = [(cell // 9, cell % 9, cell // 27 * 3 + cell % 9 // 3) for cell in range(81)]

_SPREADSHEET = re.compile(r"[+-]?\d([.,]\d*)?[eE]\+?\d+")
_SEPARATORS = re.compile(r"[\s,;:|/\[\](){}\"']+")
_APART = re.compile(r"(\S )+\S")
_WHOLE = re.compile(r"([0-9])\.0*")  # 5.0 and 5. are fives that passed through a float
_TOKENS = {**{str(digit): digit for digit in range(10)}, **dict.fromkeys([*EMPTIES, *RARE_EMPTIES, "-1"], 0)}


class RefusedError(ValueError):
    """This text is no puzzle; the message says why."""


def read_grid(text: str) -> bytes:
    """The 81 cells of one text, 0 for empty. Raises `RefusedError` with the reason."""
    bare = text if len(text) == 81 else _unwrap(text)
    if len(bare) == 81:
        return _from_81(bare)
    if not bare:
        raise RefusedError("empty cell where a puzzle should be")
    if _SPREADSHEET.fullmatch(bare):
        raise RefusedError(f"{bare} is a number that a spreadsheet rounded; export the column as text")
    tokens = [token for token in _SEPARATORS.split(bare) if token]
    if len(tokens) > 1:
        return _from_tokens(tokens, bare)
    raise RefusedError(_wrong_length(bare))


def grid_or_none(text: str) -> bytes | None:
    try:
        return read_grid(text)
    except RefusedError:
        return None


def clashes(grid: bytes) -> bool:
    """Does a digit stand twice in a row, column or box?"""
    seen = [(kind, at, digit) for cell, digit in enumerate(grid) if digit for kind, at in enumerate(_UNITS[cell])]
    return len(set(seen)) < len(seen)


def decode(texts: pa.StringArray) -> tuple[NDArray[np.uint8], dict[int, str]]:
    """A column of texts as (n, 81) cells, and the reasons of those that are none (their cells are all zero)."""
    n = len(texts)
    starts, data = _buffers(texts)
    regular = np.flatnonzero(np.diff(starts) == 81)
    if len(regular) == n:
        grids, good = cells_of_bytes(data[starts[0] : starts[-1]].reshape(n, 81) if n else data.reshape(0, 81))
    else:
        grids, good = np.zeros((n, 81), np.uint8), np.zeros(n, np.bool_)
        if len(regular):
            windows = np.lib.stride_tricks.sliding_window_view(data, 81)
            grids[regular], good[regular] = cells_of_bytes(windows[starts[regular]])
    refused = {}
    for position in np.flatnonzero(~good).tolist():
        try:
            grids[position] = np.frombuffer(read_grid(texts[position].as_py() or ""), np.uint8)
        except RefusedError as refusal:
            grids[position] = 0
            refused[position] = str(refusal)
    return grids, refused


def cells_of_bytes(raw: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Characters as cells, and which rows are digits and signs for empty only. A look-up table is ten times slower."""
    cells = raw - ZERO
    if cells.max(initial=0) <= 9:
        return cells, np.ones(len(raw), np.bool_)
    digits = cells <= 9
    cells *= digits
    known = digits | (raw == ord("."))
    if not known.all():
        for sign in EMPTIES:
            known |= raw == ord(sign)
    return cells, known.all(axis=1)


def decode_known(texts: pa.StringArray) -> NDArray[np.uint8]:
    """A column of solutions: all zero where there is none, `MANGLED_SOLUTION` where the text is no grid."""
    grids, refused = decode(texts)
    for position in refused:
        text = texts[position].as_py()
        grids[position] = MANGLED_SOLUTION if text and text.strip() else 0
    return grids


def _buffers(texts: pa.StringArray) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """The offsets and the bytes of a string array, without copying."""
    _, offsets, data = texts.buffers()
    starts = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    return starts, np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)


def _unwrap(text: str) -> str:
    """Without the blanks, quotes and guards that spreadsheets and databases put around a text: ="…", '…', '…"""
    bare = text.strip()
    if bare.startswith('="') and bare.endswith('"'):
        return bare[2:-1]
    if len(bare) > 81 and bare[0] in "'\"":
        bare = bare[1:-1] if bare[-1] == bare[0] else bare[1:]
    return bare


def _from_81(text: str) -> bytes:
    alphabet = set(text)
    empties = alphabet - set("123456789")
    if empties <= set(EMPTIES):
        return bytes(map(_VALUES.__getitem__, text))
    if len(empties) == 1 and (empties <= set(RARE_EMPTIES) or empties == {" "}):
        if _APART.fullmatch(text):
            raise RefusedError("41 values set apart by spaces, not 81")
        if sum(map(text.count, empties)) >= FEWEST_RARE:
            return bytes(_VALUES.get(symbol, 0) for symbol in text)
    cell, symbol = next((at, it) for at, it in enumerate(text, 1) if it not in _VALUES)
    raise RefusedError(f"cell {cell} is {symbol!r}, not a digit or one of {' '.join(EMPTIES)}")


def _from_tokens(tokens: list[str], text: str) -> bytes:
    """Cells set apart by blanks, commas or brackets; or nine words of nine cells."""
    if len(tokens) == 9 and all(len(token) == 9 for token in tokens):
        return _from_81("".join(tokens))
    if len(tokens) != 81:
        raise RefusedError(f"{len(tokens)} values, not 81: {shorten(text)}")
    if any(token.endswith("!") for token in tokens):  # then the digits without `!` are the solution's, not givens
        tokens = [token[:-1] if token.endswith("!") else "0" if token in _VALUES else token for token in tokens]
    cells = bytearray()
    for cell, token in enumerate(tokens, 1):
        whole = _WHOLE.fullmatch(token)
        value = _TOKENS.get(whole[1] if whole else token)
        if value is None:
            raise RefusedError(f"cell {cell} is {shorten(token)!r}, not a digit from 0 to 9")
        cells.append(value)
    return bytes(cells)


def _wrong_length(text: str) -> str:
    reason = f"{len(text):,} characters, not 81"
    if text.isdigit() and 60 <= len(text) < 81:
        reason += "; leading zeros may have been lost: export the column as text"
    return reason


def is_cell(text: str) -> bool:
    """May this text stand for one cell, where every cell has a column of its own?"""
    whole = _WHOLE.fullmatch(text)
    return not text or (whole[1] if whole else text) in _TOKENS


def shorten(text: str) -> str:
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
