"""Solvers from outside the package: a class in somebody's file or module, or an installed entry point.

A solver is known by a string that every process can follow anew, `path/to/my.py:MySolver` or `package.module:MySolver`;
the object itself is never sent to a worker.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from megadoku.solvers.contract import Solver

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

GROUP = "megadoku.solvers"


class UnknownSolverError(LookupError):
    """A name or a target that leads to no solver; the message says what there is instead."""


def load(target: str) -> Solver:
    """The solver that a target leads to."""
    kind = load_class(target)
    try:
        return kind()
    except Exception as error:
        raise UnknownSolverError(f"{target}: cannot be made: {type(error).__name__}: {error}") from error


def load_class(target: str) -> type[Solver]:
    place, _, name = target.rpartition(":")
    module = _module(target, place)
    kind = getattr(module, name, None)
    if isinstance(kind, type) and issubclass(kind, Solver):
        return kind
    there = ", ".join(sorted(_solvers_in(module))) or "none"
    missing = f"{name} is no subclass of Solver" if kind is not None else f"there is no {name!r} in it"
    raise UnknownSolverError(f"{target}: {missing}. Solvers there: {there}")


def summary_of(target: str) -> str:
    return (inspect.getdoc(load_class(target)) or "a solver without a docstring").partition("\n")[0]


def version_of(target: str) -> str:
    """What tells one state of it from another: its package's version, or a checksum of its file."""
    place = target.rpartition(":")[0]
    if place.endswith(".py"):
        return hashlib.sha256(Path(place).read_bytes()).hexdigest()[:12]
    return installed_version(place.partition(".")[0]) or ""


def installed_version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def entry_points() -> Iterable[importlib.metadata.EntryPoint]:
    return importlib.metadata.entry_points(group=GROUP)


def _module(target: str, place: str) -> ModuleType:
    try:
        return _from_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except FileNotFoundError as error:
        raise UnknownSolverError(f"{target}: there is no file {place}") from error
    except Exception as error:  # whatever an import of somebody's code may raise
        raise UnknownSolverError(f"{target}: cannot be imported: {type(error).__name__}: {error}") from error


def _from_file(path: Path) -> ModuleType:
    path = path.resolve(strict=True)
    name = f"megadoku_solver_{path.stem}_{hashlib.sha256(bytes(path)).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # last, so that what stands beside the file is found but hides nothing
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _solvers_in(module: ModuleType) -> Iterable[str]:
    for name, kind in vars(module).items():
        if isinstance(kind, type) and issubclass(kind, Solver) and kind.__module__ == module.__name__:
            yield name
