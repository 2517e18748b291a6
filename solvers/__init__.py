"""Block → answers: the contract, the registry, one file a strategy. Knows no other room."""

from megadoku.solvers.contract import Answers, Budget, Solver, Status, Strategy, Tally
from megadoku.solvers.foreign import UnknownSolverError
from megadoku.solvers.registry import DEFAULT, ENTRIES, NAMES, chosen, entry_of, get, wants_search

__all__ = [
    "DEFAULT",
    "ENTRIES",
    "NAMES",
    "Answers",
    "Budget",
    "Solver",
    "Status",
    "Strategy",
    "Tally",
    "UnknownSolverError",
    "chosen",
    "entry_of",
    "get",
    "wants_search",
]
