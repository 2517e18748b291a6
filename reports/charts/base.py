"""What all charts share: style, palette, and how a solver is recognised in every one of them."""

from __future__ import annotations

import io
import textwrap
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from megadoku.reports import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

INK, GRID, PAPER = "#1a1a1b", "#d9d9da", "#fffffe"  # colours that the page finds again, to follow light and dark

# Okabe and Ito's palette, safe for colour-blind readers; grey and brown stand for its black and yellow, which vanish on
# dark and on light paper.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c8c8c", "#9c5d1a")
DASHES: tuple[Any, ...] = ("solid", (0, (5, 1.5)), (0, (1.2, 1.2)))
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")

STYLE: dict[Any, Any] = {
    "text.parse_math": False,  # a name with dollar signs is a name
    "svg.fonttype": "none",
    "svg.hashsalt": "megadoku",  # the same data, the same bytes
    "font.family": ["DejaVu Sans"],
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.8,
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
}

TITLE = "chart-title"
DPI = {"svg": 90, "png": 150, "pdf": 200}  # of pictures and, in vector formats, of dense clouds
METADATA: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}  # the same bytes


@dataclass(frozen=True)
class Look:
    """How one solver looks in every chart."""

    index: int
    name: str
    short: str

    @property
    def colour(self) -> str:
        return COLOURS[self.index % len(COLOURS)]

    @property
    def marker(self) -> str:
        return MARKERS[(self.index + self.index // len(COLOURS)) % len(MARKERS)]  # a colour that returns has another

    @property
    def css_dash(self) -> str:
        return "none" if self.dash == "solid" else " ".join(str(2 * part) for part in self.dash[1])

    @property
    def dash(self) -> Any:
        return DASHES[self.index // len(COLOURS) % len(DASHES)]


def looks_of(names: Sequence[str]) -> dict[str, Look]:
    short = escape.distinct(list(names), 26)
    return {name: Look(index, name, short[name]) for index, name in enumerate(names)}


@dataclass(frozen=True)
class Chart:
    """A drawn chart, with its words."""

    name: str  # of its files
    title: str  # what it found
    caption: str  # how to read it
    figure: Figure
    dataset: str | None = None  # where it is about one only
    tips: dict[str, str] = field(default_factory=dict)  # what to show over an artist, by its gid
    links: dict[str, int] = field(default_factory=dict)  # to the puzzles that stand out, by gid
    values: tuple[str, ...] = ()  # the same in sentences, for those who do not see it

    @property
    def title_height(self) -> float:
        """Points that the title takes off the top of the finished chart."""
        title = self.figure._suptitle  # type: ignore[attr-defined]
        return float(self.figure.bbox.height - title.get_window_extent().y0) * 72 / self.figure.dpi

    def render(self, form: str) -> bytes:
        """The bytes of a file that stands alone."""
        out = io.BytesIO()
        with style():
            self.figure.savefig(out, format=form, dpi=DPI[form], metadata=METADATA.get(form))
        return out.getvalue()

    @cached_property
    def svg(self) -> bytes:
        """For its file and for the page."""
        return self.render("svg")

    def tag(self, artist: Artist, look: Look, tip: str) -> None:
        """The artist is the solver's: the page can switch it off and say its values."""
        gid = f"solver-{look.index}--{len(self.tips)}"
        artist.set_gid(gid)
        self.tips[gid] = escape.printable(tip)

    def link(self, artist: Artist, place: int, tip: str) -> None:
        """The artist is the puzzle at that place among those that stand out: the page can open it."""
        gid = f"puzzle-{place}"
        artist.set_gid(gid)
        self.links[gid] = place
        self.tips[gid] = escape.printable(tip)


def new_figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def panels(figure: Figure, count: int, columns: int) -> list[Axes]:
    """So many axes in rows, on common scales; each column names its ticks under its last."""
    columns = min(columns, count)
    grid = figure.subplots(-(-count // columns), columns, sharex=True, sharey=True, squeeze=False)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    used = list(grid.flat[:count])
    for axes in used[-columns:]:
        axes.tick_params(labelbottom=True)
    return used


def style() -> Any:
    """For drawing and for saving, so that nothing of it stays behind in the program."""
    return mpl.rc_context(STYLE)


def finish(chart: Chart) -> Chart:
    """Set the title and lay the chart out, once for all formats: that is what takes time."""
    heading = textwrap.fill(escape.printable(chart.title), int(chart.figure.get_figwidth() * 9))
    title = chart.figure.suptitle(heading, x=0.01, ha="left", fontsize=12, fontweight="bold")
    title.set_gid(TITLE)
    chart.figure.draw_without_rendering()
    chart.figure.set_layout_engine("none")
    return chart
