"""Who may import whom: `datasets` and `solvers` nobody, `pipeline` both, `reports` only the files of a run."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

REPO = Path(__file__).parents[1]
ROOMS = ("datasets", "solvers", "pipeline", "reports")
SHARED = {"megadoku.version", "megadoku.run_schema", "megadoku.compiled"}
MAY_IMPORT = {"datasets": set(), "solvers": set(), "pipeline": {"datasets", "solvers"}, "reports": set()}


def imported_by(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name for name in names if name.startswith("megadoku.")}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_it_may_know(room: str) -> None:
    allowed = MAY_IMPORT[room] | {room}
    for path in (REPO / room).rglob("*.py"):
        for name in imported_by(path):
            assert name.split(".")[1] in allowed or any(name.startswith(shared) for shared in SHARED), f"{path}: {name}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_reached_through_a_link(room: str) -> None:
    link = REPO / "megadoku" / room
    assert link.is_symlink()
    assert link.readlink() == Path("..") / room
