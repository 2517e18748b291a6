"""Jobs: puzzles with a question about them, answered in order by an executor that may lose some of them.

Whatever goes wrong with a job (its solver raised, its process died) is put down to as few puzzles as possible: the
job is tried once more, then halved until the puzzle that does it stands alone, and that one is `failed`.
"""

from __future__ import annotations

import gc
import logging
import threading
from collections import deque
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from megadoku import solvers
from megadoku.pipeline import logs, workplace
from megadoku.pipeline.crew import Crew
from megadoku.pipeline.errors import TaskError, WorkerDiedError, WorkerHungError, cut, told
from megadoku.solvers import Answers, Budget, Solver, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    Finish = Callable[["Job", Answers], "T"]

T = TypeVar("T")
GRACE_SECONDS = 1.0  # beyond its time budget, before a puzzle's process is killed
log = logging.getLogger(__name__)
_WARM_UP = np.array(
    [[0] * 9 + [(3 * row + row // 3 + column) % 9 + 1 for row in range(1, 9) for column in range(9)]], np.uint8
)
_warm: set[str] = set()  # solvers that this process has used before


@dataclass(frozen=True)
class Question:
    """What is asked about every puzzle."""

    solver: str
    limit: int = 2
    budget: Budget = field(default_factory=Budget)


@dataclass(frozen=True)
class Job:
    question: Question
    grids: NDArray[np.uint8]
    tag: Any = None  # whatever the caller wants to find again beside the answers
    number: int = 0  # of its block, for the log


class Serial(Executor):
    """No pool at all: a task is done when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def results(executor: Executor, jobs: Iterable[Job], finish: Finish[T], window: int) -> Iterator[T]:
    """`finish(job, answers)` of each job, in the order of the jobs; at most `window` of them are in memory at a time.

    Where workers share our memory, `finish` runs in the worker too, beside the next job; else it runs here.
    """
    pending: deque[tuple[Job, Future[Any]]] = deque()
    together = isinstance(executor, Serial | ThreadPoolExecutor)
    ask = partial(_submit_with, finish) if together else _submit
    for number, unnumbered in enumerate(jobs, start=1):
        job = replace(unnumbered, number=number)
        pending.append((job, ask(executor, job)))
        if len(pending) >= window:
            yield _settled(executor, *pending.popleft(), finish)
    while pending:
        yield _settled(executor, *pending.popleft(), finish)


def answered(executor: Executor, jobs: Iterable[Job], window: int) -> Iterator[tuple[Job, Answers]]:
    """Each job with its answers, in order."""
    return results(executor, jobs, lambda job, answers: (job, answers), window)


def _settled(executor: Executor, job: Job, future: Future[Any], finish: Finish[T]) -> T:
    outcome = _answers(executor, job, future)
    return finish(job, outcome) if isinstance(outcome, Answers) else outcome


def _answers(executor: Executor, job: Job, future: Future[Any]) -> Any:
    """What the future holds or, if it failed, answers with as few `failed` among them as can be."""
    try:
        return future.result()
    except WorkerDiedError as death:
        with logs.of_block(job.number):
            log.info("%s; its %d puzzles are tried again", death, len(job.grids))
    except WorkerHungError as hung:
        return _without(executor, job, hung)
    except TaskError as error:  # the solver's own doing; it would do it again, so there is no second try
        return _halved(executor, job, str(error))
    again = _submit(executor, job)
    try:
        return again.result()
    except TaskError as error:
        return _halved(executor, job, str(error))


def _halved(executor: Executor, job: Job, reason: str) -> Answers:
    if len(job.grids) == 1:
        return _failed(reason)
    middle = len(job.grids) // 2
    halves = [replace(job, grids=part) for part in (job.grids[:middle], job.grids[middle:])]
    return joined([_answers(executor, half, _submit(executor, half)) for half in halves])


def _without(executor: Executor, job: Job, hung: WorkerHungError) -> Answers:
    """The puzzle that hung is `exhausted`, the others are tried again."""
    guilty = max(0, hung.signs - 1)
    parts = [replace(job, grids=part) for part in (job.grids[:guilty], job.grids[guilty + 1 :])]
    before, after = (
        _answers(executor, part, _submit(executor, part)) if len(part.grids) else Answers.blank(0) for part in parts
    )
    spent = _failed(str(hung), Status.EXHAUSTED)
    spent.elapsed_ns[:] = int(1e9 * (job.question.budget.seconds or 0))  # at least; nobody looks quick for hanging
    return joined([before, spent, after])


def _failed(reason: str, status: Status = Status.FAILED) -> Answers:
    answers = Answers.blank(1)
    answers.refuse(0, status, reason)
    return answers


def joined(parts: list[Answers]) -> Answers:
    """The answers of neighbouring pieces of a block as those of one."""
    arrays = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in (entry.name for entry in fields(Answers))
        if name != "reasons"
    }
    offsets = np.cumsum([0, *(len(part) for part in parts)]).tolist()
    reasons = {
        offset + at: why for offset, part in zip(offsets, parts, strict=False) for at, why in part.reasons.items()
    }
    return Answers(**arrays, reasons=reasons)


def _submit(executor: Executor, job: Job) -> Future[Answers]:
    question = job.question
    arguments = (question.solver, job.grids, question.limit, question.budget, job.number)
    solver = solvers.get(question.solver)
    watches_itself = solver.releases_gil and not solver.times_each  # and is only itself with whole blocks
    if question.budget.seconds is None or watches_itself or not isinstance(executor, Crew):
        return executor.submit(solve_task, *arguments)
    return executor.submit(solve_one_by_one, *arguments, patience=question.budget.seconds + GRACE_SECONDS)


def _submit_with(finish: Finish[T], executor: Executor, job: Job) -> Future[T]:
    return executor.submit(_solve_and_finish, job, finish)


def _solve_and_finish(job: Job, finish: Finish[T]) -> T:
    question = job.question
    return finish(job, solve_task(question.solver, job.grids, question.limit, question.budget, job.number))


def solve_task(name: str, grids: NDArray[np.uint8], limit: int, budget: Budget, block: int = 0) -> Answers:
    """The work of a worker. What comes back is built here from plain arrays and strings, whatever the solver gave."""
    solver = solvers.get(name)
    with logs.of_block(block):
        if name not in _warm:
            _warm_up(name, solver, limit, budget)
        try:
            return _plain(_asked(solver, grids, limit, budget), len(grids))
        except TaskError:
            raise
        except BaseException as error:
            if _is_for_us(error):
                raise
            raise TaskError(cut(f"{name} raised {told(error)}")) from None


def _asked(solver: Solver, grids: NDArray[np.uint8], limit: int, budget: Budget) -> Answers:
    """A collection in the middle of a puzzle would be counted as that puzzle's time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return solver.solve_block(grids, limit, budget)
    finally:
        if was_on:
            gc.enable()


def _is_for_us(error: BaseException) -> bool:
    """Not the solver's doing but a signal, which Python raises in the main thread; workers let none get that far."""
    of_signal = not isinstance(error, Exception | SystemExit)
    return of_signal and threading.current_thread() is threading.main_thread() and not workplace.at_work()


def solve_one_by_one(name: str, grids: NDArray[np.uint8], limit: int, budget: Budget, block: int = 0) -> Answers:
    """The same with a time budget: each puzzle is announced, so that the parent knows which one does not end."""
    parts = [Answers.blank(0)]
    for position in range(len(grids)):
        workplace.show_life()
        parts.append(solve_task(name, grids[position : position + 1], limit, budget, block))
    return joined(parts)


def _warm_up(name: str, solver: Solver, limit: int, budget: Budget) -> None:
    """Once in each process: what a solver compiles, imports or builds for its first puzzle is no puzzle's time."""
    _warm.add(name)
    try:
        solver.solve_block(_WARM_UP.copy(), limit, budget)
    except BaseException as error:
        if _is_for_us(error):
            raise
        # the solver's own will be raised again where it can be put down to a puzzle


def _plain(said: Answers, n: int) -> Answers:
    """The same arrays, of the right shapes and types, or a TaskError that says which is wrong."""
    plain = Answers.blank(0)
    for entry in fields(Answers):
        if entry.name == "reasons":
            plain.reasons = {int(at): cut(str(why)) for at, why in said.reasons.items()}
            if not all(0 <= at < n for at in plain.reasons):
                raise TaskError("answers.reasons speaks of a puzzle that was not asked about")
            continue
        wanted, got = getattr(plain, entry.name), np.asarray(getattr(said, entry.name))
        shape = (n, *wanted.shape[1:])
        if got.shape != shape or got.dtype.kind not in "iu":
            raise TaskError(f"answers.{entry.name} is {got.dtype} {got.shape}, not {wanted.dtype} {shape}")
        setattr(plain, entry.name, np.ascontiguousarray(got, wanted.dtype))
        if wanted.dtype.kind == "i" and n and getattr(plain, entry.name).min() < 0:
            raise TaskError(f"answers.{entry.name} is below zero")
    return plain
