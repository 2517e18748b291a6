"""A crew: worker processes behind the standard Executor interface, of which one may die without the others noticing.

    submit ──► queue ──► thread 0 ◄── pipe ──► process 0
                    └──► thread 1 ◄── pipe ──► process 1

Each process has a pipe and a watching thread of its own. A death is seen at once, fails exactly the task that was in
that process, and is mended by a new process. The pools of the standard library cannot do this (one hangs, the other
fails every pending task), and a pool whose workers share a pipe breaks when one is killed in the middle of a message.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import logging
import multiprocessing
import os
import queue
import resource
import signal
import sys
import threading
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any

import psutil

from megadoku.pipeline import logs

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

_PR_SET_PDEATHSIG = 1
_STARTING = threading.Lock()  # one fork at a time: a pipe end that leaks into a sibling would hide a death
WORKER_MEMORY = psutil.virtual_memory().total // 2  # bytes of data that one worker may add to what it started with
log = logging.getLogger(__name__)


class TaskError(Exception):
    """A task did not end well: it raised, or its process died. Carries text only, never an object a solver made."""


class WorkerDiedError(TaskError):
    """The process that had the task is gone."""


class WorkerHungError(TaskError):
    """The process was killed because it showed no sign of life for longer than the task allows."""

    def __init__(self, signs: int) -> None:
        super().__init__("the solver did not stop when its time was up, and its process was killed")
        self.signs = signs  # of life that it had shown before


class Crew(Executor):
    def __init__(self, workers: int, start_method: str | None = None, *, pin: bool = False) -> None:
        self._context = multiprocessing.get_context(start_method)
        self._log_level = logging.getLogger().level
        self._tasks: queue.SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...], float | None] | None] = (
            queue.SimpleQueue()
        )
        self._closed = False
        self._cores = sorted(os.sched_getaffinity(0)) if pin and hasattr(os, "sched_getaffinity") else []
        self._crew = [
            self._hire(seat) for seat in range(workers)
        ]  # all of them before the first thread: fork copies one
        self._threads = [
            threading.Thread(target=self._serve, args=(seat,), name=f"crew-{seat}", daemon=True)
            for seat in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """`patience=S` kills the worker when the task has not called `show_life` for S seconds."""
        if self._closed:
            raise RuntimeError("the crew has gone home")
        patience: float | None = kwargs.pop("patience", None)
        if kwargs:
            raise TypeError("tasks take positional arguments only")
        future: Future[Any] = Future()
        self._tasks.put((future, fn, args, patience))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed = True
        while cancel_futures and not self._tasks.empty():
            task = self._tasks.get()
            if task is not None:
                task[0].cancel()
        for _ in self._threads:
            self._tasks.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def kill(self) -> None:
        """Stop at once: what is running is lost, and no process is left."""
        self._closed = True
        for worker in self._crew:
            worker.kill()
        self.shutdown(wait=False, cancel_futures=True)

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.shutdown()
        else:
            self.kill()

    def _hire(self, seat: int) -> _Worker:
        worker = _Worker(self._context, self._log_level)
        if self._cores:
            worker.pin(self._cores[seat % len(self._cores)])
        return worker

    def _serve(self, seat: int) -> None:
        """The life of one watching thread: hand the next task over, wait for its end, mend what broke."""
        while (task := self._tasks.get()) is not None:
            future, fn, args, patience = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(self._crew[seat].run(fn, args, patience))
            except (WorkerDiedError, WorkerHungError) as death:
                if not self._closed:
                    log.warning("%s; another takes its place", death)
                    self._crew[seat] = self._hire(seat)
                future.set_exception(death)
            except Exception as error:
                future.set_exception(error)
        self._crew[seat].dismiss()


class _Worker:
    """One process and our end of its pipe."""

    def __init__(self, context: Any, log_level: int) -> None:
        with _STARTING:
            self._pipe, theirs = context.Pipe()
            lifeline, self._lifeline = context.Pipe(duplex=False)  # nothing is ever sent; its end says that we ended
            shared = logs.shares_handlers(context.get_start_method())
            self._process = context.Process(target=_work, args=(theirs, lifeline, log_level, shared), daemon=True)
            self._process.start()
            theirs.close()
            lifeline.close()

    def run(self, fn: Callable[..., Any], args: tuple[Any, ...], patience: float | None) -> Any:
        signs = 0
        try:
            self._pipe.send((fn, args))
            while True:
                if not self._pipe.poll(patience):
                    self.kill()
                    raise WorkerHungError(signs)
                kind, content = self._pipe.recv()
                if kind == "life":
                    signs += 1
                elif kind == "log":
                    logs.handle(content)
                elif kind == "done":
                    return content
                else:
                    raise TaskError(content)
        except (EOFError, OSError) as error:
            self._process.join(1)
            raise WorkerDiedError(f"worker {self._process.pid} {self._epitaph()}") from error

    def pin(self, core: int) -> None:
        """Keep the process on one core: moving costs it its caches, and two on one core would time each other."""
        with contextlib.suppress(OSError):
            os.sched_setaffinity(self._process.pid, {core})

    def dismiss(self) -> None:
        """Ask the process to go, so that it can flush what it logged; whoever does not hear that is killed."""
        with contextlib.suppress(OSError):
            self._pipe.send(None)
        self._process.join(5)
        self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()

    def _epitaph(self) -> str:
        code = self._process.exitcode
        if code is None:
            return "closed its pipe"
        if code < 0:
            return f"died of {signal.Signals(-code).name}"
        return f"exited with {code}"


_home: Connection | None = None  # in a worker: the pipe to the parent


def show_life() -> None:
    """Called by a task, where it may be waited for with patience; anywhere else it does nothing."""
    if _home is not None:
        _home.send(("life", None))


def _work(pipe: Connection, lifeline: Connection, log_level: int, handlers_are_shared: bool) -> None:
    """The life of a worker process."""
    global _home
    _home = pipe
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of the terminal; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _die_with_parent(lifeline)
    _bound_memory()
    if not handlers_are_shared:
        logs.send_through(pipe, log_level)
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        if task is None:
            return
        fn, args = task
        try:
            reply = "done", fn(*args)
        except Exception as error:
            reply = "raised", f"{type(error).__name__}: {error}"
        pipe.send(reply)


def _die_with_parent(lifeline: Connection) -> None:
    """A worker must not outlive a killed parent, not even one that hangs and never looks at its pipe again.

    Linux does it for us: one signal when the process that forked us ends, another when the lifeline does. The first
    misses workers of a fork server, the second those that inherited the parent's end of the lifeline from a fork.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    else:
        threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()


def _bound_memory() -> None:
    """A puzzle that eats memory gets a MemoryError here, before the system kills whomever it likes."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    inherited = getattr(psutil.Process().memory_info(), "data", 0)
    wanted = inherited + WORKER_MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _watch_parent(parent: int) -> None:
    pause = threading.Event()
    while os.getppid() == parent:
        pause.wait(1)
    os._exit(1)
