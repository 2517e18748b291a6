"""What solvers log, wherever they run, and what becomes of a log that cannot be written."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from megadoku.pipeline.jobs import answered
from megadoku.pipeline.pool import Kind, executor
from tests.pipeline import odd_solvers
from tests.pipeline.test_crew import jobs
from tests.solvers.test_contract import LEETCODE

CHATTY = """
import logging, threading
from megadoku import solvers

class Chatty(solvers.Solver):
    def solve_block(self, grids, limit=1, budget=None):
        logging.getLogger("chatty").warning("%d puzzles", len(grids))
        thread = threading.Thread(target=logging.getLogger("chatty.thread").warning, args=("beside",))
        thread.start()
        thread.join()
        return solvers.get("bitmask").solve_block(grids, limit, budget)
"""


@pytest.mark.parametrize("kind", ["serial", "threads", "processes"])
def test_records_say_which_block_they_are_about(kind: Kind, caplog: pytest.LogCaptureFixture) -> None:
    with odd_solvers.registered(), executor(["logs"], 2, kind, "fork") as pool:
        assert len(list(answered(pool, jobs("logs", 4, {9, 25}), window=4))) == 4
    said = [record for record in caplog.records if record.name == "odd.solver"]
    assert sorted(record.block for record in said) == ["block 2", "block 4"]  # type: ignore[attr-defined]
    assert all((record.process == os.getpid()) == (kind != "processes") for record in said)
    assert {record.getMessage() for record in said} == {"seen a 9"}


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_the_log_file_has_process_and_block(method: str, tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    (tmp_path / "in.csv").write_text("puzzle\n" + f"{LEETCODE}\n" * 2500)
    arguments = ["in.csv", "-o", "out.csv", "--solver", "chatty.py:Chatty", "--workers", "2"]
    done = run(*arguments, "--start-method", method, "--log-file", "log.txt", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "log.txt").read_text().splitlines()
    found = [
        re.search(r"WARNING \w+-\d+\[\d+\] (block \d+|-) chatty(\.thread)?: (\d+ puzzles|beside)", x) for x in lines
    ]
    said = {(match[1], match[2]): match[3] for match in found if match and match[1] != "-"}
    rows = {block: int(text.split()[0]) for (block, thread), text in said.items() if thread is None}
    assert sum(rows.values()) == 2500
    assert set(rows) == {f"block {number}" for number in range(1, len(rows) + 1)}
    assert all(said[block, ".thread"] == "beside" for block in rows)


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "megadoku", "solve", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=120)


def test_a_log_file_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"puzzle\n{LEETCODE}\n")
    done = run("in.csv", "-o", "out.csv", "--log-file", "no/such/log.txt", cwd=tmp_path)
    assert done.returncode == 4
    assert done.stderr == "megadoku: no/such/log.txt: the log cannot be written: No such file or directory\n"
    assert not (tmp_path / "out.csv").exists()


def test_a_log_that_fills_its_disk_is_said_once_and_the_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    (tmp_path / "in.csv").write_text("puzzle\n" + f"{LEETCODE}\n" * 2500)
    arguments = ["in.csv", "-o", "out.csv", "--solver", "chatty.py:Chatty", "--log-file", "/dev/full"]
    done = run(*arguments, "--quiet", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.count("going on without a log") == 1
    assert "Traceback" not in done.stderr
    assert (tmp_path / "out.csv").read_text().count("unique") == 2500


class Hostile:
    """Runs code wherever it is unpacked."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return os._exit, (7,)


def log_something_hostile() -> None:
    logging.getLogger("hostile").warning("see %s", Hostile(), extra={"thing": Hostile(), "number": 3})


def test_what_a_solver_logs_is_not_run_in_the_parent(caplog: pytest.LogCaptureFixture) -> None:
    from megadoku.pipeline.crew import Crew

    with Crew(1, "fork") as crew:
        crew.submit(log_something_hostile).result(30)
    [record] = [record for record in caplog.records if record.name == "hostile"]
    assert record.number == 3  # type: ignore[attr-defined]
    assert not hasattr(record, "thing")
    assert record.getMessage().startswith("see <")


def log_from_many_threads(count: int) -> None:
    logger = logging.getLogger("many")
    talkers = [threading.Thread(target=logger.warning, args=("x" * 100_000,)) for _ in range(count)]
    for talker in talkers:
        talker.start()
    for talker in talkers:
        talker.join()


def test_threads_of_a_solver_do_not_talk_into_each_other(caplog: pytest.LogCaptureFixture) -> None:
    from megadoku.pipeline.crew import Crew

    with Crew(1, "fork") as crew:
        crew.submit(log_from_many_threads, 20).result(60)
    assert sum(record.name == "many" for record in caplog.records) == 20
