"""Run folders with declared times, written as a run would write them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from megadoku.run_schema import (
    PUZZLE_SCHEMA,
    PUZZLES_FOLDER,
    RUN_FILE,
    SCHEMA_VERSION,
    SHARD_SCHEMA,
    SHARDS_FOLDER,
    RunInfo,
    puzzles_name,
    shard_name,
)

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@dataclass
class Times:
    """What one solver did on one data set: seconds as (puzzles, repeats), the rest by puzzle."""

    solver: str
    dataset: str
    seconds: NDArray[np.float64]
    nodes: ArrayLike = 10
    status: dict[int, str] = field(default_factory=dict)  # by place, where it is not `unique`
    wrong: tuple[int, ...] = ()  # places whose answer the checker refuses
    block: bool = False


def write_run(folder: Path, times: list[Times], **info: object) -> Path:
    (folder / SHARDS_FOLDER).mkdir(parents=True)
    (folder / PUZZLES_FOLDER).mkdir()
    for one in times:
        for repeat in range(one.seconds.shape[1]):
            pq.write_table(_shard(one, repeat), folder / SHARDS_FOLDER / shard_name(one.solver, one.dataset, repeat))
    sizes = {one.dataset: len(one.seconds) for one in times}
    for name, size in sizes.items():
        pq.write_table(_puzzles(size), folder / PUZZLES_FOLDER / puzzles_name(name))
    (folder / RUN_FILE).write_text(json.dumps(_info(times, sizes) | info), encoding="utf-8")
    return folder


def _shard(times: Times, repeat: int) -> pa.Table:
    count = len(times.seconds)
    nodes = np.broadcast_to(np.asarray(times.nodes, np.int64), count)
    columns = {
        "solver": [times.solver] * count,
        "dataset": [times.dataset] * count,
        "row": np.arange(1, count + 1),
        "repeat": np.full(count, repeat, np.int32),
        "status": [times.status.get(place, "unique") for place in range(count)],
        "nodes": nodes,
        "backtracks": nodes // 2,
        "elapsed_ns": np.rint(times.seconds[:, repeat] * 1e9).astype(np.int64),
        "correct": [place not in times.wrong and place not in times.status for place in range(count)],
    }
    return pa.table(columns, schema=SHARD_SCHEMA)


def _puzzles(count: int) -> pa.Table:
    """Real puzzles with more and more givens: the solution with the tail of the blanks filled in."""
    blanks = [place for place, mark in enumerate(PUZZLE) if mark == "."]
    lines = []
    for row in range(count):
        kept = set(blanks[: len(blanks) - row % 20])
        lines.append("".join("." if place in kept else SOLUTION[place] for place in range(81)))
    columns = {"row": np.arange(1, count + 1), "puzzle": lines, "solution": [SOLUTION] * count}
    return pa.table(columns, schema=PUZZLE_SCHEMA)


def _info(times: list[Times], sizes: dict[str, int]) -> RunInfo:
    blocks = {one.solver: one.block for one in times}
    return {
        "schema_version": SCHEMA_VERSION,
        "created": "2026-01-01T00:00:00Z",
        "megadoku": "0.1.0",
        "solvers": [{"name": name, "summary": f"what {name} does", "block": block} for name, block in blocks.items()],
        "datasets": [
            {"name": name, "source": f"{name}.csv", "rows": rows, "sha256": f"{rows:064x}"}
            for name, rows in sizes.items()
        ],
        "repeats": times[0].seconds.shape[1],
        "workers": 1,
        "limit": 2,
        "max_nodes": None,
        "timeout_s": 1.0,
        "seed": 0,
        "machine": {"cpu": "a processor", "cores": 2},
        "versions": {"python": "3.11.7", "numpy": "2.4.6"},
    }


def lognormal(
    seed: int, median: float, puzzles: int = 200, repeats: int = 3, noise: float = 0.02
) -> NDArray[np.float64]:
    """Seconds: puzzles that differ by a factor of about three, and repeats that differ by the noise, all together."""
    puzzle = np.random.default_rng(1).normal(0, 1, (puzzles, 1))  # the same puzzles for every solver
    drift = np.random.default_rng(seed).normal(0, noise, (1, repeats))
    jitter = np.random.default_rng(seed + 1).normal(0, 0.02, (puzzles, repeats))
    return median * np.exp(puzzle + drift + jitter)
