"""Rows → files, one writer a format. A writer takes the rows as they come, and writes what its format can hold."""

from __future__ import annotations

import csv
import functools
import io
import json
import re
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    Grids = NDArray[np.uint8]

EMPTY = "." * 81
DOTS, ZEROS = b".123456789", b"0123456789"
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Rows:
    """Puzzles that are to be written, with their solutions (all zero where there is none) and other columns."""

    puzzles: Grids
    solutions: Grids | None = None
    others: pa.RecordBatch | None = None

    @property
    def all_solved(self) -> bool:
        return self.solutions is not None and bool(self.solutions.all())

    def names(self) -> list[str]:
        return list(
            Rows(self.puzzles[:0], self.solutions, None if self.others is None else self.others.slice(0, 0)).texts()
        )

    def texts(self) -> dict[str, list[str]]:
        """Everything as columns of text."""
        columns = {"puzzle": lines_of(self.puzzles)}
        if self.solutions is not None:
            columns["solution"] = [line if line != EMPTY else "" for line in lines_of(self.solutions)]
        for name, column in (
            zip(self.others.schema.names, self.others.columns, strict=True) if self.others is not None else ()
        ):
            columns[_free(name, columns)] = ["" if value is None else str(value) for value in column.to_pylist()]
        return columns


def _free(name: str, taken: dict[str, list[str]]) -> str:
    while name in taken:
        name += "_"
    return name


def matrix(grids: Grids, signs: bytes = DOTS) -> Grids:
    """Grids as characters, one line of 81 a row."""
    return np.frombuffer(signs, np.uint8)[grids]


def lines_of(grids: Grids, signs: bytes = DOTS) -> list[str]:
    text = matrix(grids, signs).tobytes().decode()
    return [text[at : at + 81] for at in range(0, len(text), 81)]


def write_csv(file: IO[bytes], batches: Iterable[Rows], delimiter: str = ",") -> None:
    """With header. Cells of other columns that a spreadsheet would take for formulas are made inert."""
    names: list[str] = []
    for rows in batches:
        if not names:
            names = rows.names()
            file.write(_csv_line(names, delimiter))
        if names == ["puzzle", "solution"] and rows.all_solved:
            file.write(_two_columns(rows, delimiter))
        else:
            file.write(_csv_text(rows.texts(), names, delimiter))
    if not names:
        file.write(b"puzzle\n")


def _two_columns(rows: Rows, delimiter: str) -> bytes:
    """The usual case, without a Python object for every row."""
    assert rows.solutions is not None
    lines = np.empty((len(rows.puzzles), 164), np.uint8)
    lines[:, :81], lines[:, 82:163] = matrix(rows.puzzles), matrix(rows.solutions)
    lines[:, 81], lines[:, 163] = ord(delimiter), ord("\n")
    return lines.tobytes()


def _csv_text(columns: dict[str, list[str]], names: list[str], delimiter: str) -> bytes:
    count = len(columns["puzzle"])
    cells = [columns.get(name, [""] * count) for name in names]
    safe = [column if name in ("puzzle", "solution") else list(map(inert, column))
            for name, column in zip(names, cells, strict=True)]  # fmt: skip
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(zip(*safe, strict=True))
    return out.getvalue().encode()


def _csv_line(names: list[str], delimiter: str) -> bytes:
    return _csv_text({"puzzle": [""], **{name: [name] for name in names}}, names, delimiter)


def inert(cell: str) -> str:
    """A cell that no spreadsheet runs: formulas get an apostrophe in front, numbers stay."""
    return "'" + cell if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def write_list(file: IO[bytes], batches: Iterable[Rows], signs: bytes = DOTS) -> None:
    for rows in batches:
        lines = np.full((len(rows.puzzles), 82), ord("\n"), np.uint8)
        lines[:, :81] = matrix(rows.puzzles, signs)
        file.write(lines.tobytes())


def write_drawn(file: IO[bytes], batches: Iterable[Rows], bars: bool = False) -> None:
    """Nine lines a grid, with or without bars, and a blank line after it."""
    for rows in batches:
        for line in lines_of(rows.puzzles):
            drawn = [line[at : at + 9] for at in range(0, 81, 9)]
            if bars:
                drawn = ["|".join((row[:3], row[3:6], row[6:])) for row in drawn]
                drawn = [*drawn[:3], "-" * 11, *drawn[3:6], "-" * 11, *drawn[6:]]
            file.write(("\n".join(drawn) + "\n\n").encode())


def write_opensudoku(file: IO[bytes], batches: Iterable[Rows]) -> None:
    file.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n')
    for rows in batches:
        file.write("".join(f'  <game data="{line}" />\n' for line in lines_of(rows.puzzles, ZEROS)).encode())
    file.write(b"</opensudoku>\n")


def write_jsonl(file: IO[bytes], batches: Iterable[Rows]) -> None:
    for line in _json_objects(batches):
        file.write(line + b"\n")


def write_json(file: IO[bytes], batches: Iterable[Rows]) -> None:
    _json_array(file, _json_objects(batches))


def write_leetcode(file: IO[bytes], batches: Iterable[Rows]) -> None:
    """An array of boards: nine arrays of nine strings each."""
    _json_array(file, (_board(line) for rows in batches for line in lines_of(rows.puzzles)))


def _board(line: str) -> bytes:
    return json.dumps([list(line[at : at + 9]) for at in range(0, 81, 9)]).encode()


def _json_objects(batches: Iterable[Rows]) -> Iterator[bytes]:
    for rows in batches:
        columns = rows.texts()
        for values in zip(*columns.values(), strict=True):
            pairs = dict(zip(columns, values, strict=True))
            yield json.dumps({name: value for name, value in pairs.items() if value or name == "puzzle"}).encode()


def _json_array(file: IO[bytes], elements: Iterable[bytes]) -> None:
    separator = b"[\n"
    for element in elements:
        file.write(separator + element)
        separator = b",\n"
    file.write(b"\n]\n" if separator == b",\n" else b"[]\n")


class Told:
    """An output as pyarrow wants it: able to say where it is (a pipe is not), and closed by whoever opened it."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._at = 0

    def write(self, data: bytes) -> int:
        self._at += len(data)
        return self._file.write(data)

    def tell(self) -> int:
        return self._at

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self.closed = True


def write_parquet(file: IO[bytes], batches: Iterable[Rows]) -> None:
    import pyarrow.parquet as pq

    _arrow(batches, lambda schema: pq.ParquetWriter(Told(file), schema, compression="zstd"))


def write_arrow(file: IO[bytes], batches: Iterable[Rows]) -> None:
    _arrow(batches, lambda schema: pa.ipc.new_file(Told(file), schema))


def _arrow(batches: Iterable[Rows], make: Callable[[pa.Schema], Any]) -> None:
    writer = schema = None
    for rows in batches:
        columns = rows.texts()
        schema = schema or pa.schema([(name, pa.string()) for name in columns])
        writer = writer or make(schema)
        count = len(rows.puzzles)
        writer.write_batch(
            pa.RecordBatch.from_arrays(
                [pa.array(columns.get(name, [""] * count), pa.string()) for name in schema.names], schema=schema
            )
        )
    (writer or make(pa.schema([("puzzle", pa.string())]))).close()


@dataclass(frozen=True)
class WriterEntry:
    """One row of the table of writers."""

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[IO[bytes], Iterable[Rows]], None]
    holds_solutions: bool = False
    holds_others: bool = False


WRITERS = (
    WriterEntry("csv", (".csv",), write_csv, True, True),
    WriterEntry("tsv", (".tsv", ".tab"), functools.partial(write_csv, delimiter="\t"), True, True),
    WriterEntry("jsonl", (".jsonl", ".ndjson"), write_jsonl, True, True),
    WriterEntry("json", (".json",), write_json, True, True),
    WriterEntry("parquet", (".parquet", ".pq"), write_parquet, True, True),
    WriterEntry("arrow", (".arrow", ".feather", ".ipc"), write_arrow, True, True),
    WriterEntry("list", (".txt",), write_list),
    WriterEntry("sdm", (".sdm",), functools.partial(write_list, signs=ZEROS)),
    WriterEntry("sdk", (".sdk",), write_drawn),
    WriterEntry("ss", (".ss",), functools.partial(write_drawn, bars=True)),
    WriterEntry("opensudoku", (".opensudoku", ".xml"), write_opensudoku),
    WriterEntry("leetcode", (), write_leetcode),
)
