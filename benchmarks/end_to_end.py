"""From file to file: `megadoku solve` on a big Kaggle-layout CSV, beside the least it could take.

The yardstick, measured in the same run: pyarrow reading the puzzle column + pyarrow writing the same columns + half of
what `lanes` alone takes in memory on one core. Turns are interleaved, the best of each counts. Then where the time
goes: every stage on the clock, all threads added up; and the memory of the command in a process of its own. The outputs
are read back by pyarrow and compared, row by row, with the solutions the file came with.
"""

from __future__ import annotations

import argparse
import functools
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from megadoku import datasets, solvers
from megadoku.pipeline import encoding, file_output, jobs, memory, solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHARED = Path(os.environ.get("MEGADOKU_SHARED", Path(__file__).resolve().parents[2] / "shared"))
KAGGLE = SHARED / "data" / "kaggle1m" / "evil00787_sudoku.csv"
TEXTS = ("quizzes", "solutions", "puzzle", "solution", "status")  # an untyped column of digits becomes numbers
TELLS_ITS_PEAK = """
import atexit, re
from pathlib import Path
from megadoku.__main__ import main
atexit.register(lambda: print(re.search("VmHWM.*kB", Path("/proc/self/status").read_text())[0], flush=True))
main()
"""  # what the system tells of a child that has ended counts our memory as its own, from before it was another program
AS_TEXT = pa.csv.ConvertOptions(column_types=dict.fromkeys(TEXTS, pa.string()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    memory.keep()  # as the command does; it does no harm to the others
    with tempfile.TemporaryDirectory() as folder:
        big = Path(folder) / "big.csv"
        grids = make(big, arguments.rows)
        solvers.get("lanes").solve_block(grids[:100], 2)
        measure(big, grids, arguments)


def make(target: Path, rows: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A file of so many rows: known puzzles under ever new names of the digits, with their solutions."""
    source = str(KAGGLE) if KAGGLE.exists() else "easy"
    blocks = [block for block in datasets.read_blocks([source]) if block.known is not None]
    puzzles = np.concatenate([block.grids for block in blocks])
    known = np.concatenate([block.known for block in blocks if block.known is not None])
    rng, made = np.random.default_rng(0), []
    with target.open("wb") as stream:
        stream.write(b"quizzes,solutions\n")
        for start in range(0, rows, len(puzzles)):
            names = np.array([0, *rng.permutation(9) + 1], np.uint8)
            count = min(len(puzzles), rows - start)
            lines = np.full((count, 164), ord(","), np.uint8)
            lines[:, :81] = names[puzzles[:count]] + ord("0")
            lines[:, 82:163] = names[known[:count]] + ord("0")
            lines[:, 163] = ord("\n")
            stream.write(lines.tobytes())
            made.append(names[puzzles[:count]])
    print(f"{rows:,} rows, {target.stat().st_size / 1e6:,.0f} MB, from {Path(source).name}")
    return np.concatenate(made)


def measure(big: Path, grids: np.ndarray[Any, np.dtype[np.uint8]], arguments: argparse.Namespace) -> None:
    table = results_table(big, grids)
    steps: dict[str, Callable[[], Any]] = {
        "pyarrow reads the column": lambda: read_column(big),
        "pyarrow writes CSV": lambda: pa.csv.write_csv(table, big.with_name("arrow.csv")),
        "pyarrow writes Parquet": lambda: pa.parquet.write_table(table, big.with_name("arrow.parquet")),
        "lanes alone, one core": lambda: solvers.get("lanes").solve_block(grids, 2),
        "megadoku solve to CSV": lambda: solve_to(big, "out.csv", arguments.workers),
        "megadoku solve to Parquet": lambda: solve_to(big, "out.parquet", arguments.workers),
    }
    best = dict.fromkeys(steps, float("inf"))
    for _ in range(arguments.repeats):
        for name, step in steps.items():
            settle(big)
            started = time.perf_counter()
            step()
            best[name] = min(best[name], time.perf_counter() - started)
        print(".", end="", flush=True, file=sys.stderr)
    print(file=sys.stderr)
    for name, seconds in best.items():
        print(f"{name:28} {seconds:7.2f} s   {len(grids) / seconds:12,.0f} rows/s")
    for kind in ("CSV", "Parquet"):
        parts = [best["pyarrow reads the column"], best[f"pyarrow writes {kind}"], best["lanes alone, one core"] / 2]
        ours = best[f"megadoku solve to {kind}"]
        print(f"{kind}: yardstick {sum(parts):.2f} s, ours {ours:.2f} s: {ours / sum(parts):.2f} times the yardstick")
    print_shares(big, arguments.workers)
    for name in ("out.csv", "out.parquet"):
        peak = peak_alone(big, name, arguments.workers)
        check(big, big.with_name(name))
        print(f"peak memory of the command to {name}: {peak:,.0f} MB; read back, every row is right")


def settle(big: Path) -> None:
    """The same start for every turn: nothing to replace, nothing left for the disk, and memory at hand.

    A virtual machine gives free memory back to its host within a second or two, and gets it again page by page: the
    first half gigabyte into the page cache then takes ten times as long. So that much is written and dropped before.
    """
    for old in big.parent.iterdir():
        if old != big:
            old.unlink()
    os.sync()
    filler, block = big.with_name("filler"), bytes(1 << 24)
    with filler.open("wb", buffering=0) as stream:
        for _ in range(2 * big.stat().st_size // len(block)):
            stream.write(block)
    filler.unlink()


def read_column(big: Path) -> int:
    options = pa.csv.ConvertOptions(include_columns=["quizzes"], column_types={"quizzes": pa.string()})
    return sum(len(batch) for batch in pa.csv.open_csv(big, convert_options=options))


def results_table(big: Path, grids: np.ndarray[Any, np.dtype[np.uint8]]) -> pa.Table:
    """What `solve` writes, as one table for pyarrow's own writers."""
    answers = solvers.get("lanes").solve_block(grids, 2)
    options = pa.csv.ConvertOptions(include_columns=["quizzes"], column_types={"quizzes": pa.string()})
    return pa.table(
        {
            "puzzle": pa.csv.read_csv(big, convert_options=options)["quizzes"],
            "solution": encoding.solution_texts(answers.solutions),
            "status": ["unique"] * len(grids),
            "nodes": answers.nodes,
            "reason": pa.nulls(len(grids), pa.string()),
        }
    )


def solve_to(big: Path, name: str, workers: int) -> None:
    summary = solve.solve_files(solve.SolveOptions([str(big)], str(big.with_name(name)), workers=workers, force=True))
    if summary.statuses["unique"] != summary.rows or summary.known_wrong:
        raise SystemExit(f"wrong answers: {summary.as_json()}")


def peak_alone(big: Path, name: str, workers: int) -> float:
    """The most memory, in MB, that the command ever held, in a process that has done nothing else."""
    settle(big)
    arguments = ["solve", big, "-o", big.with_name(name), "--workers", workers, "--quiet"]
    ran = subprocess.run(
        [sys.executable, "-c", TELLS_ITS_PEAK, *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True
    )
    return int(ran.stdout.split()[1]) / 1024


def check(big: Path, out: Path) -> None:
    """Row by row: the input's puzzle, the input's solution, unique."""
    wanted = pa.csv.read_csv(big, convert_options=AS_TEXT)
    got = pa.csv.read_csv(out, convert_options=AS_TEXT) if out.suffix == ".csv" else pa.parquet.read_table(out)
    same = got["puzzle"].equals(wanted["quizzes"]) and got["solution"].equals(wanted["solutions"])
    if not same or got["status"].unique().to_pylist() != ["unique"]:
        raise SystemExit(f"{out.name} is not what it should be")


def print_shares(big: Path, workers: int) -> None:
    """The same once more with every stage on the clock."""
    spent: dict[str, float] = defaultdict(float)
    lock = threading.Lock()

    def timed(stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                with lock:
                    spent[stage] += time.perf_counter() - started

        return call

    def reading(*args: Any, **kwargs: Any) -> Iterator[Any]:
        take = timed("reading", functools.partial(next, original(*args, **kwargs), None))
        return iter(take, None)

    original = datasets.read_blocks
    with (
        mock.patch.object(datasets, "read_blocks", reading),
        mock.patch.object(jobs, "solve_task", timed("solving", jobs.solve_task)),
        mock.patch.object(solve, "settled", timed("checking", solve.settled)),
        mock.patch.object(encoding, "encode_csv", timed("laying out", encoding.encode_csv)),
        mock.patch.object(file_output.Plain, "write", timed("writing", file_output.Plain.write)),
    ):
        settle(big)
        started = time.perf_counter()
        solve_to(big, "shares.csv", workers)
        wall = time.perf_counter() - started
    total = wall * (workers + 2)  # and one that reads, and one that writes
    spent["waiting"] = total - sum(spent.values())
    print(
        f"shares of {workers + 2} threads × {wall:.2f} s: "
        + ", ".join(f"{stage} {seconds / total:.0%}" for stage, seconds in spent.items())
    )


if __name__ == "__main__":
    main()
