"""Figures as people read them: as many digits as the uncertainty carries, with a unit that keeps them short."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from megadoku.reports.statistics import Estimate

DIGITS = 3  # where no uncertainty is known
TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
COUNT_LETTERS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def number(value: float, step: float | None = None) -> str:
    """The value rounded to a step (or to three digits), with commas between thousands."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "-∞"
    if step is None:
        value = float(f"{value:.{DIGITS}g}")  # 0.9996 has the size of one
        step = 1.0 if value == int(value) and abs(value) < 10**DIGITS else 10.0 ** (_magnitude(value) - DIGITS + 1)
    places = max(0, -_magnitude(step))
    return f"{round(value / step) * step:,.{places}f}" if value else "0"


def whole(value: int) -> str:
    return f"{value:,}"


def with_interval(estimate: Estimate, scale: float = 1.0) -> str:
    """`640 (610–670)`: what is uncertain by 30 is not told to the unit. `≥` marks a lower bound."""
    mark = "≥ " if estimate.bound else ""
    if estimate.low is None or estimate.high is None or not math.isfinite(estimate.high - estimate.low):
        return mark + number(estimate.value / scale)
    step = _step(estimate) / scale
    value, low, high = (number(part / scale, step) for part in (estimate.value, estimate.low, estimate.high))
    return f"{mark}{value} ({low}–{high})"


def with_spread(estimate: Estimate) -> str:
    """`640 ±5%`: where there is little room."""
    if not estimate.low or not estimate.high:
        return rounded(estimate)
    half = math.sqrt(estimate.high / estimate.low) - 1
    return (
        f"{rounded(estimate)} ±{number(100 * half, 1)}%"
        if half < 1
        else f"{rounded(estimate)} ±×{number(half + 1, 0.1)}"
    )


def rounded(estimate: Estimate, scale: float = 1.0) -> str:
    """The same without the interval, as many digits."""
    return with_interval(estimate, scale).split(" (")[0]


def seconds(estimate: Estimate) -> str:
    scale, unit = time_unit(estimate.value)
    return f"{with_interval(estimate, scale)} {unit}"


def short(estimate: Estimate) -> str:
    """A time without its interval: `1.2 ms`."""
    scale, unit = time_unit(estimate.value)
    return f"{rounded(estimate, scale)} {unit}"


def tick(value: float) -> str:
    """At an axis: `1 µs` and `10 µs`, without digits that say nothing."""
    scale, unit = time_unit(value)
    return f"{value / scale:g} {unit}"


def plain_seconds(value: float) -> str:
    scale, unit = time_unit(value)
    return f"{number(value / scale)} {unit}"


def time_unit(value: float) -> tuple[float, str]:
    return next((unit for unit in TIME_UNITS if abs(value) >= unit[0] * 0.9995), TIME_UNITS[-1])


def compact(value: float) -> str:
    """`1.23M`: where there is little room."""
    scale, letter = count_unit(value)
    return number(value / scale) + letter


def count_unit(value: float) -> tuple[float, str]:
    return next((unit for unit in COUNT_LETTERS if value >= unit[0] * 0.9995), (1.0, ""))


def times(estimate: Estimate) -> str:
    """A ratio, for sentences: `640 (610–670) times`."""
    return f"{with_interval(estimate)} times"


def change(ratio: Estimate) -> str:
    """A ratio as what was added or saved: `+4% (+1% to +7%)`."""
    if ratio.low is None or ratio.high is None:
        return _signed(ratio.value, 0.001)
    step = _step(ratio)
    value, low, high = (_signed(part, step) for part in (ratio.value, ratio.low, ratio.high))
    return f"{value} ({low} to {high})"


def _signed(ratio: float, step: float) -> str:
    if ratio >= 10:
        return f"×{number(ratio)}"
    size = number(abs(100 * (ratio - 1)), 100 * step)
    sign = "" if not size.strip("0.") else "+" if ratio > 1 else "-"
    return f"{sign}{size}%"


def percent(share: float) -> str:
    """A share; one that is not quite all or nothing never reads as 100% or 0%."""
    text = f"{100 * share:.1f}".removesuffix(".0")
    if text == "100" and share < 1:
        return ">99.9%"
    return "<0.1%" if text == "0" and share > 0 else f"{text}%"


def p_value(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _step(estimate: Estimate) -> float:
    """One digit of the interval's half-width, two where it begins with a one; of the value, four at most."""
    assert estimate.low is not None
    assert estimate.high is not None
    finest = 10.0 ** (_magnitude(estimate.value) - DIGITS)
    half = (estimate.high - estimate.low) / 2
    if half <= finest:
        return finest
    magnitude = _magnitude(half)
    wanted = 10.0 ** (magnitude - 1 if half < 1.95 * 10.0**magnitude else magnitude)
    return min(max(finest, wanted), 10.0 ** _magnitude(estimate.value))  # never so coarse that nothing is left


def _magnitude(value: float) -> int:
    return math.floor(math.log10(abs(value)) + 1e-12) if value else 0
