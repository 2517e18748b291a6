"""What can be wrong with an input or an output. The message is one line: what, where, and what to try."""

from __future__ import annotations


class InputError(Exception):
    """The input cannot be read as puzzles."""


class MissingInputError(InputError):
    """There is no such file, glob match or bundled set."""


class NotAPuzzleFileError(InputError):
    """The file is there, but holds no puzzles we can read; the message says what it looks like."""


class BrokenInputError(InputError):
    """The input broke off or changed while it was read; the rows before that are good."""


class UnknownFormatError(InputError):
    """A format was asked for that is not in the table; the message lists those that are."""


class OutputError(Exception):
    """The output cannot be written."""


class WishError(ValueError):
    """Puzzles were asked for that cannot be, or that did not turn up; the message says what to ask for instead."""
