"""JSON: a LeetCode board, an array of boards or puzzle strings, objects with a puzzle in them, one of these a line.

An array is read element by element, so it may be as long as it likes; any one record is bounded. A record of a
document has no line of its own, so it is known by its number.
"""

from __future__ import annotations

import codecs
import itertools
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from megadoku.datasets.errors import BrokenInputError, NotAPuzzleFileError
from megadoku.datasets.formats.board import Damaged, Number, inside, is_part_of_board, record
from megadoku.datasets.piece import Piece, Record, gather
from megadoku.datasets.text import chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.datasets.formats.sample import Options, Sample
    from megadoku.datasets.sources import ByteStream

PIECE = 64 << 10
LARGEST_RECORD = 4 << 20
MOST_IN_A_BOARD = 1_000  # elements; a board has 9 or 81


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | Damaged:
    keys = dict(pairs)
    return keys if len(keys) == len(pairs) else Damaged("a key stands twice in the object")


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=Number, parse_float=Number, parse_constant=Number)


def sniff(sample: Sample, options: Options) -> JsonLinesReader | JsonReader | None:
    text = sample.text.lstrip()
    if not text.startswith(("{", "[")) or re.match(r"\[[A-Za-z]+\]", text):  # [Puzzle] is no JSON
        return None
    lines = [line for line in sample.lines if line.strip()][:50]
    parsed = sum(_parses(line) for line in lines)
    by_line = len(lines) > 1 and 2 * parsed >= len(lines)
    return JsonLinesReader(options.column) if by_line else JsonReader(options.column)


def _parses(line: str) -> bool:
    try:
        value, end = DECODER.raw_decode(line.strip())
    except (ValueError, RecursionError):
        return False
    return end == len(line.strip()) and isinstance(value, dict | list | Damaged)


@dataclass(frozen=True)
class JsonLinesReader:
    column: str | None = None

    def describe(self) -> str:
        return "a JSON value on every line"

    def pieces(self, text: ByteStream, rows: int) -> Iterator[Piece]:
        return gather(self._records(text, rows), rows)

    def _records(self, text: ByteStream, rows: int) -> Iterator[Record]:
        for chunk in chunks(text, rows):
            for number, line in enumerate(chunk.data.decode(errors="replace").split("\n")[:-1], chunk.first_line):
                if line.strip():
                    yield self._record(line.strip(), number)

    def _record(self, line: str, number: int) -> Record:
        try:
            value, end = DECODER.raw_decode(line)
        except RecursionError:
            return Record(number, line, reason="JSON nested too deep")
        except ValueError as error:
            return Record(number, line, reason=f"no JSON: {error}")
        if end < len(line):
            return Record(number, line, reason="no JSON: more follows on the line")
        return record(value, number, self.column)


@dataclass(frozen=True)
class JsonReader:
    """One document: an array of records, or a board, or an object that has them somewhere inside."""

    column: str | None = None

    def describe(self) -> str:
        return "one JSON document"

    def pieces(self, text: ByteStream, rows: int) -> Iterator[Piece]:
        return gather(self._records(text), rows)

    def _records(self, text: ByteStream) -> Iterator[Record]:
        for number, value in enumerate(self._values(_Window(text)), 1):
            yield record(value, number, self.column)

    def _values(self, window: _Window) -> Iterator[Any]:
        if window.next_sign() != "[":
            document = window.value()
            yield from list(inside(document)) or [document]
            return
        window.at += 1
        elements = window.elements()
        first = next(elements, None)
        if first is None or is_part_of_board(first):
            yield list(itertools.islice(itertools.chain([first], elements), MOST_IN_A_BOARD))
        else:
            yield first
            yield from elements


class _Window:
    """The part of a document that is being looked at."""

    def __init__(self, text: ByteStream) -> None:
        self._text = text
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._seen = ""
        self._ended = False
        self._values = 0
        self.at = 0

    def next_sign(self) -> str:
        """The next character that is no blank or comma; "" at the end."""
        while True:
            gap = re.compile(r"[\s,]*").match(self._seen, self.at)
            self.at = gap.end() if gap else self.at
            if self.at < len(self._seen) or self._ended:
                return self._seen[self.at : self.at + 1]
            self._more()

    def elements(self) -> Iterator[Any]:
        """The values up to the closing bracket."""
        while self.next_sign() != "]":
            yield self.value()

    def value(self) -> Any:
        while True:
            try:
                value, end = DECODER.raw_decode(self._seen, self.at)
            except RecursionError:
                raise NotAPuzzleFileError("JSON nested too deep to hold puzzles") from None
            except ValueError as error:
                if self._ended or len(self._seen) - self.at > LARGEST_RECORD:
                    raise self._broken(error) from None
                self._more()
                continue
            if end < len(self._seen) or self._ended:  # else it may go on in the next piece
                self.at = end
                self._values += 1
                return value
            self._more()

    def _more(self) -> None:
        data = self._text.read(PIECE)
        self._ended = not data
        self._seen, self.at = self._seen[self.at :] + self._decoder.decode(data, self._ended), 0

    def _broken(self, error: ValueError) -> Exception:
        if not self._values:
            return NotAPuzzleFileError(f"begins like JSON, but is none ({error})")
        return BrokenInputError(f"the JSON breaks off or is damaged after record {self._values:,}")
