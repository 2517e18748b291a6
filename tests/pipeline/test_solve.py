"""`megadoku solve` as a user meets it: files in, files out."""

from __future__ import annotations

import csv
import gzip
import io
import subprocess
import sys
from typing import TYPE_CHECKING

import pyarrow.parquet
import pytest

from megadoku.pipeline.csv_text import field
from megadoku.pipeline.errors import UsageError
from megadoku.pipeline.solve import SolveOptions, solve_files
from tests.pipeline import odd_solvers
from tests.solvers.test_contract import GOLDEN, LEETCODE

if TYPE_CHECKING:
    from pathlib import Path

SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
HEADER = ["puzzle", "solution", "status", "nodes", "reason"]


def megadoku(*arguments: str | Path, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "megadoku", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=cwd)


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


@pytest.fixture
def golden_file(tmp_path: Path) -> Path:
    """Every kind of puzzle, with rows between them that are none."""
    lines = [line[0] for line in GOLDEN]
    lines[3:3] = [LEETCODE[:80], LEETCODE.replace("7", "x", 1), "55" + LEETCODE[2:]]
    path = tmp_path / "golden.csv"
    path.write_text("id,puzzle\n" + "".join(f"{number},{line}\n" for number, line in enumerate(lines)))
    return path


def test_one_row_out_for_each_row_in_in_order(golden_file: Path) -> None:
    done = megadoku("solve", golden_file)
    assert done.returncode == 0
    header, *rows = rows_of(done.stdout)
    assert header == HEADER
    assert [row[0] for row in rows] == [line.split(",")[1] for line in golden_file.read_text().splitlines()[1:]]
    statuses = {"0": "unsolvable", "1": "unique"}
    expected = [statuses.get(line[1], "multiple") for line in GOLDEN]
    expected[3:3] = ["invalid"] * 3
    assert [row[2] for row in rows] == expected
    assert rows[3][4] == "80 characters, not 81"
    assert "cell 5 is 'x'" in rows[4][4]
    assert rows[5][4] == "cells 1 and 2 both hold 5 in row 1"
    assert "line 5: invalid: 80 characters, not 81" in done.stderr


def test_the_same_bytes_whatever_the_workers_and_the_block_size(golden_file: Path, tmp_path: Path) -> None:
    outputs = []
    for workers, block_rows, kind in [(1, 4096, "auto"), (2, 4, "auto"), (7, 3, "auto"), (3, 5, "threads")]:
        out = tmp_path / f"out-{workers}-{block_rows}.csv"
        options = SolveOptions([str(golden_file)], str(out), workers=workers, block_rows=block_rows, executor=kind)  # type: ignore[arg-type]
        summary = solve_files(options)
        assert summary.rows == len(GOLDEN) + 3
        outputs.append(out.read_bytes())
    assert len(set(outputs)) == 1


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_every_start_method(method: str, golden_file: Path) -> None:
    done = megadoku("solve", golden_file, "--workers", "2", "--start-method", method)
    assert done.returncode == 0
    assert len(rows_of(done.stdout)) == len(GOLDEN) + 4


def test_first_does_not_prove(golden_file: Path) -> None:
    rows = rows_of(megadoku("solve", golden_file, "--first").stdout)
    assert {row[2] for row in rows[1:]} == {"solved", "unsolvable", "invalid"}


def test_formats_by_the_name_of_the_output(golden_file: Path, tmp_path: Path) -> None:
    for name in ("out.csv", "out.csv.gz", "out.parquet", "out.txt"):
        assert megadoku("solve", golden_file, "-o", tmp_path / name, "--quiet").returncode == 0
    plain = (tmp_path / "out.csv").read_text()
    assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()).decode() == plain
    table = pyarrow.parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == HEADER
    solutions = [row[1] for row in rows_of(plain)[1:]]
    assert [value or "" for value in table["solution"].to_pylist()] == solutions
    assert (tmp_path / "out.txt").read_text().splitlines() == solutions
    assert not list(tmp_path.glob(".*partial"))


def test_known_solutions_are_compared_as_completions(tmp_path: Path) -> None:
    several = next(line[0] for line in GOLDEN if int(line[1]) > 1)
    path = tmp_path / "known.csv"
    path.write_text(f"quizzes,solutions\n{LEETCODE},{SOLUTION}\n{LEETCODE},{SOLUTION[::-1]}\n{several},\n")
    done = megadoku("solve", path)
    assert done.returncode == 0
    assert "1 of the input's 2 own solutions are right" in done.stderr


def test_standard_input_and_nothing_but_data_on_standard_output() -> None:
    done = megadoku("solve", "-", "--solver", "bitmask", stdin=f"{LEETCODE}\n")
    assert rows_of(done.stdout) == [HEADER, [LEETCODE, SOLUTION, "unique", "51", ""]]


def test_a_budget_exhausts_the_row_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    path.write_text("." * 81 + f"\n{LEETCODE}\n")
    done = megadoku("solve", path, "--solver", "naive", "--max-nodes", "40")
    assert [row[2] for row in rows_of(done.stdout)[1:]] == ["exhausted", "exhausted"]
    done = megadoku("solve", path, "--solver", "bitmask", "--max-nodes", "60", "--strict")
    assert [row[2] for row in rows_of(done.stdout)[1:]] == ["exhausted", "unique"]
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["no-such-file.csv"], "no-such-file.csv"),
        (["in.csv", "--column", "nope"], "nope"),
        (["in.csv", "--solver", "bitmsk"], "did you mean bitmask?"),
        (["in.csv", "-o", "out.docx"], "out.docx"),
        (["in.csv", "-o", "in.csv"], "--force"),
        (["in.csv", "--workers", "0"], "workers"),
    ],
)
def test_slips_are_one_line_and_exit_2(arguments: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"puzzle\n{LEETCODE}\n")
    done = megadoku("solve", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_an_output_that_cannot_be_written_is_exit_4(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"puzzle\n{LEETCODE}\n")
    done = megadoku("solve", "in.csv", "-o", "nowhere/out.csv", cwd=tmp_path)
    assert done.returncode == 4
    assert "nowhere/out.csv" in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_answers_do_not_get_out(golden_file: Path, tmp_path: Path) -> None:
    with odd_solvers.registered():
        options = SolveOptions([str(golden_file)], str(tmp_path / "out.csv"), solver="wrong-grid", workers=2)
        summary = solve_files(options)
    assert summary.statuses["failed"] == 1
    assert summary.trouble == 4


def test_an_existing_output_is_not_overwritten(golden_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("precious")
    with pytest.raises(UsageError, match="--force"):
        solve_files(SolveOptions([str(golden_file)], str(out), workers=1))
    assert out.read_text() == "precious"
    solve_files(SolveOptions([str(golden_file)], str(out), workers=1, force=True))
    assert out.read_text().startswith("puzzle,")


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain", "plain"),
        ("a,b", '"a,b"'),
        ('say "x"', '"say ""x"""'),
        ("=cmd()", "'=cmd()"),
        ("--5..", "'--5.."),
        ("@x,y", '"\'@x,y"'),
        ("two\nlines", '"two\nlines"'),
    ],
)
def test_a_field_is_inert(text: str, safe: str) -> None:
    assert field(text) == safe
