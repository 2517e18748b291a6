"""`--rejects`: the rows that were refused, ran out or failed, once more in a file of their own, with their place.

It is written beside the output and survives with it: a row's number in the run stands first in its line, so that after
a crash what belongs behind the output's last checkpoint can be dropped.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from megadoku.pipeline.csv_text import field
from megadoku.pipeline.errors import OutputError, UsageError
from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from megadoku.datasets import Block

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

    def __init__(self, name: str | None, rows_done: int, force: bool) -> None:
        self._stream: IO[str] | None = None
        if name is None:
            return
        self._target = Path(name)
        if self._target.exists() and not force:
            raise UsageError(f"{name}: is there already; --force replaces it")
        self._partial = self._target.with_name(f".{self._target.name}.partial")
        try:
            self._stream = _continued(self._partial, self._target, rows_done)
        except OSError as error:
            raise OutputError(f"{name}: cannot be written: {error.strerror}") from error

    def write(self, rows_before: int, rejects: Sequence[Reject]) -> None:
        if self._stream is not None and rejects:
            self._stream.writelines(f"{rows_before + reject.position + 1},{reject.rest}\n" for reject in rejects)
            self._stream.flush()  # here, not in `sync`: that runs in another thread

    def sync(self) -> None:
        """To be called before a checkpoint of the output is written, from any thread, even when this is closed."""
        if self._stream is not None:
            with contextlib.suppress(FileNotFoundError), self._partial.open("rb") as stream:  # finished, so it is safe
                os.fsync(stream.fileno())

    def finish(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self.sync()
            self._partial.replace(self._target)

    def close(self) -> None:
        if self._stream is not None:
            with contextlib.suppress(OSError):  # what cannot be written now is behind the last checkpoint
                self._stream.close()


def _continued(partial: Path, target: Path, rows_done: int) -> IO[str]:
    """The file as an interrupted run left it, cut behind the rows that need not be solved again.

    Cut, not written anew: the next crash may come before the next checkpoint. If the last one came between finishing
    this file and finishing the output, it has its final name already.
    """
    if rows_done and target.exists() and not partial.exists():
        target.replace(partial)
    kept = _kept(partial, rows_done)
    stream = partial.open("r+" if kept else "w", encoding="utf-8", newline="")
    if kept:
        stream.seek(kept)
        stream.truncate()
    else:
        stream.write(HEADER)
        stream.flush()
    return stream


def _kept(partial: Path, rows_done: int) -> int:
    """So many bytes of it are about rows that are done."""
    if not rows_done or not partial.exists():
        return 0
    with partial.open("rb") as stream:
        header = next(stream, b"")
        whole = itertools.takewhile(lambda line: line.endswith(b"\n"), stream)
        done = itertools.takewhile(lambda line: int(line.partition(b",")[0]) <= rows_done, whole)
        return len(header) + sum(map(len, done))
