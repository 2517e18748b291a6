"""What can go wrong with a command, and the exit code that says so."""

from __future__ import annotations

import enum
import re

LONGEST_REASON = 500  # characters; a reason stands in a row, and a solver may raise a gigabyte


class Exit(enum.IntEnum):
    DONE = 0
    NOT_MET = 1  # done, but what --strict or --fail-above asks for is not so
    USAGE = 2  # wrong usage, or not a puzzle file
    INPUT_BROKE = 3  # the input broke off or changed
    OUTPUT = 4  # the output cannot be written
    BUSY = 5  # another run holds the output
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143


class UsageError(Exception):
    """The command was given something it cannot use."""


class OutputError(Exception):
    """The output cannot be written."""


class BusyError(Exception):
    """Another run is writing this output."""


class ReaderGoneError(Exception):
    """Whoever read our standard output has gone, as `head` does; there is nobody left to tell."""


class NotMetError(Exception):
    """Done and written, but rows were refused, exhausted or failed where that was asked to be an error."""


class PuzzleError(ValueError):
    """Something in memory is no puzzle; the message says which, and why."""


class SolverFailedError(RuntimeError):
    """A solver broke down, or gave a grid that the checker refuses, where there is no row to say so."""


class DriftError(Exception):
    """The machine is not as fast as it was, so what is measured now does not compare with what was measured then."""


class NoWorkerError(OutputError):
    """No worker process can be started any more, so nothing more can be written."""


class TaskError(Exception):
    """A task did not end well: it raised, or its process died. Carries text only, never an object a solver made."""


class WorkerDiedError(TaskError):
    """The process that had the task is gone."""


class WorkerHungError(TaskError):
    """The process was killed because it showed no sign of life for longer than the task allows."""

    def __init__(self, signs: int) -> None:
        super().__init__("the solver did not stop when its time was up, and its process was killed")
        self.signs = signs  # of life that it had shown before


def told(error: BaseException) -> str:
    """An error in one piece of text, whatever the solver that raised it made of it."""
    try:
        return cut(f"{type(error).__name__}: {error}")
    except Exception:
        return type(error).__name__


def cut(text: str) -> str:
    """No longer than a reason may be, of characters that can be written, and no more than text."""
    text = "".join([text])  # a subclass could have methods of its own, and even `str` would keep it
    short = text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…"
    return short.encode("utf-8", "backslashreplace").decode()


def visible(text: str) -> str:
    """For a terminal: names and cells of other people's files may hold what it would obey."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", lambda found: f"\\x{ord(found[0]):02x}", text)
