"""A chart's SVG made part of the page: solvers that can be switched off, values to hover over, light and dark.

What matplotlib writes for any reader is also made smaller here, for a page holds dozens of charts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from megadoku.reports.charts import base

if TYPE_CHECKING:
    from megadoku.reports.charts.base import Chart

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
PIXELS_PER_POINT = 1.45
THEMED = {base.INK: "var(--ink)", base.GRID: "var(--grid)", base.PAPER: "none"}
SMALLER = (
    (r"(\.\d)\d+", r"\1"),  # a tenth of a point is less than can be seen
    (r' transform="rotate\(-0 [^"]*"', ""),
    (r" font-family: [^;]*;| text-anchor: start;|; stroke-linecap: square", ""),
    (r'(?<=[MLzQC]) | (?=[MLzQC"])', ""),
    (r">\s+<", "><"),
    (r"(?<=[:;]) ", ""),
)


def inline(chart: Chart, index: int, section: int | None = None) -> str:
    """The chart of a section as an <svg> element, hidden from screen readers: the figure around it has the words."""
    root = ElementTree.fromstring(chart.svg)
    for junk in root.findall(f"{{{SVG}}}metadata"):
        root.remove(junk)
    _crop(root, chart)
    _tag_solvers(root, chart)
    _link_puzzles(root, chart, section)
    _drop_ids(root)
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    return _themed(_smaller(_own_ids(ElementTree.tostring(root, encoding="unicode"), f"c{index}-")))


def _crop(root: ElementTree.Element, chart: Chart) -> None:
    """Take the title off the top: the page has it as a heading."""
    bottom = chart.title_height
    for parent in root.iter():
        for child in list(parent):
            if child.get("id") == base.TITLE:
                parent.remove(child)
    _, _, width, height = (float(part) for part in root.attrib["viewBox"].split())
    root.set("viewBox", f"0 {bottom:.1f} {width:g} {height - bottom:.1f}")
    root.set("width", f"{PIXELS_PER_POINT * width:.0f}")  # the height follows
    del root.attrib["height"]
    root.set("aria-hidden", "true")


def _tag_solvers(root: ElementTree.Element, chart: Chart) -> None:
    """Groups of a solver say whose they are. The picture of a dense cloud has no name: it is the next group's."""
    for parent in root.iter():
        picture: ElementTree.Element | None = None
        for child in parent:
            gid = child.get("id", "")
            if gid in chart.tips and gid not in chart.links:
                solver = gid.removeprefix("solver-").split("--")[0]
                child.set("data-tip", chart.tips[gid])
                for owned in (child, picture):
                    if owned is not None:
                        owned.set("data-solver", solver)
            picture = child if child.tag == f"{{{SVG}}}image" else None


def _link_puzzles(root: ElementTree.Element, chart: Chart, section: int | None) -> None:
    for group in root.iter(f"{{{SVG}}}g"):
        gid = group.get("id", "")
        if gid in chart.links:
            group.set("data-puzzle", f"{section}-{chart.links[gid]}")
            group.set("data-tip", chart.tips[gid])


def _drop_ids(root: ElementTree.Element) -> None:
    """Only what is drawn several times is looked up by its id; groups are not."""
    for group in root.iter(f"{{{SVG}}}g"):
        group.attrib.pop("id", None)


def _own_ids(text: str, prefix: str) -> str:
    """Ids that no other chart of the page has."""
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    return re.sub(r'(url\(#|href="#)', rf"\1{prefix}", text)


def _smaller(text: str) -> str:
    """The drawing only: what people wrote into it stands in <text> and data-tip, and is left as it is."""
    parts = re.split(r'(data-tip="[^"]*"|(?<=>)[^<>]+(?=</text>)|data:image[^"]*")', text)
    for place in range(0, len(parts), 2):
        for pattern, replacement in SMALLER:
            parts[place] = re.sub(pattern, replacement, parts[place])
    return "".join(parts)


def _themed(text: str) -> str:
    for colour, variable in THEMED.items():
        text = text.replace(colour, variable)
    return text
