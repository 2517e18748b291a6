"""What a format is recognised by: the beginning of an input, and what the caller overrules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from megadoku.datasets.text import CTRL_Z


@dataclass(frozen=True)
class Options:
    """What the caller overrules or asks for."""

    column: str | None = None
    format_name: str | None = None
    keep_columns: bool = False


@dataclass(frozen=True)
class Sample:
    head: bytes  # UTF-8, LF
    whole: bool  # there is no more of it

    @cached_property
    def text(self) -> str:
        return self.head.rstrip(CTRL_Z).decode(errors="replace")

    @cached_property
    def lines(self) -> list[str]:
        """The lines that are seen whole."""
        lines = self.text.split("\n")
        if len(lines) > 1 and (not self.whole or not lines[-1]):
            lines.pop()
        return lines
