"""How fast is reading? One column of a big CSV to (n, 81) uint8, against pyarrow.csv reading the same column.

    python benchmarks/reading.py [--rows 1000000] [--repeats 5] [--memory]

Both read the same file, in turn, in the same run; the best of the repeats counts. `--memory` reads 10⁵ and 10⁷ rows in
processes of their own and prints the peak of each.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from megadoku.datasets import read_blocks

PEAK = """
import resource, sys
from megadoku.datasets import read_blocks
rows = sum(map(len, read_blocks([sys.argv[1]])))
print(rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def write_csv(path: Path, rows: int) -> None:
    """A quizzes,solutions CSV of random digits, as wide as the real ones."""
    rng = np.random.default_rng(1)
    with path.open("wb") as file:
        file.write(b"quizzes,solutions\n")
        for first in range(0, rows, 100_000):
            lines = rng.integers(48, 58, (min(100_000, rows - first), 164), np.uint8)
            lines[:, 81], lines[:, 163] = ord(","), ord("\n")
            file.write(lines.tobytes())


def by_pyarrow(path: Path) -> int:
    options = pa.csv.ConvertOptions(include_columns=["quizzes"], column_types={"quizzes": pa.string()})
    return len(pa.csv.read_csv(path, convert_options=options))


def by_pyarrow_streamed(path: Path) -> int:
    options = pa.csv.ConvertOptions(include_columns=["quizzes"], column_types={"quizzes": pa.string()})
    return sum(batch.num_rows for batch in pa.csv.open_csv(path, convert_options=options))


def by_megadoku(path: Path) -> int:
    return sum(map(len, read_blocks([str(path)], column="quizzes")))


def timed(path: Path, repeats: int) -> None:
    ways = {"pyarrow.csv": by_pyarrow, "pyarrow.csv, streamed": by_pyarrow_streamed, "megadoku": by_megadoku}
    best: dict[str, float] = {}
    for _ in range(repeats):
        for name, way in ways.items():
            started = time.perf_counter()
            rows = way(path)
            best[name] = min(best.get(name, np.inf), time.perf_counter() - started)
    for name, seconds in best.items():
        ratio = seconds / best["pyarrow.csv"]
        print(f"{name:24}{seconds:8.3f} s {rows / seconds / 1e6:8.2f} million rows/s {ratio:6.2f} ×")


def memory(folder: Path) -> None:
    for rows in (100_000, 10_000_000):
        path = folder / "big.csv"
        write_csv(path, rows)
        ran = subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True)
        print("{:>12,} rows: peak {} MB".format(*map(int, ran.stdout.split())))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--memory", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if arguments.memory:
            memory(Path(name))
        else:
            write_csv(Path(name) / "big.csv", arguments.rows)
            timed(Path(name) / "big.csv", arguments.repeats)
