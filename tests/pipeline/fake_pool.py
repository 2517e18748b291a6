"""An executor that solves with one real solver and takes the time that it is told to."""

from __future__ import annotations

import contextlib
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any

from megadoku import solvers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from megadoku.pipeline.bench import BenchOptions


class FakePool(Executor):
    """Declared: the milliseconds that each puzzle takes each solver. `asked` remembers who was asked, in order."""

    def __init__(self, **milliseconds: float) -> None:
        self.milliseconds = milliseconds
        self.asked: list[str] = []
        self.blocks: list[int] = []
        self.lasts = 10**9  # tasks until the machine is switched off

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        name, grids, limit, budget, *_ = args
        self.lasts -= 1
        if self.lasts < 0:
            raise KeyboardInterrupt
        self.asked.append(name)
        self.blocks.append(len(grids))
        answers = solvers.get("bitmask").solve_block(grids, limit, budget)
        answers.elapsed_ns[:] = int(self.milliseconds[name] * 1e6)
        future: Future[Any] = Future()
        future.set_result(answers)
        return future

    @contextlib.contextmanager
    def open(self, options: BenchOptions) -> Iterator[Executor]:
        yield self
