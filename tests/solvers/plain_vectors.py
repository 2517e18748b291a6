"""Vectors without a compiler: the operators that the rules use, on numpy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable


class PlainVec:
    """As `megadoku.solvers.lanes.vector.Vec`, but it holds its numbers."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = np.asarray(numbers).astype(np.uint16)

    def _with(self, function: Callable[[Any, Any], Any], other: PlainVec | int) -> PlainVec:
        operand = other.numbers if isinstance(other, PlainVec) else np.uint16(other & 0xFFFF)
        return PlainVec(function(self.numbers, operand))

    def __and__(self, other: PlainVec | int) -> PlainVec:
        return self._with(np.bitwise_and, other)

    def __or__(self, other: PlainVec | int) -> PlainVec:
        return self._with(np.bitwise_or, other)

    def __sub__(self, other: PlainVec | int) -> PlainVec:
        return self._with(np.subtract, other)

    def __invert__(self) -> PlainVec:
        return PlainVec(~self.numbers)

    def __eq__(self, other: object) -> PlainFlags:  # type: ignore[override]
        return PlainFlags(self.numbers == (other.numbers if isinstance(other, PlainVec) else other))

    def __ne__(self, other: object) -> PlainFlags:  # type: ignore[override]
        return PlainFlags(self.numbers != (other.numbers if isinstance(other, PlainVec) else other))

    def popcount(self) -> PlainVec:
        return PlainVec(np.bitwise_count(self.numbers))


class PlainFlags:
    def __init__(self, answers: Any) -> None:
        self.answers = answers

    def pick(self, yes: PlainVec, no: PlainVec | int) -> PlainVec:
        return PlainVec(np.where(self.answers, yes.numbers, no.numbers if isinstance(no, PlainVec) else no))
