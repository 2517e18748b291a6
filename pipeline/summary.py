"""What a person wants to know when a file is solved, gathered block by block."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from megadoku.datasets import Block
    from megadoku.pipeline.checker import Known

EXAMPLES_KEPT = 5
SLOWEST_KEPT = 3
_TROUBLE = (Status.INVALID, Status.EXHAUSTED, Status.FAILED)


@dataclass
class Summary:
    rows: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    known: int = 0  # rows whose input brought a solution
    known_wrong: int = 0  # of those, where that solution does not complete the puzzle
    examples: list[str] = field(default_factory=list)  # of rows that were refused or failed
    wrong_examples: list[str] = field(default_factory=list)  # of wrong known solutions
    hardest: list[tuple[int, str]] = field(default_factory=list)  # nodes and place, most first
    seconds: float = 0.0

    @classmethod
    def of(cls, block: Block, answers: Answers, known: Known | None) -> Summary:
        counts = np.bincount(answers.status, minlength=len(Status) + 1).tolist()
        summary = cls(len(block), Counter({str(status): counts[status] for status in Status if counts[status]}))
        summary.examples = [
            f"{_place(block, at)}: {Status(int(answers.status[at]))}: {answers.reasons[at]}"
            for at in sorted(answers.reasons)[:EXAMPLES_KEPT]
        ]
        if known is not None:
            wrong = np.flatnonzero(known.brought & ~known.right)
            summary.known, summary.known_wrong = int(known.brought.sum()), len(wrong)
            summary.wrong_examples = [_place(block, at) for at in wrong[:EXAMPLES_KEPT].tolist()]
        if answers.nodes.any():
            summary.hardest = [(int(answers.nodes[at]), _place(block, at)) for at in _top(answers.nodes)]
        return summary

    def add(self, other: Summary) -> None:
        self.rows += other.rows
        self.statuses += other.statuses
        self.known += other.known
        self.known_wrong += other.known_wrong
        self.examples = (self.examples + other.examples)[:EXAMPLES_KEPT]
        self.wrong_examples = (self.wrong_examples + other.wrong_examples)[:EXAMPLES_KEPT]
        both = sorted(self.hardest + other.hardest, key=lambda entry: -entry[0])
        self.hardest = both[:SLOWEST_KEPT]

    @property
    def trouble(self) -> int:
        return sum(self.statuses[str(status)] for status in _TROUBLE)

    def as_json(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "statuses": dict(self.statuses),
            "known": self.known,
            "known_wrong": self.known_wrong,
            "examples": self.examples,
            "wrong_examples": self.wrong_examples,
            "hardest": self.hardest,
            "seconds": round(self.seconds, 3),
        }

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Summary:
        hardest = [(int(nodes), str(place)) for nodes, place in content["hardest"]]
        return cls(**{**content, "statuses": Counter(content["statuses"]), "hardest": hardest})

    def lines(self, output: str, rejects: str | None = None) -> Iterator[str]:
        """For a person to read."""
        rate = self.rows / self.seconds if self.seconds else 0.0
        where = "standard output" if output == "-" else output
        yield f"{self.rows:,} rows in {self.seconds:,.1f} s ({rate:,.0f} rows/s) to {where}"
        yield ", ".join(f"{count:,} {name}" for name, count in self.statuses.most_common()) or "no rows"
        if self.known:
            yield f"{self.known - self.known_wrong:,} of the input's {self.known:,} own solutions are right"
        if self.wrong_examples:
            yield f"wrong ones: {'; '.join(self.wrong_examples)}" + (" …" if self.known_wrong > EXAMPLES_KEPT else "")
        if self.hardest:
            yield "most nodes: " + "; ".join(f"{nodes:,} at {place}" for nodes, place in self.hardest)
        yield from self.examples
        if self.trouble > len(self.examples):
            yield f"and {self.trouble - len(self.examples):,} more: see the reason column"
        if rejects and self.trouble:
            yield f"these {self.trouble:,} rows are in {rejects} too"


def _top(nodes: NDArray[np.int64]) -> list[int]:
    """Where the most nodes are, the earlier of equals first; nowhere if nothing was searched."""
    most = np.partition(nodes, -SLOWEST_KEPT)[-SLOWEST_KEPT] if len(nodes) > SLOWEST_KEPT else 0
    among = np.flatnonzero(nodes >= max(most, 1))
    top: list[int] = among[np.argsort(-nodes[among], kind="stable")][:SLOWEST_KEPT].tolist()
    return top


def _place(block: Block, position: int) -> str:
    return f"{block.source}, line {block.lines[position]}"
