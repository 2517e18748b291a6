"""Where results go: a file that appears whole or not at all and can be continued after a crash, or standard output."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from megadoku.datasets import BrokenInputError, InputError
from megadoku.pipeline import encoding
from megadoku.pipeline.errors import OutputError, ReaderGoneError, UsageError
from megadoku.pipeline.file_output import FileOutput, Plain
from megadoku.pipeline.hidden import hidden, said_plainly
from megadoku.pipeline.journal import START, Journal
from megadoku.pipeline.parquet_output import Parquet
from megadoku.pipeline.pieces import Pieces
from megadoku.pipeline.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from megadoku.datasets import Block
    from megadoku.pipeline.kept import Kept
    from megadoku.solvers import Answers

    Bytes = bytes | memoryview


class Output(Protocol):
    """`encode` in any thread, `write` in order in one. `done` is what an earlier, interrupted run finished."""

    done: Summary
    before_checkpoint: Callable[[], None]

    def encode(self, block: Block, answers: Answers) -> Any: ...

    def write(self, encoded: Any, summary: Summary) -> None: ...


@contextlib.contextmanager
def open_output(
    name: str, plan: dict[str, Any], force: bool = False, resume: bool = False, kept: Kept | None = None
) -> Iterator[Output]:
    """The output of that name. Leaving by an exception leaves a checkpoint, never a file under the final name."""
    how = encoding.encoding_for(name, kept)
    if name == "-":
        standard = _Standard(how)
        yield standard
        standard.finish()
        return
    target = Path(name)
    with said_plainly(name):
        _refuse_existing(target, force)
        journal = Journal(hidden(target, "journal"))
        with contextlib.closing(journal):
            if not journal.is_new() and not (resume or force):
                raise UsageError(f"{name}: an unfinished run is there; --resume goes on with it, --force starts over")
            partial = hidden(target, "partial")
            with contextlib.closing(_file(partial, journal, plan, resume, how)) as output:
                try:
                    yield output
                    output.finish()
                    if target.exists() and not force:
                        raise UsageError(f"{name}: somebody else has put it there; --resume --force replaces it")
                except BaseException as error:
                    if _is_false_start(error) and not output.has_rows:  # to be corrected, not gone on with
                        partial.unlink(missing_ok=True)
                        journal.remove()
                    else:
                        output.rescue()
                    raise
            partial.replace(target)
            _sync_folder(target.parent)
            journal.remove()


def _is_false_start(error: BaseException) -> bool:
    return isinstance(error, UsageError | InputError) and not isinstance(error, BrokenInputError)


def _refuse_existing(target: Path, force: bool) -> None:
    if target.is_dir():
        raise UsageError(f"{target}: is a folder; name a file in it")
    if target.exists() and not force:
        raise UsageError(f"{target}: is there already; --force replaces it")


def _file(partial: Path, journal: Journal, plan: dict[str, Any], resume: bool, how: encoding.Encoding) -> FileOutput:
    found = START
    stream = partial.open("r+b" if partial.exists() else "w+b", buffering=0)
    if resume and not journal.is_new():
        found = journal.last_good(plan, stream)
    else:
        journal.begin(plan)
    stream.truncate(found.bytes)
    stream.seek(found.bytes)
    kind = Parquet if how.is_parquet else Plain if how.pack is None else Pieces
    return kind(stream, journal, how, found)


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

    def finish(self) -> None:
        """No rows are a table too."""
        if self._header:
            self.write(b"", Summary())


def _nothing() -> None:
    pass


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
