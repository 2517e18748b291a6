"""Compiling with numba, for loops over rows or cells: a typed face, and a cache that is a help, never a condition."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numba
from numba import extending
from numba.np import linalg

if TYPE_CHECKING:
    from collections.abc import Callable


def _leave_scipy_out() -> None:
    """Numba would import scipy.linalg for 0.3 s, just to see if it is there; who multiplies matrices asks again."""
    asks, linalg.ensure_blas = linalg.ensure_blas, bool
    from numba.np import arraymath

    linalg.ensure_blas = arraymath.ensure_blas = asks  # type: ignore[attr-defined]


_leave_scipy_out()
P = ParamSpec("P")
R = TypeVar("R")

# Kernels work in arrays that they are handed and make none. Numba would still count, atomically, who holds each array
# whenever one is passed on, which made a search of many small steps 2.5 times slower; `_nrt` switches the counting off.
NO_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False}


def part(function: Callable[P, R]) -> Callable[P, R]:
    """A piece of a kernel: compiled with what calls it. Only compiled code can; that saves a third of the compiling."""
    compiled: Callable[P, R] = numba.njit(**OPTIONS, **NO_WRAPPERS)(function)
    return compiled


def emitter(function: Callable[..., Any]) -> Callable[..., Any]:
    """A piece of a kernel that writes its own LLVM code: called by compiled code, expanded in place."""
    expanded: Callable[..., Any] = extending.intrinsic(function)
    return expanded


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """What Python calls: compiled at the first call, kept on disk for the next process where the disk allows it."""
    cached: Callable[P, R] = numba.njit(**OPTIONS)(function)
    try:
        cached.enable_caching()  # type: ignore[attr-defined]
    except RuntimeError:  # no folder to write to: compile anew in each process
        return cached

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        nonlocal cached
        try:
            return cached(*args, **kwargs)
        except (
            Exception
        ):  # the folder cannot be used, or a crash has left half a file there; kernels themselves raise nothing
            _forget(cached)
            cached = numba.njit(**OPTIONS)(function)
            return cached(*args, **kwargs)

    return call


def _forget(cached: Any) -> None:
    """So that the next process compiles and keeps it anew."""
    with contextlib.suppress(Exception):
        cached._cache.flush()
