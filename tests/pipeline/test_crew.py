"""Real processes, killed for real."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import psutil
import pytest

from megadoku.pipeline import workplace
from megadoku.pipeline.crew import Crew
from megadoku.pipeline.errors import TaskError, WorkerDiedError
from megadoku.pipeline.jobs import GRACE_SECONDS, Job, Question, answered
from megadoku.solvers import Answers, Budget, Status
from tests.pipeline import odd_solvers
from tests.solvers.test_contract import LEETCODE, grids_of

METHODS = ["fork", "spawn", "forkserver"]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail() -> None:
    raise KeyError("nothing there")


def nap(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def settle(folder: str) -> None:
    """Stay for ten minutes, and leave a file that says who does."""
    Path(folder, f"worker-{os.getpid()}").touch()
    time.sleep(600)


def settled(folder: Path, count: int) -> list[psutil.Process]:
    """The workers that are at it, as soon as there are so many."""
    deadline = time.monotonic() + 180
    while len(found := list(folder.glob("worker-*"))) < count and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(found) == count
    return [psutil.Process(int(path.name.removeprefix("worker-"))) for path in found]


def left_of(workers: list[psutil.Process]) -> list[psutil.Process]:
    """Those that are still there after a while. One that ended is gone, whether or not anybody asked how."""
    deadline = time.monotonic() + 10
    while (left := [*filter(is_alive, workers)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    for one in left:
        one.kill()
    return left


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def say(text: str) -> None:
    logging.getLogger("from.worker").warning("%s from %d", text, os.getpid())


@pytest.mark.parametrize("method", METHODS)
def test_a_death_costs_its_own_task_only(method: str) -> None:
    with Crew(2, method) as crew:
        naps = [crew.submit(nap, 0.02) for _ in range(6)]
        death = crew.submit(die)
        more = [crew.submit(nap, 0.02) for _ in range(6)]
        with pytest.raises(WorkerDiedError, match="SIGKILL"):
            death.result(30)
        assert all(future.result(30) for future in naps + more)
        pids = {crew.submit(nap, 0.1).result(30) for _ in range(4)}
    assert not any(map(psutil.pid_exists, pids))


@pytest.mark.parametrize("method", METHODS)
def test_a_raise_is_plain_text_here(method: str) -> None:
    with Crew(1, method) as crew, pytest.raises(TaskError, match="KeyError: 'nothing there'"):
        crew.submit(fail).result(30)


@pytest.mark.parametrize("method", METHODS)
def test_leaving_by_an_exception_leaves_nobody_behind(method: str, tmp_path: Path) -> None:
    """Of the workers, that is: a fork server stays, and serves the next crew."""
    raised = 0.0
    workers: list[psutil.Process] = []

    def interrupted() -> None:
        nonlocal raised
        with Crew(2, method) as crew:
            for _ in range(4):
                crew.submit(settle, str(tmp_path))
            workers.extend(settled(tmp_path, 2))
            raised = time.monotonic()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert time.monotonic() - raised < 10  # where each would sleep for 600
    assert left_of(workers) == []


@pytest.mark.parametrize("method", METHODS)
def test_workers_do_not_outlive_a_killed_parent(method: str, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import time\n"
        "from megadoku.pipeline.crew import Crew\n"
        "from tests.pipeline.test_crew import settle\n"
        "if __name__ == '__main__':\n"
        f"    crew = Crew(2, {method!r})\n"
        f"    [crew.submit(settle, {str(tmp_path)!r}) for _ in range(2)]\n"
        "    time.sleep(600)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    parent = subprocess.Popen([sys.executable, script], env=environment)
    try:
        workers = settled(tmp_path, 2)
    finally:
        parent.kill()
        parent.wait()
    assert left_of(workers) == []


@pytest.mark.parametrize("method", METHODS)
def test_log_records_reach_the_parents_handlers(method: str, tmp_path: Path) -> None:
    handler = logging.FileHandler(tmp_path / "log.txt")
    handler.setFormatter(logging.Formatter("%(process)d %(name)s %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        with Crew(2, method) as crew:
            for future in [crew.submit(say, f"hello {number}") for number in range(20)]:
                future.result(30)
    finally:
        root.removeHandler(handler)
        handler.close()
    lines = (tmp_path / "log.txt").read_text().splitlines()
    assert sorted(line.split()[3] for line in lines) == sorted(map(str, range(20)))
    assert all(line.split()[0] == line.split()[-1] != str(os.getpid()) for line in lines)


def jobs(name: str, count: int, marked: set[int]) -> list[Job]:
    """Jobs of eight puzzles; those at the marked places have a 9 in their first cell, by renaming digits."""
    plain = grids_of(LEETCODE)[0]
    renamed = np.array([0, 1, 2, 3, 4, 9, 6, 7, 8, 5], np.uint8)[plain]
    grids = np.array([renamed if place in marked else plain for place in range(8 * count)])
    return [Job(Question(name), grids[start : start + 8], start) for start in range(0, 8 * count, 8)]


@pytest.mark.parametrize(
    ("name", "reason"), [("raises", "no luck today"), ("dies", "SIGKILL"), ("exits", "exited with 3")]
)
def test_a_bad_puzzle_is_found_by_halving(name: str, reason: str) -> None:
    marked = {3, 17, 18}
    with odd_solvers.registered(), Crew(2, "fork") as crew:
        done = list(answered(crew, jobs(name, 4, marked), window=4))
    assert [job.tag for job, _ in done] == [0, 8, 16, 24]
    for job, answers in done:
        for position, status in enumerate(answers.status.tolist()):
            if job.tag + position in marked:
                assert status == Status.FAILED
                assert reason in answers.reasons[position]
            else:
                assert status == Status.UNIQUE


def test_answers_of_the_wrong_shape_fail_their_rows() -> None:
    with odd_solvers.registered(), Crew(1, "fork") as crew:
        [(_, answers)] = answered(crew, jobs("wrong-shape", 1, set()), window=1)
    assert (answers.status == Status.FAILED).all()
    assert "answers.nodes" in answers.reasons[0]


def test_submission_is_bounded() -> None:
    taken = 0

    def counted() -> object:
        nonlocal taken
        for job in jobs("bitmask", 40, set()):
            taken += 1
            yield job

    with Crew(2) as crew:
        for done, _ in enumerate(answered(crew, counted(), window=4), start=1):  # type: ignore[arg-type]
            assert taken <= done + 4
    assert taken == 40


def test_a_puzzle_that_hangs_is_exhausted_on_time_and_the_rest_goes_on() -> None:
    asked = Question("hangs", budget=Budget(seconds=1))

    def run(marked: set[int]) -> tuple[list[tuple[Job, Answers]], float]:
        started = time.monotonic()
        with odd_solvers.registered(), Crew(2, "fork") as crew:
            given = [replace(job, question=asked) for job in jobs("hangs", 4, marked)]
            return list(answered(crew, given, window=4)), time.monotonic() - started

    _, seconds_without = run(set())
    marked = {3, 17}
    done, seconds = run(marked)
    assert seconds < 2 * (1 + GRACE_SECONDS) + 10 * seconds_without + 6  # two that hang, and a busy machine
    for job, answers in done:
        for position, status in enumerate(answers.status.tolist()):
            guilty = job.tag + position in marked
            assert status == (Status.EXHAUSTED if guilty else Status.UNIQUE)
            assert (position in answers.reasons) == guilty


def test_a_puzzle_that_eats_all_memory_fails_alone() -> None:
    with odd_solvers.registered(), mock.patch.object(workplace, "WORKER_MEMORY", 1 << 30), Crew(1, "fork") as crew:
        [(_, answers)] = answered(crew, jobs("eats", 1, {5}), window=1)
    assert [status == Status.FAILED for status in answers.status.tolist()] == [at == 5 for at in range(8)]
    assert "MemoryError" in answers.reasons[5]
