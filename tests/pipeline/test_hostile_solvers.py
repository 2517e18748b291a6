"""Solvers as nobody should write them, and what becomes of what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from megadoku.pipeline.errors import LONGEST_REASON, UsageError
from tests.pipeline.test_hostile_use import ROWS, rows, run, source, stop_after

__all__ = ["source"]

SOLVERS = """
import sys
import numpy as np
from megadoku import solvers

class Usual(solvers.Solver):
    def solve_block(self, grids, limit=1, budget=None):
        answers = solvers.get("bitmask").solve_block(grids, limit, budget)
        self.spoil(answers)
        return answers

class Negative(Usual):
    def spoil(self, answers): answers.nodes[:] = -5

class Wrapped(Usual):
    def spoil(self, answers): answers.nodes = np.full(len(answers), 2**64 - 1, np.uint64)

class Far(Usual):
    def spoil(self, answers): answers.reasons = {100_000: "far"}

class Before(Usual):
    def spoil(self, answers): answers.reasons = {-1: "before"}

class Surrogate(Usual):
    def spoil(self, answers): raise ValueError("bad \\udcff")

class Long(Usual):
    def spoil(self, answers): raise ValueError("x" * 10_000_000)

class Mute(Usual):
    def spoil(self, answers): raise Unspeakable

class Unspeakable(Exception):
    def __str__(self): raise RuntimeError("no words")

class Silent(Usual):
    def spoil(self, answers):
        answers.status[:], answers.counts[:], answers.solutions[:] = 6, 0, 0

class Exits(Usual):
    def spoil(self, answers): sys.exit(0)

class Talks(Usual):
    def spoil(self, answers): answers.reasons = {0: "all is well"}
"""


@pytest.mark.parametrize("how", ["serial", "processes"])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Negative", "answers.nodes is below zero"),
        ("Wrapped", "answers.nodes is below zero"),
        ("Far", "answers.reasons speaks of a puzzle that was not asked about"),
        ("Before", "answers.reasons speaks of a puzzle that was not asked about"),
        ("Surrogate", "ValueError: bad \\udcff"),
        ("Long", "ValueError: xxx"),
        ("Mute", "Unspeakable"),
        ("Silent", "the solver said exhausted and not why"),
        ("Exits", "SystemExit: 0"),
    ],
)
def test_what_a_solver_says_is_taken_with_care(source: Path, name: str, reason: str, how: Any) -> None:
    source.with_name("bad.py").write_text(SOLVERS)
    done = run(source, solver=f"{source.with_name('bad.py')}:{name}", executor=how, workers=1)
    assert done.statuses == {"failed": ROWS, "invalid": 1}
    written = rows(source.with_name("out.csv"))
    assert all(reason in row[4] and len(row[4]) <= LONGEST_REASON + 1 for row in written[:ROWS])


def test_a_reason_for_what_is_well_is_no_reason(source: Path) -> None:
    source.with_name("bad.py").write_text(SOLVERS)
    done = run(source, solver=f"{source.with_name('bad.py')}:Talks", executor="serial", rejects=f"{source}.rejects")
    assert done.statuses == {"unique": ROWS, "invalid": 1}
    assert len(rows(Path(f"{source}.rejects"))) == 1


def test_a_solver_that_was_changed_is_another(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = source.with_name("bad.py")
    file.write_text(SOLVERS)
    options: dict[str, Any] = {"solver": f"{file}:Talks", "executor": "serial", "block_rows": 10}
    with monkeypatch.context() as patch:
        stop_after(20, patch)
        with pytest.raises(KeyboardInterrupt):
            run(source, **options)
    file.write_text(SOLVERS + "\n# better\n")
    with pytest.raises(UsageError, match="solver version was"):
        run(source, resume=True, **options)
