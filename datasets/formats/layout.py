"""Where the puzzle stands in a line: found by looking at the first lines, told by the header where there is one.

0,004300209…,864371259…,easy        delimiter ","   puzzle (1, 1)   solution (2, 1)
000694f16758 570060003… 2.5         delimiter " "   puzzle (1, 1)
53..7….:1:534678912…                delimiter ":"   puzzle (0, 1)   solution (2, 1)
5,3,0,0,7,… 81 columns              delimiter ","   puzzle (0, 81)
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from megadoku.datasets.cells import EMPTIES, RARE_EMPTIES, RefusedError, is_cell, read_grid
from megadoku.datasets.errors import NotAPuzzleFileError
from megadoku.datasets.formats.quoting import BLANKS, WHOLE_LINE, OpenQuoteError, cells_of

DELIMITERS = (",", "\t", ";", "|", ":", BLANKS, WHOLE_LINE)
COMMENTS = ("#", "//", "%", ";", "!")
PUZZLE_NAMES = ("puzzle", "puzzles", "quiz", "quizzes", "question", "questions", "sudoku", "sudokus", "board", "grid",
                "problem", "unsolved", "givens", "start", "initial", "input")  # fmt: skip
SOLUTION_NAMES = ("solution", "solutions", "answer", "answers", "solved", "target", "output", "response")
SAMPLE = 64  # lines
ATTEMPT = 40  # a word with so many puzzle characters was meant as a puzzle
SPREADSHEET = re.compile(r"\s*\d[.,]\d+[eE]\+\d\d\s*")
_PUZZLE_WORD = re.compile(rf"[0-9{re.escape(EMPTIES + RARE_EMPTIES)}]{{{ATTEMPT},}}")

Span = tuple[int, int]  # first column, how many


@dataclass(frozen=True)
class Layout:
    delimiter: str
    puzzle: Span
    solution: Span | None = None
    names: tuple[str, ...] | None = None  # the header, one name a column
    skip: int = 0  # lines before the first row
    width: int = 1  # columns; a row with another number of them is refused where there is a header

    @property
    def others(self) -> dict[int, str]:
        """The columns that are neither puzzle nor solution, and their names."""
        used = {at for span in (self.puzzle, self.solution) if span for at in range(span[0], sum(span))}
        names = self.names or ()
        return {
            at: (names[at] if at < len(names) and names[at] else f"column_{at + 1}")
            for at in range(self.width)
            if at not in used
        }

    def is_comment(self, line: str) -> bool:
        """A line that begins like a comment, and in which that cannot be the first cell of a row."""
        return (
            line.startswith(COMMENTS)
            and not line.startswith(self.delimiter or " ")
            and (self.puzzle[0] == 0 or not _PUZZLE_WORD.search(line))
            and not (line[0] == "!" and self.delimiter not in (BLANKS, WHOLE_LINE))
        )


def find_layout(lines: list[str], column: str | None = None) -> Layout | None:
    """The layout of lines with a puzzle each, or None if they hold none. `column` is a header's name or a number."""
    best: tuple[tuple[int, int], Layout] | None = None
    for delimiter in _delimiters(lines):
        layout, score = _layout(lines, delimiter, column)
        if layout and (best is None or score > best[0]):
            best = score, layout
    if best is None and column is not None and (without := find_layout(lines)):
        there = (
            f"there are {', '.join(filter(None, without.names))}"
            if without.names
            else f"columns go up to {without.width}"
        )
        raise NotAPuzzleFileError(f"no column {column!r}; {there}")
    return best[1] if best else None


def _delimiters(lines: list[str]) -> tuple[str, ...]:
    """A first line `sep=;` is a spreadsheet's way to say it."""
    declared = re.fullmatch(r"sep=(.)\s*", lines[0], re.IGNORECASE) if lines else None
    return (declared[1],) if declared else DELIMITERS


def _layout(lines: list[str], delimiter: str, column: str | None) -> tuple[Layout | None, tuple[int, int]]:
    skip, header = _header(lines, delimiter)
    bare = Layout(delimiter, (0, 1))
    table = [split for line in lines[skip:] if line.strip() and not bare.is_comment(line)
             if (split := _split(line, delimiter))][:SAMPLE]  # fmt: skip
    width = Counter(map(len, table)).most_common(1)[0][0] if table else len(header or ())
    columns = [[row[at] for row in table if at < len(row)] for at in range(width)]
    grids = {at: [grid for cell in cells if (grid := _grid(cell))] for at, cells in enumerate(columns)}
    names = tuple(header) if header else None
    puzzle = _puzzle_span(columns, grids, names, column)
    if puzzle is None:
        return None, (0, 0)
    solution = _solution_span(puzzle, columns, grids, names)
    found = len(grids[puzzle[0]]) if puzzle[1] == 1 else len(table)
    named = bool(names) and _named(names, PUZZLE_NAMES) != []
    layout = Layout(delimiter, puzzle, solution, names, skip, max(width, len(header or ())))
    return layout, (found, 2 * named + (delimiter == BLANKS) + (solution is not None) * 4)


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return cells_of(line, delimiter)
    except OpenQuoteError:
        return []


def _grid(cell: str) -> bytes | None:
    try:
        return read_grid(cell)
    except RefusedError:
        return None


def looks_like_row(line: str) -> bool:
    """Was this line meant to hold a puzzle? Then it is no header, whatever is wrong with it."""
    if _PUZZLE_WORD.search(line) or SPREADSHEET.match(line) or _grid(line):
        return True
    cells = [cell.strip() for cell in re.split(r"[,;\t|]", line)]
    return len(cells) >= 9 and sum(map(is_cell, cells)) > 0.8 * len(cells) and not line.startswith("0,1,2,3")


def _header(lines: list[str], delimiter: str) -> tuple[int, list[str] | None]:
    """How many lines come before the first row, and the cells of the last of them if that is a header."""
    skip, header = 0, None
    for at, line in enumerate(lines):
        if looks_like_row(line):
            break
        cells = [cell.strip().strip("'\"") for cell in _split(line.lstrip("#"), delimiter)]
        named = _named(cells, PUZZLE_NAMES) != []
        if named or (line.strip() and not line.startswith(COMMENTS)):
            skip, header = at + 1, cells
        if named:
            break
    return skip, header


def _named(names: tuple[str, ...] | list[str] | None, wanted: tuple[str, ...]) -> list[int]:
    """The columns with one of these names, the commonest name first."""
    lowered = [name.strip().lower() for name in names or ()]
    return [at for name in wanted for at, have in enumerate(lowered) if have == name]


def _puzzle_span(
    columns: list[list[str]], grids: dict[int, list[bytes]], names: tuple[str, ...] | None, column: str | None
) -> Span | None:
    if column is not None:
        at = _asked_for(column, names, len(columns))
        return None if at is None else (at, 1)
    holding = [at for at, found in grids.items() if found and 2 * len(found) >= len(list(filter(None, columns[at])))]
    partial = [at for at in holding if any(0 in grid for grid in grids[at])]
    pool = partial or holding
    named = [at for at in _named(names, PUZZLE_NAMES) if at in pool or not pool]
    if named and names:
        _check_single(names, named[0])
        return named[0], 1
    if pool:
        return pool[0], 1
    return _wide_span(columns, 0)


def _asked_for(column: str, names: tuple[str, ...] | None, width: int) -> int | None:
    """The column of that name; or of that number, from 1, where no column is called so."""
    matches = _named(names, (column.strip().lower(),))
    if matches and names:
        _check_single(names, matches[0])
        return matches[0]
    return int(column) - 1 if column.isdecimal() and 1 <= int(column) <= width else None


def _check_single(names: tuple[str, ...], at: int) -> None:
    twins = [number for number, name in enumerate(names, 1) if name.lower() == names[at].lower()]
    if len(twins) > 1:
        numbers = " and ".join(map(str, twins))
        raise NotAPuzzleFileError(
            f"columns {numbers} are both named {names[at]!r}; choose one with --column {twins[0]}"
        )


def _solution_span(
    puzzle: Span, columns: list[list[str]], grids: dict[int, list[bytes]], names: tuple[str, ...] | None
) -> Span | None:
    if puzzle[1] > 1:
        return _wide_span(columns, sum(puzzle))
    full = [at for at, found in grids.items() if at != puzzle[0] and found and all(0 not in grid for grid in found)]
    named = [at for at in _named(names, SOLUTION_NAMES) if at != puzzle[0]]
    pool = [at for at in named if at in full] or named or full
    return (pool[0], 1) if pool else None


def _wide_span(columns: list[list[str]], first: int) -> Span | None:
    """81 neighbouring columns of one cell each, or nine of nine."""
    for count, fits in ((81, is_cell), (9, _is_nine)):
        run = 0
        for at in range(first, len(columns)):
            cells = [cell.strip() for cell in columns[at]]
            run = run + 1 if (any(cells) and all(map(fits, cells))) or (run and count == 81 and not any(cells)) else 0
            if run == count:
                return at - count + 1, count
    return None


def _is_nine(cell: str) -> bool:
    return len(cell) == 9 and all(map(is_cell, cell))
