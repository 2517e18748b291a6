"""Which column holds the puzzle, and which the solution: told by what is in them, and by their names.

Content goes first, because headers lie or are missing; names decide between columns that both hold grids.
"""

from __future__ import annotations

from dataclasses import dataclass

from megadoku.datasets.cells import clashes, grid_or_none, is_cell
from megadoku.datasets.errors import NotAPuzzleFileError

PUZZLE_NAMES = ("puzzle", "puzzles", "quiz", "quizzes", "question", "questions", "sudoku", "sudokus", "board", "grid",
                "problem", "unsolved", "givens", "start", "initial", "input")  # fmt: skip
SOLUTION_NAMES = ("solution", "solutions", "answer", "answers", "solved", "target", "output", "response")
MOST_BESIDE = 9  # columns beside 81 of one cell each; more, and they are pixels or the like

Span = tuple[int, int]  # first column, how many: 1, or 81 of one cell each, or 9 of nine


@dataclass(frozen=True)
class Layout:
    """Where things stand in a row."""

    puzzle: Span
    solution: Span | None = None
    names: tuple[str, ...] | None = None  # the header, one name a column
    width: int = 1  # columns
    found: int = 0  # rows of the sample that hold a grid

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


def find_columns(columns: list[list[str]], names: tuple[str, ...] | None, column: str | None) -> Layout | None:
    """The layout of a table, of which the first cells of every column are given; None if it holds no grid.

    `column` is the name of the puzzle's column, or its number from 1.
    """
    grids = {at: [grid for cell in cells if (grid := grid_or_none(cell))] for at, cells in enumerate(columns)}
    puzzle = _puzzle_span(columns, grids, names, column)
    if puzzle is None:
        return None
    found = len(grids.get(puzzle[0], ())) if puzzle[1] == 1 else len(columns[0])
    return Layout(puzzle, _solution_span(puzzle, columns, grids, names), names, len(columns), found)


def columns_named(names: tuple[str, ...] | list[str] | None, wanted: tuple[str, ...]) -> list[int]:
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
    named = [at for at in columns_named(names, PUZZLE_NAMES) if at in pool or not pool]
    if named and names:
        _check_single(names, named[0])
        return named[0], 1
    if pool:
        return pool[0], 1
    return _wide_span(columns, 0)


def _asked_for(column: str, names: tuple[str, ...] | None, width: int) -> int | None:
    """The column of that name; or of that number, from 1, where no column is called so."""
    matches = columns_named(names, (column.strip().lower(),))
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
    named = [at for at in columns_named(names, SOLUTION_NAMES) if at != puzzle[0]]
    pool = [at for at in named if at in full] or named or full
    return (pool[0], 1) if pool else None


def _wide_span(columns: list[list[str]], first: int) -> Span | None:
    """81 neighbouring columns of one cell each, or nine of nine."""
    if len(columns) % 81 > MOST_BESIDE and len(columns) > 9 + MOST_BESIDE:
        return None
    for count, fits in ((81, is_cell), (9, _is_nine)):
        run = 0
        for at in range(first, len(columns)):
            cells = [cell.strip() for cell in columns[at]]
            run = run + 1 if (any(cells) and all(map(fits, cells))) or (run and count == 81 and not any(cells)) else 0
            if run == count:
                span = at - count + 1, count
                return span if _plausible(columns, span) else None
    return None


def _is_nine(cell: str) -> bool:
    return len(cell) == 9 and all(map(is_cell, cell))


def _plausible(columns: list[list[str]], span: Span) -> bool:
    """Digits of any other origin would clash in every row."""
    rows = zip(*(columns[at] for at in range(span[0], sum(span))), strict=False)
    grids = [grid for row in rows if (grid := grid_or_none(",".join(cell.strip() or "0" for cell in row)))]
    return not all(map(clashes, grids)) or len(grids) == 1
