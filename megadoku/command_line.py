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
    names: Annotated[
        str, typer.Option("--solvers", help="Names or targets (my.py:Mine) with commas; `all`, `ours` or `seeds`.")
    ] = "all",
    sample: Annotated[int | None, typer.Option(min=1, help="Measure this many puzzles of each set.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 3,
    workers: Annotated[
        str | None, typer.Option(metavar="N[,N…]", help="How many work at once; several compare how the pool scales.")
    ] = None,
    sizes: Annotated[str | None, typer.Option(metavar="N[,N…]", help="Compare how cost grows with puzzles.")] = None,
    unique: Annotated[
        bool, typer.Option("--unique", help="Prove solutions unique instead of stopping at one.")
    ] = False,
    max_nodes: MaxNodes = 1_000_000,
    timeout: Timeout = None,
    solver_seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds that one solver may cost; the rest counts as exhausted.")
    ] = None,
    seed: Annotated[int, typer.Option(help="For the sample and the order of measuring.")] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The run's folder; RUNS/DATE-TIME by default.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Measure only what the folder given by -o misses.")] = False,
    into: Annotated[
        Path | None, typer.Option(metavar="RUN", help="Add the solvers to this run, on its puzzles.")
    ] = None,
    reference: Annotated[str | None, typer.Option(help="With --into: the solver of RUN that shows drift.")] = None,
    executor: HowRun = ExecutorKind.AUTO,
    start_method: StartHow = None,
    progress: ShowProgress = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No summary.")] = False,
    log_file: LogFile = None,
) -> None:
    """Time solvers on data sets, interleaved, and keep every measurement in a run folder."""
    from megadoku import datasets, reports, solvers
    from megadoku.pipeline import bench as benching
    from megadoku.pipeline.bench.into import add_solvers
    from megadoku.pipeline.bench.options import counts_of
    from megadoku.pipeline.bench.scaling import wall_lines
    from megadoku.pipeline.errors import UsageError
    from megadoku.pipeline.pool import default_workers

    _start_logging(log_file)
    if resume and output is None:
        raise UsageError("--resume goes on with a run: say which with -o RUN")
    crews = counts_of("--workers", workers) or [default_workers()]
    options = benching.BenchOptions(
        inputs=inputs or [entry.name for entry in datasets.bundled()],
        solvers=solvers.chosen(names),
        folder=into or output or Path("runs") / datetime.now().strftime("%Y%m%d-%H%M%S"),
        sample=sample,
        repeats=repeats,
        workers=max(crews),
        scaling=crews if len(crews) > 1 else (),
        sizes=counts_of("--sizes", sizes),
        unique=unique,
        max_nodes=max_nodes,
        timeout=timeout,
        solver_seconds=solver_seconds,
        seed=seed,
        resume=resume,
        executor=executor.value,
        start_method=start_method,
        progress=progress,
    )
    if into is not None:
        drift = add_solvers(into, options.solvers, reference, options)
        print(f"drift since the run: its reference takes {drift:.2f} times as long")
    else:
        benching.bench(options)
    if not quiet:
        reports.print_summary([options.folder], _console())
        for line in wall_lines(options.folder):
            print(line)
        print(f"run: {options.folder}\nnext: megadoku report {options.folder}")


@app.command()
def compare(
    before: Annotated[Path, typer.Argument(metavar="RUN_A", help="The run to compare with.")],
    after: Annotated[Path, typer.Argument(metavar="RUN_B", help="The run in question.")],
    fail_above: Annotated[
        float | None, typer.Option(min=0, metavar="PERCENT", help="Exit 1 if anything got worse by more than this.")
    ] = None,
) -> None:
    """Say what became faster or slower from one run to another, and what cannot be told."""
    from megadoku import reports

    comparison = reports.compare(before, after)
    reports.print_comparison(comparison, _console())
    worse = [] if fail_above is None else comparison.worse_than(fail_above)
    for change in worse:
        print(f"worse by more than {fail_above:g}%: {change.solver} on {change.dataset}", file=sys.stderr)
    if worse:
        raise typer.Exit(Exit.NOT_MET)


@app.command("check-solver")
def check_solver(
    target: Annotated[
        str | None, typer.Argument(metavar="TARGET", help="my.py:Mine, package.module:Mine, a name.")
    ] = None,
    template: Annotated[bool, typer.Option("--template", help="Print a solver to start from.")] = False,
) -> None:
    """Say what a solver still misses of the contract."""
    from megadoku.pipeline import check_solver as checking
    from megadoku.pipeline.errors import UsageError

    if template:
        print(checking.TEMPLATE.read_text(encoding="utf-8"), end="")
        return
    if target is None:
        raise UsageError("check-solver needs a TARGET, such as my.py:Mine; --template prints one to start from")
    findings = checking.check_solver(target)
    for finding in findings:
        print(finding)
    if any(finding.broken for finding in findings):
        raise typer.Exit(Exit.NOT_MET)


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

    table = Table("solver", "what it does", "version")
    for entry in solvers.ENTRIES:
        default = " (default)" if entry.name == solvers.DEFAULT else ""
        table.add_row(entry.name + default, entry.summary, entry.version)
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


def _start_logging(log_file: Path | None) -> None:
    from megadoku.pipeline.logs import FORMAT

    if log_file is not None:
        logging.basicConfig(filename=log_file, level=logging.INFO, format=FORMAT, force=True)


def _console() -> Console:
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 140)  # a file or a pipe has no width to keep to
