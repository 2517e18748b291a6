"""How strategies in Python scale: `megadoku solve` with one worker process and with more, on the same file.

Beside it what the machine itself gives: as many processes that share nothing, each with its part of the puzzles in
memory. Two cores are seldom twice as fast as one: they share caches, power and neighbours, and may be two threads of
one core. Turns are interleaved, the best of each counts; every row of every output is compared with the first one's.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.table import Table

from megadoku import datasets, solvers
from megadoku.pipeline import solve
from megadoku.pipeline.pool import default_workers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Grids = NDArray[np.uint8]

SHARED = Path(os.environ.get("MEGADOKU_SHARED", Path(__file__).resolve().parents[2] / "shared"))
BANK = SHARED / "data" / "puzzlebank" / "by_rating"
FORK = multiprocessing.get_context("fork")  # the cheapest start, for the machine's own figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solvers", default="marks,mrv,bitmask")
    parser.add_argument("--workers", type=int, default=default_workers())
    parser.add_argument("--seconds", type=float, default=8.0, help="that one worker shall take, about")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    pool = puzzles()
    table = Table("solver", "rows", "1 worker", f"{arguments.workers} workers", "times as fast", "the machine gives")
    for name in arguments.solvers.split(","):
        table.add_row(name, *measured(name, pool, arguments))
    Console().print(table)


def puzzles() -> Grids:
    """In an order that gives every worker its share of hard ones."""
    source = str(BANK) if BANK.exists() else "medium"
    grids = np.concatenate([block.grids for block in datasets.read_blocks([source])])
    return np.random.default_rng(0).permutation(grids)


def measured(name: str, pool: Grids, arguments: argparse.Namespace) -> list[str]:
    grids = enough(name, pool, arguments.seconds)
    counts = (1, arguments.workers)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in.csv"
        source.write_text("puzzle\n" + "".join("".join(map(str, grid)) + "\n" for grid in grids.tolist()))
        ours, alone = dict.fromkeys(counts, float("inf")), dict.fromkeys(counts, float("inf"))
        outputs = set()
        for _ in range(arguments.repeats):
            for count in counts:
                out = Path(folder) / "out.csv"
                ours[count] = min(ours[count], solving(source, out, name, count))
                alone[count] = min(alone[count], without_us(name, grids, count))
                outputs.add(out.read_bytes())
    if len(outputs) != 1:
        raise SystemExit(f"{name}: outputs differ")
    one, many = (ours[count] for count in counts)
    return [
        f"{len(grids):,}",
        f"{one:.2f} s",
        f"{many:.2f} s",
        f"{one / many:.2f} ({one / many / arguments.workers:.2f} of {arguments.workers})",
        f"{alone[1] / alone[arguments.workers]:.2f}",
    ]


def enough(name: str, pool: Grids, seconds: float) -> Grids:
    """So many that one worker is busy for so long."""
    sample = pool[:500]
    started = time.perf_counter()
    solvers.get(name).solve_block(sample, 2)
    rows = int(seconds / (time.perf_counter() - started) * len(sample))
    return np.resize(pool, (rows, 81))


def solving(source: Path, out: Path, name: str, workers: int) -> float:
    options: dict[str, Any] = {"solver": name, "workers": workers, "executor": "processes", "force": True}
    started = time.perf_counter()
    summary = solve.solve_files(solve.SolveOptions([str(source)], str(out), **options))
    taken = time.perf_counter() - started
    if summary.statuses["unique"] != summary.rows:
        raise SystemExit(f"wrong answers: {summary.as_json()}")
    return taken


def without_us(name: str, grids: Grids, count: int) -> float:
    started = time.perf_counter()
    processes = [FORK.Process(target=in_blocks, args=(name, part)) for part in np.array_split(grids, count)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return time.perf_counter() - started


def in_blocks(name: str, grids: Grids) -> None:
    for start in range(0, len(grids), 1024):
        solvers.get(name).solve_block(grids[start : start + 1024], 2)


if __name__ == "__main__":
    main()
