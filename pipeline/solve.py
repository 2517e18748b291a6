"""`megadoku solve`: files in, one answered row out for every row in, in the same order."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from megadoku import datasets, solvers
from megadoku.pipeline import checker, identity, progress
from megadoku.pipeline.errors import UsageError
from megadoku.pipeline.jobs import Job, Question, results
from megadoku.pipeline.output import Output, open_output
from megadoku.pipeline.pace import Pace
from megadoku.pipeline.pool import Kind, default_workers, executor
from megadoku.pipeline.rejects import Reject, Rejects, rejects_of
from megadoku.pipeline.summary import Summary
from megadoku.solvers import Answers, Budget, Status
from megadoku.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from megadoku.datasets import Block, Meter
    from megadoku.pipeline.kept import Kept

MOST_NODES = (1 << 63) - 1  # that compiled code can count
FOREVER = 1e8  # seconds; systems wait no longer than some of these
BLOCKS_AHEAD = 2
BLOCKS_PER_WORKER = 3  # one being solved, one waiting, one on its way back


@dataclass(frozen=True)
class SolveOptions:
    inputs: Sequence[str]
    output: str
    solver: str = solvers.DEFAULT
    workers: int = field(default_factory=default_workers)
    first: bool = False
    column: str | None = None
    format: str | None = None
    keep_columns: bool = False
    max_nodes: int | None = None
    timeout: float | None = None
    executor: Kind = "auto"
    start_method: str | None = None
    progress: bool | None = None
    force: bool = False
    resume: bool = False
    rejects: str | None = None
    block_rows: int | None = None

    @property
    def question(self) -> Question:
        nodes = None if self.max_nodes is None else min(self.max_nodes, MOST_NODES)
        seconds = self.timeout if self.timeout is not None and self.timeout < FOREVER else None
        return Question(self.solver, 1 if self.first else 2, Budget(nodes, seconds))

    @property
    def rows_a_block(self) -> int:
        """Compiled solvers eat blocks in milliseconds; what others get is cut further, at their pace."""
        return self.block_rows or (24_576 if self.compiled else 1024)

    @property
    def compiled(self) -> bool:
        return solvers.get(self.solver).releases_gil

    def plan(self) -> dict[str, Any]:
        """All that the output depends on: a run may be resumed only where this is the same."""
        return {
            "megadoku": VERSION,
            "inputs": identity.of_inputs(self.inputs),
            "solver": self.solver,
            "solver version": solvers.entry_of(self.solver).version,  # of its file, where it comes from one
            "first": self.first,
            "column": self.column,
            "format": self.format,
            "keep_columns": self.keep_columns,
            "rejects": self.rejects,
            "max_nodes": self.max_nodes,
            "timeout": self.timeout,
        }


def solve_files(options: SolveOptions) -> Summary:
    """Read, solve, check, write."""
    started = perf_counter()
    _keep_apart(options)
    if options.resume and not identity.can_be_read_again(options.inputs):
        raise UsageError("standard input and pipes cannot be read again, so there is nothing to resume")
    watched = identity.Watched(options.inputs)
    meter = datasets.Meter(options.inputs) if progress.is_shown(options.progress) else None
    first, blocks = _started(_read(options, meter))
    with (
        executor([options.solver], options.workers, options.executor, options.start_method) as pool,
        open_output(options.output, options.plan(), options.force, options.resume, _kept(options, first)) as output,
        contextlib.closing(Rejects(options.rejects, output.done, options.force)) as rejects,
        progress.bar(None, "rows", options.progress, output.done.rows) as bar,
    ):
        output.before_checkpoint = rejects.sync
        summary = output.done
        pace = Pace()
        todo = ahead(after(blocks, summary.rows))
        jobs = (_job(block, options.question) for block in (todo if options.compiled else pace.cut(todo)))
        finish = partial(finished, output, options.question.limit)
        for done in results(pool, jobs, finish, options.workers * BLOCKS_PER_WORKER):
            pace.saw(done.summary.rows, done.solver_seconds)
            rejects.write(summary.rows, done.rejects)
            output.write(done.encoded, done.summary)
            summary.add(done.summary)
            progress.tell(bar, done.summary.rows, summary.statuses, meter)
        watched.check()
        rejects.finish()
    summary.seconds += perf_counter() - started
    return summary


def _keep_apart(options: SolveOptions) -> None:
    """An output must not be an input, nor another output."""
    outputs = {"the output": options.output, "--rejects": options.rejects}
    taken = {os.path.realpath(path): "an input" for path in identity.paths(options.inputs)}
    for what, name in outputs.items():
        if name is None or name == "-":
            continue
        if not Path(name).name:
            raise UsageError(f"{what}: {name!r} is no name of a file")
        other = taken.setdefault(os.path.realpath(name), what)
        if other != what:
            raise UsageError(f"{name}: is {other} and {what} at once, which not even --force allows; name another file")


def _read(options: SolveOptions, meter: Meter | None) -> Iterator[Block]:
    return datasets.read_blocks(
        options.inputs,
        column=options.column,
        format=options.format,
        keep_columns=options.keep_columns,
        block_rows=options.rows_a_block,
        meter=meter,
    )


def _started(blocks: Iterator[Block]) -> tuple[Block | None, Iterator[Block]]:
    """The first block, and all of them: an input that is none is refused before anything else is begun."""
    first = next(blocks, None)
    return first, blocks if first is None else itertools.chain([first], blocks)


def _kept(options: SolveOptions, first: Block | None) -> Kept | None:
    if not options.keep_columns:
        return None
    from megadoku.pipeline.kept import Kept  # for it alone, not for every start

    return Kept(first)


def ahead(blocks: Iterator[Block]) -> Iterator[Block]:
    """The same blocks, read in a thread of its own while others are solved and written."""
    reader = ThreadPoolExecutor(1, "reader")
    try:
        coming = deque(reader.submit(next, blocks, None) for _ in range(BLOCKS_AHEAD))
        while (block := coming.popleft().result()) is not None:
            coming.append(reader.submit(next, blocks, None))
            yield block
    finally:
        reader.shutdown(wait=False, cancel_futures=True)  # it may be waiting for a pipe that says nothing more


def after(blocks: Iterator[Block], rows: int) -> Iterator[Block]:
    """The blocks behind the first `rows` rows."""
    for block in blocks:
        if rows < len(block):
            yield block.part(rows, len(block))
        rows = max(0, rows - len(block))


def _job(block: Block, question: Question) -> Job:
    return Job(question, block.grids[block.accepted] if block.refused else block.grids, block)


@dataclass(frozen=True)
class Finished:
    """A block that is solved, checked and ready to be written."""

    encoded: Any
    summary: Summary
    rejects: list[Reject]
    solver_seconds: float


def finished(output: Output, limit: int, job: Job, said: Answers) -> Finished:
    block: Block = job.tag
    if solvers.wants_search(job.question.solver):
        checker.search_again(job.grids, said, limit)
    answers, known = settled(block, said, limit)
    timed = solvers.get(job.question.solver).times_each
    summary = Summary.of(block, answers, known, timed)
    seconds = float(answers.elapsed_ns.sum()) / 1e9
    return Finished(output.encode(block, answers), summary, rejects_of(block, answers), seconds)


def settled(block: Block, said: Answers, limit: int) -> tuple[Answers, checker.Known | None]:
    """The checked answers of a whole block: those of the solver in their places, refused rows invalid."""
    answers = _in_place(block, said) if block.refused else said
    return answers, checker.review(block.grids, answers, limit, block.known)


def _in_place(block: Block, said: Answers) -> Answers:
    accepted = block.accepted
    answers = Answers.blank(len(block))
    for name in ("solutions", "counts", "status", "nodes", "backtracks", "elapsed_ns"):
        getattr(answers, name)[accepted] = getattr(said, name)
    answers.reasons = {int(accepted[at]): why for at, why in said.reasons.items()}
    for position, reason in block.refused.items():
        answers.refuse(position, Status.INVALID, reason)
    return answers
