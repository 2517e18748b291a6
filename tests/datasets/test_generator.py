"""Made puzzles have one solution, are what was wished for, and depend on nothing but the seed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

from megadoku import solvers
from megadoku.datasets import Difficulty, Wish, WishError, generate, generate_rows, generator, read_blocks
from megadoku.datasets.difficulty import levels
from megadoku.datasets.full_grids import full_grids, shuffle, walk
from megadoku.datasets.logic import clashing, fill_locked, fill_singles, is_full
from megadoku.datasets.symmetry import fingerprints

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

solve = solvers.get("bitmask").solve_block


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "BATCH", 12)
    monkeypatch.setattr(generator, "PATIENCE", 6)


def _made(n: int, wish: Wish, seed: int = 1) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    rows = list(generate_rows(n, wish, solve=solve, seed=seed))
    return np.concatenate([row.puzzles for row in rows]), np.concatenate([row.solutions for row in rows])  # type: ignore[misc]


@pytest.mark.parametrize(
    "wish",
    [
        Wish(),
        Wish(24, 24),
        Wish(40, 45),
        Wish(17, 81, minimal=True),
        Wish(24, 26, difficulty=Difficulty.parse("locked")),
    ],
    ids=str,
)
def test_made_as_wished(wish: Wish) -> None:
    puzzles, solutions = _made(6, wish)
    answers = solve(puzzles, 2)
    clues = np.count_nonzero(puzzles, axis=1)
    assert len(puzzles) == 6
    assert (answers.counts == 1).all()
    assert (answers.solutions == solutions).all()
    assert wish.min_clues <= clues.min() <= clues.max() <= wish.max_clues
    if wish.difficulty:
        assert (levels(puzzles) == wish.difficulty.level).all()


def test_minimal_means_that_no_clue_can_go() -> None:
    (puzzle,), _ = _made(1, Wish(17, 81, minimal=True))
    fewer = np.tile(puzzle, (np.count_nonzero(puzzle), 1))
    fewer[np.arange(len(fewer)), np.flatnonzero(puzzle)] = 0
    assert (solve(fewer, 2).counts == 2).all()


def test_bands_of_nodes() -> None:
    puzzles, _ = _made(5, Wish(22, 26, difficulty=Difficulty.parse("nodes:100-400")))
    nodes = solve(puzzles, 1).nodes
    assert 100 <= nodes.min() <= nodes.max() <= 400


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_workers(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.csv" for number in range(3)]
    done: list[int] = []
    generate(40, str(files[0]), Wish(), solve=solve, seed=7, progress=done.append)
    with ThreadPoolExecutor(3) as executor:
        generate(40, str(files[1]), Wish(), solve=solve, seed=7, executor=executor)
    generate(40, str(files[2]), Wish(), solve=solve, seed=8)
    assert files[0].read_bytes() == files[1].read_bytes() != files[2].read_bytes()
    assert sum(done) == 40
    (block,) = read_blocks([str(files[0])])
    assert (len(block), block.known is not None) == (40, True)


@pytest.mark.parametrize("clues", [(10, 20), (30, 20), (17, 82)])
def test_wishes_that_cannot_be(clues: tuple[int, int]) -> None:
    with pytest.raises(WishError, match="17 to 81"):
        Wish(*clues)


def test_giving_up_is_said() -> None:
    with pytest.raises(WishError, match="ask for more clues"):
        _made(1, Wish(17, 17))
    with pytest.raises(WishError, match="there are singles, locked, search"):
        Difficulty.parse("fiendish")


def test_walking_keeps_grids_full_and_legal_and_changes_them() -> None:
    rng = np.random.default_rng(1)
    grids = full_grids(50, rng, solve)
    walked = grids.copy()
    walk(walked, rng.integers(0, 2**32, (50, 30), np.uint32))
    assert is_full(walked).all()
    assert not clashing(walked).any()
    assert ((grids != walked).sum(axis=1) > 0).mean() > 0.9


def test_grids_are_drawn_without_the_bias_of_the_solver() -> None:
    """In 3.6% of all bands (by theory, of nearly equal completions) the three boxes have the same triples as rows."""
    grids = full_grids(3_000, np.random.default_rng(2), solve)
    share = np.mean([_bands_of_same_triples(squares) for squares in (grids, _transposed(grids))])
    assert 0.032 < share < 0.041  # 0.045 without walking


def _transposed(grids: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return grids.reshape(-1, 9, 9).transpose(0, 2, 1).reshape(-1, 81)


def _bands_of_same_triples(grids: NDArray[np.uint8]) -> float:
    triples = (1 << grids.astype(np.int64)).reshape(-1, 3, 3, 3, 3).sum(axis=4)  # band, row, stack
    ordered = np.sort(triples, axis=2)
    return float(((ordered[..., 0] == ordered[..., 1]) & (ordered[..., 1] == ordered[..., 2])).all(axis=2).mean())


def test_fingerprints_survive_symmetry_and_tell_puzzles_apart() -> None:
    puzzles, _ = _made(30, Wish(24, 28))
    assert (fingerprints(puzzles) == fingerprints(shuffle(puzzles, np.random.default_rng(3)))).all()
    assert len(np.unique(fingerprints(puzzles))) == 30
    nudged = puzzles.copy()
    for puzzle in nudged:  # move one clue to a neighbouring cell
        at = np.flatnonzero(puzzle)[3]
        puzzle[at], puzzle[(at + 1) % 81] = puzzle[(at + 1) % 81], puzzle[at]
    changed = (nudged != puzzles).any(axis=1)
    assert (fingerprints(puzzles) != fingerprints(nudged))[changed].all()


def test_logic_fills_in_nothing_wrong() -> None:
    puzzles, solutions = _made(60, Wish(24, 34))
    for filled in (fill_singles(puzzles, hidden=False), fill_singles(puzzles), fill_locked(puzzles)):
        assert ((filled == 0) | (filled == solutions)).all()
    naked, hidden, locked = (
        is_full(filled).sum()
        for filled in (fill_singles(puzzles, hidden=False), fill_singles(puzzles), fill_locked(puzzles))
    )
    assert naked < hidden < locked < 60
