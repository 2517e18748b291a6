"""The command line: all commands together, and what becomes of their errors.

It stands above the rooms because it is the one place that knows them all: `report` needs `reports`, which `pipeline`
must not know. Heavy imports wait until a command needs them.
"""

from __future__ import annotations

import traceback

import typer

from megadoku import leaving
from megadoku.commands import data_sets, measuring, solving

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
    leaving.watch_for_signals()
    try:
        app()
    except SystemExit as ended:
        leaving.finish(ended.code if isinstance(ended.code, int) else 0)
    except leaving.Stopped as stopped:
        leaving.leave_for_signal(stopped.number)
    except Exception as error:
        from megadoku.errors import exit_code

        code = exit_code(error)
        if code is None:
            traceback.print_exc()  # our own mistake; what else still runs must not hold the end up
            leaving.finish(1)
        leaving.leave(code, str(error))
