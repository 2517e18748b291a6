"""The commands. Each gathers its options and calls one function of a room; heavy imports wait until they are needed.

It stands above the rooms because it is the one place that knows them all: `report` needs `reports`, which `pipeline`
must not know.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import os
import shlex
import signal
import sys
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from megadoku import dataset_commands
from megadoku.pipeline.errors import Exit

if TYPE_CHECKING:
    from types import FrameType

    from rich.console import Console

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Solve millions of sudoku, compare the algorithms that solve them, and draw the report.",
)


app.add_typer(dataset_commands.app)


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


@app.command()
def solve(
    inputs: Inputs,
    output: Annotated[
        str, typer.Option("-o", "--output", help="OUT.csv, .parquet, .txt, or - for standard output.")
    ] = "-",
    solver: Annotated[str | None, typer.Option(help="`megadoku solvers` lists them.")] = None,
    workers: Workers = None,
    first: Annotated[bool, typer.Option("--first", help="Stop at the first solution; do not prove it unique.")] = False,
    column: Annotated[str | None, typer.Option(help="The column that holds the puzzles.")] = None,
    max_nodes: MaxNodes = None,
    timeout: Timeout = None,
    format: Annotated[str | None, typer.Option(help="The inputs' format, where it cannot be told.")] = None,  # noqa: A002
    rejects: Annotated[str | None, typer.Option(help="Write rows without an answer to this CSV as well.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted run.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 if a row was refused, exhausted or failed.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")] = False,
    executor: HowRun = ExecutorKind.AUTO,
    start_method: StartHow = None,
    progress: ShowProgress = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No summary.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON, on standard error.")] = False,
    log_file: LogFile = None,
) -> None:
    """Solve every puzzle of the inputs: one row out for each row in, in the same order."""
    from megadoku import solvers
    from megadoku.pipeline.pool import default_workers
    from megadoku.pipeline.solve import SolveOptions, solve_files

    _start_logging(log_file)
    options = SolveOptions(
        inputs=inputs,
        output=output,
        solver=solver or solvers.DEFAULT,
        workers=workers or default_workers(),
        first=first,
        column=column,
        format=format,
        rejects=rejects,
        resume=resume,
        max_nodes=max_nodes,
        timeout=timeout,
        executor=executor.value,
        start_method=start_method,
        progress=progress,
        force=force,
    )
    summary = solve_files(options)
    if not quiet:
        text = json.dumps(summary.as_json()) if as_json else "\n".join(summary.lines(output, rejects))
        print(text, file=sys.stderr)
    if strict and summary.trouble:
        raise typer.Exit(Exit.NOT_MET)


@app.command()
def bench(
    inputs: Annotated[list[str] | None, typer.Argument(metavar="[INPUT…]", help="All bundled sets by default.")] = None,
    names: Annotated[str, typer.Option("--solvers", help="Names with commas between, `all`, or `seeds`.")] = "all",
    sample: Annotated[int | None, typer.Option(min=1, help="Measure this many puzzles of each set.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 3,
    workers: Workers = None,
    unique: Annotated[
        bool, typer.Option("--unique", help="Prove solutions unique instead of stopping at one.")
    ] = False,
    max_nodes: MaxNodes = 1_000_000,
    timeout: Timeout = None,
    seed: Annotated[int, typer.Option(help="For the sample and the order of measuring.")] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The run's folder; RUNS/DATE-TIME by default.")
    ] = None,
    executor: HowRun = ExecutorKind.AUTO,
    start_method: StartHow = None,
    progress: ShowProgress = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No summary.")] = False,
    log_file: LogFile = None,
) -> None:
    """Time solvers on data sets, interleaved, and keep every measurement in a run folder."""
    from megadoku import datasets, reports, solvers
    from megadoku.pipeline.bench import BenchOptions
    from megadoku.pipeline.bench import bench as run_bench
    from megadoku.pipeline.pool import default_workers

    _start_logging(log_file)
    options = BenchOptions(
        inputs=inputs or [entry.name for entry in datasets.bundled()],
        solvers=solvers.chosen(names),
        folder=output or Path("runs") / datetime.now().strftime("%Y%m%d-%H%M%S"),
        sample=sample,
        repeats=repeats,
        workers=workers or default_workers(),
        unique=unique,
        max_nodes=max_nodes,
        timeout=timeout,
        seed=seed,
        executor=executor.value,
        start_method=start_method,
        progress=progress,
    )
    folder = run_bench(options)
    if not quiet:
        reports.print_summary([folder], _console())
        print(f"run: {folder}\nnext: megadoku report {folder}")


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Run folders that `megadoku bench` wrote.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A folder; RUN-report by default.")] = None,
) -> None:
    """Turn run folders into tables, charts and one page that holds them."""
    from megadoku import reports

    out = output or runs[0].with_name(f"{runs[0].name}-report")
    paths = reports.write_report(runs, out)
    reports.print_summary(runs, _console())
    print(f"report: {paths.page}")


@app.command("solvers")
def list_solvers() -> None:
    """List the solvers."""
    from rich.table import Table

    from megadoku import solvers

    table = Table("solver", "what it does")
    for entry in solvers.ENTRIES:
        table.add_row(entry.name + (" (default)" if entry.name == solvers.DEFAULT else ""), entry.summary)
    _console().print(table)


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
    """Did this command leave a journal beside its output?"""
    names = [after for flag, after in itertools.pairwise(arguments) if flag in ("-o", "--output")]
    return arguments[:1] == ["solve"] and any(
        Path(name).with_name(f".{Path(name).name}.journal").exists() for name in names
    )


def _with_resume(arguments: list[str]) -> list[str]:
    return [argument for argument in arguments if argument not in ("--force", "--resume")] + ["--resume"]


def _start_logging(log_file: Path | None) -> None:
    from megadoku.pipeline.logs import FORMAT

    if log_file is not None:
        logging.basicConfig(filename=log_file, level=logging.INFO, format=FORMAT, force=True)


def _console() -> Console:
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 140)  # a file or a pipe has no width to keep to
