"""Inputs → blocks: the one way in for every format."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from megadoku.datasets.compression import decompressed
from megadoku.datasets.errors import InputError, NotAPuzzleFileError
from megadoku.datasets.formats.sample import Options
from megadoku.datasets.inputs import resolve
from megadoku.datasets.sniff import recognise
from megadoku.datasets.sources import Peekable, opened
from megadoku.datasets.zips import is_zip, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from megadoku.datasets.block import Block
    from megadoku.datasets.inputs import Input
    from megadoku.datasets.meter import Meter

log = logging.getLogger(__name__)


def read_blocks(
    inputs: Sequence[str],
    *,
    column: str | None = None,
    format: str | None = None,  # noqa: A002
    keep_columns: bool = False,
    block_rows: int = 16_384,
    on_source: Callable[[Source], None] | None = None,
    meter: Meter | None = None,
) -> Iterator[Block]:
    """The puzzles of all inputs, one after the other, a block of at most `block_rows` rows at a time.

    An input is a file, a glob, a folder, `-` for standard input, or the name of a bundled set. Rows that are no
    puzzles stay in their place, refused with a reason. Raises `InputError`, after the blocks before the trouble.
    Files in a folder or an archive that hold no puzzles are passed over, unless all are like that. `on_source` is
    told of every file that is read, before its blocks come; `meter` watches how far the reading has come.
    """
    options = Options(column, format, keep_columns)
    folder = _Lenient()
    for one in resolve(inputs):
        try:
            blocks = _read(one, options, block_rows, on_source or _ignore, meter)
            yield from blocks if meter is None else meter.noted(blocks, one.name)
            folder.found |= one.from_folder
        except NotAPuzzleFileError as error:
            folder.pass_over(error, lenient=one.from_folder)
    folder.check()
    if meter is not None:
        meter.ended()


@dataclass(frozen=True)
class Source:
    """A file that was recognised."""

    name: str
    format: str
    layout: str  # what its reader made out
    encoding: str
    line_ends: str
    compression: str


def _ignore(source: Source) -> None:
    pass


class _Lenient:
    """Files among others may hold no puzzles, as long as one of them does."""

    def __init__(self) -> None:
        self.found = False
        self._error: NotAPuzzleFileError | None = None

    def pass_over(self, error: NotAPuzzleFileError, lenient: bool = True) -> None:
        if not lenient:
            raise error
        log.warning("passed over: %s", error)
        self._error = self._error or error

    def check(self) -> None:
        if self._error and not self.found:
            raise self._error


def _read(
    one: Input, options: Options, rows: int, tell: Callable[[Source], None], meter: Meter | None
) -> Iterator[Block]:
    with opened(one.path) as file:
        counted = file if meter is None else meter.counted(file, one.name)
        stream, layers = decompressed(Peekable(counted), one.name)
        if not is_zip(stream.peek(4)):
            yield from _blocks(_Opened(stream, one.name, layers), options, rows, tell)
            return
        archive = _Lenient()
        for name, member in members(stream, one.name):
            try:
                inner, more = decompressed(Peekable(member), name)
                yield from _blocks(_Opened(inner, name, [*layers, "zip", *more]), options, rows, tell)
                archive.found = True
            except NotAPuzzleFileError as error:
                archive.pass_over(error)
        archive.check()


class _Opened(NamedTuple):
    stream: Peekable
    name: str
    layers: list[str]


def _blocks(one: _Opened, options: Options, rows: int, tell: Callable[[Source], None]) -> Iterator[Block]:
    row = 1
    try:
        found = recognise(one.stream, options)
        layout, layers = found.reader.describe(), " in ".join(reversed(one.layers))
        tell(Source(one.name, found.format, layout, found.encoding, found.line_ends, layers))
        for piece in found.reader.pieces(found.stream, rows):
            block = piece.block(one.name, row)
            row += len(block)
            yield block
    except InputError as error:
        if str(error).startswith(one.name):
            raise
        raise type(error)(f"{one.name}: {error}") from None
