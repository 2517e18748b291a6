"""`megadoku check-solver`: every promise of the contract, asked of one solver, in a process that may crash or hang."""

from __future__ import annotations

from concurrent.futures import TimeoutError as NotInTimeError
from dataclasses import dataclass
from pathlib import Path

from megadoku import solvers
from megadoku.pipeline.crew import Crew
from megadoku.pipeline.errors import TaskError
from megadoku.pipeline.promises import PROMISES, Broken
from megadoku.solvers import template

TEMPLATE = Path(template.__file__)
PATIENCE_S = 60


@dataclass(frozen=True)
class Finding:
    promise: str
    broken: str | None = None  # what was seen instead

    def __str__(self) -> str:
        return f"ok      {self.promise}" if self.broken is None else f"BROKEN  {self.promise}\n        {self.broken}"


def check_solver(target: str, patience_s: float = PATIENCE_S) -> list[Finding]:
    """One finding a promise. A target that leads to no solver is an UnknownSolverError.

    The promises are asked for in another process, which gets the target and not the solver, as the workers of a
    benchmark do. One that crashes is replaced by the crew; one that hangs takes its crew with it.
    """
    solvers.get(target)
    findings = []
    crew = Crew(1, "spawn")
    for number, promise in enumerate(PROMISES):
        text = (promise.__doc__ or "").strip()
        try:
            findings.append(Finding(text, crew.submit(ask, target, number).result(patience_s)))
        except TaskError as error:
            findings.append(Finding(text, str(error)))
        except NotInTimeError:
            findings.append(Finding(text, f"no answer after {patience_s:g} s"))
            crew.kill()
            crew = Crew(1, "spawn")
    crew.kill()
    return findings


def ask(target: str, number: int) -> str | None:
    """The work of the process: None, or how the promise was broken."""
    solver = solvers.get(target)
    try:
        PROMISES[number](solver)
    except Broken as broken:
        return str(broken)
    except Exception as error:
        return f"it raised {type(error).__name__}: {error}"
    return None
