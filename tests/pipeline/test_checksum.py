"""The checksum of a file does not depend on how it was cut, and sees what disks do to bytes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from megadoku.pipeline.checksum import PAGE, added

CONTENT = np.random.default_rng(3).integers(0, 256, 5 * PAGE + 17, np.uint8).tobytes()
WHOLE = added(CONTENT, 0, 0)


@settings(deadline=None)
@given(st.lists(st.integers(0, len(CONTENT)), max_size=8))
def test_it_is_the_same_however_the_bytes_come(cuts: list[int]) -> None:
    checksum = 0
    for start, stop in itertools.pairwise([0, *sorted(cuts), len(CONTENT)]):
        checksum = added(memoryview(CONTENT)[start:stop], start, checksum)
    assert checksum == WHOLE


@settings(deadline=None)
@given(st.integers(0, len(CONTENT) - 1), st.integers(1, 255))
def test_a_byte_that_changed_is_seen(at: int, by: int) -> None:
    changed = bytearray(CONTENT)
    changed[at] = (changed[at] + by) % 256
    assert added(bytes(changed), 0, 0) != WHOLE


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 4), (2, 3)])
def test_pages_in_each_others_places_are_seen(one: int, other: int) -> None:
    pages = [CONTENT[at : at + PAGE] for at in range(0, len(CONTENT), PAGE)]
    pages[one], pages[other] = pages[other], pages[one]
    assert added(b"".join(pages), 0, 0) != WHOLE


def test_pages_that_never_came_are_seen() -> None:
    assert added(CONTENT[:PAGE] + bytes(PAGE) + CONTENT[2 * PAGE :], 0, 0) != WHOLE
    assert added(CONTENT[: -PAGE - 1], 0, 0) != WHOLE
