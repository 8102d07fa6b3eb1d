"""The two values that every comparison takes and gives: a margin with its unit, and an interval."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from twx_accept.errors import StatisticsError

IDENTICAL_OUTCOMES = (
    "the two sides never differ (b = c = 0): identical outcomes may mean that one model answered twice; "
    "check that two different builds were served"
)
"""Carried in the ``warnings`` of every paired result that saw no discordant pair."""


class Better(StrEnum):
    """Which direction of a rate is the good one."""

    HIGHER = "higher"
    """A rate of right answers: the build must not fall by the margin or more."""

    LOWER = "lower"
    """A rate of mistakes: the build must not rise by the margin or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """How much worse a build may be, with its unit.

    Made by :meth:`points`, so that the 1 of "one point" can never be taken for the fraction 1.0.

    Attributes:
        fraction: The margin as a difference of two rates, strictly between 0 and 1.
    """

    fraction: float

    def __post_init__(self) -> None:
        """Refuse a margin that decides nothing: not a number, zero, negative, or 100 points and more."""
        value: object = self.fraction
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise StatisticsError(f"margin {value!r} is not a finite number: give points, as in Margin.points(1)")
        if not 0.0 < value < 1.0:
            raise StatisticsError(
                f"margin of {value * 100!r} points: it must lie above 0 and below 100, as in Margin.points(1)"
            )

    @classmethod
    def points(cls, points: float) -> Self:
        """Make a margin from percentage points: ``Margin.points(1)`` allows a loss of less than 0.01.

        Raises:
            StatisticsError: ``points`` is missing, not a finite number, or not between 0 and 100.
        """
        value: object = points
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise StatisticsError(f"margin {value!r} is not a number of points: write Margin.points(1)")
        return cls(fraction=float(value) / 100)

    @property
    def in_points(self) -> float:
        """The margin in percentage points."""
        return self.fraction * 100

    def __str__(self) -> str:
        return f"{self.in_points:.6g} point" + ("" if self.in_points == 1 else "s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A two-sided confidence interval.

    Attributes:
        lower: The lower bound, in the unit of the figure it belongs to (fractions for rates and differences).
        upper: The upper bound, same unit.
        confidence: The two-sided confidence, between 0 and 1. Each bound alone errs at (1 - confidence)/2.
        method: The name of the method, for the report.
        warnings: What a reader must know before trusting the bounds.
    """

    lower: float
    upper: float
    confidence: float
    method: str
    warnings: tuple[str, ...] = ()
