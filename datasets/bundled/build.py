"""How the bundled sets were made, so that anybody can make them again: `make_sets(folder, solve, row_major_nodes)`.

The solvers are handed in: one to prove uniqueness, and one that counts the nodes of the plainest search there is
(first empty cell, digits 1 to 9), because a bundled set must be within reach of that one too.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from megadoku.datasets.generator import Solve, Wish, make_batch
from megadoku.datasets.logic import fill_singles, is_full

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Grids = NDArray[np.uint8]

BATCH = 256
RowMajorNodes = Callable[["Grids", int], "NDArray[np.int64]"]  # grids, budget → nodes; the budget where it was spent


@dataclass(frozen=True)
class Recipe:
    name: str
    rows: int
    seed: int
    summary: str
    wish: Wish
    solved_by: str  # naked: naked singles are enough; hidden: hidden ones too; search: neither is
    nodes: tuple[int, int]  # of the row-major search
    against_rows: bool = False


RECIPES = (
    Recipe("trivial", 200, 1, "naked singles are enough", Wish(36, 45), "naked", (0, 2_000)),
    Recipe("easy", 200, 2, "hidden singles are enough", Wish(30, 35), "hidden", (0, 5_000)),
    Recipe("medium", 60, 3, "minimal, hidden singles are enough", Wish(24, 28, True), "hidden", (1_000, 20_000)),
    Recipe("hard", 40, 4, "minimal, wants search", Wish(23, 25, True), "search", (2_000, 40_000)),
    Recipe("sparse", 12, 5, "minimal, 22 clues or fewer", Wish(17, 22, True), "any", (5_000, 100_000)),
    Recipe("against-rows", 5, 6, "built against row-major search", Wish(22, 26, True), "any", (60_000, 150_000), True),
)


def make_sets(folder: Path, solve: Solve, row_major_nodes: RowMajorNodes) -> None:
    """Write every set as CSV, and the index with checksums."""
    index = []
    for recipe in RECIPES:
        puzzles, solutions = _make(recipe, solve, row_major_nodes)
        rows = [f"{_text(puzzle)},{_text(solution)}\n" for puzzle, solution in zip(puzzles, solutions, strict=True)]
        data = "".join(["puzzle,solution\n", *rows]).encode()
        (folder / f"{recipe.name}.csv").write_bytes(data)
        clues = np.count_nonzero(puzzles, axis=1)
        index.append(
            {
                "name": recipe.name,
                "rows": len(puzzles),
                "min_clues": int(clues.min()),
                "max_clues": int(clues.max()),
                "summary": recipe.summary,
                "sha256": hashlib.sha256(data).hexdigest(),
                "seed": recipe.seed,
            }
        )
    (folder / "index.json").write_text(json.dumps(index, indent=2) + "\n")


def _make(recipe: Recipe, solve: Solve, row_major_nodes: RowMajorNodes) -> tuple[Grids, Grids]:
    puzzles = solutions = np.zeros((0, 81), np.uint8)
    for number in itertools.count():
        batch = make_batch(recipe.wish, BATCH, recipe.seed, number, solve)
        made, solved = batch.puzzles, batch.solutions
        assert solved is not None
        if recipe.against_rows:
            made, solved = _turned_against_rows(made, solved)
        fits = _fits(recipe, made)
        fits[fits] = _within(row_major_nodes(made[fits], recipe.nodes[1] + 1), recipe.nodes)
        puzzles, solutions = np.concatenate([puzzles, made[fits]]), np.concatenate([solutions, solved[fits]])
        if len(puzzles) >= recipe.rows:
            break
    return puzzles[: recipe.rows], solutions[: recipe.rows]


def _fits(recipe: Recipe, puzzles: Grids) -> NDArray[np.bool_]:
    naked = is_full(fill_singles(puzzles, hidden=False))
    hidden = is_full(fill_singles(puzzles))
    choices: dict[str, NDArray[np.bool_]] = {"naked": naked, "hidden": hidden & ~naked, "search": ~hidden}
    return choices.get(recipe.solved_by, np.ones(len(puzzles), np.bool_))


def _within(nodes: NDArray[np.int64], bounds: tuple[int, int]) -> NDArray[np.bool_]:
    return (nodes >= bounds[0]) & (nodes <= bounds[1])


def _turned_against_rows(puzzles: Grids, solutions: Grids) -> tuple[Grids, Grids]:
    """The same puzzles with their emptiest band and row first, and digits renamed so that the solution begins 987…"""
    turned, solved = np.empty_like(puzzles), np.empty_like(solutions)
    for at, (puzzle, solution) in enumerate(zip(puzzles, solutions, strict=True)):
        clues = np.count_nonzero(puzzle.reshape(9, 9), axis=1).reshape(3, 3)
        order = [3 * band + row for band in np.argsort(clues.sum(1), kind="stable")
                 for row in np.argsort(clues[band], kind="stable")]  # fmt: skip
        first = solution.reshape(9, 9)[order[0]]
        renamed = np.zeros(10, np.uint8)
        renamed[first] = np.arange(9, 0, -1)
        turned[at] = renamed[puzzle].reshape(9, 9)[order].ravel()
        solved[at] = renamed[solution].reshape(9, 9)[order].ravel()
    return turned, solved


def _text(grid: Grids) -> str:
    return "".join(map(str, grid.tolist())).replace("0", ".")
