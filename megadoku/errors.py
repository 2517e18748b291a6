"""Every error that is the user's or the machine's, and the exit code that the command line makes of it.

Not imported with the package: knowing them all means importing all rooms.
"""

from __future__ import annotations

from megadoku.datasets import errors as of_input
from megadoku.datasets.errors import (
    BrokenInputError,
    InputError,
    MissingInputError,
    NotAPuzzleFileError,
    UnknownFormatError,
    WishError,
)
from megadoku.pipeline.errors import (
    BusyError,
    DriftError,
    Exit,
    NotMetError,
    OutputError,
    PuzzleError,
    ReaderGoneError,
    SolverFailedError,
    UsageError,
)
from megadoku.reports.runs import RunFolderError
from megadoku.solvers import UnknownSolverError

__all__ = [
    "BrokenInputError",
    "BusyError",
    "DriftError",
    "InputError",
    "MissingInputError",
    "NotAPuzzleFileError",
    "NotMetError",
    "OutputError",
    "PuzzleError",
    "ReaderGoneError",
    "RunFolderError",
    "SolverFailedError",
    "UnknownFormatError",
    "UnknownSolverError",
    "UsageError",
    "WishError",
]
EXIT_CODES: dict[type[Exception], Exit] = {  # the first that fits counts
    NotMetError: Exit.NOT_MET,
    DriftError: Exit.NOT_MET,
    BrokenInputError: Exit.INPUT_BROKE,
    InputError: Exit.USAGE,
    UsageError: Exit.USAGE,
    WishError: Exit.USAGE,
    RunFolderError: Exit.USAGE,
    UnknownSolverError: Exit.USAGE,
    OutputError: Exit.OUTPUT,
    of_input.OutputError: Exit.OUTPUT,
    ReaderGoneError: Exit.OUTPUT,
    BusyError: Exit.BUSY,
}


def exit_code(error: Exception) -> Exit | None:
    """None for what is our own mistake and deserves its traceback."""
    return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), None)
