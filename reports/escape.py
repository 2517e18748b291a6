"""Names and values are data: here each outlet's markup is taken out of them.

HTML is left to jinja2's autoescape, chart text to matplotlib's `parse_math=False`.
"""

from __future__ import annotations

import re
import unicodedata

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "≥": r"$\geq$",
    "µ": r"\textmu{}",
    "–": "--",
    "×": r"$\times$",
    "∞": r"$\infty$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
} | {mark: f"\\{mark}" for mark in "&%$#_{}"}


def printable(text: str) -> str:
    """One line without control or direction-changing characters: what a terminal or a chart would obey, not show."""
    return "".join("�" if unicodedata.category(mark) in ("Cc", "Cf", "Cs", "Zl", "Zp") else mark for mark in text)


def csv_cell(text: str) -> str:
    """A cell that a spreadsheet would take for a formula gets the quote mark that makes it text."""
    text = printable(text)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def markdown(text: str) -> str:
    escaped = re.sub(r"([\\`*_{}\[\]|~$])", r"\\\1", printable(text))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def latex(text: str) -> str:
    return "".join(LATEX.get(mark, mark) for mark in printable(text))


def file_stem(text: str) -> str:
    """Part of a file's name: letters, digits and dashes, so that it cannot lead out of its folder."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:40] or "unnamed"


def shorten(text: str, width: int) -> str:
    """At most `width` characters; the middle goes, for names differ at their ends."""
    text = printable(text)
    if len(text) <= width:
        return text
    tail = (width - 1) // 2
    return f"{text[: width - 1 - tail]}…{text[-tail:]}"


def distinct(names: list[str], width: int) -> dict[str, str]:
    """Short names that stay different from each other."""
    shown: dict[str, str] = {}
    for name in names:
        short, copy = shorten(name, width), 2
        while short in shown.values():
            mark = f"~{copy}"
            short, copy = shorten(name, width - len(mark)) + mark, copy + 1
        shown[name] = short
    return shown
