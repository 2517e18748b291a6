"""The package as functions: `solve` for puzzles in memory, `solve_file` for the command, `solve_board` for LeetCode.

Heavy imports wait inside: `import megadoku` itself costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    from megadoku.pipeline.jobs import Job
    from megadoku.pipeline.summary import Summary
    from megadoku.solvers import Answers

BLOCK = 16_384


def solve(puzzles: Any, *, solver: str | None = None, unique: bool = False) -> Any:
    """Solutions of puzzles, in the kind they came in.

    A string gives a string; a list of strings a list; a pandas column a column with its index and name; a numpy array
    of texts or of (81,), (9, 9), (n, 81) or (n, 9, 9) digits an array; nine lists of nine a board, as a new one. Blanks
    may be any sign that files may have. What has no solution is None (an empty text in an array of texts, all zero in
    one of digits), and so is, with `unique`, what has several. A `PuzzleError`, which is a ValueError, says which is no
    puzzle and why; a TypeError what cannot hold any.
    """
    from megadoku import kinds

    taken = kinds.apart(puzzles)
    return taken.together(_solved(taken.puzzles, solver, 2 if unique else 1))


def _solved(puzzles: Sequence[Any] | NDArray[Any], solver: str | None, limit: int) -> NDArray[np.uint8]:
    """Checked solutions, all zero where there is none to give. Many are solved in threads, where the solver can."""
    import numpy as np

    from megadoku import kinds, solvers
    from megadoku.pipeline import jobs, pool

    name = solver or solvers.DEFAULT
    many = len(puzzles) > BLOCK and solvers.get(name).releases_gil
    workers = pool.default_workers() if many else 1
    question = jobs.Question(name, limit)

    def asked() -> Iterator[Job]:
        for start in range(0, len(puzzles), BLOCK):
            yield jobs.Job(question, kinds.grids_of(puzzles, start, start + BLOCK), start)

    with pool.executor([name], workers, "threads" if many else "serial") as executor:
        blocks = list(jobs.results(executor, asked(), _checked, workers * 3))
    return np.concatenate(blocks) if blocks else np.zeros((0, 81), np.uint8)


def _checked(job: Job, answers: Answers) -> NDArray[np.uint8]:
    from megadoku import solvers
    from megadoku.pipeline import checker
    from megadoku.pipeline.errors import PuzzleError, SolverFailedError
    from megadoku.solvers import Status

    if solvers.wants_search(job.question.solver):
        checker.search_again(job.grids, answers, job.question.limit)
    checker.review(job.grids, answers, job.question.limit)
    for position in sorted(answers.reasons):
        kind = SolverFailedError if answers.status[position] == Status.FAILED else PuzzleError
        raise kind(f"puzzle {job.tag + position + 1}: {answers.reasons[position]}")
    answers.solutions[answers.status == Status.MULTIPLE] = 0
    return answers.solutions


def solve_file(
    *inputs: str | PathLike[str], output: str | PathLike[str], strict: bool = False, **options: Any
) -> Summary:
    """The command `megadoku solve` as a function; says what the command's last lines say.

    Options are the command's, as the fields of `pipeline.solve.SolveOptions`. Where the command exits with a code, this
    raises an error of `megadoku.errors`: 1 NotMetError, 2 UsageError, InputError or UnknownSolverError, 3
    BrokenInputError (an InputError), 4 OutputError, 5 BusyError.
    """
    from megadoku.pipeline.solve import SolveOptions, solve_files

    summary = solve_files(SolveOptions(inputs=list(map(str, inputs)), output=str(output), **options))
    if strict:
        summary.insist()
    return summary


def solve_board(board: list[list[str]]) -> None:
    """Solve a LeetCode board in place. A board that is none, or that has no solution, is left alone: a ValueError."""
    from megadoku.pipeline.errors import PuzzleError

    if [len(row) for row in board] != [9] * 9 or not all(mark in list(".123456789") for row in board for mark in row):
        raise PuzzleError("a board is nine lists of nine strings, each '1' to '9' or '.'")
    solved = solve(board, solver="bitmask")  # no compiling for one board
    if solved is None:
        raise PuzzleError("the board has no solution")
    for row, digits in zip(board, solved, strict=True):
        row[:] = digits
