"""The puzzles that every solver of a run gets."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from megadoku import datasets
from megadoku.pipeline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from megadoku.pipeline.bench.options import BenchOptions


@dataclass(frozen=True, eq=False)
class Sample:
    """Puzzles of one data set, with the rows they came from."""

    name: str
    source: str
    rows: NDArray[np.int64]
    grids: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def texts(self) -> list[str]:
        return ["".join(".123456789"[digit] for digit in grid) for grid in self.grids.tolist()]

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256("\n".join(self.texts).encode()).hexdigest()


def take_samples(options: BenchOptions) -> list[Sample]:
    samples: dict[str, Sample] = {}
    for source in options.inputs:
        sample = take_sample(source, options)
        twin = samples.setdefault(sample.name, sample)
        if twin is not sample:
            raise UsageError(f"{twin.source} and {source} would both be called {sample.name}; rename one")
    return list(samples.values())


def take_sample(source: str, options: BenchOptions) -> Sample:
    """The puzzles of an input, or a random few of them: the same few for the same seed."""
    blocks = list(datasets.read_blocks([source]))
    rows = np.concatenate([block.rows[block.accepted] for block in blocks] or [np.empty(0, np.int64)])
    grids = np.concatenate([block.grids[block.accepted] for block in blocks] or [np.empty((0, 81), np.uint8)])
    if len(rows) == 0:
        raise UsageError(f"{source}: holds no puzzle to measure")
    if options.sample is not None and options.sample < len(rows):
        chosen = np.sort(np.random.default_rng(options.seed).choice(len(rows), options.sample, replace=False))
        rows, grids = rows[chosen], grids[chosen]
    return Sample(Path(source).name.split(".")[0], source, rows, grids)


def grids_of(texts: Sequence[str | None]) -> NDArray[np.uint8]:
    """Puzzles and solutions as a run keeps them; all zero for none."""
    lines = [[int(mark) for mark in (text or "." * 81).replace(".", "0")] for text in texts]
    return np.array(lines, np.uint8).reshape(-1, 81)
