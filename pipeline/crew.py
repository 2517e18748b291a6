"""A crew: worker processes behind the standard Executor interface, of which one may die without the others noticing.

    submit ──► queue ──► thread 0 ◄── pipe ──► process 0
                    └──► thread 1 ◄── pipe ──► process 1

Each process has a pipe and a watching thread of its own. A death is seen at once, fails exactly the task that was in
that process, and is mended by a new process. The pools of the standard library cannot do this (one hangs, the other
fails every pending task), and a pool whose workers share a pipe breaks when one is killed in the middle of a message.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import queue
import threading
import time
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from megadoku.pipeline.errors import NoWorkerError, WorkerDiedError, WorkerHungError
from megadoku.pipeline.worker import GROWTH, Worker

if TYPE_CHECKING:
    from collections.abc import Callable

ATTEMPTS = 3  # at filling a seat
START_SECONDS = 30.0  # that a process may take to say that it is ready; on a busy machine imports take seconds
PAUSE_SECONDS = 0.5  # before the next attempt, where the system would not give us a process
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Task:
    future: Future[Any]
    fn: Callable[..., Any]
    args: tuple[Any, ...]
    patience: float | None


class Crew(Executor):
    def __init__(self, workers: int, start_method: str | None = None, *, pin: bool = False) -> None:
        self._context = multiprocessing.get_context(start_method)
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._closed = False
        self._hiring = threading.Lock()
        self._cores = sorted(os.sched_getaffinity(0)) if pin and hasattr(os, "sched_getaffinity") else []
        self._crew: list[Worker] = []
        self._threads: list[threading.Thread] = []
        self._manned = workers
        for seat in range(workers):  # all of them before the first thread: fork copies one
            self._crew.append(self._first(seat))
        self._threads = [
            threading.Thread(target=self._serve, args=(seat,), name=f"crew-{seat}", daemon=True)
            for seat in range(workers)
        ]
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError as error:  # the system gives us no more threads
            self.kill()
            raise NoWorkerError(f"no thread to watch a worker can be started: {error}") from error

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """`patience=S` kills the worker when the task has not called `show_life` for S seconds."""
        if self._closed:
            raise RuntimeError("the crew has gone home")
        patience: float | None = kwargs.pop("patience", None)
        if kwargs:
            raise TypeError("tasks take positional arguments only")
        task = _Task(Future(), fn, args, patience)
        self._tasks.put(task)
        return task.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed = True
        while cancel_futures and not self._tasks.empty():
            task = self._tasks.get()
            if task is not None:
                task.future.cancel()
        for _ in self._threads:
            self._tasks.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def kill(self) -> None:
        """Stop at once: what is running is lost, and no process is left."""
        with self._hiring:
            self._closed = True
            for one in self._crew:
                one.kill()
        self.shutdown(wait=False, cancel_futures=True)

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.shutdown()
        else:
            self.kill()

    def _serve(self, seat: int) -> None:
        """The life of one watching thread: hand the next task over, wait for its end, mend what broke."""
        while self._is_filled(seat):
            task = self._tasks.get()
            if task is None:
                self._crew[seat].dismiss()
                return
            if task.future.set_running_or_notify_cancel():
                self._attend(self._crew[seat], task)
        self._give_up()

    def _attend(self, to: Worker, task: _Task) -> None:
        try:
            task.future.set_result(to.run(task.fn, task.args, task.patience))
        except (WorkerDiedError, WorkerHungError) as death:
            if not self._closed:
                log.warning("process %s: %s; another takes its place", to.pid, death)
            task.future.set_exception(death)
        except Exception as error:
            task.future.set_exception(error)
        else:
            if to.has_grown():
                log.info("process %d has grown by more than %d MB; another takes its place", to.pid, GROWTH >> 20)
                to.dismiss()

    def _is_filled(self, seat: int) -> bool:
        """See to it that a worker sits here who can be talked to: who died, or got stuck while starting, is replaced.

        A process forked beside running threads may copy a lock that one of them held, and wait for it for ever.
        """
        for _ in range(ATTEMPTS):
            if self._closed or self._crew[seat].is_ready(START_SECONDS):
                return True
            self._replace(seat)
        return self._crew[seat].is_ready(START_SECONDS)

    def _replace(self, seat: int) -> None:
        self._crew[seat].kill()
        try:
            with self._hiring:
                if not self._closed:
                    self._crew[seat] = self._hire(seat)
        except OSError as error:
            log.warning("no process could be started: %s", error)
            time.sleep(PAUSE_SECONDS)

    def _give_up(self) -> None:
        """A seat stays empty. The others go on; the last one says of whatever is still asked that nobody is there."""
        with self._hiring:
            self._manned -= 1
        log.error("no worker could be started in %d attempts; %d go on", ATTEMPTS, self._manned)
        while not self._manned and (task := self._tasks.get()) is not None:
            if task.future.set_running_or_notify_cancel():
                task.future.set_exception(NoWorkerError(f"no worker process could be started in {ATTEMPTS} attempts"))

    def _first(self, seat: int) -> Worker:
        try:
            return self._hire(seat)
        except OSError as error:
            self.kill()
            raise NoWorkerError(f"no worker process can be started: {error.strerror or error}") from error

    def _hire(self, seat: int) -> Worker:
        hired = Worker(self._context)
        if self._cores:
            hired.pin(self._cores[seat % len(self._cores)])
        return hired
