"""The life of a worker process: it settles in, says that it is ready, and does one task after the other."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import pickle
import resource
import signal
import sys
import threading
from multiprocessing.reduction import ForkingPickler
from typing import TYPE_CHECKING, Any

import psutil

from megadoku.pipeline import logs
from megadoku.pipeline.errors import TaskError, cut, told

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

PARENTS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}  # these reach every process; what follows the parent decides
_PR_SET_PDEATHSIG = 1
WORKER_MEMORY = psutil.virtual_memory().total // 2  # bytes of data that one worker may add to what it started with


class _Home:
    """The way to the parent: one message at a time, whatever threads a solver has started."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._turn = threading.RLock()  # again by the same thread: a collection in here may log something
        self.worker = os.getpid()

    def send(self, kind: str, content: Any = None) -> None:
        self.send_packed(ForkingPickler.dumps((kind, content)))

    def send_packed(self, message: Any) -> None:
        if os.getpid() == self.worker:  # a child that a solver forked would only talk into our words
            with self._turn:
                self._pipe.send_bytes(message)


_home: _Home | None = None  # in a worker only


def at_work() -> bool:
    """Is this process a worker?"""
    return _home is not None


def show_life() -> None:
    """Called by a task, where it may be waited for with patience; anywhere else it does nothing."""
    if _home is not None:
        _home.send("life")


def work(pipe: Connection, lifeline: Connection, log_level: int) -> None:
    """The whole life."""
    global _home
    _home = _Home(pipe)
    os.register_at_fork(after_in_child=pipe.close)  # a child that a solver forks has no business with it
    _settle_in(lifeline)
    logs.send_home(_home.send, log_level)
    _home.send("ready")
    with contextlib.suppress(EOFError, OSError):
        while (message := pipe.recv_bytes()) != GO_HOME:
            _home.send_packed(_outcome(message, _home.worker))


GO_HOME = bytes(ForkingPickler.dumps(None))


def _outcome(message: bytes, worker: int) -> Any:
    """What came of a task, packed. Whatever it raises, even to end the process, is its outcome and no more."""
    try:
        fn, args = pickle.loads(message)
        return ForkingPickler.dumps(("done", fn(*args)))
    except TaskError as error:
        return ForkingPickler.dumps(("raised", cut(str(error))))
    except BaseException as error:
        return ForkingPickler.dumps(("raised", told(error)))
    finally:
        if os.getpid() != worker:
            os._exit(0)  # the solver forked, and this is the child: one worker is enough


def _settle_in(lifeline: Connection) -> None:
    _leave_signals_to_the_parent()
    _keep_off_standard_output()
    _found_a_group()
    _die_with_parent(lifeline)
    _bound_memory()


def _leave_signals_to_the_parent() -> None:
    """Heard and not heeded: signals that are ignored would be ignored by programs that a solver starts, too."""
    for number in PARENTS:
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, PARENTS)


def _keep_off_standard_output() -> None:
    """Answers may be going there; what a solver prints goes to standard error, or nowhere if there is none."""
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _found_a_group() -> None:
    """What a solver starts belongs to the group of its worker, and ends with it."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)


def _die_with_parent(lifeline: Connection) -> None:
    """A worker must not outlive a killed parent, not even one that hangs and never looks at its pipe again.

    Linux does it for us: one signal when the thread that forked us ends, and one to our whole group when the lifeline
    does. The first misses workers of a fork server and what solvers start, the second comes when the last copy of the
    parent's end is closed, and a program that forks may hold one without knowing.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgid(0) if os.getpgid(0) == os.getpid() else os.getpid())
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
