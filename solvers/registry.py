"""The table of solvers: name, what it does, where it lives. Tests, help texts and reports read this table.

A new solver is one file and one row here. Modules are imported only when their solver is asked for.
"""

from __future__ import annotations

import difflib
import functools
import importlib
from dataclasses import dataclass

from megadoku.solvers.contract import Solver


@dataclass(frozen=True)
class Entry:
    """One row of the table."""

    name: str
    target: str  # module:class
    summary: str
    seed: bool = False  # one of the strategies that everybody starts from


ENTRIES = (
    Entry("naive", "naive:Naive", "first empty cell, digits 1 to 9, look along row, column and box", seed=True),
    Entry("scan-sets", "scan_sets:ScanSets", "first empty cell, candidates by set difference at every step", seed=True),
    Entry("sets", "sets:Sets", "free-digit sets of row, column and box, intersected", seed=True),
    Entry(
        "sorted-sets",
        "sorted_sets:SortedSets",
        "the same, cells sorted once by how many digits they start with",
        seed=True,
    ),
    Entry("marks", "marks:Marks", "boolean tables for row, column and box, list of empty cells", seed=True),
    Entry("preprocess", "preprocess:Preprocess", "naked singles until none is left, then marks", seed=True),
    Entry("mrv", "mrv:Mrv", "candidate sets, fewest first, forward checking with undo", seed=True),
    Entry("bitmask", "bitmask:Bitmask", "nine-bit masks, fewest first", seed=True),
    Entry("jit", "jit:Jit", "one puzzle at a time, singles to the end after every guess, compiled"),
    Entry("lanes", "lanes:Lanes", "32 puzzles at a time, in the lanes of the machine's vectors"),
)
NAMES = tuple(entry.name for entry in ENTRIES)
DEFAULT = "lanes"


class UnknownSolverError(LookupError):
    """A name that is not in the table; the message lists those that are."""


def entry_of(name: str) -> Entry:
    """The row of the table that has this name."""
    for entry in ENTRIES:
        if entry.name == name:
            return entry
    raise _unknown(name)


@functools.cache
def get(name: str) -> Solver:
    """The solver of that name."""
    module, _, attribute = entry_of(name).target.partition(":")
    solver = getattr(importlib.import_module(f"megadoku.solvers.{module}"), attribute)()
    assert isinstance(solver, Solver)
    return solver


def chosen(text: str) -> tuple[str, ...]:
    """The solvers that a list with commas names; `all` and `seeds` stand for several."""
    names: dict[str, None] = {}  # a set that keeps its order
    for name in text.split(","):
        group = {"all": NAMES, "seeds": tuple(entry.name for entry in ENTRIES if entry.seed)}.get(name.strip())
        names |= dict.fromkeys(group or (name.strip(),))
    for name in names:
        if name not in NAMES:
            raise _unknown(name)
    return tuple(names)


def _unknown(name: str) -> UnknownSolverError:
    likely = difflib.get_close_matches(name, NAMES, n=1)
    hint = f"; did you mean {likely[0]}?" if likely else "."
    return UnknownSolverError(f"no solver named {name!r}{hint} There are: {', '.join(NAMES)}")
