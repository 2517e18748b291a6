"""Progress on standard error: done, rate, time left. Silent unless a person is watching or asks for it."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from tqdm import tqdm

if TYPE_CHECKING:
    from collections import Counter

    from megadoku.datasets import Meter

tqdm.monitor_interval = 0  # no thread of tqdm's own: workers may be forked later


def bar(total: int | None, unit: str, wanted: bool | None, done: int = 0) -> tqdm[NoReturn]:
    """A progress bar; `wanted` None means only on a terminal, `done` is what an earlier run did."""
    return tqdm(
        total=total,
        initial=done,
        unit=f" {unit}",
        unit_scale=True,
        disable=not is_shown(wanted),
        file=_Unbreakable(sys.stderr),
        smoothing=0.1,
        dynamic_ncols=True,
    )


class _Unbreakable:
    """Standard error, whose reader may leave: nobody's rows are lost for that."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._real.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._real.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def is_shown(wanted: bool | None) -> bool:
    return sys.stderr.isatty() if wanted is None else wanted


def tell(shown: tqdm[NoReturn], rows: int, statuses: Counter[str], meter: Meter | None) -> None:
    """So many rows more, and what became of all of them; nothing at all where nobody looks."""
    if shown.disable or meter is None:
        return
    shown.total = meter.expected()
    shown.set_postfix(refused=statuses["invalid"], failed=statuses["failed"], refresh=False)
    shown.update(rows)
