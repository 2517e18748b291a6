"""The fast way through lines that are all built alike finds what the slow way finds, or leaves it to that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from megadoku.datasets import InputError, read_blocks
from megadoku.datasets.formats import delimited
from megadoku.datasets.formats.strided import strided

if TYPE_CHECKING:
    from pathlib import Path

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CONTENT = "".join(f"{row:03},{PUZZLE},{SOLUTION},ab\n" for row in range(40)).encode()
STRIDE = len(CONTENT) // 40
CHANGES = st.tuples(
    st.integers(5, 39), st.integers(0, STRIDE - 1), st.sampled_from([*b'0159.-*_x,";\n\r\t ', 0, 128, 255])
)


def rows_of(path: Path) -> list[Any] | str:
    try:
        blocks = [*read_blocks([str(path)], block_rows=16)]
    except InputError as error:
        return str(error)
    return [
        (block.lines[at], block.texts[at].as_py(), block.grids[at].tolist(), block.refused.get(at), known)
        for block in blocks
        for at, known in enumerate([None] * len(block) if block.known is None else block.known.tolist())
    ]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("strided") / "in.csv"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CHANGES, max_size=3))
def test_it_finds_what_the_slow_way_finds(path: Path, changes: list[tuple[int, int, int]]) -> None:
    content = bytearray(CONTENT)
    for row, place, byte in changes:
        content[row * STRIDE + place] = byte
    path.write_bytes(b"id,puzzle,solution,note\n" + content)
    fast = rows_of(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "strided", lambda *_: None)
        assert fast == rows_of(path)


def test_lines_that_are_alike_go_the_fast_way(path: Path) -> None:
    path.write_bytes(b"id,puzzle,solution,note\n" + CONTENT)
    taken = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "strided", lambda *given: taken.append(strided(*given)) or taken[-1])
        assert len(rows_of(path)) == 40
    assert [len(piece.lines) for piece in taken] == [16, 16, 8]
