"""`megadoku solve`."""

from __future__ import annotations

import contextlib
import json
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from megadoku.commands.options import (
    ExecutorKind,
    HowRun,
    Inputs,
    LogFile,
    MaxNodes,
    ShowProgress,
    StartHow,
    Timeout,
    Workers,
    start_logging,
)
from megadoku.leaving import at_work
from megadoku.pipeline.errors import Exit

app = typer.Typer()


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
    keep_columns: Annotated[
        bool, typer.Option("--keep-columns", help="The input's other columns too, behind ours.")
    ] = False,
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
    from megadoku.pipeline import memory
    from megadoku.pipeline.pool import default_workers
    from megadoku.pipeline.solve import SolveOptions, solve_files

    start_logging(log_file)
    memory.keep()
    options = SolveOptions(
        inputs=inputs,
        output=output,
        solver=solver or solvers.DEFAULT,
        workers=workers or default_workers(),
        first=first,
        column=column,
        format=format,
        keep_columns=keep_columns,
        rejects=rejects,
        resume=resume,
        max_nodes=max_nodes,
        timeout=timeout,
        executor=executor.value,
        start_method=start_method,
        progress=progress,
        force=force,
    )
    with at_work(partial(_is_unfinished, inputs, output)):
        summary = solve_files(options)
    if not quiet:
        text = json.dumps(summary.as_json()) if as_json else "\n".join(summary.lines(output, rejects))
        with contextlib.suppress(OSError):  # nobody listens; the rows are written all the same
            print(text, file=sys.stderr, flush=True)
    if strict and summary.trouble:
        raise typer.Exit(Exit.NOT_MET)


def _is_unfinished(inputs: list[str], output: str) -> bool:
    """Is there a journal beside the output, and what it speaks of not yet the output itself?"""
    from megadoku.datasets import InputError
    from megadoku.pipeline.hidden import hidden
    from megadoku.pipeline.identity import can_be_read_again

    path = Path(output)
    try:
        journal, partly = hidden(path, "journal"), hidden(path, "partial")
        return journal.exists() and (partly.exists() or not path.exists()) and can_be_read_again(inputs)
    except (OSError, ValueError, InputError):  # no name of a file, or none that we may look at
        return False
