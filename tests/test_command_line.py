"""The commands that other suites do not meet, and that README tells the truth about all of them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from megadoku import command_line, solvers
from tests.pipeline.test_solve import megadoku

REPO = Path(__file__).parents[1]
COMMANDS = sorted(typer.main.get_command(command_line.app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_readme_and_has_help(command: str) -> None:
    assert re.search(rf"megadoku {command}\b", (REPO / "README.md").read_text())
    done = megadoku(command, "--help")
    assert done.returncode == 0


@pytest.mark.parametrize("name", solvers.NAMES)
def test_every_solver_is_in_the_readme(name: str) -> None:
    assert f"`{name}`" in (REPO / "README.md").read_text()


def test_solvers_and_datasets_are_listed() -> None:
    assert "lanes (default)" in megadoku("solvers").stdout
    assert "trivial" in megadoku("datasets").stdout


def test_inspect_as_json() -> None:
    found = json.loads(megadoku("inspect", "trivial", "--json", "--sample", "50").stdout)
    assert found["counts"]["unique"] == found["sample"] == 50


def test_convert_says_what_is_lost(tmp_path: Path) -> None:
    done = megadoku("convert", "trivial", "out.sdm", cwd=tmp_path)
    assert done.returncode == 0
    assert "lost: column solution" in done.stderr
    assert len((tmp_path / "out.sdm").read_text().split()) == 200


def test_the_same_seed_gives_the_same_bytes_with_any_workers(tmp_path: Path) -> None:
    for workers in ("1", "2", "5"):
        megadoku("generate", "-n", "300", "--seed", "7", "--workers", workers, "-o", f"{workers}.csv", cwd=tmp_path)
    assert len({(tmp_path / f"{workers}.csv").read_bytes() for workers in "125"}) == 1
    done = megadoku("solve", "1.csv", cwd=tmp_path)
    assert "300 unique" in done.stderr
    assert "300 of the input's 300 own solutions are right" in done.stderr


@pytest.mark.parametrize("arguments", [["--clues", "abc"], ["--clues", "5-9"], ["--difficulty", "hard"]])
def test_wishes_that_cannot_be_met_are_one_line(arguments: list[str], tmp_path: Path) -> None:
    done = megadoku("generate", "-n", "5", "-o", "out.csv", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_importing_the_package_is_light() -> None:
    heavy = ("numpy", "numba", "pyarrow", "matplotlib")
    script = f"import sys, megadoku.command_line; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
