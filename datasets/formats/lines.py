"""How a file with one puzzle a line is laid out: delimiter, header, comments; found by looking at its first lines.

    0,004300209…,864371259…,easy        delimiter ","   puzzle in column 1, solution in 2
    000694f16758 570060003… 2.5         delimiter " "   puzzle in column 1
    53..7….:1:534678912…                delimiter ":"   puzzle in column 0, solution in 2
    5,3,0,0,7,… 81 columns              delimiter ","   puzzle in columns 0 to 80

The delimiter is the one under which most lines show a grid.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from megadoku.datasets.cells import EMPTIES, RARE_EMPTIES, grid_or_none, is_cell
from megadoku.datasets.errors import NotAPuzzleFileError
from megadoku.datasets.formats.layout import PUZZLE_NAMES, Layout, columns_named, find_columns
from megadoku.datasets.formats.quoting import BLANKS, WHOLE_LINE, OpenQuoteError, cells_of, rows_of
from megadoku.datasets.formats.sample import Options

if TYPE_CHECKING:
    from megadoku.datasets.formats.sample import Sample

DELIMITERS = (",", "\t", ";", "|", ":", BLANKS, WHOLE_LINE)
COMMENTS = ("#", "//", "%", ";", "!")
SAMPLE = 64  # rows
MOST_BEFORE = 5  # lines that may stand before the first row: a title, a count, a header
MOST_SHOWN = 8  # columns, in a description
_MARKS = f"[0-9{re.escape(EMPTIES + RARE_EMPTIES)}]"
SPOILT_WORD = re.compile(rf"(?=.{{0,80}}[1-9])(?:[#%;!]{_MARKS}{{80}}|//{_MARKS}{{79}})(?!{_MARKS})")  # 81 characters
PUZZLE_WORD = re.compile(rf"{_MARKS}{{40,}}")  # was meant as a puzzle
SPREADSHEET = re.compile(r"\s*\"?\d[.,]\d+[eE]\+\d\d\b")


@dataclass(frozen=True)
class LineLayout:
    delimiter: str
    columns: Layout
    skip: int = 0  # lines before the first row
    rows: int = 0  # of the sample
    meant: int = 0  # rows of the sample that were meant to hold a puzzle
    rounded: bool = False  # a spreadsheet made numbers of all of them

    @property
    def has_puzzle_name(self) -> bool:
        return columns_named(self.columns.names, PUZZLE_NAMES) != []

    @property
    def headed(self) -> bool:
        return self.columns.names is not None and self.delimiter not in (BLANKS, WHOLE_LINE)

    def describe(self) -> str:
        """Delimiter and columns, the puzzle's and the solution's marked."""
        between = {"": "nothing", " ": "blanks", "\t": "tabs"}.get(self.delimiter, self.delimiter)
        roles = {self.columns.puzzle[0]: " (puzzle)"} | (
            {self.columns.solution[0]: " (solution)"} if self.columns.solution else {}
        )
        names = self.columns.names or tuple(f"column {at + 1}" for at in range(self.columns.width))
        listed = [(name or "unnamed") + roles.get(at, "") for at, name in enumerate(names)]
        shown = listed if len(listed) <= MOST_SHOWN else [*listed[:MOST_SHOWN], "…"]
        header = "header" if self.columns.names else "no header"
        return f"{header}; columns set apart by {between} are {', '.join(shown)}"

    def is_comment(self, line: str) -> bool:
        return is_comment(line, self.delimiter, self.columns.puzzle[0])


FIRST_WORD = LineLayout(BLANKS, Layout((0, 1)))  # for want of anything better


def is_comment(line: str, delimiter: str, puzzle: int = 0) -> bool:
    """A line that begins like a comment, and in which that cannot be the first cell of a row."""
    return (
        line.startswith(COMMENTS)
        and not SPOILT_WORD.match(line)  # a puzzle whose first cell was damaged; a row must not vanish
        and not line.startswith(delimiter or " ")
        and (puzzle == 0 or not PUZZLE_WORD.search(line))
        and not (line[0] == "!" and delimiter not in (BLANKS, WHOLE_LINE))
    )


def find_layout(sample: Sample, options: Options) -> LineLayout | None:
    """The layout of lines with a puzzle each; None if they do not seem to hold any."""
    found = [layout for delimiter in _delimiters(sample.lines)
             if (layout := _under(sample.lines, delimiter, options.column))]  # fmt: skip
    best = max(found, key=_score, default=None)
    if best is None:
        if options.column is not None and (without := find_layout(sample, Options())):
            raise NotAPuzzleFileError(f"no column {options.column!r}; {_what_there_is(without.columns)}")
        return None
    mostly_grids = 2 * best.columns.found >= best.rows
    named = best.has_puzzle_name and not best.rounded
    mostly_meant = 2 * best.meant >= best.rows and (best.columns.found or named)
    return best if mostly_grids or mostly_meant or options.format_name or options.column else None


def bare_layout(sample: Sample) -> LineLayout | None:
    """For lines that were meant as puzzles, though not one of them is: each is refused with its reason."""
    lines = [line for line in sample.lines if line.strip() and not is_comment(line, BLANKS)]
    meant = [line for line in lines if PUZZLE_WORD.search(line)]
    return FIRST_WORD if 2 * len(meant) > len(lines) else None


def _what_there_is(columns: Layout) -> str:
    names = ", ".join(filter(None, columns.names or ()))
    return f"there are {names}" if names else f"there is no header, and columns go up to {columns.width}"


def _score(layout: LineLayout) -> tuple[int, bool, bool, int]:
    columns = layout.columns
    real = layout.delimiter not in (BLANKS, WHOLE_LINE) and columns.width > 1
    return columns.found, columns.solution is not None, layout.has_puzzle_name, 2 * real + (layout.delimiter == BLANKS)


def _delimiters(lines: list[str]) -> tuple[str, ...]:
    """A first line `sep=;` is a spreadsheet's way to say it."""
    declared = re.fullmatch(r"sep=(.)\s*", lines[0], re.IGNORECASE) if lines else None
    return (declared[1],) if declared else DELIMITERS


def _under(lines: list[str], delimiter: str, column: str | None) -> LineLayout | None:
    """The layout if this is the delimiter."""
    skip, header = _header(lines, delimiter)
    body = [line for line in lines[skip:] if line.strip() and not is_comment(line, delimiter)]
    table = [cells for _, _, cells in rows_of(body[: 4 * SAMPLE], delimiter) if cells][:SAMPLE]
    width = Counter(map(len, table)).most_common(1)[0][0] if table else len(header or ())
    if header and len(header) != width and not columns_named(header, PUZZLE_NAMES):
        header = None  # a sentence, or a count
    width = max(width, len(header or ()))
    widest = width if header else max(map(len, table), default=0)  # a list may have solutions in some lines only
    columns = [[row[at] if at < len(row) else "" for row in table] for at in range(widest)]
    layout = find_columns(columns, header, column)
    if layout is None:
        return None
    layout = replace(layout, width=max(width, sum(layout.puzzle), sum(layout.solution or (0, 0))))
    rows = [delimiter.join(row) for row in table]
    rounded = bool(rows) and all(map(SPREADSHEET.match, rows))
    return LineLayout(delimiter, layout, skip, len(table), sum(map(looks_like_row, rows)), rounded)


def looks_like_row(line: str) -> bool:
    """Was this line meant to hold a puzzle? Then it is no header, whatever is wrong with it."""
    if PUZZLE_WORD.search(line) or SPREADSHEET.match(line) or grid_or_none(line):
        return True
    cells = [cell.strip() for cell in re.split(r"[,;\t|]", line)]
    return len(cells) >= 9 and sum(map(is_cell, cells)) > 0.8 * len(cells)


def _header(lines: list[str], delimiter: str) -> tuple[int, tuple[str, ...] | None]:
    """How many lines come before the first row, and the cells of the last of them if that is a header."""
    skip, header, before = 0, None, 0
    for at, line in enumerate(lines):
        if looks_like_row(line):
            break
        try:
            cells = tuple(cell.strip().strip("'\"") for cell in cells_of(line.lstrip("#"), delimiter))
        except OpenQuoteError:
            break
        known = columns_named(cells, PUZZLE_NAMES) != []
        if known or (line.strip() and not line.startswith(COMMENTS)):
            skip, header, before = at + 1, cells, before + 1
        if known:
            break
        if before > MOST_BEFORE:  # prose, and no header
            return 0, None
    return skip, header
