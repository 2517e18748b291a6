"""Names are data: whatever they hold, nothing runs, nothing leaves the folder, and charts are drawn."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from making_runs import write_run
from rich.console import Console
from stress import HOSTILE, hostile_times

from megadoku.reports import escape, print_summary, write_report

if TYPE_CHECKING:
    from pathlib import Path

    from megadoku.reports.report import ReportPaths


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ReportPaths]:
    folder = tmp_path_factory.mktemp("hostile")
    run = write_run(folder / "run", hostile_times())
    return run, write_report([run], folder / "out" / "report")


def test_nothing_leaves_the_folder(hostile: tuple[Path, ReportPaths]) -> None:
    run, report = hostile
    outside = {path.name for path in run.parent.iterdir()} | {path.name for path in (run.parent / "out").iterdir()}
    assert outside == {"run", "out", "report"}
    assert all(path.resolve().is_relative_to(report.page.parent.resolve()) for path in report.charts)
    assert len(set(report.charts)) == len(report.charts)


def test_the_page_has_no_markup_of_theirs(hostile: tuple[Path, ReportPaths]) -> None:
    class Tags(HTMLParser):
        scripts = 0
        handlers = 0

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.scripts += tag == "script"
            self.handlers += sum(name.startswith("on") for name, _ in attrs)

    page = hostile[1].page.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)
    assert tags.scripts == 2  # the data and our own
    assert tags.handlers == 0
    assert "49" not in page.split("&amp;{{ 7*7 }}")[0][-20:]
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_charts_are_drawn_and_show_the_names(hostile: tuple[Path, ReportPaths]) -> None:
    chart = next(path for path in hostile[1].charts if path.name == "throughput.svg")
    texts = [
        "".join(text.itertext()) for text in ElementTree.fromstring(chart.read_bytes()).iter() if "text" in text.tag
    ]
    assert r"$\nosuch$ ${x" in texts
    assert any("<script>" in text for text in texts)


def test_tables_are_inert(hostile: tuple[Path, ReportPaths]) -> None:
    tables = {path.name: path.read_text(encoding="utf-8") for path in hostile[1].tables}
    for row in csv.reader(io.StringIO(tables["summary.csv"])):
        assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in row)
    assert "<script" not in tables["summary.md"]
    assert r"\$\textbackslash{}nosuch\$" in tables["summary.tex"]
    assert all("\x1b" not in text for text in tables.values())


def test_the_terminal_obeys_none(hostile: tuple[Path, ReportPaths]) -> None:
    console = Console(file=io.StringIO(), width=300, force_terminal=True, color_system=None)
    print_summary([hostile[0]], console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b[31m" not in printed
    assert "\u202e" not in printed


def test_names_stay_apart_when_cut() -> None:
    names = ["x" * 60 + str(place) + "y" * 30 for place in range(12)]
    short = escape.distinct(names, 26)
    assert len(set(short.values())) == 12
    assert all(len(name) <= 26 for name in short.values())
    assert escape.distinct(["plain"], 26) == {"plain": "plain"}


@pytest.mark.parametrize("name", HOSTILE)
def test_file_names_are_tame(name: str) -> None:
    assert set(escape.file_stem(name)) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
    assert escape.file_stem("///") == "unnamed"
