"""Every solver over all data sets: geometric means, so that no set outweighs the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from megadoku.reports import numbers
from megadoku.reports.statistics import Estimate, geometric_mean
from megadoku.reports.tables import Field, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from megadoku.reports.analysis import Contest, Summary


@dataclass(frozen=True)
class Standing:
    """One solver over the data sets that it answered without fault."""

    solver: str
    datasets: int  # of those there are
    of: int
    wins: int  # data sets where it was shown to be faster than every other
    level: int  # where it cannot be told from the fastest
    throughput: Estimate | None
    behind: Estimate | None  # its time over that of the fastest


FIELDS: list[Field[Standing]] = [
    Field("solver", "solver", lambda row: row.solver, text=True),
    Field("datasets", "data sets", lambda row: f"{row.datasets} of {row.of}", help="answered without fault"),
    Field("wins", "fastest", lambda row: row.wins, numbers.whole, help="data sets where it is shown to be the fastest"),
    Field("level", "level", lambda row: row.level, numbers.whole, help="where it cannot be told from the fastest"),
    Field(
        "puzzles_per_s",
        "puzzles/s",
        lambda row: row.throughput,
        numbers.with_interval,
        help="geometric mean over its data sets, with 95% interval",
    ),
    Field("behind", "times the fastest's time", lambda row: row.behind, numbers.rounded, help="geometric mean"),
]
NOTE = "Means are over the data sets that a solver answered without fault: compare only solvers that answered the same."


def standing_table(contests: Sequence[Contest]) -> Table[Standing]:
    names = dict.fromkeys(row.solver for contest in contests for row in contest.summaries)
    standings = [_standing(name, contests) for name in names]
    ordered = sorted(standings, key=lambda row: (-row.datasets, row.behind.value if row.behind else float("inf")))
    partial = any(row.datasets < row.of for row in standings)
    return Table("Over all data sets", FIELDS, ordered, (NOTE,) if partial else ())


def _standing(name: str, contests: Sequence[Contest]) -> Standing:
    places = [(contest, row) for contest in contests for row in contest.ranked if row.solver == name]
    rates = [row.throughput for _, row in places if row.throughput]
    gaps = [Estimate(row.mean_s.value / contest.ranked[0].mean_s.value) for contest, row in places]
    return Standing(
        solver=name,
        datasets=len(places),
        of=len(contests),
        wins=sum(row.best for _, row in places),
        level=sum(_level(contest, row) for contest, row in places),
        throughput=geometric_mean(rates),
        behind=geometric_mean(gaps),
    )


def _level(contest: Contest, row: Summary) -> bool:
    """One of several that share the first place."""
    return row.rank == 1 and not row.best and len(contest.ranked) > 1
