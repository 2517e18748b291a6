"""What can go wrong with a command, and the exit code that says so."""

from __future__ import annotations

import enum


class Exit(enum.IntEnum):
    DONE = 0
    NOT_MET = 1  # done, but what --strict or --fail-above asks for is not so
    USAGE = 2  # wrong usage, or not a puzzle file
    INPUT_BROKE = 3  # the input broke off or changed
    OUTPUT = 4  # the output cannot be written
    BUSY = 5  # another run holds the output
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


class DriftError(Exception):
    """The machine is not as fast as it was, so what is measured now does not compare with what was measured then."""
