"""One puzzle a line: CSV and its kin, and plain lists. Whole chunks through pyarrow, odd ones line by line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.csv

from megadoku.datasets.cells import decode, grid_or_none
from megadoku.datasets.formats.lines import FIRST_WORD, LineLayout, bare_layout, find_layout
from megadoku.datasets.formats.quoting import BLANKS, QUOTED_LINES, WHOLE_LINE, rows_of
from megadoku.datasets.formats.strided import strided
from megadoku.datasets.piece import Piece, Record, gather
from megadoku.datasets.sources import Peekable
from megadoku.datasets.text import Chunk, chunks, drop_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.datasets.formats.sample import Options, Sample
    from megadoku.datasets.sources import ByteStream

NOTHING = Chunk(b"", 1, 0)
NO_DELIMITER = "\x1f"  # for pyarrow, which wants one even where a line is one cell


def sniff(sample: Sample, options: Options) -> DelimitedReader | None:
    layout = find_layout(sample, options)
    if layout is None and options.format_name is not None:
        layout = FIRST_WORD
    return None if layout is None else DelimitedReader(layout, options.keep_columns)


def sniff_bare(sample: Sample) -> DelimitedReader | None:
    layout = bare_layout(sample)
    return None if layout is None else DelimitedReader(layout)


@dataclass(frozen=True)
class DelimitedReader:
    layout: LineLayout
    keep_columns: bool = False

    def describe(self) -> str:
        return self.layout.describe()

    def pieces(self, text: ByteStream, rows: int) -> Iterator[Piece]:
        """All rows of the text. A chunk that pyarrow takes whole and without a flaw never sees Python by the row."""
        carried = NOTHING
        stream = text if isinstance(text, Peekable) else Peekable(text)
        drop_lines(stream, self.layout.skip)
        for fresh in chunks(stream, rows, self.layout.skip + 1):
            if fresh.overlong:
                yield from self._slow(carried, rows)
                yield from self._slow(fresh, rows)
                carried = NOTHING
                continue
            chunk = _joined(carried, fresh)
            piece = (strided(chunk, self.layout) if not self.keep_columns else None) or self._fast(chunk)
            if piece is not None:
                carried = NOTHING
                yield piece
            else:
                records, carried = self._careful(chunk)
                yield from gather(records, rows, self._other_names())
        yield from self._slow(carried, rows)

    def _slow(self, chunk: Chunk, rows: int) -> Iterator[Piece]:
        return gather(self._careful(chunk, last=True)[0], rows, self._other_names())

    def _other_names(self) -> tuple[str, ...] | None:
        return tuple(self.layout.columns.others.values()) if self.keep_columns else None

    def _fast(self, chunk: Chunk) -> Piece | None:
        """The chunk through pyarrow; None if anything in it wants a closer look."""
        layout, delimiter = self.layout.columns, self.layout.delimiter
        uneven = delimiter == BLANKS and (b"  " in chunk.data or b"\t" in chunk.data)
        open_quote = chunk.data.count(b'"') % 2  # pyarrow would close it at the end of the chunk
        if not chunk.lines or layout.puzzle[1] > 1 or uneven or open_quote:
            return None
        names = [str(at) for at in range(layout.width)]
        wanted = [at for at in (layout.puzzle, layout.solution) if at is not None]
        columns = [str(span[0]) for span in wanted] + [str(at) for at in layout.others if self.keep_columns]
        try:
            table = pa.csv.read_csv(
                pa.BufferReader(chunk.data),
                pa.csv.ReadOptions(column_names=names, use_threads=False, block_size=len(chunk.data) + 1),
                pa.csv.ParseOptions(
                    delimiter=delimiter or NO_DELIMITER,
                    quote_char='"' if delimiter not in (BLANKS, WHOLE_LINE) else False,
                    ignore_empty_lines=False,
                ),
                pa.csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()), include_columns=columns, strings_can_be_null=False
                ),
            )
        except pa.ArrowInvalid:
            return None
        if len(table) != chunk.lines:
            return None
        batch = table.combine_chunks().to_batches()[0]
        grids, refused = decode(batch.column(0))
        if refused:
            return None
        return Piece(
            lines=np.arange(chunk.first_line, chunk.first_line + chunk.lines),
            texts=batch.column(0),
            known=batch.column(1) if layout.solution else None,
            grids=grids,
            others=self._named_batch(batch, len(wanted)) if self.keep_columns else None,
        )

    def _named_batch(self, batch: pa.RecordBatch, first: int) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays(batch.columns[first:], list(self.layout.columns.others.values()))

    def _careful(self, chunk: Chunk, last: bool = False) -> tuple[list[Record], Chunk]:
        """The rows of a chunk, one by one; and what is carried over, where a quoted cell goes on in the next chunk."""
        if chunk.overlong:
            text = chunk.data.decode(errors="replace").rstrip("\n")
            return [Record(chunk.first_line, text + "…", reason="line too long to be a puzzle")], NOTHING
        lines = chunk.data.decode(errors="replace").split("\n")[:-1]
        records: list[Record] = []
        for at, _, cells in rows_of(lines, self.layout.delimiter, self.layout.columns.width):
            number = chunk.first_line + at
            if cells is not None:
                if not self.layout.is_comment(lines[at]):
                    records.append(self._record(cells, number))
            elif not last and len(lines) - at < QUOTED_LINES:
                rest = "".join(line + "\n" for line in lines[at:]).encode()
                return records, Chunk(rest, number, len(lines) - at)
            else:
                records.append(Record(number, lines[at], reason="a quote is opened and never closed"))
        return records, NOTHING

    def _record(self, cells: list[str], line: int) -> Record:
        columns = self.layout.columns
        text = _cell(cells, columns.puzzle)
        if text is None:
            return Record(line, self.layout.delimiter.join(cells), reason=f"{len(cells)} columns, no puzzle among them")
        known = _cell(cells, columns.solution) if columns.solution else None
        others = tuple(cells[at] if at < len(cells) else "" for at in columns.others) if self.keep_columns else None
        reason = None
        if self.layout.headed and not self._fits(cells) and grid_or_none(text):
            reason = f"{len(cells)} columns where the header has {len(columns.names or ())}"
        return Record(line, text, known, reason, others)

    def _fits(self, cells: list[str]) -> bool:
        """As many columns as the header names; empty ones at the end do not count."""
        headed = len(self.layout.columns.names or ())
        return len(cells) == self.layout.columns.width or (len(cells) >= headed and not any(cells[headed:]))


def _cell(cells: list[str], span: tuple[int, int]) -> str | None:
    """The text of a puzzle that has one column, or 81, or nine."""
    first, count = span
    if len(cells) < first + count:
        return None
    if count == 1:
        return cells[first]
    text = ",".join(cell.strip() or "0" for cell in cells[first : first + count])
    grid = grid_or_none(text)
    return "".join(map(str, grid)) if grid else text


def _joined(carried: Chunk, chunk: Chunk) -> Chunk:
    if not carried.lines:
        return chunk
    return replace(
        chunk,
        data=carried.data + chunk.data,
        first_line=carried.first_line,
        counted=carried.lines + chunk.lines,
        stride=0,
    )
