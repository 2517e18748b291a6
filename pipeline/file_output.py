"""A file that grows beside OUT, and a thread that sees to it that what was written stays written.

    writer   ── put ─ put ─ put ─ put ─ put ─ put ─ put ─ put ──
    syncer        ├─ sync, checkpoint ─┤    ├─ sync ─┤   ├─ sync, checkpoint ──

A disk takes its time to say that bytes are safe; nobody waits for it but the syncer. It goes there early and often, so
that there is little left to wait for at the end, and a checkpoint goes into the journal only after the sync behind its
bytes has come back.
"""

from __future__ import annotations

import contextlib
import copy
import errno
import os
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from megadoku.pipeline import checksum
from megadoku.pipeline.journal import START, Checkpoint, Journal
from megadoku.pipeline.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import FileIO

    from megadoku.pipeline.encoding import Encoding

    Bytes = bytes | memoryview

SECONDS_BETWEEN_CHECKPOINTS = 2.0
BYTES_BETWEEN_SYNCS = 1 << 26
SECONDS_TO_RESCUE = 1.5  # who pressed Ctrl-C does not wait for a disk that hangs


class End(NamedTuple):
    bytes: int
    checksum: int  # of all of them


class FileOutput:
    """What the kinds of file have in common: bytes in order, checkpoints beside them, a way out."""

    def __init__(self, stream: FileIO, journal: Journal, how: Encoding, found: Checkpoint) -> None:
        self.done = Summary.from_json(found.summary) if found.summary else Summary()
        self.before_checkpoint: Callable[[], None] = _nothing
        self.encode = how.encode
        self._stream, self._journal = stream, journal
        self._total = copy.deepcopy(self.done)
        self._started, self._seconds_before = time.perf_counter(), self.done.seconds
        self._end = End(found.bytes, found.checksum)
        self._last = found  # what may be recorded now: one assignment makes it so, a signal never finds half of it
        self._recorded, self._synced = found, found.bytes
        self._next_checkpoint = time.monotonic() + SECONDS_BETWEEN_CHECKPOINTS
        self._syncer = ThreadPoolExecutor(1, "syncer")
        self._syncing: Future[None] = Future()
        self._syncing.set_result(None)

    def write(self, encoded: Any, summary: Summary) -> None:
        raise NotImplementedError

    @property
    def has_rows(self) -> bool:
        """Of this run, or of the one it goes on with."""
        return self._total.rows > 0

    def finish(self) -> None:
        """All of it is on the disk."""
        self._syncing.result()
        self._sync()

    def rescue(self) -> None:
        """One more checkpoint on the way out, if the disk takes it in time; else the one before it stands.

        None where a sync has failed: the next would call bytes safe that the first has lost.
        """
        deadline = time.monotonic() + SECONDS_TO_RESCUE
        with contextlib.suppress(OSError):  # a timeout is one, too
            self._syncing.result(SECONDS_TO_RESCUE)
            if self._last is self._recorded:
                return
            self._in_background(self._cut_and_record, self._last)
            self._syncing.result(max(0.0, deadline - time.monotonic()))

    def close(self) -> None:
        self._syncer.shutdown(wait=False, cancel_futures=True)
        with contextlib.suppress(OSError):
            self._stream.close()

    def _count(self, summary: Summary) -> None:
        self._total = together(self._total, summary)
        self._total.seconds = self._seconds_before + time.perf_counter() - self._started

    def _put(self, content: Bytes) -> End:
        write_all(self._stream, memoryview(content))
        self._end = End(self._end.bytes + len(content), checksum.added(content, *self._end))
        return self._end

    def _keep_up(self) -> None:
        """Send the syncer out again if it is back and there is something to do; what it met with is raised here."""
        if not self._syncing.done():
            return
        self._syncing.result()
        if time.monotonic() >= self._next_checkpoint and self._last is not self._recorded:
            self._next_checkpoint = time.monotonic() + SECONDS_BETWEEN_CHECKPOINTS
            self._in_background(self._record, self._last)
        elif self._end.bytes - self._synced >= BYTES_BETWEEN_SYNCS:
            self._in_background(self._sync)

    def _in_background(self, task: Callable[..., None], *arguments: Any) -> None:
        self._syncing = self._syncer.submit(task, *arguments)

    def _cut_and_record(self, last: Checkpoint) -> None:
        self._stream.truncate(last.bytes)  # on a full disk, half a block's room is a checkpoint's
        self._record(last)

    def _record(self, last: Checkpoint) -> None:
        self.before_checkpoint()
        self._sync()
        self._journal.add(last)
        self._recorded = last

    def _sync(self) -> None:
        written = self._end.bytes
        if os.fstat(self._stream.fileno()).st_nlink == 0:  # the folder is gone; all that follows would be for nothing
            raise FileNotFoundError(errno.ENOENT, "it was removed while it was written")
        os.fsync(self._stream.fileno())
        self._synced = written


class Plain(FileOutput):
    """Text that goes down as it is; any end of a block can be a checkpoint."""

    def __init__(self, stream: FileIO, journal: Journal, how: Encoding, found: Checkpoint) -> None:
        super().__init__(stream, journal, how, found)
        if found == START:
            self._note(self._put(how.header))

    def write(self, encoded: Bytes, summary: Summary) -> None:
        end = self._put(encoded)
        self._count(summary)
        self._note(end)
        self._keep_up()

    def _note(self, end: End) -> None:
        self._last = Checkpoint(self._total.rows, 0, *end, self._total.as_json())


def together(one: Summary, other: Summary) -> Summary:
    """Both as a third: a checkpoint may still need the first as it is."""
    both = copy.deepcopy(one)
    both.add(other)
    return both


def write_all(stream: FileIO, content: memoryview) -> None:
    """Unbuffered, since blocks are large; so it may take several writes, as on a disk that is filling up."""
    while content:
        content = content[stream.write(content) :]


def _nothing() -> None:
    pass
