"""OpenSudoku's XML: `<game data="81 digits"/>`, streamed; entities are refused, they have no business there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.parsers import expat

from megadoku.datasets.errors import BrokenInputError, NotAPuzzleFileError
from megadoku.datasets.piece import Piece, Record, gather

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.datasets.formats.sample import Options, Sample
    from megadoku.datasets.sources import ByteStream

PIECE = 64 << 10


def sniff(sample: Sample, options: Options) -> OpenSudokuReader | None:
    begins = sample.text.lstrip().startswith("<")
    return OpenSudokuReader() if begins and ("<opensudoku" in sample.text or "<game" in sample.text) else None


@dataclass(frozen=True)
class OpenSudokuReader:
    def describe(self) -> str:
        return "a collection of games"

    def pieces(self, text: ByteStream, rows: int) -> Iterator[Piece]:
        return gather(self._records(text), rows)

    def _records(self, text: ByteStream) -> Iterator[Record]:
        parser = expat.ParserCreate("utf-8")
        found: list[Record] = []

        def element(name: str, attributes: dict[str, str]) -> None:
            if name == "game":
                found.append(Record(parser.CurrentLineNumber, attributes.get("data", "")))

        def entity(*_: object) -> None:
            raise NotAPuzzleFileError("XML that declares entities; OpenSudoku files have none")

        parser.StartElementHandler = element
        parser.EntityDeclHandler = entity
        data = b"begin"
        while data:
            data = text.read(PIECE)
            try:
                parser.Parse(data, not data)
            except expat.ExpatError as error:
                yield from found
                raise BrokenInputError(f"the XML breaks off or is damaged at line {error.lineno}") from None
            yield from found
            found.clear()
