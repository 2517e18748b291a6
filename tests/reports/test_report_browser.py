"""The page in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import browser as browsing
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from browser import Browser

    from megadoku.reports.report import ReportPaths

pytestmark = pytest.mark.skipif(not (browsing.CHROMIUM and browsing.CHROMEDRIVER), reason=browsing.MISSING)

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
COLUMN = """
const [set, title] = arguments;
const table = [...document.querySelectorAll('table.data')].find((one) => one.caption.textContent === set);
const place = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === title);
return [...table.tBodies[0].rows].filter((row) => row.offsetParent).map((row) => row.cells[place].textContent);
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing.Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def page(session: Browser, report: ReportPaths) -> Browser:
    session.devtools("Emulation.clearDeviceMetricsOverride")
    session.devtools("Emulation.setEmulatedMedia", features=[])
    session.open(report.page)
    return session


def test_opens_quietly(page: Browser, report: ReportPaths) -> None:
    page.console(), page.requests()
    page.open(report.page)
    assert page.console() == []
    assert {address for address in page.requests() if not address.startswith("data:")} == {report.page.as_uri()}


def test_sorting_by_a_column(page: Browser) -> None:
    page.run("document.querySelector('#set-1 table.data th:nth-child(6)').scrollIntoView({block: 'center'})")
    slowest_first = ["naive", "sets", "bitmask", "lanes"]
    assert page.run(COLUMN, "hard", "solver") == slowest_first[::-1]
    header = "#set-1 table.data th:nth-child(7)"  # puzzles/s: 18,800 is more than 388, as a number
    page.click(f"{header} button")
    assert page.run(COLUMN, "hard", "solver") == slowest_first
    assert page.run(f"return document.querySelector('{header}').getAttribute('aria-sort')") == "ascending"
    page.click(f"{header} button")
    assert page.run(COLUMN, "hard", "solver") == slowest_first[::-1]


def test_sorting_and_toggling_by_keyboard(page: Browser) -> None:
    page.run("document.querySelector('#set-1 table.data th button').focus()")
    page.press("\ue007")
    assert page.run(COLUMN, "hard", "solver") == ["bitmask", "lanes", "naive", "sets"]
    page.run("document.querySelector('.chip').focus()")
    page.press(" ")
    assert page.run(COLUMN, "hard", "solver") == ["bitmask", "lanes", "sets"]


def test_filtering_rows(page: Browser) -> None:
    page.type("#filter", "hard la")
    assert page.run(COLUMN, "hard", "solver") == ["lanes"]
    assert page.run(COLUMN, "easy", "solver") == []


def test_a_solver_switched_off_leaves_charts_and_tables(page: Browser) -> None:
    shown = """const parts = [...document.querySelectorAll('figure [data-solver="3"]')];
        return parts.filter((one) => one.getBoundingClientRect().width).length"""
    others = shown.replace('"3"', '"2"')
    before = page.run(others)
    assert page.run(shown) > 20
    page.click('[data-toggle="3"]')
    assert page.run(shown) == 0
    assert page.run(others) == before
    assert "lanes" not in page.run(COLUMN, "hard", "solver")
    page.click('[data-toggle="3"]')
    assert page.run(shown) > 20


def test_hovering_says_the_values(page: Browser) -> None:
    place = page.run("""
        const parts = [...document.querySelectorAll('figure [data-solver="3"]')];
        const dot = parts.find((one) => one.dataset.tip?.includes('puzzles/s'));
        dot.scrollIntoView({block: 'center'});
        const box = dot.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];""")
    page.hover(*place)
    tip = page.run("const tip = document.getElementById('tip'); return tip.hidden ? null : tip.textContent")
    assert tip.startswith("lanes: ")
    assert "puzzles/s on easy" in tip


def test_opening_a_puzzle(page: Browser) -> None:
    page.run("document.querySelector('#set-1 .puzzles').scrollIntoView({block: 'center'})")
    page.click("#set-1 .puzzles button")
    assert page.run("return document.getElementById('puzzle').open")
    digits = "return [...document.querySelectorAll('#puzzle-grid td')].map((cell) => cell.textContent || '.').join('')"
    with_solution = page.run(digits)
    assert with_solution == "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    page.click("#puzzle-solution")
    givens = page.run(digits)
    assert givens == page.run("return document.getElementById('puzzle-line').textContent")
    assert "." in givens
    fared = page.run("return document.getElementById('puzzle-fared').tBodies[0].innerText")
    assert fared.count("\n") == 3
    assert "ran out" in fared
    page.press("\ue00c")
    assert not page.run("return document.getElementById('puzzle').open")


def test_dark_by_system_and_by_button(page: Browser) -> None:
    paper = "return getComputedStyle(document.body).backgroundColor"
    ink = "return getComputedStyle(document.querySelector('figure svg text')).fill"
    light, light_ink = page.run(paper), page.run(ink)
    page.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    dark, dark_ink = page.run(paper), page.run(ink)
    assert light == "rgb(255, 255, 254)"
    assert dark == "rgb(22, 22, 26)"
    assert light_ink != dark_ink
    page.click("#theme")
    assert (page.run(paper), page.run(ink)) == (light, light_ink)


def test_fits_a_phone(page: Browser) -> None:
    page.devtools("Emulation.setDeviceMetricsOverride", width=380, height=800, deviceScaleFactor=2, mobile=True)
    assert page.run("return innerWidth") == 380
    assert page.run("return document.documentElement.scrollWidth") <= 380
    heights = page.run("""const texts = [...document.querySelectorAll('figure svg text')];
        return texts.map((one) => one.getBoundingClientRect().height)""")
    assert min(heights) >= 8


def test_every_chart_has_words(page: Browser) -> None:
    figures = page.run("""return [...document.querySelectorAll('figure')].map((figure) => {
        const image = figure.querySelector('[role=img]');
        const says = (name) => document.getElementById(image.getAttribute(name)).textContent.trim();
        return [says('aria-labelledby'), says('aria-describedby'), figure.querySelector('figcaption').textContent];
    })""")
    assert len(figures) >= 10
    assert all(all(words) for words in figures)


def test_prints_without_the_controls(page: Browser) -> None:
    page.devtools("Emulation.setEmulatedMedia", media="print")
    assert page.run("return getComputedStyle(document.getElementById('toolbar')).display") == "none"


OVERLAPS = """
const found = [];
for (const figure of document.querySelectorAll('figure')) {
  const level = [...figure.querySelectorAll('svg text')].filter((text) => !text.getAttribute('transform'));
  const boxes = level.map((text) => [text.textContent, text.getBoundingClientRect()]);
  boxes.forEach(([one, a], place) => boxes.slice(place + 1).forEach(([other, b]) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 0.35 * Math.min(a.height, b.height)) found.push([figure.id, one, other]);
  }));
}
return found;
"""  # boxes hold the room of letters that hang or rise; a third of a line of that may be shared


OUTSIDE = """
return [...document.querySelectorAll('figure svg')].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
  const out = ([, box]) => box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2;
  return texts.filter(out).map(([text]) => text);
})
"""


def test_no_labels_overlap_in_a_crowd(page: Browser, crowded_page: Path) -> None:
    page.open(crowded_page)
    assert page.run("return document.querySelectorAll('figure svg text').length") > 1000
    assert page.run(OVERLAPS) == []
    assert page.run(OUTSIDE) == []


def test_no_labels_overlap(page: Browser) -> None:
    assert page.run(OVERLAPS) == []
    assert page.run(OUTSIDE) == []


def test_long_names_are_never_cut_in_tables(page: Browser, crowded_page: Path) -> None:
    """They differ at their ends."""
    page.open(crowded_page)
    cells = "[...document.querySelectorAll('main > section:nth-of-type(2) td.text')]"
    assert page.run(f"return {cells}.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length") == 0
    assert page.run(f"return {cells}.every((cell) => getComputedStyle(cell).textOverflow === 'clip')")


def test_a_crowded_page_stays_small(crowded_page: Path) -> None:
    assert crowded_page.stat().st_size < 3_000_000


def test_a_ring_opens_its_puzzle(page: Browser) -> None:
    ring = "#set-1 figure [data-puzzle]"
    page.run(f"document.querySelector('{ring}').scrollIntoView({{block: 'center'}})")
    page.click(ring)
    assert page.run("return document.getElementById('puzzle').open")


@pytest.mark.skipif(not AXE.is_file(), reason="no axe-core here (npm install --no-save axe-core)")
def test_accessible(page: Browser) -> None:
    page.run(AXE.read_text(encoding="utf-8"))
    for theme in ("light", "dark"):
        page.run("document.documentElement.dataset.theme = arguments[0]", theme)
        found = page.run_async("axe.run().then((all) => arguments[0](all.violations))")
        serious = {
            one["id"]: one["nodes"][0]["html"][:200] for one in found if one["impact"] in ("serious", "critical")
        }
        assert serious == {}, theme
