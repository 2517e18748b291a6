"""`--rejects`: the rows that were refused, ran out or failed, once more in a file of their own, with their place.

It is written beside the output and survives with it: a row's number in the run stands first in its line, so that after
a crash what belongs behind the output's last checkpoint can be dropped.
"""

from __future__ import annotations

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
        kept = _kept(self._partial, rows_done)
        try:
            self._stream = self._partial.open("w", encoding="utf-8", newline="")
            self._stream.write(kept)
        except OSError as error:
            raise OutputError(f"{name}: cannot be written: {error.strerror}") from error

    def write(self, rows_before: int, rejects: Sequence[Reject]) -> None:
        if self._stream is not None:
            self._stream.writelines(f"{rows_before + reject.position + 1},{reject.rest}\n" for reject in rejects)

    def sync(self) -> None:
        """To be called before a checkpoint of the output is written."""
        if self._stream is not None:
            self._stream.flush()
            os.fsync(self._stream.fileno())

    def finish(self) -> None:
        if self._stream is not None:
            self.sync()
            self._stream.close()
            self._partial.replace(self._target)

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()


def _kept(partial: Path, rows_done: int) -> str:
    """What an interrupted run wrote of the rows that need not be solved again."""
    if rows_done == 0 or not partial.exists():
        return HEADER
    lines = partial.read_text(encoding="utf-8").split("\n")[1:-1]  # no header, and no line that is not whole
    return HEADER + "".join(f"{line}\n" for line in lines if int(line.partition(",")[0]) <= rows_done)
