"""What a person types → the files that are meant: files, globs, folders, `-`, names of bundled sets."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from megadoku.datasets.bundled import bundled
from megadoku.datasets.errors import MissingInputError
from megadoku.datasets.sources import STDIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


LONGEST_SHOWN = 100  # characters of what was typed


@dataclass(frozen=True)
class Input:
    path: str  # or `-`
    name: str  # for messages
    from_folder: bool = False  # then a file that holds no puzzles is passed over, not an error


def resolve(inputs: Iterable[str]) -> list[Input]:
    """Every file that is meant, in the order given; within a glob or folder, by name."""
    return [found for text in inputs for found in _resolve(str(text))]


def _resolve(text: str) -> Iterator[Input]:
    try:
        yield from _found(text)
    except OSError as error:  # a name too long for any file, a folder that may not be looked into
        shown = text if len(text) < LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
        raise MissingInputError(f"{shown}: cannot be opened ({error.strerror})") from None


def _found(text: str) -> Iterator[Input]:
    path = Path(text)
    if not text:
        raise MissingInputError("an empty name where an input should be; for this folder, say .")
    if text == STDIN:
        yield Input(text, "standard input")
    elif path.is_dir():
        yield from _folder(path)
    elif stands_there(text):
        yield Input(text, text)
    elif matches := [match for match in sorted(glob.glob(text, recursive=True)) if stands_there(match)]:  # noqa: PTH207
        for match in matches:
            yield from _found(match)
    elif path.is_symlink():
        raise MissingInputError(f"{text}: a link that leads nowhere")
    else:
        yield _bundled(text)


def stands_there(text: str) -> bool:
    try:
        os.stat(text)  # noqa: PTH116 - unlike Path, it takes `file/` for what it is, and says why it may not look
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _folder(folder: Path) -> Iterator[Input]:
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    if not files:
        os.listdir(folder)  # noqa: PTH208 - which says so, if we may not look into it
        raise MissingInputError(f"{folder}: an empty folder")
    for path in files:
        yield Input(str(path), str(path), from_folder=True)


def _bundled(text: str) -> Input:
    sets = {entry.name: entry for entry in bundled()}
    if text in sets:
        return Input(str(sets[text].path), text)
    if glob.has_magic(text):
        raise MissingInputError(f"{text}: no file matches")
    close = get_close_matches(text, sets, 1)
    hint = f"did you mean {close[0]}?" if close else f"bundled sets are {', '.join(sets)}"
    raise MissingInputError(f"{text}: no such file or bundled set; {hint}")
