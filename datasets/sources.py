"""Names → byte streams. A stream is read once, front to back, in memory that does not grow with it."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from megadoku.datasets.errors import BrokenInputError, InputError, MissingInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

STDIN = "-"
HEAD = 4096  # bytes of a file's beginning that are looked at again after the end


class ByteStream(Protocol):
    """Up to `size` bytes, b"" at the end. Raises `BrokenInputError` where the input breaks off."""

    def read(self, size: int, /) -> bytes: ...


class Peekable:
    """A stream whose beginning can be looked at before it is read; a break in it is kept until it is reached."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._seen = b""
        self.error: InputError | None = None  # a break that was met while peeking

    def peek(self, size: int) -> bytes:
        parts = [self._seen]
        length = len(self._seen)
        while length < size and self.error is None:
            try:
                part = self._stream.read(size - length)
            except InputError as error:
                self.error = error
                break
            if not part:
                break
            parts.append(part)
            length += len(part)
        self._seen = b"".join(parts)
        return self._seen[:size]

    def unread(self, data: bytes) -> None:
        """Put back what was read too much."""
        self._seen = data + self._seen

    def read(self, size: int, /) -> bytes:
        if self._seen or not size:
            data, self._seen = self._seen[:size], self._seen[size:]
            return data
        if self.error is not None:
            raise self.error
        return self._stream.read(size)


class FileBytes:
    """An open file. Of a regular file, the bytes that were there when it was opened, or `BrokenInputError`."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self._name = name
        self._start = os.fstat(file.fileno())
        self._regular = stat.S_ISREG(self._start.st_mode)
        self._left = self._start.st_size - file.tell() if self._regular else sys.maxsize
        self._head = b""

    def read(self, size: int, /) -> bytes:
        try:
            data = self._file.read(min(size, self._left))
        except OSError as error:
            raise BrokenInputError(f"{self._name}: cannot be read on ({error.strerror})") from None
        if self._regular:
            if not self._head:
                self._head = data[:HEAD]
            self._left -= len(data)
            if self._left == 0 or not data:
                self.check_unchanged()
        return data

    def check_unchanged(self) -> None:
        """What was read is what was there at the start: growth is fine, anything else is not."""
        now = os.fstat(self._file.fileno())
        grown = now.st_size > self._start.st_size
        touched = now.st_mtime_ns != self._start.st_mtime_ns
        same_head = not touched or os.pread(self._file.fileno(), len(self._head), 0) == self._head
        if self._left or (touched and not grown) or not same_head:
            raise BrokenInputError(f"{self._name}: changed while it was read; run again when nothing writes to it")


@contextmanager
def opened(name: str) -> Iterator[FileBytes]:
    """The bytes of a file, a FIFO, or `-` for standard input."""
    if name == STDIN:
        yield FileBytes(sys.stdin.buffer, "standard input")
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115
    except FileNotFoundError:
        raise MissingInputError(f"{name}: no such file") from None
    except OSError as error:
        raise MissingInputError(f"{name}: cannot be opened ({error.strerror})") from None
    with file:
        yield FileBytes(file, name)
