"""From values to places on a chart. Places are percentages of its width, so that a chart fits any screen unscaled."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from twx_accept.domain.verdict import Unit
from twx_accept.report import format as fmt

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TICKS = 5  # about so many gaps between ticks
_AXIS = {
    Unit.BYTES: (1e-9, "GB"),
    Unit.SHARE: (100.0, "%"),
    Unit.RATIO: (1.0, ""),
    Unit.COUNT: (1.0, ""),
}
# From how many tokens an axis counts them by the thousand or the million: a phone has no room for a row of millions.
_TOKENS = ((2e6, 1e-6, "million tokens"), (2e4, 1e-3, "thousand tokens"), (0.0, 1.0, "tokens"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A linear scale from ``low``..``high`` (in the data's unit) to ``left``..``right`` (percent of the width)."""

    low: float
    high: float
    left: float = 0.0
    right: float = 100.0

    def at(self, value: float) -> str:
        """The place of ``value`` as an SVG coordinate, kept inside the scale."""
        return f"{self.share(value) * (self.right - self.left) + self.left:.2f}%"

    def share(self, value: float) -> float:
        """How far along the scale ``value`` lies, 0 to 1."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)


def from_zero(values: Iterable[float]) -> Scale:
    """A scale for bars: from zero to the largest finite value, with a little air behind it for the limit's line."""
    high = max((value for value in values if math.isfinite(value)), default=0.0)
    return Scale(low=0.0, high=high if high > 0 else 1.0, right=99.0)


def around(values: Iterable[float]) -> Scale:
    """A scale for differences: all finite values, with air on both sides."""
    finite = [value for value in values if math.isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    air = (high - low) * 0.04 or max(abs(high), 1.0)
    return Scale(low=low - air, high=high + air, left=1.0, right=99.0)


def ticks(scale: Scale, unit: Unit, *, signed: bool = False) -> list[tuple[float, str]]:
    """Round values within the scale with their labels; the unit stands in :func:`axis_unit`."""
    factor, _ = _axis(scale, unit)
    low, high = scale.low * factor, scale.high * factor
    step = _step((high - low) / _TICKS)
    if not math.isfinite(step) or step <= 0:
        return []
    digits = max(0, -math.floor(math.log10(step) + 1e-9)) + (1 if _needs_half(step) else 0)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [
        (n * step / factor, fmt.number(n * step, digits if n else 0, signed=signed)) for n in range(first, last + 1)
    ]


def axis_unit(scale: Scale, unit: Unit) -> str:
    """The unit of the ticks in words, empty for plain numbers."""
    return _axis(scale, unit)[1]


def _axis(scale: Scale, unit: Unit) -> tuple[float, str]:
    """By what the ticks are multiplied, and their unit in words."""
    if unit is Unit.TOKENS:
        return next((factor, name) for least, factor, name in _TOKENS if scale.high >= least)
    return _AXIS.get(unit, (1.0, unit.value))


def _step(wanted: float) -> float:
    """The smallest round step that is at least ``wanted``."""
    if not math.isfinite(wanted) or wanted <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(power * step for step in _STEPS if power * step >= wanted * (1 - 1e-9))


def _needs_half(step: float) -> bool:
    """Whether the step is a 2.5, which takes one more decimal."""
    mantissa = step / 10.0 ** math.floor(math.log10(step) + 1e-9)
    return abs(mantissa - 2.5) < 1e-6
