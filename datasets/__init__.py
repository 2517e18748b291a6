"""Bytes → blocks: readers, formats, generator, bundled sets, inspection. Knows no other room."""

from megadoku.datasets.block import Block
from megadoku.datasets.bundled import BundledSet, bundled
from megadoku.datasets.conversion import Conversion, convert
from megadoku.datasets.errors import (
    BrokenInputError,
    InputError,
    MissingInputError,
    NotAPuzzleFileError,
    OutputError,
    UnknownFormatError,
)
from megadoku.datasets.reader import read_blocks

__all__ = [
    "Block",
    "BrokenInputError",
    "BundledSet",
    "Conversion",
    "InputError",
    "MissingInputError",
    "NotAPuzzleFileError",
    "OutputError",
    "UnknownFormatError",
    "bundled",
    "convert",
    "read_blocks",
]
