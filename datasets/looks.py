"""What a file that holds no puzzles looks like, in a few words: the person who sees them knows what went wrong."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from megadoku.datasets.formats.lines import PUZZLE_WORD

if TYPE_CHECKING:
    from megadoku.datasets.formats.sample import Sample

MAGICS = (
    (0, b"%PDF", "a PDF"),
    (0, b"\x89PNG", "a picture"),
    (0, b"\xff\xd8\xff", "a picture"),
    (0, b"GIF8", "a picture"),
    (0, b"SQLite format 3", "an SQLite database; export the table as CSV"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (0, b"Rar!", "a RAR archive; unpack it first"),
    (257, b"ustar", "a tar archive; unpack it first"),
    (0, b"\x04\x22\x4d\x18", "lz4-compressed; unpack it first"),
    (0, b"\x1f\x9d", "compressed by compress; unpack it first"),
    (0, b"\xd0\xcf\x11\xe0", "an old Office document; save the sheet as CSV, the puzzles as text"),
    (0, b"\x93NUMPY", "a NumPy array; save it as CSV or Parquet"),
    (0, b"\x89HDF", "an HDF5 file; export the table as CSV or Parquet"),
    (0, b"\x80\x04", "a Python pickle; save the table as CSV or Parquet"),
    (0, b"\x80\x05", "a Python pickle; save the table as CSV or Parquet"),
    (0, b"\x7fELF", "a program"),
)
PREFIXES = (
    ("version https://git-lfs", "a Git LFS pointer, not the file itself; fetch it with: git lfs pull"),
    ("/annex/objects/", "a git-annex pointer, not the file itself; fetch it with: git annex get"),
    ("<!doctype html", "a web page, perhaps a download that asked for a login"),
    ("<html", "a web page, perhaps a download that asked for a login"),
    ("<", "XML, but not OpenSudoku's"),
)
ROUNDED = re.compile(r'(?:^|[,;\t|"])\s*(\d[.,]\d+[eE]\+\d\d)\s*(?=$|[,;\t|"])')  # a cell like 4.30E+78
WORD = re.compile(r"(?:^|(?<=[\s,;|]))[0-9A-Za-z.*_-]{16,}(?=$|[\s,;|])")
FEWEST_MARKS = 5
OTHER_SIDES = (4, 6, 8, 10, 12, 15, 16, 20, 25, 36)


def binary(head: bytes) -> str | None:
    """What these bytes are, if they are no text."""
    for at, magic, words in MAGICS:
        if head.startswith(magic, at):
            return words
    control = sum(head.count(byte) for byte in (b"\0", b"\x01", b"\x02", b"\x03"))
    return "binary data of an unknown kind" if control > len(head) // 100 else None


def text(sample: Sample) -> str | None:
    """What this text is, if it is one of the things that are often taken for puzzles."""
    beginning = sample.text.lstrip().lower()
    for prefix, words in PREFIXES:
        if beginning.startswith(prefix):
            return words
    lines = _content(sample)
    return _spreadsheet(lines) or _game(sample) or _other_size(lines) or _pixels(lines)


def anything_else(sample: Sample) -> str:
    lines = _content(sample)
    if not lines:
        return "comments and blank lines only"
    delimiter = max(",;\t|", key=lines[0].count)
    cells = [cell.strip() for cell in lines[0].split(delimiter)]
    if len(list(filter(None, cells))) > 1 and not re.search(r"\w \w+ \w", lines[0]):
        names = ", ".join(cells)
        return f"a table of {names[:60]}; no cell holds the 81 cells of a grid"
    return f"text that begins {lines[0].strip()[:40]!r}; too few lines of it hold a grid"


def _content(sample: Sample) -> list[str]:
    return [line for line in sample.lines if line.strip() and not line.startswith("#")][:100]


def _spreadsheet(lines: list[str]) -> str | None:
    numbers = [number for line in lines for number in ROUNDED.findall(line)]
    if not numbers or 2 * len(numbers) < len(lines) or any(PUZZLE_WORD.search(line) for line in lines):
        return None
    return f"a spreadsheet rounded the puzzles to numbers like {numbers[0]}; export them again, as text"


def _game(sample: Sample) -> str | None:
    if len(re.findall(r"[1-9]!(?=[,;|\s]|$)", sample.text)) < FEWEST_MARKS:
        return None
    return "a game in progress, with marks in its cells; which digits are givens is not clear, or some are missing"


def _other_size(lines: list[str]) -> str | None:
    """All the same square number of cells in a word, or a square of lines and cells."""
    words = Counter(len(word) for line in lines for word in WORD.findall(line) if re.search(r"[0-9.*_-]", word))
    values = Counter(len(re.findall(r"[^\s,;|]+", line)) for line in lines if not re.search(r"[A-Za-z]{2}", line))
    for side in OTHER_SIDES:
        if words[side * side] * 2 > len(lines):
            return f"puzzles of {side}×{side} cells; only 9×9 is solved here"
        if values[side] >= side and values[side] * 2 > len(lines):
            return f"a grid of {side}×{side} cells; only 9×9 is solved here"
    return None


def _pixels(lines: list[str]) -> str | None:
    numbers = [list(map(int, re.findall(r"\b\d{1,3}\b", line))) for line in lines[1:20]]
    width = max(map(len, numbers), default=0)
    shade = max((value for row in numbers for value in row), default=0)
    if width < 49 or shade <= 9:
        return None
    return f"{width} numbers a line, up to {shade}; pixels of {math.isqrt(width)}×{math.isqrt(width)} images?"
