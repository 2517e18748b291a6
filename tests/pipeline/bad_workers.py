"""Solvers that are bad for the process they run in, one way each; targets such as `bad_workers.py:Segfaults`.

A puzzle that has a 9 in its first cell sets them off, as in `odd_solvers`.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from megadoku.solvers import Answers, Status
from tests.pipeline.odd_solvers import MARKED, Odd

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Sleeps(Odd):
    def misbehave(self) -> None:
        time.sleep(600)


class HoldsTheGil(Odd):
    def misbehave(self) -> None:
        ctypes.PyDLL(None).sleep(600)


class ChatsOn(Odd):
    """Hangs, and logs that it does."""

    def misbehave(self) -> None:
        import logging

        while True:
            logging.getLogger("chats").warning("still here")
            time.sleep(0.05)


class Segfaults(Odd):
    def misbehave(self) -> None:
        ctypes.string_at(0)


class LeavesAtOnce(Odd):
    def misbehave(self) -> None:
        os._exit(3)


class Exits(Odd):
    def misbehave(self) -> None:
        sys.exit("enough")


class Interrupts(Odd):
    def misbehave(self) -> None:
        raise KeyboardInterrupt


class NoMemory(Odd):
    def misbehave(self) -> None:
        raise MemoryError("none left")


class Prints(Odd):
    def misbehave(self) -> None:
        print("printed by a solver", flush=True)
        os.write(1, b"written by a solver\n")


class PrintsBeside(Odd):
    """In threads, as compiled solvers are."""

    releases_gil = True

    def misbehave(self) -> None:
        print("printed by a solver")


class ForksAndGoesOn(Odd):
    """Both processes come back."""

    def misbehave(self) -> None:
        os.fork()


class ForksAndDies(Odd):
    """Leaves a child that holds all it inherited, then dies."""

    def misbehave(self) -> None:
        if os.fork() == 0:
            time.sleep(600)
        os.kill(os.getpid(), 9)


class StartsThreads(Odd):
    def misbehave(self) -> None:
        for _ in range(3):
            threading.Thread(target=time.sleep, args=(600,)).start()


class Leaks(Odd):
    hoard: ClassVar[list[object]] = []

    def misbehave(self) -> None:
        self.hoard.append(np.ones(60 << 20, np.uint8))


class Smuggled(str):
    """Ends the process in which it is unpacked."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (7,)

    def __str__(self) -> str:
        return self


class Smuggles(Odd):
    """Gives reasons that are more than texts."""

    def twist(self, grids: NDArray[np.uint8], answers: Answers) -> Answers:
        for at in np.flatnonzero(grids[:, 0] == MARKED).tolist():
            answers.refuse(at, Status.EXHAUSTED, Smuggled("no more"))
        return answers


class RaisesSmuggled(Odd):
    """Raises what our own code raises, with more in it than text."""

    def misbehave(self) -> None:
        from megadoku.pipeline.errors import TaskError

        raise TaskError(Smuggled("no more"))
