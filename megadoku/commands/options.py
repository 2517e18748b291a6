"""Options that several commands have, and what they share of a terminal."""

from __future__ import annotations

import logging
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console


class ExecutorKind(StrEnum):
    AUTO = "auto"
    SERIAL = "serial"
    THREADS = "threads"
    PROCESSES = "processes"


class StartMethod(StrEnum):
    FORK = "fork"
    SPAWN = "spawn"
    FORKSERVER = "forkserver"


Inputs = Annotated[
    list[str], typer.Argument(metavar="INPUT…", help="Files, globs, - for standard input, or bundled sets.")
]
Workers = Annotated[int | None, typer.Option(min=1, help="How many work at once; every usable core by default.")]
MaxNodes = Annotated[int | None, typer.Option(min=1, help="Nodes that one puzzle may cost.")]
Timeout = Annotated[float | None, typer.Option(min=0.001, help="Seconds that one puzzle may cost.")]
HowRun = Annotated[ExecutorKind, typer.Option("--executor", help="How workers are run; auto suits the solver.")]
StartHow = Annotated[StartMethod | None, typer.Option(help="How processes start; Python's default if not given.")]
ShowProgress = Annotated[bool | None, typer.Option("--progress/--no-progress", help="Default: only on a terminal.")]
LogFile = Annotated[Path | None, typer.Option(help="Write log records, the workers' too, to this file.")]


def start_logging(log_file: Path | None) -> None:
    from megadoku.pipeline import logs

    if log_file is not None:
        logging.basicConfig(handlers=[logs.opened(log_file)], level=logging.INFO, force=True)


def console() -> Console:
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 140)  # a file or a pipe has no width to keep to
