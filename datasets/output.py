"""Where rows are written to: a file that appears whole or not at all, or standard output; packed by its name."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa

from megadoku.datasets.errors import OutputError, UnknownFormatError
from megadoku.datasets.writers import WRITERS, Told, WriterEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STDOUT = "-"
# gzip without a time stamp: the same rows are the same bytes
PACKERS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file, mode="wb", mtime=0),
    ".bz2": lambda file: bz2.BZ2File(file, "wb"),
    ".xz": lambda file: lzma.LZMAFile(file, "wb"),  # noqa: SIM115
    ".zst": lambda file: pa.CompressedOutputStream(pa.PythonFile(Told(file), "w"), "zstd"),
}


def writer_for(output: str, name: str | None = None) -> WriterEntry:
    """The writer of that name, or the one that the output's name asks for."""
    suffixes = PurePath(output).suffixes
    suffix = next((suffix.lower() for suffix in reversed(suffixes) if suffix.lower() not in PACKERS), "")
    for entry in WRITERS:
        if (name == entry.name) if name else suffix in entry.suffixes or (output == STDOUT and entry.name == "csv"):
            return entry
    names = ", ".join(entry.name for entry in WRITERS)
    asked = f"no format named {name!r}" if name else f"{output}: its name does not say which format to write"
    raise UnknownFormatError(f"{asked}; there are {names}")


@contextmanager
def written(output: str) -> Iterator[IO[bytes]]:
    """A file to write into. It gets its name only when all of it is written."""
    if output == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(output)
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with _removed_on_error(temporary), os.fdopen(handle, "wb") as file:
            packer = PACKERS.get(path.suffix.lower())
            if packer is None:
                yield file
            else:
                with packer(file) as packed:
                    yield packed
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), 0o666 & ~_umask())
            Path(temporary).replace(path)
    except OSError as error:
        raise OutputError(f"{output}: cannot be written ({error.strerror or error})") from None


@contextmanager
def _removed_on_error(temporary: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
