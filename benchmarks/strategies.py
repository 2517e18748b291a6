"""Each strategy beside the program whose idea it keeps, on the same puzzles, in the same process, taking turns.

The originals are not part of this repo: they are read from `seed_baselines.py` in the folder that MEGADOKU_SHARED
names (`../shared` by default), and without it only our own column is printed. Some of them try digits in the order of
a set of strings, which Python shuffles anew for every process; so the whole comparison is made in several processes,
each with another PYTHONHASHSEED, and times are added up over them.

Every solution, theirs too, is checked outside the timed part.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.table import Table

from megadoku import datasets, solvers
from megadoku.pipeline import checker

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Original = Callable[[list[list[str]]], None]

ORIGINAL_OF = {
    "naive": "001_flag",
    "scan-sets": "002_scan",
    "sets": "001_set",
    "sorted-sets": "000_sorted_sets",
    "marks": "003_marks",
    "preprocess": "004_preprocess",
    "mrv": "002_mrv",
    "bitmask": None,
}
SHARED = Path(os.environ.get("MEGADOKU_SHARED", Path(__file__).resolve().parents[2] / "shared"))
KAGGLE = SHARED / "data" / "kaggle1m" / "evil00787_sudoku.csv"


def main() -> None:
    arguments = parsed()
    if arguments.child:
        print(json.dumps(measured(arguments.sets, arguments.sample, arguments.seconds)))
        return
    totals: dict[tuple[str, str], list[float]] = {}
    for seed in range(arguments.hash_seeds):
        for name, dataset, puzzles, ours, theirs in run_child(arguments, seed):
            total = totals.setdefault((name, dataset), [0, 0.0, 0.0])
            total[:] = [total[0] + puzzles, total[1] + ours, total[2] + theirs]
    print_tables(totals, arguments)


def parsed() -> argparse.Namespace:
    usual = ["trivial", "easy", "medium", "hard"] + ([str(KAGGLE)] if KAGGLE.exists() else [])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=usual, help="files or bundled sets")
    parser.add_argument("--sample", type=int, default=40, help="puzzles of each set")
    parser.add_argument("--seconds", type=float, default=1.0, help="at least so long for each pair in each process")
    parser.add_argument("--hash-seeds", type=int, default=5, help="processes, each with its own order of sets")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def run_child(arguments: argparse.Namespace, seed: int) -> list[tuple[str, str, int, float, float]]:
    options = [f"--sample={arguments.sample}", f"--seconds={arguments.seconds}", "--child", *arguments.sets]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run([sys.executable, __file__, *options], env=environment, stdout=subprocess.PIPE, check=True)
    print(f"process {seed + 1} of {arguments.hash_seeds} done", file=sys.stderr)
    return [tuple(row) for row in json.loads(done.stdout)]


def measured(sets: list[str], sample: int, seconds: float) -> list[tuple[str, str, int, float, float]]:
    originals = load_originals()
    rows = []
    for dataset in sets:
        grids = np.concatenate([block.grids[block.accepted] for block in datasets.read_blocks([dataset])])[:sample]
        for name in ORIGINAL_OF:
            original = originals.get(ORIGINAL_OF[name])
            ours, theirs = duel(name, original, grids, seconds)
            rows.append((name, Path(dataset).stem, len(grids), ours, theirs))
    return rows


def load_originals() -> dict[Any, Original]:
    path = SHARED / "seed_baselines.py"
    if not path.exists():
        return {}
    spec = importlib.util.spec_from_file_location("seed_baselines", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    originals: dict[Any, Original] = module.BASELINES
    return originals


def duel(name: str, original: Original | None, grids: NDArray[np.uint8], seconds: float) -> tuple[float, float]:
    """Best seconds of ours and of the original, who take turns: two at least, more while there is time."""
    solver = solvers.get(name)
    texts = ["".join(".123456789"[digit] for digit in grid) for grid in grids.tolist()]
    ours = theirs = float("inf")
    end = time.perf_counter() + seconds
    for turn in itertools.count():
        if turn >= 2 and time.perf_counter() > end:
            break
        started = time.perf_counter()
        answers = solver.solve_block(grids)
        ours = min(ours, time.perf_counter() - started)
        check(grids, answers.solutions, name)
        if original is not None:
            started = time.perf_counter()  # as in their own timing, making the board counts: ours makes lists too
            boards = [[list(text[start : start + 9]) for start in range(0, 81, 9)] for text in texts]
            for board in boards:
                original(board)
            theirs = min(theirs, time.perf_counter() - started)
            check(grids, np.array(boards, dtype=np.uint8).reshape(-1, 81), f"the original of {name}")
    return ours, theirs


def check(grids: NDArray[np.uint8], solutions: NDArray[np.uint8], who: str) -> None:
    if not checker.completes(grids, solutions).all():
        sys.exit(f"{who} gave a wrong solution: nothing here can be trusted")


def print_tables(totals: dict[tuple[str, str], list[float]], arguments: argparse.Namespace) -> None:
    table = Table("strategy", "set", "original", "ours", "ratio", title="puzzles/s until the first solution")
    for column in table.columns[2:]:
        column.justify = "right"
    worst = float("inf")
    for (name, dataset), (puzzles, ours, theirs) in sorted(totals.items(), key=lambda item: item[0][1]):
        has_original = ORIGINAL_OF[name] is not None and theirs < float("inf")
        worst = min(worst, theirs / ours) if has_original else worst
        original = f"{puzzles / theirs:,.1f}" if has_original else "–"
        table.add_row(
            name, dataset, original, f"{puzzles / ours:,.1f}", f"{theirs / ours:.2f}" if has_original else "–"
        )
    console = Console(width=100)
    console.print(table)
    console.print(
        f"{arguments.hash_seeds} processes, the best turn of {arguments.seconds:g} s in each, "
        f"{arguments.sample} puzzles a set at most"
    )
    if worst < float("inf"):
        console.print(f"lowest ratio: {worst:.2f}")


if __name__ == "__main__":
    main()
