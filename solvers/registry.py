"""The table of solvers: name, what it does, where it lives. Tests, help texts and reports read this table.

A new solver is one file and one row here. Modules are imported only when their solver is asked for. Installed peers
and entry points of other packages join the table by themselves; a target (`my.py:Mine`) works wherever a name does.
"""

from __future__ import annotations

import difflib
import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from megadoku.solvers import foreign
from megadoku.solvers.foreign import UnknownSolverError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from megadoku.solvers.contract import Solver

ROOM = "megadoku.solvers"


@dataclass(frozen=True)
class Entry:
    """One row of the table."""

    name: str
    target: str  # module:class; our own modules without the room's name
    summary: str
    seed: bool = False  # one of the strategies that everybody starts from
    needs: str = ""  # the package that a peer adapts
    version: str = ""  # of what is not ours
    own: bool = True  # one of this room


OURS = (
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
    Entry("dlx", "dlx:Dlx", "exact cover, dancing links"),
    Entry("propagate", "propagate:Propagate", "naked and hidden singles to the end after every guess"),
    Entry("jit", "jit:Jit", "one puzzle at a time, singles to the end after every guess, compiled"),
    Entry("lanes", "lanes:Lanes", "32 puzzles at a time, in the lanes of the machine's vectors"),
)
PEERS = (
    Entry("cadical", "peers.cadical:Cadical", "PySAT's CaDiCaL, which keeps what it learns", needs="python-sat"),
    Entry("cp-sat", "peers.cp_sat:CpSat", "the constraint solver of OR-Tools", needs="ortools"),
    Entry("exact-cover", "peers.exact_cover:ExactCover", "dancing links in C", needs="exact-cover"),
    Entry("py-sudoku", "peers.py_sudoku:PySudoku", "fewest candidates first, plain Python", needs="py-sudoku"),
)
DEFAULT = "lanes"


def _installed_peers() -> Iterator[Entry]:
    for entry in PEERS:
        version = foreign.installed_version(entry.needs)
        if version is not None:
            yield replace(entry, version=version)


def _plugins(taken: set[str]) -> Iterator[Entry]:
    """A name that is taken stays with who had it first."""
    for point in foreign.entry_points():
        if point.name not in taken:
            version = point.dist.version if point.dist else ""
            summary = f"from {point.dist.name if point.dist else point.value}"
            yield Entry(point.name, point.value, summary, version=version, own=False)


ENTRIES = (*OURS, *_installed_peers(), *_plugins({entry.name for entry in (*OURS, *PEERS)}))
NAMES = tuple(entry.name for entry in ENTRIES)
GROUPS = {
    "all": NAMES,
    "seeds": tuple(entry.name for entry in OURS if entry.seed),
    "ours": tuple(entry.name for entry in OURS),
}


def entry_of(name: str) -> Entry:
    """The row of the table that has this name, or a new one for a target."""
    for entry in ENTRIES:
        if entry.name == name:
            return entry
    if ":" in name:
        summary = foreign.summary_of(name)  # first, because it says what is wrong with the target
        return Entry(name, name, summary, version=foreign.version_of(name), own=False)
    raise _unknown(name)


@functools.cache
def get(name: str) -> Solver:
    """The solver of that name, or that a target leads to."""
    entry = entry_of(name)
    return foreign.load(f"{ROOM}.{entry.target}" if entry.own else entry.target)


def wants_search(name: str) -> bool:
    """Is its word on how many solutions there are searched again? Our compiled ones are faster than that search."""
    return not (entry_of(name).own and get(name).releases_gil)


def chosen(text: str) -> tuple[str, ...]:
    """The solvers that a list with commas names; `all`, `ours` and `seeds` stand for several."""
    names: dict[str, None] = {}  # a set that keeps its order
    for name in text.split(","):
        names |= dict.fromkeys(GROUPS.get(name.strip(), (name.strip(),)))
    for name in names:
        entry_of(name)
    return tuple(names)


def _unknown(name: str) -> UnknownSolverError:
    likely = difflib.get_close_matches(name, NAMES, n=1)
    hint = f"; did you mean {likely[0]}?" if likely else "."
    return UnknownSolverError(f"no solver named {name!r}{hint} There are: {', '.join(NAMES)}")
