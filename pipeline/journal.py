"""What survives a crash: how much of a partial output is good, and what run it belongs to.

    .OUT.partial    the output so far; it becomes OUT when it is complete
    .OUT.journal    first the plan, then a line for each checkpoint, each with a checksum of its own:
                    {"rows": 81920, "skip": 0, "bytes": 14417920, "checksum": 9162774136129, "summary": {…}}

A checkpoint is written after the bytes it speaks of are on the disk. What is torn or garbled, in either file, fails its
checksum; the last checkpoint before it counts. The journal is locked while a run lasts; the lock dies with the process.
"""

from __future__ import annotations

import errno
import json
import os
import zlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from megadoku.pipeline import checksum, locks
from megadoku.pipeline.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

_CHUNK = 1 << 24


@dataclass(frozen=True)
class Checkpoint:
    rows: int  # of the input that need not be solved again
    skip: int  # of what follows them, bytes of text or rows of a table, so much is in the output already
    bytes: int  # of the output that are good
    checksum: int  # of all bytes of the output so far
    summary: dict[str, Any]


START = Checkpoint(0, 0, 0, 0, {})


class Journal:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = locks.opened(path)

    def is_new(self) -> bool:
        return self.path.stat().st_size == 0

    def begin(self, plan: dict[str, Any]) -> None:
        self._file.truncate(0)
        self._append(plan)

    def add(self, checkpoint: Checkpoint) -> None:
        self._append(vars(checkpoint))

    def last_good(self, plan: dict[str, Any], partial: IO[bytes]) -> Checkpoint:
        """The last checkpoint whose bytes are all there and unharmed; what is behind it is forgotten.

        An error where the journal belongs to another plan; the start of all where it is too torn to tell.
        """
        self._file.seek(0)
        lines = self._file.readall().splitlines(keepends=True)
        entries = _until_torn(lines)
        if not entries:
            self.begin(plan)
            return START
        _refuse_other(entries[0], plan)
        checkpoints = [START, *(Checkpoint(**entry) for entry in entries[1:])]
        good = _good(checkpoints, partial)
        self._file.truncate(sum(map(len, lines[:good])))
        return checkpoints[good - 1]

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
        self._file.close()

    def _append(self, entry: dict[str, Any]) -> None:
        good, line = os.fstat(self._file.fileno()).st_size, _sealed(entry)
        if self._file.write(line) < len(line):
            self._file.truncate(good)  # on a full disk; half a line would spoil the next
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(self._file.fileno())


def _sealed(entry: dict[str, Any]) -> bytes:
    text = json.dumps(entry).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _until_torn(lines: list[bytes]) -> list[dict[str, Any]]:
    entries = []
    for line in lines:
        entry = _unsealed(line)
        if entry is None:
            break
        entries.append(entry)
    return entries


def _unsealed(line: bytes) -> dict[str, Any] | None:
    seal, _, text = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or seal != b"%08x" % zlib.crc32(text):
        return None
    entry = json.loads(text)
    return entry if isinstance(entry, dict) else None


def _refuse_other(before: dict[str, Any], now: dict[str, Any]) -> None:
    differing = sorted(key for key in before.keys() | now.keys() if before.get(key) != now.get(key))
    if differing:
        told = "; ".join(f"{key} was {before.get(key)!r}, is {now.get(key)!r}" for key in differing)
        raise UsageError(f"cannot resume another run: {told}; --force starts over")


def _good(checkpoints: list[Checkpoint], partial: IO[bytes]) -> int:
    """How many of them, from the first, tell the truth about these bytes."""
    found, read = 0, 0
    partial.seek(0)
    for count, checkpoint in enumerate(checkpoints):
        while read < checkpoint.bytes:
            chunk = partial.read(min(_CHUNK, checkpoint.bytes - read))
            if not chunk:
                return count
            found, read = checksum.added(chunk, read, found), read + len(chunk)
        if found != checkpoint.checksum:
            return count
    return len(checkpoints)
