"""Progress on standard error: done, rate, time left. Silent unless a person is watching or asks for it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from tqdm import tqdm

if TYPE_CHECKING:
    from collections.abc import Sequence

_SAMPLE_BYTES = 1 << 16
tqdm.monitor_interval = 0  # no thread of tqdm's own: workers may be forked later


def bar(total: int | None, unit: str, wanted: bool | None, done: int = 0) -> tqdm[NoReturn]:
    """A progress bar; `wanted` None means only on a terminal, `done` is what an earlier run did."""
    shown = sys.stderr.isatty() if wanted is None else wanted
    return tqdm(
        total=total,
        initial=done,
        unit=f" {unit}",
        unit_scale=True,
        disable=not shown,
        file=sys.stderr,
        smoothing=0.1,
        dynamic_ncols=True,
    )


def estimated_rows(inputs: Sequence[str]) -> int | None:
    """How many rows plain files hold, from their size and the lines of a sample; None where that says nothing."""
    total = 0.0
    for name in inputs:
        path = Path(name)
        if not path.is_file():
            return None
        with path.open("rb") as stream:
            sample = stream.read(_SAMPLE_BYTES)
        if b"\n" not in sample or b"\x00" in sample or not sample.isascii():
            return None
        total += path.stat().st_size * sample.count(b"\n") / len(sample)
    return round(total)
