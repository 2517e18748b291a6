"""The commands about solvers and their speed: bench, compare, report, solvers, check-solver."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from megadoku.commands.options import (
    ExecutorKind,
    HowRun,
    LogFile,
    MaxNodes,
    ShowProgress,
    StartHow,
    Timeout,
    console,
    start_logging,
)
from megadoku.leaving import at_work
from megadoku.pipeline.errors import Exit

app = typer.Typer()


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

    start_logging(log_file)
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
        with at_work():
            drift = add_solvers(into, options.solvers, reference, options)
        print(f"drift since the run: its reference takes {drift:.2f} times as long")
    else:
        with at_work((options.folder / "run.json").exists):
            benching.bench(options)
    if not quiet:
        reports.print_summary([options.folder], console())
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
    reports.print_comparison(comparison, console())
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
    with at_work():
        paths = reports.write_report(runs, out)
    reports.print_summary(runs, console())
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
    console().print(table)
