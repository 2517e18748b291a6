"""What the contract promises, one function each, asked of any solver from outside.

A function's docstring is the promise. It ends quietly where the promise is kept and raises `Broken` where it is not,
with what the solver's author should know.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from megadoku.pipeline import checker
from megadoku.solvers import Answers, Budget, Solver, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

ARRAYS = ("solutions", "counts", "status", "nodes", "backtracks", "elapsed_ns")
COUNTED = {  # puzzles and how many solutions they have; the last is not to be had without search
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79": 1,
    ".2..41...6.....2...4125.69...6.82..4....6.3.....43.9..192......7..9.4...4.582..1.": 1,
    "..943....3.86.971..5........91.....3.3....5.746..23198274.65.......87..9.8.3.1...": 0,
    ".6.....53....8....7.2..1.9...7......325.1.4.9..945637.4..8..63....3...4......4..8": 5,
}
PROMISES: list[Callable[[Solver], None]] = []


class Broken(Exception):  # noqa: N818  it is no error of ours
    """A promise that is not kept, and what was seen."""


def promise(function: Callable[[Solver], None]) -> Callable[[Solver], None]:
    PROMISES.append(function)
    return function


def expect(kept: bool, otherwise: str) -> None:
    if not kept:
        raise Broken(otherwise)


def block(*texts: str) -> NDArray[np.uint8]:
    return np.array([[int(mark) for mark in text.replace(".", "0")] for text in texts], np.uint8).reshape(-1, 81)


PUZZLES = block(*COUNTED)
EMPTY = np.zeros((1, 81), np.uint8)
EASY, SEARCHED = PUZZLES[:1], PUZZLES[3:]


@promise
def answers_have_the_right_shapes(solver: Solver) -> None:
    """It gives Answers whose arrays have the contract's shapes and types, for no puzzle and for several."""
    for n in (0, 1, len(PUZZLES)):
        answers, blank = solver.solve_block(PUZZLES[:n].copy()), Answers.blank(n)
        for name in ARRAYS:
            got, wanted = np.asarray(getattr(answers, name, None)), getattr(blank, name)
            seen, due = f"{got.dtype} {got.shape}", f"{wanted.dtype} {wanted.shape}"
            expect(seen == due, f"answers.{name} of {n} puzzles is {seen}, not {due}")


@promise
def finds_a_solution(solver: Solver) -> None:
    """With limit 1 it finds a solution where there is one: status solved; unsolvable where there is none."""
    answers = solver.solve_block(PUZZLES.copy(), 1)
    _expect_status(answers, [Status.SOLVED if count else Status.UNSOLVABLE for count in COUNTED.values()])
    _expect_solutions(PUZZLES, answers)


@promise
def proves_uniqueness(solver: Solver) -> None:
    """With limit 2 it tells unique from multiple and from unsolvable, and counts 1, 2 and 0."""
    answers = solver.solve_block(PUZZLES.copy(), 2)
    counts = [min(count, 2) for count in COUNTED.values()]
    by_count = [Status.UNSOLVABLE, Status.UNIQUE, Status.MULTIPLE]
    _expect_status(answers, [by_count[count] for count in counts])
    expect(answers.counts.tolist() == counts, f"counts are {answers.counts.tolist()}, not {counts}")
    _expect_solutions(PUZZLES, answers)


@promise
def counts_no_further_than_asked(solver: Solver) -> None:
    """It stops counting at the limit, whatever that is."""
    for limit in range(1, min(8, solver.counts_to) + 1):
        count = int(solver.solve_block(SEARCHED.copy(), limit).counts[0])
        expect(count == min(limit, 5), f"of 5 solutions it counted {count} with a limit of {limit}")


@promise
def refuses_givens_that_clash(solver: Solver) -> None:
    """Givens that clash are invalid, with a reason and without a search; their neighbours are solved all the same."""
    clash = block("7" * 2 + "." * 79)
    answers = solver.solve_block(np.concatenate([clash, EASY]), 2)
    _expect_status(answers, [Status.INVALID, Status.UNIQUE])
    expect(bool(answers.reasons.get(0)), "answers.reasons says nothing about it")


@promise
def leaves_full_grids_alone(solver: Solver) -> None:
    """A full grid is its own solution, found without a node."""
    full = solver.solve_block(EASY.copy()).solutions
    answers = solver.solve_block(full.copy(), 2)
    _expect_status(answers, [Status.UNIQUE])
    expect((answers.solutions == full).all().item(), "its solution is another grid")
    expect(int(answers.nodes[0]) == 0, f"it counted {answers.nodes[0]} nodes")


@promise
def keeps_a_node_budget(solver: Solver) -> None:
    """It stops after the nodes of its budget: exhausted, with exactly so many nodes, and a reason."""
    if not solver.counts_nodes:
        return
    needed = int(solver.solve_block(SEARCHED.copy(), 2).nodes[0])
    expect(needed > 1, f"a puzzle that cannot be solved without search took {needed} nodes: count with tally.node()")
    answers = solver.solve_block(SEARCHED.copy(), 2, Budget(nodes=needed - 1))
    _expect_status(answers, [Status.EXHAUSTED])
    expect(int(answers.nodes[0]) == needed - 1, f"with {needed - 1} nodes to spend it counted {answers.nodes[0]}")
    expect(bool(answers.reasons.get(0)), "answers.reasons says nothing about it")


@promise
def keeps_a_time_budget(solver: Solver) -> None:
    """It stops when the seconds of its budget are over: exhausted, within a second of them."""
    limit = min(10**9, solver.counts_to)
    if limit < 10**9:
        return
    started = time.perf_counter()
    answers = solver.solve_block(EMPTY.copy(), limit, Budget(seconds=0.1))
    took = time.perf_counter() - started
    _expect_status(answers, [Status.EXHAUSTED])
    expect(took < 1.1, f"with 0.1 s to spend it took {took:.1f} s")


@promise
def puzzles_do_not_disturb_each_other(solver: Solver) -> None:
    """A puzzle has the same answer alone, among others, and the second time."""
    together = solver.solve_block(PUZZLES.copy(), 2)
    for position in range(len(PUZZLES)):
        alone = solver.solve_block(PUZZLES[position : position + 1].copy(), 2)
        names = ["counts", "status", "nodes", "backtracks"]
        for name in [*names, "solutions"] if solver.repeatable else names:
            same = (getattr(alone, name)[0] == getattr(together, name)[position]).all().item()
            expect(same, f"puzzle {position + 1} alone has other {name}")


@promise
def leaves_its_input_alone(solver: Solver) -> None:
    """It does not write into the block that it is given."""
    grids = PUZZLES.copy()
    solver.solve_block(grids, 2)
    expect((grids == PUZZLES).all().item(), "the block was changed")


@promise
def refuses_what_is_no_block(solver: Solver) -> None:
    """It raises ValueError for what is no (n, 81) uint8 block, and for a limit below 1."""
    wrong: list[tuple[Any, int]] = [(np.zeros((1, 80), np.uint8), 1), (np.zeros((1, 81), np.int64), 1), (EMPTY, 0)]
    for grids, limit in wrong:
        try:
            solver.solve_block(grids, limit)
        except ValueError:
            continue
        raise Broken(f"it took {grids.shape} {grids.dtype} with a limit of {limit}")


@promise
def times_add_up(solver: Solver) -> None:
    """The times of the puzzles add up to no more than passed, and to most of it."""
    grids = np.repeat(PUZZLES, 25, axis=0)
    solver.solve_block(grids[:1])
    started = time.perf_counter_ns()
    told = int(solver.solve_block(grids).elapsed_ns.sum())
    passed = time.perf_counter_ns() - started
    expect(told <= passed, f"it tells of {told / 1e6:.2f} ms where {passed / 1e6:.2f} ms passed")
    expect(told > passed / 4, f"it tells of {told / 1e6:.2f} ms only, and {passed / 1e6:.2f} ms passed")


def _expect_status(answers: Answers, wanted: list[Status]) -> None:
    for position, (got, due) in enumerate(zip(answers.status.tolist(), wanted, strict=True)):
        said = str(Status(got)) if got in list(Status) else f"status {got}"
        expect(got == due, f"puzzle {position + 1} is {due}, it says {said}")


def _expect_solutions(puzzles: NDArray[np.uint8], answers: Answers) -> None:
    right = checker.completes(puzzles, answers.solutions[: len(puzzles)])
    for position, count in enumerate(COUNTED.values()):
        expect(bool(right[position]) == (count > 0), f"its grid for puzzle {position + 1} is no solution of it")
