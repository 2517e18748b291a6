"""`lanes` beside `jit`, `bitmask` and, if a command is given, any solver from outside, on the same puzzles.

    benchmarks/lanes FILE… --outside 'PROGRAM -r0 -n{n} -w1 -t1 {file}'

Every set is filled up to --puzzles by copies in disguise (digits renamed, bands, stacks, rows and columns exchanged),
the same for all. Everybody proves uniqueness (limit 2), on one core, and they take turns; the best of --repeats counts.
`jit` and `bitmask` get as many puzzles of the set as they manage in --seconds. The outside program is handed a file
with one puzzle a line, dots for empty cells; the puzzles/s that it prints itself are found by --figure. The ratio is
the median of the turns, then their lowest and highest.

A second is a second of processor time: on a machine that does other things too, the clock on the wall would punish
whoever needs longer for a turn. What an outside program prints is taken for wall time, and divided by the share of a
processor that it got.

Every answer of ours is checked outside the timed part: solutions by the rules alone, and statuses against each other.
"""

from __future__ import annotations

import argparse
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

from megadoku import datasets, solvers
from megadoku.pipeline import checker
from megadoku.solvers.lanes.solver import sweeps

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIGURE = r"\|\s*([\d',.]+) \|"
LIMIT = 2


@dataclass
class Result:
    """The figures of one set."""

    name: str
    puzzles: int
    rates: dict[str, list[float]] = field(default_factory=dict)  # puzzles/s by solver, one a turn
    nodes: dict[str, float] = field(default_factory=dict)
    sweeps: float = 0.0

    def best(self, solver: str) -> float:
        return max(self.rates[solver])


def main() -> None:
    arguments = parsed()
    table = table_of(arguments)
    for name in arguments.sets:
        result = measured(name, arguments)
        table.add_row(*row_of(result, arguments))
        print(f"{result.name} done", file=sys.stderr)
    Console(width=160 if not sys.stdout.isatty() else None).print(table)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=["easy", "medium", "hard"], help="files or bundled sets")
    parser.add_argument("--puzzles", type=int, default=20_000, help="of each set")
    parser.add_argument("--repeats", type=int, default=5, help="turns that everybody gets")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each of our turns")
    parser.add_argument("--seed", type=int, default=1, help="of the disguises")
    parser.add_argument("--outside", metavar="COMMAND", help="{file} and {n} are filled in")
    parser.add_argument("--figure", default=FIGURE, help="pattern of the puzzles/s in what the command prints")
    return parser.parse_args()


def measured(name: str, arguments: argparse.Namespace) -> Result:
    grids = disguised(read(name), arguments.puzzles, np.random.default_rng(arguments.seed))
    result = Result(Path(name).name, len(grids))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "puzzles"
        file.write_text("".join("".join(".123456789"[d] for d in grid) + "\n" for grid in grids.tolist()))
        for _ in range(arguments.repeats):
            time_lanes(grids, arguments.seconds, result)
            if arguments.outside:
                result.rates.setdefault("outside", []).append(time_outside(file, len(grids), arguments))
    for solver in ("jit", "bitmask"):
        for _ in range(arguments.repeats if solver == "jit" else 1):
            time_slow(solver, grids, arguments.seconds, result)
    result.sweeps = float(sweeps(grids, LIMIT).mean())
    return result


def read(name: str) -> NDArray[np.uint8]:
    return np.concatenate([block.grids[block.accepted] for block in datasets.read_blocks([name])])


def disguised(grids: NDArray[np.uint8], n: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """`n` puzzles, each the same sudoku in other clothes."""
    filled: NDArray[np.uint8] = np.resize(grids, (n, 81))
    for position, grid in enumerate(filled):
        rows, columns = (np.concatenate([3 * b + rng.permutation(3) for b in rng.permutation(3)]) for _ in range(2))
        names = np.concatenate([[0], rng.permutation(9) + 1]).astype(np.uint8)
        board = names[grid.reshape(9, 9)[np.ix_(rows, columns)]]
        filled[position] = (board.T if rng.integers(2) else board).ravel()
    return filled


def time_lanes(grids: NDArray[np.uint8], seconds: float, result: Result) -> None:
    solver = solvers.get("lanes")
    solver.solve_block(grids, LIMIT)  # compiled and warm before the clock starts, as the others are
    started = time.process_time()
    rounds = 0
    while time.process_time() - started < seconds:  # about as long as the others
        answers = solver.solve_block(grids, LIMIT)
        rounds += 1
    result.rates.setdefault("lanes", []).append(rounds * len(grids) / (time.process_time() - started))
    result.nodes["lanes"] = float(answers.nodes.mean())
    check(grids, answers, "lanes")


def time_slow(name: str, grids: NDArray[np.uint8], seconds: float, result: Result) -> None:
    """The first puzzles of the set, in pieces, until time is up."""
    solver = solvers.get(name)
    solver.solve_block(grids[:1], LIMIT)
    spent = nodes = 0.0
    done = 0
    while spent < seconds and done < len(grids):
        piece = grids[done : done + max(1, done)]
        started = time.process_time()
        answers = solver.solve_block(piece, LIMIT)
        spent += time.process_time() - started
        done += len(piece)
        nodes += float(answers.nodes.sum())
        check(piece, answers, name)
    result.rates.setdefault(name, []).append(done / spent)
    result.nodes[name] = nodes / done


def check(grids: NDArray[np.uint8], answers: solvers.Answers, who: str) -> None:
    """Solutions by the rules of sudoku; and lanes must say the same of every puzzle."""
    said = answers.status if who == "lanes" else solvers.get("lanes").solve_block(grids, LIMIT).status
    if (
        not (checker.completes(grids, answers.solutions) == (answers.counts > 0)).all()
        or (said != answers.status).any()
    ):
        sys.exit(f"{who} gave a wrong answer: nothing here can be trusted")


def time_outside(file: Path, n: int, arguments: argparse.Namespace) -> float:
    command = [part.format(file=file, n=n) for part in shlex.split(arguments.outside)]
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - started
    share = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / wall
    found = re.findall(arguments.figure, printed)
    if not found:
        sys.exit(f"no figure like {arguments.figure} in what {command[0]} printed:\n{printed}")
    return float(re.sub("[',]", "", found[0])) / share


def table_of(arguments: argparse.Namespace) -> Table:
    columns = ["set", "lanes/s", "nodes", "sweeps", "jit/s", "nodes", "bitmask/s", "nodes"]
    outside = ["outside/s", "lanes : outside"] if arguments.outside else []
    table = Table(
        *columns, *outside, title=f"puzzles per second of one core, uniqueness proved, best of {arguments.repeats}"
    )
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def row_of(result: Result, arguments: argparse.Namespace) -> list[str]:
    row = [result.name]
    for solver in ("lanes", "jit", "bitmask"):
        row += [f"{result.best(solver):,.0f}", f"{result.nodes[solver]:,.2f}"]
        if solver == "lanes":
            row.append(f"{result.sweeps:,.1f}")
    if arguments.outside:
        turns = [ours / theirs for ours, theirs in zip(result.rates["lanes"], result.rates["outside"], strict=True)]
        ratios = f"{float(np.median(turns)):.1f} ({min(turns):.1f} to {max(turns):.1f})"
        row += [f"{result.best('outside'):,.0f}", ratios]
    return row


if __name__ == "__main__":
    main()
