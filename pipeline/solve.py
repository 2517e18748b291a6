"""`megadoku solve`: files in, one answered row out for every row in, in the same order."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from megadoku import datasets, solvers
from megadoku.pipeline import checker, progress, writer
from megadoku.pipeline.jobs import Job, Question, answered
from megadoku.pipeline.pool import Kind, default_workers, executor
from megadoku.solvers import Answers, Budget, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from megadoku.datasets import Block

BLOCKS_PER_WORKER = 3  # one being solved, one waiting, one on its way back
EXAMPLES_KEPT = 5
_TROUBLE = (Status.INVALID, Status.EXHAUSTED, Status.FAILED)


@dataclass(frozen=True)
class SolveOptions:
    inputs: Sequence[str]
    output: str
    solver: str = solvers.DEFAULT
    workers: int = field(default_factory=default_workers)
    first: bool = False
    column: str | None = None
    max_nodes: int | None = None
    timeout: float | None = None
    executor: Kind = "auto"
    start_method: str | None = None
    progress: bool | None = None
    force: bool = False
    block_rows: int = 4096

    @property
    def question(self) -> Question:
        return Question(self.solver, 1 if self.first else 2, Budget(self.max_nodes, self.timeout))


@dataclass
class Summary:
    """What a person wants to know when it is over."""

    rows: int = 0
    seconds: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    known: int = 0  # rows whose input brought a solution
    known_wrong: int = 0  # of those, where that solution does not complete the puzzle
    examples: list[str] = field(default_factory=list)  # of rows that were refused or failed

    def lines(self, output: str) -> Iterator[str]:
        rate = self.rows / self.seconds if self.seconds else 0.0
        where = "standard output" if output == "-" else output
        yield f"{self.rows:,} rows in {self.seconds:,.1f} s ({rate:,.0f} rows/s) to {where}"
        yield ", ".join(f"{count:,} {name}" for name, count in self.statuses.most_common()) or "no rows"
        if self.known:
            yield f"{self.known - self.known_wrong:,} of the input's {self.known:,} own solutions are right"
        yield from self.examples
        unlisted = sum(self.statuses[str(bad)] for bad in _TROUBLE) - len(self.examples)
        if unlisted > 0:
            yield f"and {unlisted:,} more like these: see the reason column"

    @property
    def clean(self) -> bool:
        """Is every row a puzzle that was answered?"""
        return not any(self.statuses[str(bad)] for bad in _TROUBLE)


def solve_files(options: SolveOptions) -> Summary:
    """Read, solve, check, write."""
    summary = Summary()
    started = perf_counter()
    blocks = _started(datasets.read_blocks(options.inputs, column=options.column, block_rows=options.block_rows))
    with (
        executor([options.solver], options.workers, options.executor, options.start_method) as pool,
        writer.open_sink(options.output, options.force) as sink,
        progress.bar(progress.estimated_rows(options.inputs), "rows", options.progress) as bar,
    ):
        jobs = (Job(options.question, block.grids[block.accepted], block) for block in blocks)
        for job, said in answered(pool, jobs, options.workers * BLOCKS_PER_WORKER):
            block: Block = job.tag
            answers = settle(block, said, options.question.limit)
            sink.write_batch(as_batch(block, answers))
            _count(summary, block, answers)
            bar.update(len(block))
            bar.set_postfix(refused=summary.statuses[str(Status.INVALID)], refresh=False)
    summary.seconds = perf_counter() - started
    return summary


def _started(blocks: Iterator[Block]) -> Iterator[Block]:
    """The same blocks, the first already read: an input that is none is refused before anything else is begun."""
    return itertools.chain(list(itertools.islice(blocks, 1)), blocks)


def settle(block: Block, said: Answers, limit: int) -> Answers:
    """The checked answers of a whole block: those of the solver in their places, refused rows invalid."""
    accepted = block.accepted
    checker.review(block.grids[accepted], said, limit, None if block.known is None else block.known[accepted])
    answers = Answers.blank(len(block))
    for name in ("solutions", "counts", "status", "nodes", "backtracks", "elapsed_ns"):
        getattr(answers, name)[accepted] = getattr(said, name)
    answers.reasons = {int(accepted[at]): why for at, why in said.reasons.items()}
    for position, reason in block.refused.items():
        answers.refuse(position, Status.INVALID, reason)
    return answers


_STATUS_NAMES = np.array(["", *(str(status) for status in Status)])


def as_batch(block: Block, answers: Answers) -> pa.RecordBatch:
    reasons = [answers.reasons.get(position) for position in range(len(block))] if answers.reasons else None
    return pa.RecordBatch.from_arrays(
        [
            block.texts,
            grid_texts(answers.solutions),
            pa.array(_STATUS_NAMES[answers.status], pa.string()),
            pa.array(answers.nodes),
            pa.array(reasons, pa.string()) if reasons else pa.nulls(len(block), pa.string()),
        ],
        schema=writer.SCHEMA,
    )


def grid_texts(grids: NDArray[np.uint8]) -> pa.StringArray:
    """Full grids as 81 digits, null where there is none."""
    present = grids[:, 0] != 0
    text = np.ascontiguousarray(grids + np.uint8(ord("0")))
    fixed = pa.FixedSizeBinaryArray.from_buffers(pa.binary(81), len(grids), [None, pa.py_buffer(text)])
    strings = fixed.cast(pa.binary()).cast(pa.string())
    return strings if present.all() else pa.compute.if_else(pa.array(present), strings, None)


def _count(summary: Summary, block: Block, answers: Answers) -> None:
    summary.rows += len(block)
    numbers, counts = np.unique(answers.status, return_counts=True)
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        summary.statuses[str(Status(number))] += count
    if block.known is not None:
        brought = block.known.any(axis=1)
        summary.known += int(brought.sum())
        summary.known_wrong += int((brought & ~checker.completes(block.grids, block.known)).sum())
    summary.examples.extend(_complaints(block, answers, EXAMPLES_KEPT - len(summary.examples)))


def _complaints(block: Block, answers: Answers, wanted: int) -> Iterator[str]:
    for position in sorted(answers.reasons)[: max(wanted, 0)]:
        status = Status(int(answers.status[position]))
        yield f"{block.source}, line {block.lines[position]}: {status}: {answers.reasons[position]}"
