"""The vector type: 32 numbers of 16 bits, one for each of 32 puzzles, written like one Python number.

    a            | a0 | a1 | a2 | … | a31 |     lane l belongs to puzzle l
    b            | b0 | b1 | b2 | … | b31 |
    a & ~b       one expression in Python, one or two instructions for 32 puzzles

An expression runs once, while a kernel is compiled, and leaves LLVM instructions behind; LLVM turns them into whatever
the machine has (AVX-512, AVX2, SSE, NEON). Nothing here knows sudoku.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils

LANES = 32
WORD = ir.IntType(16)
VECTOR = ir.VectorType(WORD, LANES)
LONG = ir.IntType(64)
ALIGNMENT = LANES * 2  # bytes: every array of vectors starts at a multiple of this
_cgutils: Any = cgutils  # numba's helpers have no types


class Vec:
    """32 unsigned numbers. A plain int beside an operator stands for the same number in every lane."""

    __hash__ = None  # type: ignore[assignment]  # == compares lanes, so a Vec is no dictionary key
    __slots__ = ("builder", "value")

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    @classmethod
    def same(cls, builder: Any, number: int) -> Vec:
        """The same number in every lane."""
        return cls(builder, ir.Constant(VECTOR, [number & 0xFFFF] * LANES))

    @classmethod
    def spread(cls, builder: Any, scalar: Any) -> Vec:
        """A number known only when the kernel runs, copied to every lane."""
        nothing = ir.Constant(VECTOR, ir.Undefined)
        one = builder.insert_element(nothing, scalar, ir.Constant(ir.IntType(32), 0))
        order = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return cls(builder, builder.shuffle_vector(one, nothing, order))

    def __and__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.and_(self.value, self._lift(other)))

    def __or__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.or_(self.value, self._lift(other)))

    def __xor__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.xor(self.value, self._lift(other)))

    def __invert__(self) -> Vec:
        return self ^ 0xFFFF

    def __add__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.add(self.value, self._lift(other)))

    def __sub__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.sub(self.value, self._lift(other)))

    def __lshift__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.shl(self.value, self._lift(other)))

    def __rshift__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.lshr(self.value, self._lift(other)))

    def __eq__(self, other: Vec | int) -> Flags:  # type: ignore[override]
        return self._compare("==", other)

    def __ne__(self, other: Vec | int) -> Flags:  # type: ignore[override]
        return self._compare("!=", other)

    def __lt__(self, other: Vec | int) -> Flags:
        return self._compare("<", other)

    def __gt__(self, other: Vec | int) -> Flags:
        return self._compare(">", other)

    def popcount(self) -> Vec:
        return self._call("ctpop", self.value)

    def min(self, other: Vec | int) -> Vec:
        return self._call("umin", self.value, self._lift(other))

    def max(self, other: Vec | int) -> Vec:
        return self._call("umax", self.value, self._lift(other))

    def _new(self, value: Any) -> Vec:
        return Vec(self.builder, value)

    def _lift(self, other: Vec | int) -> Any:
        return other.value if isinstance(other, Vec) else Vec.same(self.builder, other).value

    def _compare(self, how: str, other: Vec | int) -> Flags:
        return Flags(self.builder, self.builder.icmp_unsigned(how, self.value, self._lift(other)))

    def _call(self, name: str, *args: Any) -> Vec:
        kind = ir.FunctionType(VECTOR, [VECTOR] * len(args))
        function = _cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.{name}.v{LANES}i16")
        return self._new(self.builder.call(function, args))


class Flags:
    """32 answers, yes or no, as a comparison gives them."""

    __slots__ = ("builder", "value")

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    def pick(self, yes: Vec, no: Vec | int) -> Vec:
        """In each lane `yes` or `no`."""
        return Vec(self.builder, self.builder.select(self.value, yes.value, yes._lift(no)))

    def __or__(self, other: Flags) -> Flags:
        return Flags(self.builder, self.builder.or_(self.value, other.value))

    def bits(self) -> Any:
        """One 64-bit number; bit l is the answer of lane l."""
        return self.builder.zext(self.builder.bitcast(self.value, ir.IntType(LANES)), LONG)


class Vectors:
    """An aligned ``(n, 32) uint16`` array of a kernel, read and written a vector at a time."""

    def __init__(self, builder: Any, pointer: Any) -> None:
        self.builder = builder
        self.base = builder.bitcast(pointer, VECTOR.as_pointer())

    def __getitem__(self, index: int | Any) -> Vec:
        return Vec(self.builder, self.builder.load(self._at(index), align=ALIGNMENT))

    def __setitem__(self, index: int | Any, vector: Vec) -> None:
        self.builder.store(vector.value, self._at(index), align=ALIGNMENT)

    def _at(self, index: int | Any) -> Any:
        return self.builder.gep(self.base, [number(index) if isinstance(index, int) else index])


class Variable:
    """A vector that changes inside a loop of the kernel."""

    def __init__(self, builder: Any, start: int) -> None:
        self.builder = builder
        self.slot = _cgutils.alloca_once(builder, VECTOR)
        self.set(Vec.same(builder, start))

    def get(self) -> Vec:
        return Vec(self.builder, self.builder.load(self.slot))

    def set(self, vector: Vec) -> None:
        self.builder.store(vector.value, self.slot)


def number(value: int) -> Any:
    return ir.Constant(LONG, value)


def data_of(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """Where the items of an array argument start."""
    return context.make_array(array_type)(context, builder, array).data


def three_times(builder: Any) -> Any:
    """A loop of the kernel itself, over 0, 1, 2: `with three_times(builder) as loop`, then `loop.index`."""
    return _cgutils.for_range(builder, number(3), intp=LONG)
