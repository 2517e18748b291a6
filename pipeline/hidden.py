"""Files that stand beside an output while it is made, and what is said when one of them cannot be."""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING

from megadoku.pipeline.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONGEST_NAME = 255  # bytes, on nearly every file system


def hidden(target: Path, kind: str) -> Path:
    """`.OUT.partial`, `.OUT.journal`; the name is shortened where it would be too long."""
    name = f".{target.name}.{kind}"
    if len(name.encode(errors="surrogateescape")) > LONGEST_NAME:
        name = f".{hashlib.sha256(target.name.encode(errors='surrogateescape')).hexdigest()[:32]}.{kind}"
    return target.with_name(name)


@contextlib.contextmanager
def said_plainly(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"{name}: cannot be written: {reason}; mend that or choose another place") from error
