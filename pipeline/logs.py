"""Log records say which block they were made for, and those of worker processes reach the handlers of the parent.

However a worker was started, its records go home through its own pipe, between its answers. A queue that all workers
share would need a semaphore, and thus room in /dev/shm, and would break for all when one of them is killed.
"""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import sys
import threading
from typing import TYPE_CHECKING, Any

from megadoku.pipeline.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FORMAT = "%(asctime)s %(levelname)s %(processName)s[%(process)d] %(block)s %(name)s: %(message)s"
NO_BLOCK = "-"
_PLAIN = (str, int, float, bool, type(None))


class _InThisThread(threading.local):
    """In the parent every thread may be at another block."""

    block = NO_BLOCK


class _Everywhere:
    """A worker has one block at a time, and the threads that a solver starts are there for it."""

    block = NO_BLOCK


_now: _InThisThread | _Everywhere = _InThisThread()


@contextlib.contextmanager
def of_block(number: int) -> Iterator[None]:
    """Records made meanwhile are about this block."""
    before, _now.block = _now.block, f"block {number}"
    try:
        yield
    finally:
        _now.block = before


def in_block() -> bool:
    """Is this thread working on a block?"""
    return _now.block != NO_BLOCK


class _WithBlock:
    """Makes records as they were made before, and adds where they were made."""

    def __init__(self, make: Callable[..., logging.LogRecord]) -> None:
        self._make = make

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record = self._make(*args, **kwargs)
        record.block = _now.block
        return record


def name_blocks() -> None:
    """Every record has a `block` from now on."""
    make = logging.getLogRecordFactory()
    if not isinstance(make, _WithBlock):
        logging.setLogRecordFactory(_WithBlock(make))


class _HomeHandler(logging.handlers.QueueHandler):
    """Sends plain values only: unpacking an object that a solver made would run its code in the parent."""

    def enqueue(self, record: logging.LogRecord) -> None:
        self.queue("log", {name: value for name, value in vars(record).items() if type(value) in _PLAIN})  # type: ignore[operator]


def send_home(send: Callable[[str, Any], None], level: int) -> None:
    """In a worker: records go to the parent, and nowhere else, from now on."""
    global _now
    _now = _Everywhere()
    name_blocks()
    for logger in logging.Logger.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):  # forked with its handlers; the parent asks those when it gets there
            logger.handlers, logger.propagate = [], True
    root = logging.getLogger()
    root.handlers = [_HomeHandler(send)]  # type: ignore[arg-type]
    root.setLevel(level)


def handle(content: dict[str, Any]) -> None:
    """In the parent: a record that came through a pipe."""
    record = logging.makeLogRecord(content)
    logging.getLogger(record.name).handle(record)


class _LogFile(logging.FileHandler):
    """A log that cannot be written any more is said once, in one line; nobody's puzzles wait for it."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        reason = sys.exc_info()[1]
        logging.getLogger().removeHandler(self)
        print(f"megadoku: {self.baseFilename}: {reason}; going on without a log", file=sys.stderr)


def opened(path: Path) -> logging.Handler:
    """The handler of a log file."""
    try:
        handler = _LogFile(path)
    except OSError as error:
        raise OutputError(f"{path}: the log cannot be written: {error.strerror or error}") from error
    handler.setFormatter(logging.Formatter(FORMAT, defaults={"block": NO_BLOCK}))
    return handler
