"""The commands about data sets: inspect, convert, generate, datasets."""

from __future__ import annotations

import dataclasses
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from megadoku.commands.options import Inputs, ShowProgress, Workers, console
from megadoku.leaving import at_work

if TYPE_CHECKING:
    from megadoku.datasets import Wish

INSPECTION_NODES = 100_000  # for one puzzle of the sample; beyond that it counts as undecided
app = typer.Typer()
Column = Annotated[str | None, typer.Option(help="The column that holds the puzzles.")]
Format = Annotated[str | None, typer.Option("--format", help="The inputs' format, where it cannot be told.")]
To = Annotated[str | None, typer.Option(help="The format to write, if the output's name does not say it.")]


@app.command()
def inspect(
    inputs: Inputs,
    column: Column = None,
    format_name: Format = None,
    sample: Annotated[int, typer.Option(min=0, help="How many puzzles are solved to see what they are.")] = 1000,
    seed: Annotated[int, typer.Option(help="For the sample.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Tell what a file is: format, rows, refused rows, duplicates, clues, how many are unique, how hard they are."""
    from megadoku import datasets, solvers
    from megadoku.datasets.inspection_view import view

    budget = solvers.Budget(nodes=INSPECTION_NODES)
    solve = partial(solvers.get(solvers.DEFAULT).solve_block, budget=budget)
    found = datasets.inspect(inputs, solve=solve, column=column, format=format_name, sample=sample, seed=seed)
    if as_json:
        print(json.dumps(dataclasses.asdict(found), indent=2))
    else:
        console().print(view(found))


@app.command()
def convert(
    inputs: Inputs,
    output: Annotated[str, typer.Argument(metavar="OUT", help="A file, its format told by its name, or -.")],
    column: Column = None,
    format_name: Format = None,
    to: To = None,
) -> None:
    """Write puzzles in another format, and say what it cannot hold."""
    from megadoku import datasets

    with at_work():
        done = datasets.convert(inputs, output, column=column, format=format_name, to=to)
    print(done, file=sys.stderr)


@app.command()
def generate(
    output: Annotated[str, typer.Option("-o", "--output", help="A file, its format told by its name, or -.")],
    count: Annotated[int, typer.Option("-n", min=1, help="How many puzzles.")],
    clues: Annotated[str, typer.Option(help="MIN-MAX, within 17 to 81.")] = "22-30",
    minimal: Annotated[bool, typer.Option("--minimal", help="No clue can be left out.")] = False,
    difficulty: Annotated[str | None, typer.Option(help="singles, locked, search, or nodes:MIN-MAX.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    workers: Workers = None,
    to: To = None,
    progress: ShowProgress = None,
) -> None:
    """Make puzzles with exactly one solution."""
    from megadoku import datasets, solvers
    from megadoku.pipeline.pool import default_workers
    from megadoku.pipeline.progress import bar

    wish = _wish(clues, minimal, difficulty)
    solve = solvers.get("lanes").solve_block
    with (
        at_work(),
        ThreadPoolExecutor(workers or default_workers()) as pool,
        bar(count, "puzzles", progress) as shown,
    ):

        def progressed(puzzles: int) -> None:
            shown.update(puzzles)

        datasets.generate(count, output, wish, solve=solve, seed=seed, to=to, executor=pool, progress=progressed)


def _wish(clues: str, minimal: bool, difficulty: str | None) -> Wish:
    from megadoku import datasets

    least, _, most = clues.partition("-")
    if not (least.isdigit() and (most.isdigit() or not most)):
        raise datasets.WishError(f"clues {clues!r}: write them as 24-30")
    band = datasets.Difficulty.parse(difficulty) if difficulty else None
    return datasets.Wish(int(least), int(most or least), minimal, band)


@app.command("datasets")
def list_datasets() -> None:
    """List the bundled data sets."""
    from rich.table import Table

    from megadoku import datasets

    table = Table("set", "rows", "clues", "what it shows")
    for entry in datasets.bundled():
        table.add_row(entry.name, f"{entry.rows:,}", f"{entry.min_clues}–{entry.max_clues}", entry.summary)
    console().print(table)
