"""A chart's SVG made part of the page: solvers that can be switched off, values to hover over, light and dark."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from megadoku.reports.charts import base

if TYPE_CHECKING:
    from megadoku.reports.charts.base import Chart

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
PIXELS_PER_INCH = 105
THEMED = {base.INK: "var(--ink)", base.GRID: "var(--grid)", base.PAPER: "none"}


def inline(chart: Chart, index: int) -> str:
    """The chart as an <svg> element, hidden from screen readers: the figure around it has the words."""
    root = ElementTree.fromstring(_render(chart))
    for junk in root.findall(f"{{{SVG}}}metadata"):
        root.remove(junk)
    root.set("width", f"{PIXELS_PER_INCH * chart.figure.get_figwidth():.0f}")  # the height follows
    del root.attrib["height"]
    root.set("aria-hidden", "true")
    _tag_solvers(root, chart)
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    return _themed(_own_ids(ElementTree.tostring(root, encoding="unicode"), f"c{index}-"))


def _render(chart: Chart) -> bytes:
    out = io.BytesIO()
    with base.style():
        chart.figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, dpi=90)
    return out.getvalue()


def _tag_solvers(root: ElementTree.Element, chart: Chart) -> None:
    """Groups of a solver say whose they are. The picture of a dense cloud has no name: it is the next group's."""
    for parent in root.iter():
        picture: ElementTree.Element | None = None
        for child in parent:
            gid = child.get("id", "")
            if gid in chart.tips:
                solver = gid.removeprefix("solver-").split("--")[0]
                child.set("data-tip", chart.tips[gid])
                for owned in (child, picture):
                    if owned is not None:
                        owned.set("data-solver", solver)
            picture = child if child.tag == f"{{{SVG}}}image" else None


def _own_ids(text: str, prefix: str) -> str:
    """Ids that no other chart of the page has."""
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    return re.sub(r'(url\(#|href="#)', rf"\1{prefix}", text)


def _themed(text: str) -> str:
    for colour, variable in THEMED.items():
        text = text.replace(colour, variable)
    return text
