"""Grids drawn over nine lines: .sdk, .ss, bars and box characters, blocks under `Grid 01` or `=====`, spaced digits.

Rows that follow one another make a run; whatever stands between runs (blank lines, titles) parts them. A run of nine
rows, or of nine times some, is that many grids; any other run is refused as a whole, because a lost row would shift
all that follow into wrong puzzles. Rulers inside a grid part nothing.

    Grid 01         title: the grid's record begins here
    53.|.7.|...     row 1
    ...
    ---+---+---     ruler
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from megadoku.datasets.cells import EMPTIES, RARE_EMPTIES, clashes, grid_or_none, is_cell, shorten
from megadoku.datasets.piece import Piece, Record, gather
from megadoku.datasets.text import chunks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from megadoku.datasets.formats.sample import Options, Sample
    from megadoku.datasets.sources import ByteStream

LINES_A_CHUNK = 16_384
FEWEST_ROWS = 6
MOST_BANDS = 1_000
LONGEST_RUN = 90_000  # rows; longer ones are not held back to see whether they end well
BARS = "|│┃║┆┇┊┋╎╏"
_BAR = re.compile(f"[{BARS}]")
_SEPARATORS = re.compile(rf"[\s{BARS},;]+")
_RULER = re.compile(rf"[-+=~_*:.\s{BARS}\u2500-\u257f]+")
_SECTION = re.compile(r"\s*\[(\w+)\]\s*")
_WORD = re.compile(r"[^\W\dxX_]{2,}")
_APART = re.compile(r"(\S )+\S?")
DIGITS = "123456789"
SYMBOLS = set(DIGITS + EMPTIES + RARE_EMPTIES)


def cells_in(line: str) -> list[str] | None:
    """The cells of a drawn row; None if the line is no row of a grid at all."""
    if _WORD.search(line):
        return None
    if len(line) == 9 and set(line) <= SYMBOLS | {" "} and not _APART.fullmatch(line):
        return list(line.replace(" ", "."))
    tokens = [token for token in _SEPARATORS.split(line) if token]
    if len(tokens) == 9 and all(map(is_cell, tokens)):
        return tokens
    compact = "".join(tokens)
    if len(compact) == 9 and set(compact) <= SYMBOLS:
        return list(compact)
    return _between_bars(line) or _damaged(tokens, compact)


def _between_bars(line: str) -> list[str] | None:
    """Cells set off by bars, where a blank is an empty cell: nine segments, or three of three cells."""
    segments = _BAR.split(line)
    if len(segments) > 9 or (len(segments) > 3 and len(segments) < 9):
        segments = segments[1:-1] if not segments[0].strip() and not segments[-1].strip() else segments
    if len(segments) == 9 and all(segment and len(segment.strip()) <= 1 for segment in segments):
        return [segment.strip() or "." for segment in segments]
    places = {3: (0, 1, 2), 5: (0, 2, 4), 7: (1, 3, 5)}
    widths = {len(segment) for segment in segments}
    if len(segments) == 3 and len(widths) == 1 and (at := places.get(widths.pop())):
        return [segment[place].strip() or "." for segment in segments for place in at]
    return None


def _damaged(tokens: list[str], compact: str) -> list[str] | None:
    """What was meant as a row, but holds too few or too many cells, or a sign that is none."""
    if len(compact) < 5 or len(compact) > 20 or sum(symbol in SYMBOLS for symbol in compact) * 4 < len(compact) * 3:
        return None
    return tokens if len(tokens) >= 5 else list(compact)


def sniff(sample: Sample, options: Options) -> DrawnReader | None:
    """Lines of nine cells, and not much else."""
    lines = [line for line in sample.lines if line.strip() and not line.startswith("#")]
    rows = [cells for line in lines if (cells := cells_in(line)) and len(cells) == 9 and all(map(is_cell, cells))]
    marks = {cell for cells in rows if any(cell in DIGITS for cell in cells) for cell in cells} - set(DIGITS)
    reader = DrawnReader(frozenset(marks | {"0", "."}))
    forced = options.format_name is not None
    content = [line for line in lines if not reader.is_ruler(line)]
    if not forced and (len(rows) < FEWEST_ROWS or 2 * len(rows) < len(content)):
        return None
    grids = [grid for record in reader.records(enumerate(sample.lines, 1)) if (grid := grid_or_none(record.text))]
    return None if grids and all(map(clashes, grids)) and len(grids) > 1 and not forced else reader


@dataclass(frozen=True)
class DrawnReader:
    marks: frozenset[str]  # signs for empty that stand beside digits; a line of other signs alone is a ruler

    def describe(self) -> str:
        return f"nine lines a grid, {' '.join(sorted(self.marks))} for empty"

    def pieces(self, text: ByteStream, rows: int) -> Iterator[Piece]:
        return gather(self.records(_numbered(text)), rows)

    def is_ruler(self, line: str) -> bool:
        if not line.strip() or not _RULER.fullmatch(line) or set(line.strip()) == {"="}:
            return False
        cells = cells_in(line)
        return cells is None or len(cells) != 9 or not self.marks.issuperset(cells)

    def records(self, lines: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """One record a grid. It begins at the title or the top border right above it."""
        runs = _Runs()
        lead: int | None = None  # where the next row's grid begins, if it is the first of one
        titled, section = False, "puzzle"
        for number, line in lines:
            if self.is_ruler(line):
                lead = lead if titled else number
                continue
            cells = cells_in(line) if section == "puzzle" and line.strip() else None
            if cells is not None:
                yield from runs.row(_Row(lead or number, cells))
                lead, titled = None, False
                continue
            named = _SECTION.fullmatch(line)
            section = named[1].lower() if named else section
            titled = bool(line.strip()) and not named and not line.startswith("#")
            lead = number if titled else None
            yield from runs.gap(blank=not line.strip())
        yield from runs.gap(blank=False)


class _Runs:
    """Rows, run by run. Three runs of three with one blank line between them, and more around, are one grid's bands."""

    def __init__(self) -> None:
        self._run: list[_Row] = []
        self._bands: list[list[_Row]] = []
        self._blank = False  # the line before was blank

    def row(self, row: _Row) -> Iterator[Record]:
        self._run.append(row)
        self._blank = False
        if len(self._run) == LONGEST_RUN:
            yield from self.gap(blank=False)

    def gap(self, blank: bool) -> Iterator[Record]:
        """The run ends here. Only a single blank line may stand between the bands of a grid."""
        run, self._run = self._run, []
        if run and (len(run) == 3 or self._bands):
            self._bands.append(run)
        elif run:
            yield from _grids(run)
        if not blank or self._blank or len(self._bands) > MOST_BANDS:
            yield from self._end_bands()
        self._blank = blank

    def _end_bands(self) -> Iterator[Record]:
        bands, self._bands = self._bands, []
        if [len(band) for band in bands] == [3, 3, 3]:
            bands = [bands[0] + bands[1] + bands[2]]
        for band in bands:
            yield from _grids(band)


class _Row(NamedTuple):
    lead: int
    cells: list[str]


def _grids(run: list[_Row]) -> Iterator[Record]:
    if len(run) % 9:
        text = "".join(cell for row in run[:9] for cell in row.cells)
        yield Record(run[0].lead, text, reason=f"{len(run)} rows under one another, not 9")
        return
    for at in range(0, len(run), 9):
        yield _grid(run[at : at + 9])


def _grid(rows: list[_Row]) -> Record:
    text = "".join("." if cell in ("-1", " ", "") else cell for row in rows for cell in row.cells)
    for number, row in enumerate(rows, 1):
        bad = next((cell for cell in row.cells if not is_cell(cell) and cell != " "), None)
        if bad is not None:
            return Record(rows[0].lead, text, reason=f"row {number} of the grid: {shorten(bad)!r} is no cell")
        if len(row.cells) != 9:
            return Record(rows[0].lead, text, reason=f"row {number} of the grid has {len(row.cells)} cells, not 9")
    return Record(rows[0].lead, text)


def _numbered(text: ByteStream) -> Iterator[tuple[int, str]]:
    for chunk in chunks(text, LINES_A_CHUNK):
        yield from enumerate(chunk.data.decode(errors="replace").split("\n")[:-1], chunk.first_line)
