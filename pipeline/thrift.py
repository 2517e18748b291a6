"""Thrift's compact protocol, as much as it takes to read the index of a Parquet file and write it with other numbers.

    struct   field, field, …, 0
    field    number less the one before it (4 bits), kind (4 bits), value; numbers far apart are written out behind
    list     length (4 bits), kind (4 bits), values; 15 means that the length follows
    number   seven bits a byte, lowest first, the sign in the lowest bit: 0, -1, 1, -2, … are 0, 1, 2, 3, …

What a field means is not known here; whatever is read is written again as it was.
"""

from __future__ import annotations

from typing import Any, NamedTuple

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, TEXT, LIST, STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 9, 12
_RAW_BYTES = {BYTE: 1, DOUBLE: 8}


class Field(NamedTuple):
    kind: int
    value: Any


Struct = dict[int, Field]


class Items(NamedTuple):
    kind: int
    values: list[Any]


def read(content: bytes) -> Struct:
    return _Reader(content).value(STRUCT)  # type: ignore[no-any-return]


def written(struct: Struct) -> bytes:
    out = bytearray()
    _write(out, STRUCT, struct)
    return bytes(out)


class _Reader:
    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def value(self, kind: int) -> Any:
        if kind in (TRUE, FALSE):
            return None  # the kind says it
        if kind in (I16, I32, I64):
            return self._signed()
        if kind == STRUCT:
            return self._struct()
        if kind == LIST:
            return self._items()
        if kind != TEXT and kind not in _RAW_BYTES:
            raise ValueError(f"kind {kind} is not in any index we know")
        return self._take(self._number() if kind == TEXT else _RAW_BYTES[kind])

    def _struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while head := self._take(1)[0]:
            number = number + (head >> 4) if head >> 4 else self._signed()
            fields[number] = Field(head & 15, self.value(head & 15))
        return fields

    def _items(self) -> Items:
        head = self._take(1)[0]
        length = head >> 4 if head >> 4 < 15 else self._number()
        return Items(head & 15, [self.value(head & 15) for _ in range(length)])

    def _signed(self) -> int:
        number = self._number()
        return number >> 1 ^ -(number & 1)

    def _number(self) -> int:
        number, shift = 0, 0
        while True:
            byte = self._take(1)[0]
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def _take(self, count: int) -> bytes:
        self._at += count
        return self._content[self._at - count : self._at]


def _write(out: bytearray, kind: int, value: Any) -> None:
    if kind in (I16, I32, I64):
        _write_number(out, value << 1 ^ value >> 63)
    elif kind == STRUCT:
        _write_struct(out, value)
    elif kind == LIST:
        short = len(value.values) < 15
        out.append((len(value.values) if short else 15) << 4 | value.kind)
        if not short:
            _write_number(out, len(value.values))
        for item in value.values:
            _write(out, value.kind, item)
    elif value is not None:
        if kind == TEXT:
            _write_number(out, len(value))
        out += value


def _write_struct(out: bytearray, struct: Struct) -> None:
    before = 0
    for number, (kind, value) in struct.items():
        near = 0 < number - before < 16
        out.append((number - before if near else 0) << 4 | kind)
        if not near:
            _write_number(out, number << 1)
        _write(out, kind, value)
        before = number
    out.append(0)


def _write_number(out: bytearray, number: int) -> None:
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
