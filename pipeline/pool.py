"""Which executor runs a solver: threads where it releases the GIL, processes elsewhere, none at all for one worker."""

from __future__ import annotations

import contextlib
import os
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal

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
    for name in names:
        solvers.get(name)  # an unknown name is said here, and what compiles does so once, before workers start
    if kind == "processes":
        with logs.carried_home(start_method), Crew(workers, start_method, pin=pin) as crew:
            yield crew
    elif kind == "threads":
        with ThreadPoolExecutor(workers, "solver") as threads:
            try:
                yield threads
            except BaseException:
                threads.shutdown(wait=False, cancel_futures=True)
                raise
    else:
        yield Serial()


def _suitable(names: Sequence[str], workers: int) -> Kind:
    if workers == 1:
        return "serial"
    return "threads" if all(solvers.get(name).releases_gil for name in names) else "processes"
