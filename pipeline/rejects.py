"""`--rejects`: the rows that were refused, ran out or failed, once more in a file of their own, with their place.

It is written beside the output and survives with it: a row's number in the run stands first in its line, so that after
a crash what belongs behind the output's last checkpoint can be dropped.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from megadoku.pipeline import locks
from megadoku.pipeline.csv_text import field
from megadoku.pipeline.errors import UsageError
from megadoku.pipeline.file_output import write_all
from megadoku.pipeline.hidden import hidden, said_plainly
from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from io import FileIO

    from megadoku.datasets import Block
    from megadoku.pipeline.summary import Summary

HEADER = "number,file,line,status,reason,puzzle\n"


@dataclass(frozen=True)
class Reject:
    position: int  # in its block
    rest: str  # of its line


def rejects_of(block: Block, answers: Answers) -> list[Reject]:
    return [
        Reject(
            at,
            ",".join(
                (
                    field(block.source),
                    str(block.lines[at]),
                    str(Status(int(answers.status[at]))),
                    field(_one_line(answers.reasons[at])),
                    field(_one_line(block.texts[at].as_py() or "")),
                )
            ),
        )
        for at in sorted(answers.reasons)
    ]


def _one_line(text: str) -> str:
    return text.replace("\r", "\\r").replace("\n", "\\n")


class Rejects:
    """A file of rejects, or nothing at all where none was asked for."""

    def __init__(self, name: str | None, done: Summary, force: bool) -> None:
        self._stream: FileIO | None = None
        if name is None:
            return
        self._name, self._target = name, Path(name)
        self._partial = hidden(self._target, "partial")
        with said_plainly(name):
            finished = done.rows and not self._partial.exists()  # the last crash came before the output was
            if self._target.exists() and not force and not finished:
                raise UsageError(f"{name}: is there already; --force replaces it")
            self._stream = _continued(self._partial, self._target, done)

    def write(self, rows_before: int, rejects: Sequence[Reject]) -> None:
        if self._stream is not None and rejects:
            lines = "".join(f"{rows_before + reject.position + 1},{reject.rest}\n" for reject in rejects)
            with said_plainly(self._name):
                write_all(self._stream, memoryview(lines.encode("utf-8", "backslashreplace")))

    def sync(self) -> None:
        """To be called before a checkpoint of the output is written, from any thread, even when this is closed."""
        if self._stream is not None:
            with contextlib.suppress(FileNotFoundError), self._partial.open("rb") as stream:  # finished, so it is safe
                os.fsync(stream.fileno())

    def finish(self) -> None:
        if self._stream is not None:
            with said_plainly(self._name):
                self.sync()
                self._partial.replace(self._target)
                self._stream.close()

    def close(self) -> None:
        if self._stream is not None:
            with contextlib.suppress(OSError):  # what cannot be written now is behind the last checkpoint
                self._stream.close()


def _continued(partial: Path, target: Path, done: Summary) -> FileIO:
    """The file as an interrupted run left it, cut behind the rows that need not be solved again.

    Cut, not written anew: the next crash may come before the next checkpoint. If the last one came between finishing
    this file and finishing the output, it has its final name already.
    """
    kept = 0
    if done.rows:
        found = partial if partial.exists() else target
        kept = _kept(found, done)
        if found == target:
            target.replace(partial)
    stream = locks.opened(partial)
    stream.truncate(kept)
    if not kept:
        write_all(stream, memoryview(HEADER.encode()))
    return stream


def _kept(partial: Path, done: Summary) -> int:
    """So many bytes of it are about rows that are done; all of those must be there."""
    header, lines = b"", list[bytes]()
    if partial.exists():
        with partial.open("rb") as stream:
            header = next(stream, b"")
            lines = list(itertools.takewhile(lambda line: _number_of(line) <= done.rows, stream))
    if header != HEADER.encode() or len(lines) != done.trouble:
        raise UsageError(
            f"{partial}: is not what the interrupted run wrote ({done.trouble:,} rejects, {len(lines):,} found); "
            "--force without --resume starts over"
        )
    return len(header) + sum(map(len, lines))


def _number_of(line: bytes) -> float:
    """The row that a line is about; none comes behind a line that is torn."""
    number = line.partition(b",")[0]
    return int(number) if line.endswith(b"\n") and number.isdigit() else math.inf
