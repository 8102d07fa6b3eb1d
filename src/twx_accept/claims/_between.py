"""Two builds on the same items: the paired difference, its interval, and equivalence where a margin is registered."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from twx_accept.claims._exact import fixed
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.verdict import Count, Quantity, Unit
from twx_accept.statistics.paired import equivalence, mcnemar, tango_interval
from twx_accept.statistics.types import Margin

TOKENS = 0.25
"""Tokens a character of English, for what depends on a rough size only."""


class Table(Protocol):
    """A 2 x 2 table: how many items only the one build has right, and how many only the other."""

    @property
    def only_original(self) -> int:
        """Right only for the one."""
        ...

    @property
    def only_build(self) -> int:
        """Right only for the other."""
        ...

    @property
    def n(self) -> int:
        """All items."""
        ...


def specification(points: float | None) -> Mapping[str, Any]:
    """What a registration says of equivalence between builds; nothing where no margin is registered."""
    if points is None:
        return {}
    unit = "percentage points, between two builds, two one-sided tests, Holm over the pairs"
    return {"equivalence_margin": {"value": fixed(points, 4), "unit": unit}}


def paired(frame: Contrast, counts: Table, margin_points: float | None, alpha: float) -> Contrast:
    """The contrast of two builds that answered the same items.

    Args:
        frame: claim, title and builds.
        counts: what only one of them has right.
        margin_points: the registered margin of equivalence in percentage points, or None.
        alpha: one-sided level.
    """
    b, c, n = counts.only_original, counts.only_build, counts.n
    interval = tango_interval(b, c, n, 1 - 2 * alpha)
    both_ways = None if margin_points is None else equivalence(b, c, n, Margin.points(margin_points), alpha).p
    return replace(
        frame,
        difference=(c - b) / n * 100,
        lower=interval.lower * 100,
        upper=interval.upper * 100,
        unit=Unit.POINTS,
        p=mcnemar(b, c).exact,
        margin=margin_points,
        p_equivalence=both_ways,
        alpha=alpha,
        counts=(
            Count(label=f"right only for {frame.one}", value=Quantity(value=b, unit=Unit.COUNT, digits=0)),
            Count(label=f"right only for {frame.other}", value=Quantity(value=c, unit=Unit.COUNT, digits=0)),
            Count(label="of", value=Quantity(value=n, unit=Unit.COUNT, digits=0)),
        ),
    )
