"""The small graded sets that come with the package, made by its own generator; `index.json` says how."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
INDEX = FOLDER / "index.json"


@dataclass(frozen=True)
class BundledSet:
    name: str
    rows: int
    min_clues: int
    max_clues: int
    summary: str  # what it shows
    sha256: str
    seed: int
    path: Path


@functools.cache
def bundled() -> tuple[BundledSet, ...]:
    """All of them, from easy to hard."""
    entries = json.loads(INDEX.read_text())
    return tuple(BundledSet(**entry, path=FOLDER / f"{entry['name']}.csv") for entry in entries)
