from __future__ import annotations

from pathlib import Path

import pytest

from megadoku import solvers

ROOM = Path(solvers.__file__).resolve().parent


def test_every_row_of_the_table_is_a_solver() -> None:
    for entry in solvers.ENTRIES:
        assert isinstance(solvers.get(entry.name), solvers.Solver)
        assert entry.summary


def test_names_are_told_apart() -> None:
    assert len(set(solvers.NAMES)) == len(solvers.NAMES)
    assert solvers.DEFAULT in solvers.NAMES


def test_an_unknown_name_lists_the_known() -> None:
    with pytest.raises(solvers.UnknownSolverError, match=r"did you mean bitmask\? There are: naive, "):
        solvers.get("bitmsk")


def test_choosing() -> None:
    assert solvers.chosen("mrv,naive,mrv") == ("mrv", "naive")
    assert solvers.chosen("all") == solvers.NAMES
    assert set(solvers.chosen("seeds")) <= set(solvers.NAMES)
    with pytest.raises(solvers.UnknownSolverError):
        solvers.chosen("mrv,,naive")


@pytest.mark.parametrize("entry", solvers.ENTRIES, ids=lambda entry: entry.name)
def test_a_strategy_is_one_short_file(entry: solvers.registry.Entry) -> None:
    module = ROOM / f"{entry.target.partition(':')[0].replace('.', '/')}.py"
    if module.exists():
        assert len(module.read_text().splitlines()) < 150
