"""`megadoku bench --into RUN`: more solvers for a run that is over, if the machine is still what it was.

The new solvers are measured in a run of their own inside RUN, on the puzzles that RUN kept, together with a reference
solver that RUN has. If the reference takes as long as it did, the new shards move over; if not, RUN stays as it was.
"""

from __future__ import annotations

import math
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.parquet

from megadoku.pipeline.bench import run_samples, timing_pool
from megadoku.pipeline.bench.folder import RunFolder
from megadoku.pipeline.bench.records import now, other_machine, run_info, solver_info
from megadoku.pipeline.errors import DriftError, UsageError
from megadoku.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from megadoku.pipeline.bench import OpenPool
    from megadoku.pipeline.bench.options import BenchOptions
    from megadoku.run_schema import RunInfo

ADDING = "adding"
MOST_DRIFT = 0.10
USUAL_REFERENCE = "bitmask"


def add_solvers(
    run: Path, names: Sequence[str], reference: str | None, how: BenchOptions, open_pool: OpenPool = timing_pool
) -> float:
    """Measure, compare the reference with itself, adopt. The drift: how many times as long as then it takes now."""
    old = RunFolder(run)
    info = old.info()
    reference = reference or _usual_reference(info)
    _refuse_known(run, info, names, reference)
    samples = [old.sample(dataset) for dataset in info["datasets"]]
    options = _options(info, [*names, reference], old.path / ADDING, how)
    different = list(other_machine(info, run_info(options, samples)))
    if different:
        raise UsageError(f"{run}: nothing can be added from here: {'; '.join(different)}")
    new = run_samples(options, samples, open_pool)
    drift = _drift(old, new, reference, info)
    if abs(math.log(drift)) > math.log1p(MOST_DRIFT):
        shutil.rmtree(new.path)
        raise DriftError(
            f"{run}: {reference} now takes {drift:.2f} times as long as in the run, so nothing was added: times would "
            "not compare. Try when the machine is as idle as it was then, or run everything anew"
        )
    _adopt(old, new, info, names, reference, drift)
    return drift


def _usual_reference(info: RunInfo) -> str:
    names = [solver["name"] for solver in info["solvers"]]
    return USUAL_REFERENCE if USUAL_REFERENCE in names else names[0]


def _refuse_known(run: Path, info: RunInfo, names: Sequence[str], reference: str) -> None:
    there = [solver["name"] for solver in info["solvers"]]
    for name in names:
        if name in there:
            raise UsageError(f"{run}: has {name} already, and a run never changes")
    if reference not in there:
        raise UsageError(f"{run}: has no {reference} to refer to; there are {', '.join(there)}")


def _options(info: RunInfo, names: Sequence[str], folder: Path, how: BenchOptions) -> BenchOptions:
    """Everything as it was then; only how workers are started is today's choice."""
    return replace(
        how,
        inputs=[],
        solvers=names,
        folder=folder,
        repeats=info["repeats"],
        workers=info["workers"],
        unique=info["limit"] > 1,
        max_nodes=info["max_nodes"],
        timeout=info["timeout_s"],
        solver_seconds=info.get("solver_seconds"),
        seed=info["seed"],
        resume=True,
    )


def _drift(old: RunFolder, new: RunFolder, reference: str, info: RunInfo) -> float:
    """The median over all puzzles of what each takes now over what it took then."""
    ratios = [
        _times(new, reference, dataset["name"], info["repeats"])
        / _times(old, reference, dataset["name"], info["repeats"])
        for dataset in info["datasets"]
    ]
    return float(np.median(np.concatenate(ratios)))


def _times(folder: RunFolder, solver: str, dataset: str, repeats: int) -> NDArray[np.float64]:
    shards = [folder.shard(solver, dataset, repeat) for repeat in range(repeats)]
    columns = [pyarrow.parquet.read_table(shard)["elapsed_ns"].to_numpy() for shard in shards if shard.exists()]
    if not columns:
        raise UsageError(f"{folder.path}: holds no times of {solver} on {dataset}; finish it with --resume first")
    times: NDArray[np.float64] = np.maximum(np.median(columns, axis=0), 1.0)
    return times


def _adopt(old: RunFolder, new: RunFolder, info: RunInfo, names: Sequence[str], reference: str, drift: float) -> None:
    for name in names:
        for dataset in info["datasets"]:
            for repeat in range(info["repeats"]):
                new.shard(name, dataset["name"], repeat).replace(old.shard(name, dataset["name"], repeat))
    info["solvers"] += [solver_info(name) for name in names]
    info.setdefault("additions", []).append(
        {"created": now(), "megadoku": VERSION, "solvers": list(names), "reference": reference, "drift": drift}
    )
    old.write_info(info)
    shutil.rmtree(new.path)
