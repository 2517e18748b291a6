"""One worker process, as the thread that watches it sees it."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import threading
import time
import weakref
from multiprocessing import connection, resource_tracker
from typing import TYPE_CHECKING, Any

import psutil

from megadoku.pipeline import logs, workplace
from megadoku.pipeline.errors import TaskError, WorkerDiedError, WorkerHungError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GROWTH = 200 << 20  # bytes that a process may gain after its first task, before it is taken for one that leaks
LEAVE_SECONDS = 2.0  # for a process to go by itself
_STARTING = threading.Lock()  # one fork at a time: a pipe end that leaks into a sibling would hide a death
_our_ends: weakref.WeakSet[connection.Connection] = weakref.WeakSet()  # of all pipes; a forked worker closes its copies
log = logging.getLogger(__name__)


class Worker:
    """One process and our end of its pipe."""

    def __init__(self, context: Any) -> None:
        self._ready = self._gone = False
        self._first_size: int | None = None
        with _STARTING, _deaf(context):
            self._pipe, theirs = context.Pipe()
            lifeline, self._lifeline = context.Pipe(duplex=False)  # nothing is ever sent; its end says that we ended
            _our_ends.update((self._pipe, self._lifeline))
            level = logging.getLogger().level
            self._process = context.Process(target=_begin, args=(theirs, lifeline, level), daemon=True)
            self._process.start()
            self._death = _death_of(self._process)
            theirs.close()
            lifeline.close()

    @property
    def pid(self) -> int:
        return self._process.pid  # type: ignore[no-any-return]

    def is_ready(self, seconds: float) -> bool:
        """Has it settled in? Who has not yet is waited for."""
        if not self._ready and not self._gone:
            with contextlib.suppress(EOFError, OSError):
                self._ready = self._hear(time.monotonic() + seconds)[0] == "ready"
            if not self._ready and not self._gone:  # neither of itself nor killed by us
                log.warning("process %d did not get ready", self.pid)
        return self._ready and not self._gone

    def run(self, fn: Callable[..., Any], args: tuple[Any, ...], patience: float | None) -> Any:
        signs = 0
        try:
            self._pipe.send((fn, args))
            while True:
                kind, content = self._hear(None if patience is None else time.monotonic() + patience)
                if kind == "done":
                    return content
                if kind == "raised":
                    raise TaskError(content)
                signs += 1
        except TaskError:
            raise
        except TimeoutError:
            self.kill()
            raise WorkerHungError(signs) from None
        except (EOFError, OSError) as error:
            connection.wait([self._death], 1)
            self.kill()
            raise WorkerDiedError(f"the worker process {self._epitaph()}") from error
        except BaseException:
            self.kill()  # or its answer would be taken for that to the next task
            raise

    def _hear(self, deadline: float | None) -> tuple[str, Any]:
        """The next thing it says. A log record is handled on the way and is no sign of life: hanging may be chatty."""
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            heard = connection.wait([self._pipe, self._death], left)
            if self._pipe not in heard:
                raise EOFError if heard else TimeoutError
            kind, content = self._pipe.recv()
            if kind != "log":
                return kind, content
            logs.handle(content)
            if left == 0:
                raise TimeoutError

    def has_grown(self) -> bool:
        """Beyond what it held after its first task: what a solver imports and builds for that is no leak."""
        try:
            size: int = psutil.Process(self.pid).memory_info().rss
        except psutil.Error:
            return False
        if self._first_size is None:
            self._first_size = size
        return size > self._first_size + GROWTH

    def pin(self, core: int) -> None:
        """Keep the process on one core: moving costs it its caches, and two on one core would time each other."""
        with contextlib.suppress(OSError):
            os.sched_setaffinity(self.pid, {core})

    def dismiss(self) -> None:
        """Ask the process to go, and hear what it still has to log; whoever does not go is killed."""
        deadline = time.monotonic() + LEAVE_SECONDS
        with contextlib.suppress(EOFError, OSError):
            self._pipe.send_bytes(workplace.GO_HOME)
            while not self._gone:
                self._hear(deadline)
        self.kill()

    def kill(self) -> None:
        """End the process, and whatever a solver started in it."""
        if not self._gone:
            self._gone = True
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)  # before the process is joined, while its number is still its own
        self._process.kill()
        self._process.join()

    def _epitaph(self) -> str:
        code = self._process.exitcode
        if code is None:
            return "closed its pipe"
        if code >= 0:
            return f"exited with {code}"
        known = {number.value: number.name for number in signal.Signals}
        return f"died of {known.get(-code, f'signal {-code}')}"


@contextlib.contextmanager
def _deaf(context: Any) -> Iterator[None]:
    """While a process starts, which would die of a signal or print a traceback before it can say otherwise."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    if context.get_start_method() != "fork":
        resource_tracker.ensure_running()  # else it is started below, and opens the ears again, but for a hang-up
    signal.pthread_sigmask(signal.SIG_BLOCK, workplace.PARENTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(pipe: connection.Connection, lifeline: connection.Connection, log_level: int) -> None:
    """In the new process. A fork has copied our ends of all pipes, and a copy would hide our end from the others."""
    for end in list(_our_ends):
        end.close()
    workplace.work(pipe, lifeline, log_level)


def _death_of(process: Any) -> connection.Connection | int:
    """Something to wait on that is ready when the process has ended, even if a child of it lives on.

    Both the worker's end of its pipe and the standard sentinel stay open in a child that a solver forks.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return connection.Connection(os.pidfd_open(process.pid), writable=False)  # which closes itself
    return process.sentinel  # type: ignore[no-any-return]
