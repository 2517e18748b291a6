"""How fast are puzzles made? python benchmarks/generating.py [-n 1000000] [--clues 24-30] [--workers 2]

Prints the rate, the number of duplicates, and a checksum: it is the same for any number of workers.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from megadoku import solvers
from megadoku.datasets import Wish, generate_rows

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=1_000_000)
    parser.add_argument("--clues", default="24-30")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--solver", default="lanes")
    arguments = parser.parse_args()
    wish = Wish(*map(int, arguments.clues.split("-")))
    solve = solvers.get(arguments.solver).solve_block
    list(generate_rows(1, wish, solve=solve))  # compile first
    started = time.perf_counter()
    with ThreadPoolExecutor(arguments.workers) as executor:
        made = [rows.puzzles for rows in generate_rows(arguments.n, wish, solve=solve, seed=1, executor=executor)]
    seconds = time.perf_counter() - started
    puzzles = np.concatenate(made)
    distinct = len(np.unique(puzzles.view("V81")))
    print(f"{len(puzzles):,} puzzles in {seconds:.1f} s, {len(puzzles) / seconds:,.0f} a second")
    print(f"{len(puzzles) - distinct} duplicates, sha256 {hashlib.sha256(puzzles.tobytes()).hexdigest()[:16]}")
