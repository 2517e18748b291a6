"""`lanes` as a whole: blocks of every size, neighbours, budgets, plainer machines, caches that cannot be used."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from megadoku import solvers
from megadoku.pipeline import checker
from megadoku.solvers import Answers, Budget, Status
from megadoku.solvers.board import PEERS
from tests.solvers.test_contract import GOLDEN, LEETCODE, grids_of

LANES = solvers.get("lanes")
JIT = solvers.get("jit")
ORDERLY = (
    "4.6...1.315....7...........8..4.23..3146.7.....7.18.4.....832...7...48....8......",
    ".435...8.2.679....9....3....914...264....9.......2.7...37...4..52.....7.8.....3..",
    ".1.9..7......4.5...87.6.....92.1...5...295.17......932.5...96.4.29...3.1.4...1...",
    "2...75193.5.192.....634.5....9..6...842..3.....3..4.28.38......7..5.98.....8.1...",
    ".35.....77.....5.24.97..6..64.17.....51.4.87.8............6....1.....36.362..79..",
    "83...5.29.47.89...2.....8....3.....2....6..95.6.5..1..95.47.21...28......7...2...",
    ".........1.5..7..3.8.3.4.16......7..2.4....6.86......592.71..5.........1...9863..",
    "78.6.493.3.6.........2.3....3...21..27.4.....5...8..9..53..............31.......6",
)
FIELDS = ("solutions", "counts", "status", "nodes", "backtracks")
SCRIPT = """
import json, logging, numpy
from megadoku import solvers
logging.basicConfig(level="INFO", format="%(name)s %(message)s")
grids = numpy.array({grids}, numpy.uint8)
answers = solvers.get("{solver}").solve_block(grids, 2)
print(json.dumps([answers.status.tolist(), answers.nodes.tolist(), answers.solutions.tolist()]))
"""


def same(one: Answers, other: Answers, fields: tuple[str, ...] = FIELDS) -> bool:
    return all((getattr(one, field) == getattr(other, field)).all() for field in fields)


def minimal_puzzles(n: int) -> np.ndarray:
    """Unique puzzles from which no given can be taken; about one in four needs a guess."""
    rng = np.random.default_rng(6)
    pattern = np.array([[(3 * (row % 3) + row // 3 + column) % 9 for column in range(9)] for row in range(9)])
    grids = np.empty((n, 81), np.uint8)
    for grid in grids:
        rows, columns = (np.concatenate([3 * b + rng.permutation(3) for b in rng.permutation(3)]) for _ in range(2))
        grid[:] = (rng.permutation(9) + 1)[pattern[np.ix_(rows, columns)]].ravel()
    orders = np.argsort(rng.random((n, 81)), axis=1)
    for step in range(81):
        fewer = grids.copy()
        fewer[np.arange(n), orders[:, step]] = 0
        still_unique = JIT.solve_block(fewer, 2).status == Status.UNIQUE
        grids[still_unique] = fewer[still_unique]
    return grids


UNIQUE = np.vstack([grids_of(*(line[0] for line in GOLDEN if line[1] == "1")), minimal_puzzles(120)])


def put_a_wrong_digit(grid: np.ndarray, rng: np.random.Generator) -> None:
    """One that no given forbids."""
    solution = JIT.solve_block(grid[None]).solutions[0]
    for cell in rng.permutation(np.flatnonzero(grid == 0)).tolist():
        wrong = set(range(1, 10)) - {int(solution[cell])} - set(grid[list(PEERS[cell])].tolist())
        if wrong:
            grid[cell] = min(wrong)
            return


def mixed_grids(n: int, seed: int = 0) -> np.ndarray:
    """Puzzles with one, none and many solutions, clashes, empty grids and things that are no digits."""
    rng = np.random.default_rng(seed)
    grids = np.resize(UNIQUE, (n, 81))
    for position, grid in enumerate(grids):
        clues = np.flatnonzero(grid)
        match position % 8:
            case 1 | 2:
                grid[rng.choice(clues, position % 8, replace=False)] = 0
            case 3:
                put_a_wrong_digit(grid, rng)
            case 4:
                grid[:] = 0
            case 5:
                grid[[0, 8]] = 4
            case 6:
                grid[rng.integers(81)] = rng.integers(10, 256)
    return grids


@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 100_000])
def test_blocks_of_every_size(n: int) -> None:
    grids = np.resize(UNIQUE, (n, 81))
    answers = LANES.solve_block(grids, 2)
    assert (answers.status == Status.UNIQUE).all()
    assert checker.completes(grids, answers.solutions).all()
    assert (answers.nodes == np.resize(LANES.solve_block(UNIQUE, 2).nodes, n)).all()


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_bad_grids_disturb_nobody(limit: int) -> None:
    grids = mixed_grids(320)
    budget = Budget(nodes=6)
    together = LANES.solve_block(grids, limit, budget)
    assert len(np.unique(together.status)) >= 4, "the block is a mixture"
    order = np.random.default_rng(1).permutation(len(grids))
    shuffled = LANES.solve_block(grids[order], limit, budget)
    for position in (0, *range(1, 320, 13)):
        alone = LANES.solve_block(grids[position : position + 1], limit, budget)
        assert all((getattr(alone, name)[0] == getattr(together, name)[position]).all() for name in FIELDS)
    assert all((getattr(shuffled, name) == getattr(together, name)[order]).all() for name in FIELDS)
    assert {int(np.flatnonzero(order == p)[0]): reason for p, reason in together.reasons.items()} == shuffled.reasons


def test_nodes_do_not_depend_on_where_a_puzzle_stands() -> None:
    """Puzzles whose search goes another way when it looks at columns before rows, among others of every length."""
    rng = np.random.default_rng(9)
    puzzles = grids_of(*ORDERLY)
    alone = LANES.solve_block(puzzles, 2)
    for _ in range(40):
        others = UNIQUE[rng.integers(len(UNIQUE), size=rng.integers(1, 150))]
        order = rng.permutation(len(puzzles) + len(others))
        together = LANES.solve_block(np.vstack([puzzles, others])[order], 2)
        here = np.argsort(order)[: len(puzzles)]
        assert all((getattr(together, name)[here] == getattr(alone, name)).all() for name in FIELDS)


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_lanes_and_jit_agree(limit: int) -> None:
    grids = mixed_grids(400, seed=2)
    lanes, jit = (solver.solve_block(grids, limit, Budget(nodes=20_000)) for solver in (LANES, JIT))
    assert same(lanes, jit, ("status", "counts"))
    assert lanes.reasons == jit.reasons
    for answers in (lanes, jit):
        has_one = answers.counts > 0
        assert (checker.completes(grids, answers.solutions) == has_one).all()
        assert not answers.solutions[~has_one].any()


@pytest.mark.parametrize("solver", [LANES, JIT], ids=["lanes", "jit"])
def test_node_budgets_are_exact(solver: solvers.Solver) -> None:
    grids = mixed_grids(64, seed=3)
    free = solver.solve_block(grids, 2)
    for nodes in (0, 1, 2, 5, 17):
        bound = solver.solve_block(grids, 2, Budget(nodes=nodes))
        over = free.nodes > nodes
        assert ((bound.status == Status.EXHAUSTED) == over).all()
        assert (bound.nodes == np.minimum(free.nodes, nodes)).all()
        assert (bound.status[~over] == free.status[~over]).all()


@pytest.mark.parametrize("solver", [LANES, JIT], ids=["lanes", "jit"])
def test_time_is_up_for_some_and_not_for_others(solver: solvers.Solver) -> None:
    grids = np.vstack([np.zeros((3, 81), np.uint8), np.resize(UNIQUE, (40, 81)), np.zeros((2, 81), np.uint8)])
    answers = solver.solve_block(grids, 10**9, Budget(seconds=0.05))
    endless = ~grids.any(axis=1)
    assert (answers.status[endless] == Status.EXHAUSTED).all()
    assert set(answers.reasons.values()) == {"time budget of 0.05 s spent"}
    assert (answers.status[~endless] == Status.UNIQUE).all()


def test_threads_share_a_solver() -> None:
    blocks = [mixed_grids(200, seed) for seed in range(6)]
    expected = [LANES.solve_block(block, 2) for block in blocks]
    with ThreadPoolExecutor(4) as threads:
        got = list(threads.map(lambda block: LANES.solve_block(block, 2), blocks * 3))
    assert all(same(one, other) for one, other in zip(got, expected * 3, strict=True))


def test_a_block_need_not_lie_in_one_piece() -> None:
    grids = mixed_grids(80)
    assert same(LANES.solve_block(grids[::2], 2), LANES.solve_block(grids[::2].copy(), 2))


def test_elapsed_time_is_shared_out() -> None:
    grids = np.resize(UNIQUE, (500, 81))
    answers = LANES.solve_block(grids, 2)
    assert (answers.elapsed_ns > 0).all()
    hard = answers.nodes == answers.nodes.max()
    assert answers.elapsed_ns[hard].mean() > answers.elapsed_ns[answers.nodes == 0].mean()


def run_elsewhere(solver: str = "lanes", **environment: str) -> subprocess.CompletedProcess[str]:
    script = SCRIPT.format(grids=mixed_grids(40).tolist(), solver=solver)
    return subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )


def expected_elsewhere(solver: solvers.Solver) -> str:
    answers = solver.solve_block(mixed_grids(40), 2)
    return f"[{answers.status.tolist()}, {answers.nodes.tolist()}, {answers.solutions.tolist()}]\n"


@pytest.mark.parametrize(
    ("cpu", "features"),
    [("haswell", "+avx2,+bmi,+bmi2,+lzcnt,+popcnt"), ("x86-64", "+sse2")],
)
def test_a_plainer_machine_gives_the_same(cpu: str, features: str) -> None:
    if os.uname().machine != "x86_64":
        pytest.skip("names processors of another kind")
    done = run_elsewhere(NUMBA_CPU_NAME=cpu, NUMBA_CPU_FEATURES=features)
    assert done.stdout == expected_elsewhere(LANES)


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """One first use in an empty cache that works, one where there is a file in place of the folder; both at once."""
    blocked = tmp_path / "file"
    blocked.touch()
    fine = tmp_path / "cache"
    with ThreadPoolExecutor(3) as threads:
        runs = [
            threads.submit(run_elsewhere, "jit", NUMBA_CACHE_DIR=str(blocked / "folder")),
            *(threads.submit(run_elsewhere, "jit", NUMBA_CACHE_DIR=str(fine)) for _ in range(2)),
        ]
        printed = {run.result().stdout for run in runs}
    assert printed == {expected_elsewhere(JIT)}
    assert list(fine.rglob("*.nbi")), "the cache that works is used"


def test_the_first_use_says_that_it_compiles(tmp_path: Path) -> None:
    first = run_elsewhere(NUMBA_CACHE_DIR=str(tmp_path))
    assert first.stderr.count("compiling the lanes kernel") == 1
    second = run_elsewhere(NUMBA_CACHE_DIR=str(tmp_path))
    assert "compiling" not in second.stderr
    assert first.stdout == second.stdout == expected_elsewhere(LANES)


def test_other_rules_are_not_taken_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    from megadoku.solvers.lanes import kernel

    before = kernel._fingerprint()
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"#" * (path.name == "rules.py"))
    assert kernel._fingerprint() != before


def test_leetcodes_board_needs_no_guess() -> None:
    assert LANES.solve_block(grids_of(LEETCODE), 2).nodes[0] == 0
