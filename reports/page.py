"""The page: everything in one file, from a template whose every value is escaped."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import asdict, dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from megadoku.reports import escape, svg, verdicts
from megadoku.reports.charts.base import looks_of
from megadoku.reports.duels import duel_table
from megadoku.reports.puzzles import Puzzle, outstanding
from megadoku.reports.standing import standing_table
from megadoku.reports.statistics import Estimate
from megadoku.reports.summary import contest_table, summary_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from megadoku.reports.analysis import Analysis, Contest
    from megadoku.reports.charts.base import Chart
    from megadoku.reports.tables import Field, Table, Value


@dataclass(frozen=True)
class Drawing:
    """A chart as it stands in the page."""

    chart: Chart
    id: str
    markup: Markup


@dataclass(frozen=True)
class Section:
    """One data set."""

    id: str
    name: str
    source: str
    run: str
    verdict: str
    table: Table[Any]
    pairs: Table[Any]
    drawings: list[Drawing]
    puzzles: list[Puzzle]


def render_page(analysis: Analysis, charts: Sequence[Chart]) -> str:
    script = _asset("page.js")
    places = {contest.dataset: place for place, contest in enumerate(analysis.current)}
    drawings = [_drawing(chart, index, places.get(chart.dataset or "")) for index, chart in enumerate(charts)]
    sections = [_section(contest, index, drawings) for index, contest in enumerate(analysis.current)]
    return (
        _environment(analysis)
        .get_template("page.html")
        .render(
            style=Markup(_asset("page.css")),
            script=Markup(script),
            script_hash=_content_hash(script),
            headline=verdicts.overall(analysis.current),
            findings=[section.verdict for section in sections],
            warnings=verdicts.warnings(analysis.current),
            looks=looks_of(analysis.solvers).values(),
            runs=analysis.runs,
            noises={contest.run.label: contest.noise for contest in analysis.contests},
            standing=standing_table(analysis.current),
            summary=summary_table(analysis),
            drawings=[drawing for drawing in drawings if drawing.chart.dataset is None],
            sections=sections,
            puzzles=[[asdict(puzzle) for puzzle in section.puzzles] for section in sections],
        )
    )


def _environment(analysis: Analysis) -> Environment:
    environment = Environment(
        loader=PackageLoader("megadoku.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: value if isinstance(value, Markup) else escape.printable(str(value)),
    )
    places = {name: place for place, name in enumerate(analysis.solvers)}
    environment.globals.update(
        fact=_fact, sort_value=_sort_value, solver_place=lambda row: places.get(getattr(row, "solver", ""))
    )
    return environment


def _section(contest: Contest, index: int, drawings: Sequence[Drawing]) -> Section:
    source = next(one["source"] for one in contest.run.info["datasets"] if one["name"] == contest.dataset)
    return Section(
        id=f"set-{index}",
        name=contest.dataset,
        source=source,
        run=contest.run.label,
        verdict=verdicts.contest_verdict(contest),
        table=contest_table(contest.dataset, contest.summaries),
        pairs=duel_table(contest),
        drawings=[drawing for drawing in drawings if drawing.chart.dataset == contest.dataset],
        puzzles=outstanding(contest),
    )


def _drawing(chart: Chart, index: int, section: int | None) -> Drawing:
    # matplotlib wrote the drawing, and escaped the names in it: it is markup.
    return Drawing(chart, f"chart-{index}", Markup(svg.inline(chart, index, section)))


def _fact(key: str, value: object) -> str:
    """A fact of the machine, sizes in a unit that can be read."""
    if key.endswith("_bytes") and isinstance(value, int):
        return f"{value / 2**30:.1f} GiB"
    return "not known" if value is None else str(value)


def _sort_value(field: Field[Any], row: object) -> str:
    """What a column is sorted by: the figure, not how it is said."""
    value: Value = field.get(row)
    if isinstance(value, Estimate):
        value = value.value
    return "" if value is None else str(value)


def _asset(name: str) -> str:
    return resources.files("megadoku.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _content_hash(script: str) -> str:
    """The page lets this script run and no other, should a name ever slip through as markup."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
