"""Nodes of all our solvers on the bundled sets. They are the same on every machine, so a change is a change of ours.

Where one is meant: MEGADOKU_WRITE_GOLDEN=1 pytest tests/solvers/test_golden_nodes.py
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from megadoku import datasets, solvers
from megadoku.solvers import Budget, registry

GOLDEN_NODES = Path(__file__).parent / "golden_nodes.json"
BUDGET = Budget(nodes=2_000)  # enough to tell one search from another
PUZZLES = 12


def nodes_of(name: str) -> dict[str, list[int]]:
    """By data set: nodes of its first puzzles, exhausted ones with all of their budget."""
    counts = {}
    for entry in datasets.bundled():
        grids = np.concatenate([block.grids for block in datasets.read_blocks([entry.name])])[:PUZZLES]
        counts[entry.name] = solvers.get(name).solve_block(grids, 2, BUDGET).nodes.tolist()
    return counts


@pytest.mark.parametrize("name", registry.GROUPS["ours"])
def test_nodes_are_what_they_were(name: str) -> None:
    golden = json.loads(GOLDEN_NODES.read_text()) if GOLDEN_NODES.exists() else {}
    counts = nodes_of(name)
    if os.environ.get("MEGADOKU_WRITE_GOLDEN"):
        lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in sorted((golden | {name: counts}).items()))
        GOLDEN_NODES.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    else:
        assert counts == golden[name]
