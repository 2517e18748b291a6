"""run.json: what a run was, and whether another may join it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from megadoku import run_schema, solvers
from megadoku.pipeline import machine
from megadoku.pipeline.errors import UsageError
from megadoku.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from megadoku.pipeline.bench.options import BenchOptions
    from megadoku.pipeline.bench.samples import Sample

OPTIONS = ("repeats", "workers", "limit", "max_nodes", "timeout_s", "solver_seconds", "seed", "megadoku")


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def run_info(options: BenchOptions, samples: Sequence[Sample]) -> run_schema.RunInfo:
    return {
        "schema_version": run_schema.SCHEMA_VERSION,
        "created": now(),
        "megadoku": VERSION,
        "solvers": [solver_info(name) for name in options.solvers],
        "datasets": [dataset_info(sample) for sample in samples],
        "repeats": options.repeats,
        "workers": options.workers,
        "limit": options.limit,
        "max_nodes": options.max_nodes,
        "timeout_s": options.timeout,
        "solver_seconds": options.solver_seconds,
        "seed": options.seed,
        "machine": machine.machine_facts(),
        "versions": machine.versions(),
    }


def solver_info(name: str) -> run_schema.SolverInfo:
    entry, solver = solvers.entry_of(name), solvers.get(name)
    info: run_schema.SolverInfo = {"name": name, "summary": entry.summary, "block": not solver.times_each}
    if entry.version:
        info["version"] = entry.version
    if not solver.counts_nodes:
        info["counts_nodes"] = False
    return info


def dataset_info(sample: Sample) -> run_schema.DatasetInfo:
    return {"name": sample.name, "source": sample.source, "rows": len(sample), "sha256": sample.sha256}


def refuse_another(path: Path, old: run_schema.RunInfo, new: run_schema.RunInfo) -> None:
    """A run goes on only as it began: what was measured otherwise would not compare with what is there."""
    differences = [*other_machine(old, new), *_other_question(old, new)]
    if differences:
        raise UsageError(f"{path}: cannot be resumed like this: {'; '.join(differences)}")


def other_machine(old: run_schema.RunInfo, new: run_schema.RunInfo) -> Iterator[str]:
    """What tells the machines of two runs apart, and what runs on them."""
    ours = {key: new["machine"].get(key) for key in run_schema.MACHINE_KEYS}
    theirs = {key: old["machine"].get(key) for key in run_schema.MACHINE_KEYS}
    yield from _changes(theirs, ours, "the machine's ")
    yield from _changes(_without_checkout(old["versions"]), _without_checkout(new["versions"]), "the version of ")


def _without_checkout(versions: Mapping[str, str]) -> dict[str, str]:
    """A solver may join a run whose code has gone on since: the reference says whether that matters."""
    return {name: version for name, version in versions.items() if name != "checkout"}


def _other_question(old: run_schema.RunInfo, new: run_schema.RunInfo) -> Iterator[str]:
    yield from _changes({key: old.get(key) for key in OPTIONS}, {key: new.get(key) for key in OPTIONS}, "")
    if old["versions"].get("checkout") != new["versions"].get("checkout"):
        yield "the code has changed since"
    yield from _changes(
        {one["name"]: one.get("version", "in it") for one in old["solvers"]},
        {one["name"]: one.get("version", "in it") for one in new["solvers"]},
        "solver ",
    )
    yield from _changes(
        {one["name"]: f"{one['rows']} puzzles, {one['sha256'][:8]}" for one in old["datasets"]},
        {one["name"]: f"{one['rows']} puzzles, {one['sha256'][:8]}" for one in new["datasets"]},
        "data set ",
    )


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], what: str) -> Iterator[str]:
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key):
            yield f"{what}{key.replace('_', ' ')} was {_shown(old.get(key))}, now {_shown(new.get(key))}"


def _shown(value: Any) -> str:
    return "not there" if value is None else str(value)
