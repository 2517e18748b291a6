"""An inspection for people: a short page for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from megadoku.datasets.inspection import Inspection
    from megadoku.datasets.reader import Source

BAR = 40  # characters
MOST_SOURCES = 5
EIGHTHS = " ▏▎▍▌▋▊▉█"


def view(found: Inspection) -> Group:
    """Everything that was found, for `rich.print`."""
    parts: list[RenderableType] = [*_sources(found.sources), _facts(found)]
    if found.examples:
        parts += [Text("\nrefused, for example", "bold"), *(Text(f"  {example}") for example in found.examples)]
    if found.clues:
        parts += [Text("\nclues", "bold"), *_histogram(found.clues)]
    return Group(*parts)


def _sources(sources: list[Source]) -> list[Text]:
    lines = []
    for source in sources[:MOST_SOURCES]:
        details = ", ".join(filter(None, (source.encoding, source.line_ends, source.compression)))
        about = f"{source.format}: {source.layout}" + (f" ({details})" if details else "")
        lines += [Text(source.name, "bold"), Text(f"  {about}")]
    if len(sources) > MOST_SOURCES:
        lines.append(Text(f"… and {len(sources) - MOST_SOURCES} more files"))
    return [*lines, Text()]


def _facts(found: Inspection) -> Table:
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_row("rows", f"{found.rows:,}, of which {found.refused:,} refused")
    table.add_row("duplicates", f"{found.duplicates:,} among {found.compared:,} puzzles")
    table.add_row("givens that clash", f"{found.clashing:,}")
    if found.known:
        table.add_row("with a solution", f"{found.known:,}, of which {found.wrong:,} wrong")
    for name, value in _sampled(found):
        table.add_row(name, value)
    return table


def _sampled(found: Inspection) -> list[tuple[str, str]]:
    """What is known of the sample only."""
    if not found.sample:
        return []
    rows = [("sample", f"{found.sample:,} puzzles, {found.alike:,} alike up to relabelling and symmetry")]
    if found.counts:
        rows += [("solutions", _shares(found.counts)), ("it takes", _shares(found.takes))]
        rows.append(("nodes", ", ".join(f"{name} {value:,}" for name, value in found.nodes.items())))
    return rows


def _shares(counts: dict[str, int]) -> str:
    total = sum(counts.values()) or 1
    return ", ".join(f"{name} {100 * count / total:.3g}%" for name, count in counts.items() if count)


def _histogram(counts: dict[int, int]) -> list[Text]:
    most = max(counts.values())
    lines = []
    for value in range(min(counts), max(counts) + 1):
        count = counts.get(value, 0)
        full, part = divmod(round(8 * BAR * count / most), 8)
        bar = "█" * full + (EIGHTHS[part] if part else "")
        lines.append(Text(f"  {value:2} {bar or ('▏' if count else '')} {count or ''}"))
    return lines
