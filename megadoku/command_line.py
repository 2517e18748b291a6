"""The command line: all commands together, and what becomes of their errors.

It stands above the rooms because it is the one place that knows them all: `report` needs `reports`, which `pipeline`
must not know. Heavy imports wait until a command needs them.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from megadoku.commands import data_sets, measuring, solving
from megadoku.pipeline.errors import Exit

if TYPE_CHECKING:
    from types import FrameType

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Solve millions of sudoku, compare the algorithms that solve them, and draw the report.",
)
for family in (solving, measuring, data_sets):
    app.add_typer(family.app)


def main() -> None:
    """Run a command; every error that is the user's or the machine's is one line and an exit code."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    try:
        app()
    except _StoppedError as stopped:
        _fail(stopped.code, "interrupted" if stopped.code == Exit.INTERRUPTED else "terminated")
    except Exception as error:
        code = _exit_code(error)
        if code is None:
            raise
        _fail(code, str(error))


class _StoppedError(BaseException):
    """A signal, made an exception so that everything is put in order on the way out. Nobody else catches it."""

    def __init__(self, code: Exit) -> None:
        self.code = code


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise _StoppedError(Exit(128 + number))


def _exit_code(error: Exception) -> Exit | None:
    """None for what is our own mistake and deserves its traceback."""
    from megadoku.datasets import errors as of_input
    from megadoku.pipeline import errors as of_pipeline
    from megadoku.reports.runs import RunFolderError
    from megadoku.solvers import UnknownSolverError

    codes = {
        of_input.BrokenInputError: Exit.INPUT_BROKE,
        of_input.InputError: Exit.USAGE,
        of_input.OutputError: Exit.OUTPUT,
        of_input.WishError: Exit.USAGE,
        of_pipeline.OutputError: Exit.OUTPUT,
        of_pipeline.ReaderGoneError: Exit.OUTPUT,
        of_pipeline.BusyError: Exit.BUSY,
        of_pipeline.UsageError: Exit.USAGE,
        of_pipeline.DriftError: Exit.NOT_MET,
        RunFolderError: Exit.USAGE,
        UnknownSolverError: Exit.USAGE,
    }
    return next((code for kind, code in codes.items() if isinstance(error, kind)), None)


def _fail(code: Exit, message: str) -> NoReturn:
    """Leave at once: a thread in the middle of a hard block would hold an ordinary exit up."""
    with contextlib.suppress(OSError):
        if message:
            print(f"megadoku: {message}", file=sys.stderr)
        if code in (Exit.INPUT_BROKE, Exit.OUTPUT, Exit.INTERRUPTED, Exit.TERMINATED) and _is_resumable(sys.argv[1:]):
            print(f"to go on: megadoku {shlex.join(_with_resume(sys.argv[1:]))}", file=sys.stderr)
        sys.stderr.flush()
    os._exit(code)


def _is_resumable(arguments: list[str]) -> bool:
    """Did this command leave a journal beside its output, or a run that it began?"""
    names = [Path(after) for flag, after in itertools.pairwise(arguments) if flag in ("-o", "--output")]
    if arguments[:1] == ["bench"]:
        return any((name / "run.json").exists() for name in names)
    return arguments[:1] == ["solve"] and any(name.with_name(f".{name.name}.journal").exists() for name in names)


def _with_resume(arguments: list[str]) -> list[str]:
    return [argument for argument in arguments if argument not in ("--force", "--resume")] + ["--resume"]
