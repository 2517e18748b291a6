"""Bytes → blocks: readers, formats, generator, bundled sets, inspection. Knows no other room."""

from megadoku.datasets.block import Block
from megadoku.datasets.bundled import BundledSet, bundled
from megadoku.datasets.conversion import Conversion, convert
from megadoku.datasets.difficulty import LEVELS, Difficulty
from megadoku.datasets.errors import (
    BrokenInputError,
    InputError,
    MissingInputError,
    NotAPuzzleFileError,
    OutputError,
    UnknownFormatError,
    WishError,
)
from megadoku.datasets.formats import FORMATS
from megadoku.datasets.generator import Wish, generate, generate_rows
from megadoku.datasets.inspection import Inspection, inspect
from megadoku.datasets.meter import Meter
from megadoku.datasets.reader import Source, read_blocks
from megadoku.datasets.writers import WRITERS, Rows, inert

__all__ = [
    "FORMATS",
    "LEVELS",
    "WRITERS",
    "Block",
    "BrokenInputError",
    "BundledSet",
    "Conversion",
    "Difficulty",
    "InputError",
    "Inspection",
    "Meter",
    "MissingInputError",
    "NotAPuzzleFileError",
    "OutputError",
    "Rows",
    "Source",
    "UnknownFormatError",
    "Wish",
    "WishError",
    "bundled",
    "convert",
    "generate",
    "generate_rows",
    "inert",
    "inspect",
    "read_blocks",
]
