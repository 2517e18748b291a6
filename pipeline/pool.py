"""Which executor runs a solver: threads where it releases the GIL, or none at all for one worker; else processes."""

from __future__ import annotations

import contextlib
import os
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal

from megadoku import solvers
from megadoku.pipeline import logs
from megadoku.pipeline.crew import Crew
from megadoku.pipeline.jobs import Serial

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Kind = Literal["auto", "serial", "threads", "processes"]


def default_workers() -> int:
    """The cores this process may use, which in a container are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def executor(
    names: Sequence[str], workers: int, kind: Kind = "auto", start_method: str | None = None, *, pin: bool = False
) -> Iterator[Executor]:
    """An executor for these solvers, on a core for each process if pinned. An exception in it stops what is running."""
    kind = _suitable(names, workers) if kind == "auto" else kind
    logs.name_blocks()
    for name in names:
        solvers.get(name)  # an unknown name is said here, and what compiles does so once, before workers start
    if kind == "processes":
        with Crew(workers, start_method, pin=pin) as crew:
            yield crew
    elif kind == "threads":
        with _prints_aside(), ThreadPoolExecutor(workers, "solver") as threads:
            try:
                yield threads
            except BaseException:
                threads.shutdown(wait=False, cancel_futures=True)
                raise
    else:
        with _prints_aside():
            yield Serial()


def _suitable(names: Sequence[str], workers: int) -> Kind:
    """Compiled solvers stay in this process. Others may crash or hang, which even one of them does better elsewhere."""
    if not all(solvers.get(name).releases_gil for name in names):
        return "processes"
    return "serial" if workers == 1 else "threads"


class _Aside:
    """Standard output, except that what is printed while a block is solved goes to standard error."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def write(self, text: str) -> Any:
        return (sys.stderr if logs.in_block() else self._real).write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@contextlib.contextmanager
def _prints_aside() -> Iterator[None]:
    """Solvers in this process share its standard output with the answers, which go to the buffer behind it."""
    real = sys.stdout
    sys.stdout = _Aside(real)
    try:
        yield
    finally:
        sys.stdout = real
