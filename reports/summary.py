"""The summary table: what every solver did on every data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from megadoku.reports import numbers
from megadoku.reports.tables import Field, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from megadoku.reports.analysis import Analysis, Summary

RUN_FIELD: Field[Summary] = Field("run", "run", lambda row: row.run, help="folder of the run", text=True)

FIELDS: list[Field[Summary]] = [
    Field("dataset", "data set", lambda row: row.dataset, text=True),
    Field("solver", "solver", lambda row: row.solver, text=True),
    Field("rank", "rank", lambda row: row.rank, help="one more than there are solvers shown to be faster; ties share"),
    Field("puzzles", "puzzles", lambda row: row.puzzles, numbers.whole, help="measured", wide=True),
    Field("solved", "solved", lambda row: row.solved, numbers.whole, help="answered, and the checker agrees"),
    Field("exhausted", "ran out", lambda row: row.exhausted, numbers.whole, help="budget spent first", rare=True),
    Field("failed", "failed", lambda row: row.failed, numbers.whole, help="raised, crashed or wrong", rare=True),
    Field(
        "puzzles_per_s",
        "puzzles/s",
        lambda row: row.throughput,
        numbers.with_interval,
        help="of one worker, with its 95% interval; what ran out counts twice (PAR-2)",
        best=lambda row: row.best,
        brief=numbers.with_spread,
    ),
    Field("median_s", "median time", lambda row: row.median_s, numbers.short, help="of a puzzle"),
    Field("p95_s", "95th percentile", lambda row: row.p95_s, numbers.short, help="of a puzzle's time", wide=True),
    Field(
        "median_nodes",
        "median nodes",
        lambda row: row.median_nodes,
        numbers.number,
        brief=numbers.compact,
        help="digits placed by search",
    ),
    Field(
        "nodes_per_s",
        "nodes/s",
        lambda row: row.nodes_per_s,
        numbers.number,
        brief=numbers.compact,
        help="nodes a second",
        wide=True,
    ),
]

BLOCK_NOTE = "Time per puzzle is a share of its block's time for: {}."
BOUND_NOTE = "≥ marks a lower bound: a budget ran out before the figure was reached."


def summary_table(analysis: Analysis) -> Table[Summary]:
    fields = FIELDS if len(analysis.runs) == 1 else [RUN_FIELD, *FIELDS]
    return Table("Solvers by data set", fields, analysis.summaries, _notes(analysis.summaries))


def contest_table(dataset: str, summaries: Sequence[Summary]) -> Table[Summary]:
    return Table(dataset, FIELDS[1:], list(summaries), _notes(summaries))


def _notes(summaries: Sequence[Summary]) -> tuple[str, ...]:
    blocks = sorted({row.solver for row in summaries if row.block})
    bounded = any(row.median_s.bound or row.p95_s.bound for row in summaries)
    notes = [BLOCK_NOTE.format(", ".join(blocks))] if blocks else []
    return (*notes, BOUND_NOTE) if bounded else tuple(notes)
