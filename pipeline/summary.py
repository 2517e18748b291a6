"""What a person wants to know when a file is solved, gathered block by block."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from megadoku.pipeline.errors import NotMetError, visible
from megadoku.solvers import Answers, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from megadoku.datasets import Block
    from megadoku.pipeline.checker import Known

EXAMPLES_KEPT = 5
SLOWEST_KEPT = 3
_TROUBLE = (Status.INVALID, Status.EXHAUSTED, Status.FAILED)


class Slow(NamedTuple):
    """A puzzle that took long. Solvers that take many at a time know the nodes of each, not the time."""

    place: str
    nodes: int
    elapsed_ns: int | None

    @property
    def cost(self) -> int:
        return self.nodes if self.elapsed_ns is None else self.elapsed_ns

    def __str__(self) -> str:
        nodes = f"{self.nodes:,} node{'' if self.nodes == 1 else 's'}"
        return f"{nodes if self.elapsed_ns is None else f'{_human(self.elapsed_ns)}, {nodes}'} at {self.place}"


@dataclass
class Summary:
    rows: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    known: int = 0  # rows whose input brought a solution
    known_wrong: int = 0  # of those, where that solution does not complete the puzzle
    examples: list[str] = field(default_factory=list)  # of rows that were refused or failed
    wrong_examples: list[str] = field(default_factory=list)  # of wrong known solutions
    slowest: list[Slow] = field(default_factory=list)  # slowest first
    seconds: float = 0.0

    @classmethod
    def of(cls, block: Block, answers: Answers, known: Known | None, timed: bool = False) -> Summary:
        """Of one block; `timed` where the solver times each puzzle by itself."""
        counts = {str(status): int(np.count_nonzero(answers.status == status)) for status in Status}
        summary = cls(len(block), Counter({status: count for status, count in counts.items() if count}))
        summary.examples = [
            f"{_place(block, at)}: {Status(int(answers.status[at]))}: {answers.reasons[at]}"
            for at in sorted(answers.reasons)[:EXAMPLES_KEPT]
        ]
        if known is not None:
            wrong = np.flatnonzero(known.brought & ~known.right)
            summary.known, summary.known_wrong = int(np.count_nonzero(known.brought)), len(wrong)
            summary.wrong_examples = [_place(block, at) for at in wrong[:EXAMPLES_KEPT].tolist()]
        summary.slowest = [
            Slow(_place(block, at), int(answers.nodes[at]), int(answers.elapsed_ns[at]) if timed else None)
            for at in _top(answers.elapsed_ns if timed else answers.nodes)
        ]
        return summary

    def add(self, other: Summary) -> None:
        self.rows += other.rows
        self.statuses += other.statuses
        self.known += other.known
        self.known_wrong += other.known_wrong
        self.examples = (self.examples + other.examples)[:EXAMPLES_KEPT]
        self.wrong_examples = (self.wrong_examples + other.wrong_examples)[:EXAMPLES_KEPT]
        self.slowest = sorted(self.slowest + other.slowest, key=lambda slow: -slow.cost)[:SLOWEST_KEPT]

    @property
    def trouble(self) -> int:
        return sum(self.statuses[str(status)] for status in _TROUBLE)

    def insist(self) -> None:
        """What `--strict` asks for, as an error."""
        if self.trouble:
            raise NotMetError(f"{self.trouble:,} of {self.rows:,} rows were refused, exhausted or failed")

    def as_json(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "statuses": dict(self.statuses),
            "known": self.known,
            "known_wrong": self.known_wrong,
            "examples": self.examples,
            "wrong_examples": self.wrong_examples,
            "slowest": [slow._asdict() for slow in self.slowest],
            "seconds": round(self.seconds, 3),
        }

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Summary:
        slowest = [Slow(**slow) for slow in content["slowest"]]
        return cls(**{**content, "statuses": Counter(content["statuses"]), "slowest": slowest})

    def lines(self, output: str, rejects: str | None = None) -> Iterator[str]:
        """For a person to read."""
        return map(visible, self._lines(output, rejects))

    def _lines(self, output: str, rejects: str | None) -> Iterator[str]:
        rate = self.rows / self.seconds if self.seconds else 0.0
        where = "standard output" if output == "-" else output
        yield f"{self.rows:,} rows in {self.seconds:,.1f} s ({rate:,.0f} rows/s) to {where}"
        yield ", ".join(f"{count:,} {name}" for name, count in self.statuses.most_common()) or "no rows"
        if self.known:
            yield f"{self.known - self.known_wrong:,} of the input's {self.known:,} own solutions are right"
        if self.wrong_examples:
            yield f"wrong ones: {'; '.join(self.wrong_examples)}" + (" …" if self.known_wrong > EXAMPLES_KEPT else "")
        if self.slowest:
            by = ", by nodes" if self.slowest[0].elapsed_ns is None else ""
            yield f"slowest{by}: {'; '.join(map(str, self.slowest))}"
        yield from self.examples
        if self.trouble > len(self.examples):
            yield f"and {self.trouble - len(self.examples):,} more: see the reason column"
        if rejects and self.trouble:
            yield f"these {self.trouble:,} rows are in {rejects} too"


def _top(costs: NDArray[np.int64]) -> list[int]:
    """Where the highest costs are, the earlier of equals first; nowhere if nothing cost anything."""
    if not costs.any():
        return []
    most = np.partition(costs, -SLOWEST_KEPT)[-SLOWEST_KEPT] if len(costs) > SLOWEST_KEPT else 0
    among = np.flatnonzero(costs >= max(most, 1))
    top: list[int] = among[np.argsort(-costs[among], kind="stable")][:SLOWEST_KEPT].tolist()
    return top


def _human(nanoseconds: int) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            number = nanoseconds / size
            return f"{number:.3g} {unit}" if number < 999 else f"{number:,.0f} {unit}"
    return f"{nanoseconds} ns"


def _place(block: Block, position: int) -> str:
    return f"{block.source}, line {block.lines[position]}"
