"""megadoku solves millions of sudoku, compares the algorithms that solve them, and draws the report.

The words, each defined once and used everywhere:

grid       81 cells, row by row, 0 = empty
puzzle     a grid to solve
solution   a full grid that keeps the puzzle's givens and breaks no rule
block      many puzzles as one ``(n, 81) uint8`` array, with the rows they came from
solver     one strategy behind one contract (``megadoku.solvers``)
node       one digit placed by search in one cell, whether it proves right or not; a deduced digit is no node
backtrack  one such placement undone
limit      how many solutions to look for: 1 finds, 2 proves unique, more counts
budget     the nodes and the seconds that one puzzle may cost
status     what became of a puzzle: solved, unique, multiple, unsolvable, invalid, exhausted or failed
run        one benchmark: solvers × data sets × repeats on one machine, in one folder of files that never change

The rooms: ``datasets`` turns bytes into blocks, ``solvers`` blocks into answers, ``pipeline`` blocks into results,
``reports`` results into pictures.
"""

from megadoku import version

TYPE_CHECKING = False  # importing typing for it would take longer than all that is here
if TYPE_CHECKING:
    from megadoku import errors
    from megadoku.api import solve, solve_board, solve_file

__all__ = ["errors", "solve", "solve_board", "solve_file"]
__version__ = version.VERSION


def __getattr__(name: str) -> object:
    """What is public is imported when it is asked for: a command sees to signals first."""
    import importlib

    if name == "errors":
        return importlib.import_module("megadoku.errors")
    if name in __all__:
        return getattr(importlib.import_module("megadoku.api"), name)
    raise AttributeError(f"module 'megadoku' has no attribute {name!r}")
