"""Memory that is used over and over."""

from __future__ import annotations

import contextlib
import ctypes

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of glibc's mallopt
KEPT = 256 << 20  # bytes of free memory that are not given back
LARGEST = 32 << 20  # bytes that are still taken from there; glibc allows no more


def keep() -> None:
    """Let this process keep what it frees: every block needs the same arrays again.

    glibc gives large arrays back to the system, and the next ones come page by page, each of them cleared: a sixth of
    the time of a long run. For the commands only, since a program that calls us may have other wishes.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):  # another libc, or none to ask
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_MMAP_THRESHOLD, LARGEST)
        libc.mallopt(_M_TRIM_THRESHOLD, KEPT)
