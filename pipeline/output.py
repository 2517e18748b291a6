"""Where results go: a file that appears whole or not at all and can be continued after a crash, or standard output."""

from __future__ import annotations

import contextlib
import copy
import os
import sys
import time
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from megadoku.pipeline import encoding
from megadoku.pipeline.errors import OutputError, ReaderGoneError, UsageError
from megadoku.pipeline.journal import START, Checkpoint, Journal, last_good
from megadoku.pipeline.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from megadoku.datasets import Block
    from megadoku.solvers import Answers

    Bytes = bytes | memoryview

SECONDS_BETWEEN_CHECKPOINTS = 2.0
FRAME_BYTES = 1 << 24  # compressed outputs are cut every so many bytes of text, wherever blocks end
ROW_GROUP = 1 << 17


class Output(Protocol):
    """`encode` in any thread, `write` in order in one. `done` is what an earlier, interrupted run finished."""

    done: Summary
    before_checkpoint: Callable[[], None]

    def encode(self, block: Block, answers: Answers) -> Any: ...

    def write(self, encoded: Any, summary: Summary) -> None: ...


@contextlib.contextmanager
def open_output(name: str, plan: dict[str, Any], force: bool = False, resume: bool = False) -> Iterator[Output]:
    """The output of that name. Leaving by an exception leaves a checkpoint, never a file under the final name."""
    how = encoding.encoding_for(name)
    if name == "-":
        assert how is not None
        yield _Standard(how)
        return
    target = Path(name)
    if target.exists() and not force:
        raise UsageError(f"{name}: is there already; --force replaces it")
    with _said_plainly(name):
        journal = Journal(target.with_name(f".{target.name}.journal"))
        with contextlib.closing(journal):
            if not journal.is_new() and not (resume or force):
                raise UsageError(f"{name}: an unfinished run is there; --resume goes on with it, --force starts over")
            partial = target.with_name(f".{target.name}.partial")
            with contextlib.closing(_file(partial, journal, plan, resume, how)) as output:
                try:
                    yield output
                except BaseException:
                    output.rescue()
                    raise
                output.finish()
            partial.replace(target)
            _sync_folder(target.parent)
            journal.remove()


def _file(partial: Path, journal: Journal, plan: dict[str, Any], resume: bool, how: encoding.Encoding | None) -> _File:
    if how is None:
        journal.begin(plan)  # a Parquet file cannot be continued: its index is at its end
        return _Parquet(partial)
    found = START
    stream: IO[bytes] = partial.open("r+b" if partial.exists() else "w+b")
    if resume and not journal.is_new():
        found = last_good(journal.read(plan), stream)
    else:
        journal.begin(plan)
    stream.truncate(found.bytes)
    stream.seek(found.bytes)
    return (_Plain if how.pack is None else _Packed)(stream, journal, how, found)


class _File(Output, Protocol):
    def rescue(self) -> None: ...

    def finish(self) -> None: ...

    def close(self) -> None: ...


class _Standard:
    """Standard output: nothing to resume, and a reader who may leave."""

    def __init__(self, how: encoding.Encoding) -> None:
        self.done = Summary()
        self.before_checkpoint = _nothing
        self.encode = how.encode
        self._header = how.header

    def write(self, encoded: Bytes, summary: Summary) -> None:
        try:
            for content in (self._header, encoded):
                sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise ReaderGoneError from None
        except OSError as error:
            raise OutputError(f"standard output: cannot be written: {error.strerror or error}") from error
        self._header = b""


class _Plain:
    """Text that goes down as it is; any end of a block can be a checkpoint."""

    def __init__(self, stream: IO[bytes], journal: Journal, how: encoding.Encoding, found: Checkpoint) -> None:
        self.done = Summary.from_json(found.summary) if found.summary else Summary()
        self.before_checkpoint: Callable[[], None] = _nothing
        self.encode = how.encode
        self._stream, self._journal, self._pack = stream, journal, how.pack
        self._total = copy.deepcopy(self.done)
        self._bytes, self._crc, self._skip = found.bytes, found.crc, found.skip
        self._next_checkpoint = time.monotonic() + SECONDS_BETWEEN_CHECKPOINTS
        if found == START:
            self._take(how.header)

    def write(self, encoded: Bytes, summary: Summary) -> None:
        skipped, self._skip = self._skip, 0  # only the first block after a resume has bytes that are there already
        if skipped > len(encoded):
            self._skip, skipped = skipped - len(encoded), len(encoded)
        self._take(memoryview(encoded)[skipped:])
        self._total.add(summary)
        if time.monotonic() >= self._next_checkpoint:
            self._checkpoint()
            self._next_checkpoint = time.monotonic() + SECONDS_BETWEEN_CHECKPOINTS

    def _take(self, content: Bytes) -> None:
        self._put(content)

    def _put(self, content: Bytes) -> None:
        self._stream.write(content)
        self._crc = zlib.crc32(content, self._crc)
        self._bytes += len(content)

    def _checkpoint(self) -> None:
        self._record(self._total, 0)

    def _record(self, summary: Summary, skip: int) -> None:
        self.before_checkpoint()
        self._sync()
        self._journal.add(Checkpoint(summary.rows, skip, self._bytes, self._crc, summary.as_json()))

    def _sync(self) -> None:
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def rescue(self) -> None:
        """One more checkpoint on the way out, if the disk still takes it."""
        with contextlib.suppress(OSError):
            self._checkpoint()

    def finish(self) -> None:
        self._sync()

    def close(self) -> None:
        with contextlib.suppress(OSError):  # what cannot be flushed now is not in the journal either
            self._stream.close()


class _Packed(_Plain):
    """Compressed text: frames of FRAME_BYTES each, so that the same rows are the same bytes whatever the blocks.

    text     ├──── block ────┼──── block ────┼──── block ──
    frames   ├──────────────────────┼──────────────────────
                             └ skip ┘ a checkpoint here takes up the second block again and drops `skip` bytes
    """

    def __init__(self, stream: IO[bytes], journal: Journal, how: encoding.Encoding, found: Checkpoint) -> None:
        self._text = bytearray()  # not packed yet
        self._frame: tuple[Summary, int] | None = None  # the last frame's end: whole blocks before it, and `skip`
        super().__init__(stream, journal, how, found)

    def write(self, encoded: Bytes, summary: Summary) -> None:
        before, ahead, packed = copy.deepcopy(self._total), len(self._text) - self._skip, self._bytes
        text = len(self._text) + max(0, len(encoded) - self._skip)
        if text >= FRAME_BYTES:
            self._frame = before, text // FRAME_BYTES * FRAME_BYTES - ahead
        super().write(encoded, summary)
        assert (self._bytes > packed) == (text >= FRAME_BYTES)

    def _take(self, content: Bytes) -> None:
        assert self._pack is not None
        self._text += content
        taken = 0
        while len(self._text) - taken >= FRAME_BYTES:
            self._put(self._pack(bytes(self._text[taken : taken + FRAME_BYTES])))
            taken += FRAME_BYTES
        del self._text[:taken]

    def _checkpoint(self) -> None:
        if self._frame is not None:
            self._record(*self._frame)
            self._frame = None

    def finish(self) -> None:
        assert self._pack is not None
        if self._text or not self._bytes:
            self._put(self._pack(bytes(self._text)))
        self._sync()


class _Parquet:
    """Row groups of ROW_GROUP rows, wherever blocks end."""

    def __init__(self, partial: Path) -> None:

        self.done = Summary()
        self.before_checkpoint = _nothing
        self.encode = encoding.encode_arrow
        self._stream = partial.open("wb")
        self._writer = pa.parquet.ParquetWriter(self._stream, encoding.SCHEMA, compression="snappy")
        self._waiting: list[pa.RecordBatch] = []

    def write(self, encoded: pa.RecordBatch, summary: Summary) -> None:
        self._waiting.append(encoded)
        if sum(map(len, self._waiting)) >= ROW_GROUP:
            table = pa.Table.from_batches(self._waiting)
            whole = len(table) // ROW_GROUP * ROW_GROUP
            self._writer.write_table(table.slice(0, whole), row_group_size=ROW_GROUP)
            self._waiting = table.slice(whole).to_batches()

    def rescue(self) -> None:
        pass

    def finish(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.Table.from_batches(self._waiting), row_group_size=ROW_GROUP)
        self._writer.close()
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.close()


def _nothing() -> None:
    pass


@contextlib.contextmanager
def _said_plainly(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"{name}: cannot be written: {reason}; mend that or choose another place") from error


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
