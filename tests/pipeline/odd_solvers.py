"""Solvers that misbehave in one way each, for the pipeline to survive. `registered` puts them into the table."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
from typing import TYPE_CHECKING
from unittest import mock

import numpy as np

from megadoku import solvers
from megadoku.solvers import Answers, Budget, Solver, Status, registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MARKED = 9  # puzzles whose first cell holds this digit trigger the misbehaviour


class Odd(Solver):
    """Solves as bitmask does, after `misbehave` has had its chance."""

    def solve_block(self, grids: NDArray[np.uint8], limit: int = 1, budget: Budget | None = None) -> Answers:
        if (grids[:, 0] == MARKED).any():
            self.misbehave()
        return self.twist(grids, solvers.get("bitmask").solve_block(grids, limit, budget))

    def misbehave(self) -> None:
        pass

    def twist(self, grids: NDArray[np.uint8], answers: Answers) -> Answers:
        return answers


class Raises(Odd):
    def misbehave(self) -> None:
        raise RuntimeError("no luck today")


class Dies(Odd):
    def misbehave(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Hangs(Odd):
    """Neither looks at its budget nor listens to anybody."""

    def misbehave(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT, signal.SIGALRM})
        while True:
            pass


class Eats(Odd):
    def misbehave(self) -> None:
        hoard = []
        while True:
            hoard.append(np.ones(1 << 27, np.uint8))


class Exits(Odd):
    def misbehave(self) -> None:
        os._exit(3)


class Logs(Odd):
    def misbehave(self) -> None:
        logging.getLogger("odd.solver").warning("seen a %d", MARKED)


class WrongGrid(Odd):
    """Swaps two different digits of one row of its first solution."""

    def twist(self, grids: NDArray[np.uint8], answers: Answers) -> Answers:
        answers.solutions[0, [0, 1]] = answers.solutions[0, [1, 0]]
        return answers


class ForgetsGivens(Odd):
    """A legal grid, but of another puzzle."""

    def twist(self, grids: NDArray[np.uint8], answers: Answers) -> Answers:
        answers.solutions[0] = answers.solutions[0] % 9 + 1
        return answers


class NoGrid(Odd):
    def twist(self, grids: NDArray[np.uint8], answers: Answers) -> Answers:
        answers.solutions[0] = 0
        return answers


class WrongStatus(Odd):
    def twist(self, grids: NDArray[np.uint8], answers: Answers) -> Answers:
        answers.status[0] = Status.UNSOLVABLE
        return answers


class MadStatus(Odd):
    def twist(self, grids: NDArray[np.uint8], answers: Answers) -> Answers:
        answers.status[0] = 77
        return answers


class WrongCount(Odd):
    def twist(self, grids: NDArray[np.uint8], answers: Answers) -> Answers:
        answers.counts[0] = 5
        return answers


class WrongShape(Odd):
    def twist(self, grids: NDArray[np.uint8], answers: Answers) -> Answers:
        answers.nodes = answers.nodes[:-1]
        return answers


LIARS = {
    "wrong-grid": WrongGrid,
    "forgets-givens": ForgetsGivens,
    "no-grid": NoGrid,
    "wrong-status": WrongStatus,
    "mad-status": MadStatus,
    "wrong-count": WrongCount,
}
ALL = {
    "raises": Raises,
    "dies": Dies,
    "exits": Exits,
    "hangs": Hangs,
    "eats": Eats,
    "logs": Logs,
    "wrong-shape": WrongShape,
    **LIARS,
}


@contextlib.contextmanager
def registered() -> Iterator[None]:
    """Forked workers inherit the table as it is while this lasts."""
    entries = tuple(
        registry.Entry(name, f"{kind.__module__}:{kind.__qualname__}", "misbehaves") for name, kind in ALL.items()
    )
    known = registry.get

    def get(name: str) -> Solver:
        return ALL[name]() if name in ALL else known(name)

    with (
        mock.patch.object(registry, "ENTRIES", registry.ENTRIES + entries),
        mock.patch.object(registry, "get", get),
        mock.patch.object(solvers, "get", get),
    ):
        yield
