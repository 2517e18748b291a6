"""Log records of worker processes reach the handlers of the parent.

Forked workers inherit the handlers, and multiprocessing-logging makes those carry records home. It works with fork
only; spawned workers start without handlers and get the standard QueueHandler, its queue being the worker's own pipe.
"""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import multiprocessing
from typing import TYPE_CHECKING

import multiprocessing_logging

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

FORMAT = "%(asctime)s %(levelname)s %(processName)s %(name)s: %(message)s"


def shares_handlers(start_method: str) -> bool:
    """Do workers started this way inherit handlers that multiprocessing-logging can wrap?"""
    return start_method == "fork" and multiprocessing.get_start_method() == "fork"


@contextlib.contextmanager
def carried_home(start_method: str | None) -> Iterator[None]:
    """Around the life of a crew: what its workers log is handled here."""
    if not shares_handlers(start_method or multiprocessing.get_start_method()):
        yield
        return
    multiprocessing_logging.install_mp_handler()
    try:
        yield
    finally:
        _unwrap(logging.getLogger())


def _unwrap(logger: logging.Logger) -> None:
    """The package's own uninstall drops records that are still on their way; closing waits for them."""
    for handler in list(logger.handlers):
        if isinstance(handler, multiprocessing_logging.MultiProcessingHandler):
            original = handler.sub_handler
            handler.close()
            logger.removeHandler(handler)
            logger.addHandler(original)


class _PipeQueue:
    """As much of a queue as QueueHandler needs."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def put_nowait(self, record: logging.LogRecord) -> None:
        self._pipe.send(("log", record))


def send_through(pipe: Connection, level: int) -> None:
    """In a worker: the root logger writes into the pipe from now on."""
    root = logging.getLogger()
    root.handlers = [logging.handlers.QueueHandler(_PipeQueue(pipe))]  # type: ignore[arg-type]
    root.setLevel(level)


def handle(record: logging.LogRecord) -> None:
    """In the parent: a record that came through a pipe."""
    logging.getLogger(record.name).handle(record)
