"""How a command ends before its time: one line, an exit code, and what to type to go on.

A signal is seen by a thread that does nothing but wait for one, so that it counts even while the main thread is stuck
in an import, in compiled code, or in a disk that does not answer:

    before the work   leave at once
    at work           `Stopped` is raised in the main thread, which puts everything in order on its way out;
                      when that takes longer than PATIENCE, or at a second signal, leave all the same:
                      the last checkpoint stands
    after the work    leave at once

Imported before everything else, so it imports next to nothing itself.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, NoReturn

from megadoku.pipeline.errors import Exit, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

PATIENCE = 1.3  # seconds that putting things in order may take; the end within two is promised
LAST_WORDS = 0.4  # seconds that saying so may take: it looks at a disk, which may hang
_WORDS = {signal.SIGHUP: "hung up", signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


class Stopped(BaseException):
    """A signal on its way out, which nobody else catches."""

    def __init__(self, number: int) -> None:
        self.number = number


class _State:
    phase = "before"
    unfinished: Callable[[], bool] = bool  # is there something to resume? Not before anybody says so
    home = 0  # our process; 0 while nobody watches for signals
    stopped = False
    leaving = threading.Lock()


def watch_for_signals() -> None:
    """To be called before anything heavy is imported; once is enough."""
    if _State.home:
        return
    _State.home = os.getpid()
    heard, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    os.register_at_fork(after_in_child=_in_a_child)
    sys.unraisablehook = _unraisable
    for number in _WORDS:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _in_main_thread)
    threading.Thread(target=_wait, args=(heard,), name="signals", daemon=True).start()


@contextlib.contextmanager
def at_work(unfinished: Callable[[], bool] = bool) -> Iterator[None]:
    """While this lasts, a signal lets the work be put in order. `unfinished` says whether it can be resumed then."""
    _State.phase, _State.unfinished = "at work", staticmethod(unfinished)
    yield
    _State.phase = "after"


def leave(code: Exit, message: str) -> NoReturn:
    """Say it and go, without waiting for threads: one in the middle of a hard block would hold an exit up."""
    if code in (Exit.INPUT_BROKE, Exit.OUTPUT) and _State.unfinished():
        changed = ", or with --force instead where the input is another now" if code == Exit.INPUT_BROKE else ""
        _leave(code, f"{visible(message)}\nto go on: {_how_to_resume()}{changed}")
    _leave(code, visible(message))


def leave_for_signal(number: int) -> NoReturn:
    _leave(Exit(128 + number), f"{_WORDS[signal.Signals(number)]}{_how_far()}")


def finish(code: int) -> NoReturn:
    """The ordinary end. Taking an interpreter apart takes longer than what is left to do, and is deaf to signals."""
    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except BrokenPipeError:
        _leave(Exit.OUTPUT, "")
    except OSError as error:
        _leave(Exit.OUTPUT, f"standard output: cannot be written: {error.strerror}")
    _State.leaving.acquire(blocking=False)  # whoever comes now comes too late
    os._exit(code)


def _leave(code: Exit, message: str) -> NoReturn:
    if not _State.leaving.acquire(blocking=False):
        time.sleep(LAST_WORDS)  # another thread is saying it
    elif message:
        _say(f"megadoku: {message}\n")
    os._exit(code)


def _how_far() -> str:
    if _State.phase == "before":
        return " before anything was begun"
    if _State.phase == "after":
        return " after all was written"
    return f"; to go on: {_how_to_resume()}" if _State.unfinished() else "; there is nothing to resume"


def _how_to_resume() -> str:
    import shlex

    arguments = [argument for argument in sys.argv[1:] if argument != "--resume"]
    end = arguments.index("--") if "--" in arguments else len(arguments)  # behind it all are names of inputs
    return visible(f"megadoku {shlex.join([*arguments[:end], '--resume', *arguments[end:]])}")


def _say(text: str) -> None:
    """On standard error, unless it is closed or nobody empties it."""
    with contextlib.suppress(OSError, ValueError):
        if select.select([], [2], [], 0.2)[1]:
            os.write(2, text.encode(errors="replace"))


def _in_main_thread(number: int, frame: FrameType | None) -> None:
    if _State.stopped or _State.leaving.locked():
        return  # the waiting thread sees to it that we end
    _State.stopped = True
    if _State.phase == "at work":
        raise Stopped(number)
    leave_for_signal(number)


def _unraisable(what: sys.UnraisableHookArgs) -> None:
    """A signal in a callback of compiled code cannot get through; the waiting thread sees to it that we end."""
    if not isinstance(what.exc_value, Stopped):
        sys.__unraisablehook__(what)


def _wait(heard: int) -> None:
    number = os.read(heard, 1)[0]
    while number not in _WORDS:  # somebody else's
        number = os.read(heard, 1)[0]
    if _State.phase == "at work":
        select.select([heard], [], [], PATIENCE)
    last_resort = threading.Timer(LAST_WORDS, os._exit, [128 + number])
    last_resort.daemon = True
    last_resort.start()
    leave_for_signal(number)


def _in_a_child() -> None:
    """Not for a forked worker: what it does about signals it says itself."""
    signal.set_wakeup_fd(-1)
    for number in _WORDS:
        signal.signal(number, signal.SIG_DFL)
