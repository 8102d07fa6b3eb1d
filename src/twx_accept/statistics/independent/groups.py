"""The counts of two independent groups."""

from dataclasses import dataclass
from typing import SupportsIndex

from twx_accept.statistics import _checks
from twx_accept.statistics.types import Interval


@dataclass(frozen=True, slots=True)
class Groups:
    """The successes and trials of both sides, checked."""

    x_build: int
    n_build: int
    x_original: int
    n_original: int

    @property
    def build(self) -> float:
        """The build's rate."""
        return self.x_build / self.n_build

    @property
    def original(self) -> float:
        """The original's rate."""
        return self.x_original / self.n_original

    @property
    def difference(self) -> float:
        """Build minus original, a fraction."""
        return self.build - self.original


def checked_groups(
    x_build: SupportsIndex, n_build: SupportsIndex, x_original: SupportsIndex, n_original: SupportsIndex
) -> Groups:
    """Refuse impossible counts by name."""
    return Groups(
        *_checks.successes("x_build", x_build, "n_build", n_build),
        *_checks.successes("x_original", x_original, "n_original", n_original),
    )


def difference_interval(lower: float, upper: float, confidence: float, method: str) -> Interval:
    """Make an interval of a difference, which never leaves -1 to 1."""
    return Interval(lower=max(-1.0, lower), upper=min(1.0, upper), confidence=confidence, method=method)
