"""Inputs → blocks: the one way in for every format."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from megadoku.datasets.compression import decompressed
from megadoku.datasets.errors import NotAPuzzleFileError
from megadoku.datasets.inputs import Input, resolve
from megadoku.datasets.sniff import Options, recognise
from megadoku.datasets.sources import Peekable, opened
from megadoku.datasets.text import SNIFFED, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from megadoku.datasets.block import Block

log = logging.getLogger(__name__)


def read_blocks(
    inputs: Sequence[str],
    *,
    column: str | None = None,
    format: str | None = None,  # noqa: A002
    keep_columns: bool = False,
    block_rows: int = 16_384,
) -> Iterator[Block]:
    """The puzzles of all inputs, one after the other, a block of at most `block_rows` rows at a time.

    An input is a file, a glob, a folder, `-` for standard input, or the name of a bundled set. Rows that are no
    puzzles stay in their place, refused with a reason. Raises `InputError`, after the blocks before the trouble.
    """
    options = Options(column, format, keep_columns)
    for one in resolve(inputs):
        try:
            yield from _read(one, options, block_rows)
        except NotAPuzzleFileError as error:
            if not one.from_folder:
                raise
            log.warning("passed over: %s", error)


def _read(one: Input, options: Options, block_rows: int) -> Iterator[Block]:
    with opened(one.path) as file:
        stream, _ = decompressed(Peekable(file), one.name)
        text = Peekable(Text(stream))
        head = text.peek(SNIFFED)
        try:
            reader = recognise(head, len(head) < SNIFFED, options)
        except NotAPuzzleFileError as error:
            raise NotAPuzzleFileError(f"{one.name}: {error}") from None
        row = 1
        for piece in reader.pieces(text, block_rows):
            block = piece.block(one.name, row)
            row += len(block)
            yield block
