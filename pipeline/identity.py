"""Is this still the same input? Answered before a run is resumed, and after one has read it."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from megadoku.datasets.errors import BrokenInputError
from megadoku.datasets.inputs import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

_END_BYTES = 1 << 16


def of_inputs(inputs: Sequence[str]) -> list[dict[str, Any]]:
    """Name, size and a hash of both ends of each file. Not its times: a copy or a touch changes nothing."""
    return [_of_file(found.path) for found in resolve(inputs)]


def paths(inputs: Sequence[str]) -> list[str]:
    return [found.path for found in resolve(inputs) if found.path != "-"]


def can_be_read_again(inputs: Sequence[str]) -> bool:
    return all(_is_regular(found.path) for found in resolve(inputs))


def _is_regular(path: str) -> bool:
    return path != "-" and stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116


def _of_file(path: str) -> dict[str, Any]:
    if not _is_regular(path):
        return {"name": path}
    with Path(path).open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        ends = stream.read(_END_BYTES)
        stream.seek(max(0, size - _END_BYTES))
        ends += stream.read(_END_BYTES)
    return {"name": path, "bytes": size, "ends": hashlib.sha256(ends).hexdigest()}


class Watched:
    """Files as they were at the start; `check` complains if one is no longer what it was."""

    def __init__(self, inputs: Sequence[str]) -> None:
        self._before = {found.path: _stamp(found.path) for found in resolve(inputs) if _is_regular(found.path)}

    def check(self) -> None:
        for path, before in self._before.items():
            if _stamp(path) != before:
                raise BrokenInputError(f"{path}: changed while it was read; solve it again when it is complete")


def _stamp(path: str) -> tuple[int, ...] | None:
    try:
        facts = os.stat(path)  # noqa: PTH116
    except FileNotFoundError:
        return None
    return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns
