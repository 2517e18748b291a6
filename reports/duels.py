"""The table of pairwise comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from megadoku.reports import numbers
from megadoku.reports.tables import Field, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from megadoku.reports.analysis import Contest
    from megadoku.reports.statistics_pairs import Pair

WORDS: dict[str, str] = {"faster": "faster", "slower": "slower", "tie": "level (no difference can be shown)"}

DATASET_FIELD: Field[Pair] = Field("dataset", "data set", lambda row: row.dataset, text=True)
FIELDS: list[Field[Pair]] = [
    Field("first", "solver", lambda row: row.first, text=True),
    Field("verdict", "is", lambda row: row.verdict, WORDS.__getitem__, text=True, help="only what can be shown"),
    Field("second", "than", lambda row: row.second, text=True),
    Field(
        "speedup",
        "times as fast",
        lambda row: row.speedup,
        numbers.with_interval,
        help="ratio of mean times, with 95% interval; what ran out counts twice (PAR-2)",
    ),
    Field("median_ratio", "puzzle by puzzle", lambda row: row.median_ratio, numbers.with_interval, help="median ratio"),
    Field("share_faster", "faster on", lambda row: row.share_faster, numbers.percent, help="share of the puzzles"),
    Field("p_value", "p", lambda row: row.p_value, numbers.p_value, help="signed rank test, corrected after Holm"),
    Field("fewer_nodes", "fewer nodes", lambda row: row.fewer_nodes, numbers.number, help="times"),
    Field("cheaper_node", "cheaper node", lambda row: row.cheaper_node, numbers.number, help="times"),
]


def duel_table(contest: Contest) -> Table[Pair]:
    """All pairs of a data set, the faster one first."""
    return Table(f"Pairs on {contest.dataset}", FIELDS, _faster_first(contest))


def all_duels(contests: Sequence[Contest]) -> Table[Pair]:
    rows = [pair for contest in contests for pair in _faster_first(contest)]
    return Table("Pairs of solvers", [DATASET_FIELD, *FIELDS], rows)


def _faster_first(contest: Contest) -> list[Pair]:
    place = {row.solver: place for place, row in enumerate(contest.ranked)}
    turned = [pair if place[pair.first] < place[pair.second] else pair.reversed() for pair in contest.pairs]
    return sorted(turned, key=lambda pair: (place[pair.first], place[pair.second]))
