"""One writer for each file: a lock that dies with its process."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

from megadoku.pipeline.errors import BusyError

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path


def opened(path: Path) -> FileIO:
    """The file, made if need be, to be read and added to, and ours until it is closed.

    Between opening and locking it, who had it before may have finished and renamed or removed it: then it is another
    file that stands there, and that one is wanted.
    """
    while True:
        file = path.open("a+b", buffering=0)
        try:
            _lock(file, path)
            if _is_at(path, file):
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def _lock(file: FileIO, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BusyError(f"{path}: another run is writing this output; wait for it or choose another") from None


def _is_at(path: Path, file: FileIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False
