"""Answers and puzzles as the tables of a run (megadoku.run_schema)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from megadoku import run_schema
from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from megadoku.pipeline.bench.plan import Measurement
    from megadoku.pipeline.bench.samples import Sample


def shard_table(measurement: Measurement, answers: Answers) -> pa.Table:
    n = len(answers)
    return pa.table(
        {
            "solver": [measurement.solver] * n,
            "dataset": [measurement.sample.name] * n,
            "row": measurement.sample.rows,
            "repeat": np.full(n, measurement.repeat, np.int32),
            "status": [str(Status(number)) for number in answers.status.tolist()],
            "nodes": answers.nodes,
            "backtracks": answers.backtracks,
            "elapsed_ns": answers.elapsed_ns,
            "correct": answers.status != Status.FAILED,
            "reason": [answers.reasons.get(position) for position in range(n)],
        },
        schema=run_schema.SHARD_SCHEMA.append(run_schema.REASON),
    )


def puzzle_table(sample: Sample, solutions: NDArray[np.uint8]) -> pa.Table:
    texts = ["".join(map(str, grid)) if grid[0] else None for grid in solutions.tolist()]
    return pa.table({"row": sample.rows, "puzzle": sample.texts, "solution": texts}, schema=run_schema.PUZZLE_SCHEMA)
