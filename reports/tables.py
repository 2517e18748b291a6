"""Tables, from one list of fields, as terminal, Markdown, CSV, LaTeX and JSON.

A field knows how to get its value and how to say it to people; each format below knows only how to lay cells out.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from megadoku.reports import escape
from megadoku.reports.statistics import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.table import Table as RichTable

Value = str | int | float | bool | Estimate | None
Row = TypeVar("Row")

NOTHING = "–"
WIDE = 110  # columns of a terminal


@dataclass(frozen=True)
class Field(Generic[Row]):
    """One column: its key in files (with the unit), its heading for people, its value and how to say that."""

    key: str
    title: str
    get: Callable[[Row], Value]
    say: Callable[[Any], str] = str
    help: str = ""  # what it means, for those who hover or listen
    best: Callable[[Row], bool] = lambda _: False  # shown in bold
    text: bool = False  # set to the left
    brief: Callable[[Any], str] | None = None  # how to say it on a terminal, where there is little room
    rare: bool = False  # left out of a terminal where it is nothing but noughts
    wide: bool = False  # left out of a narrow terminal

    def cell(self, row: Row) -> str:
        return self._said(self.say, row)

    def brief_cell(self, row: Row) -> str:
        return self._said(self.brief or self.say, row)

    def _said(self, say: Callable[[Any], str], row: Row) -> str:
        value = self.get(row)
        return NOTHING if value is None else say(value)


@dataclass(frozen=True)
class Table(Generic[Row]):
    """Rows under fields, with a title and notes beneath."""

    title: str
    fields: list[Field[Row]]
    rows: list[Row]
    notes: tuple[str, ...] = ()

    def markdown(self) -> str:
        head = [escape.markdown(field.title) for field in self.fields]
        rule = ["---" if field.text else "---:" for field in self.fields]
        body = [[self._mark(field, row, escape.markdown, "**{}**") for field in self.fields] for row in self.rows]
        lines = ["| " + " | ".join(cells) + " |" for cells in [head, rule, *body]]
        return "\n".join([*lines, *(f"\n{escape.markdown(note)}" for note in self.notes)]) + "\n"

    def latex(self) -> str:
        columns = "".join("l" if field.text else "r" for field in self.fields)
        head = " & ".join(escape.latex(field.title) for field in self.fields)
        body = [
            " & ".join(self._mark(field, row, escape.latex, r"\textbf{{{}}}") for field in self.fields)
            for row in self.rows
        ]
        rows = [f"{line} \\\\" for line in body]
        lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", rf"{head} \\", r"\midrule", *rows, r"\bottomrule"]
        return "\n".join([*lines, r"\end{tabular}"]) + "\n"

    def csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([key for field in self.fields for key in self._csv_keys(field)])
        for row in self.rows:
            writer.writerow([cell for field in self.fields for cell in self._csv_cells(field, row)])
        return out.getvalue()

    def json(self) -> str:
        rows = [{field.key: _plain(field.get(row)) for field in self.fields} for row in self.rows]
        return json.dumps({"title": self.title, "rows": rows, "notes": list(self.notes)}, indent=1, allow_nan=False)

    def terminal(self, width: int) -> RichTable:
        """For a terminal so many columns wide; what the first column repeats is said once."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table as RichTable
        from rich.text import Text

        fields = [field for field in self.fields if self._fits(field, width)]
        title = Text(escape.printable(self.title))
        table = RichTable(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
        for field in fields:
            side: Literal["left", "right"] = "left" if field.text else "right"
            heading = Text(field.title if field.text else field.title.replace(" ", "\n"))
            table.add_column(heading, justify=side, no_wrap=not field.text, vertical="bottom")
        group = None
        for row in self.rows:
            # Text, not str: a name in square brackets is not a style.
            cells = [Text(escape.printable(field.brief_cell(row)), "bold" * field.best(row)) for field in fields]
            table.add_row(*(cells if cells[0] != group else ["", *cells[1:]]))
            group = cells[0]
        return table

    def _fits(self, field: Field[Row], width: int) -> bool:
        if field.rare and not any(field.get(row) for row in self.rows):
            return False
        return width >= WIDE or not field.wide

    def _mark(self, field: Field[Row], row: Row, outlet: Callable[[str], str], bold: str) -> str:
        cell = outlet(field.cell(row))
        return bold.format(cell) if field.best(row) else cell

    def _csv_keys(self, field: Field[Row]) -> Iterable[str]:
        if not self._estimates(field):
            return [field.key]
        return [field.key, f"{field.key}_low", f"{field.key}_high", f"{field.key}_is_lower_bound"]

    def _csv_cells(self, field: Field[Row], row: Row) -> Iterable[str]:
        value = field.get(row)
        if not self._estimates(field):
            return [escape.csv_cell(value) if isinstance(value, str) else _csv_number(value)]
        known = value if isinstance(value, Estimate) else None
        parts = (known.value, known.low, known.high, known.bound) if known else (None,) * 4
        return [_csv_number(part) for part in parts]

    def _estimates(self, field: Field[Row]) -> bool:
        return any(isinstance(field.get(row), Estimate) for row in self.rows)


def _csv_number(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _plain(value: Value) -> object:
    if isinstance(value, Estimate):
        return {"value": value.value, "low": value.low, "high": value.high, "lower_bound": value.bound}
    return value
