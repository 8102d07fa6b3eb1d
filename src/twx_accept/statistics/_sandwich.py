"""The error of a signed sum of clustered rates, judged from how far whole clusters depart from them."""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.special import stdtr, stdtrit

from twx_accept.errors import StatisticsError
from twx_accept.statistics import _checks
from twx_accept.statistics._clusters import Side, at_least
from twx_accept.statistics.types import Margin

NO_VARIATION = (
    "no variation between clusters: the standard error is 0 and the interval has no width, which is no evidence of "
    "precision; register a margin, which gives the error a floor"
)

Terms = tuple[tuple[float, Side], ...]
"""The rates that are added up, each with its sign: (1, build), (-1, original) for a difference."""


class Correction(StrEnum):
    """How the error of a clustered rate is kept from being too small with few clusters."""

    CR1 = "CR1"
    """The factor G/(G - 1), and t with G - 1 degrees of freedom."""

    CR2 = "CR2"
    """Each cluster corrected for its share of the items, and t with Satterthwaite degrees of freedom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """A standard error with its floor, its t distribution and the bounds that follow.

    Attributes:
        sandwich: The error as estimated from the clusters.
        floor: The smallest error believed.
        degrees: Degrees of freedom.
        alpha: One-sided error rate of a bound.
    """

    sandwich: float
    floor: float
    degrees: float
    alpha: float

    @property
    def used(self) -> float:
        """The larger of the estimated error and the floor."""
        return max(self.sandwich, self.floor)

    @property
    def reach(self) -> float:
        """How far a bound lies from the estimate."""
        return float(-stdtrit(self.degrees, self.alpha)) * self.used

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before trusting the error."""
        return () if self.used > 0.0 else (NO_VARIATION,)

    def upper_tail(self, distance: float) -> float:
        """P(T >= distance/error); without an error, a distance of 0 is no evidence and any other is certain."""
        if self.used == 0.0:
            return 0.5 if distance == 0.0 else float(distance < 0.0)
        return float(stdtr(self.degrees, -distance / self.used))


def error_of(terms: Terms, alpha: float, margin: Margin | None, correction: Correction) -> Error:
    """Judge the error of the sum of ``terms``, which share their clusters.

    Raises:
        StatisticsError: Fewer than two clusters, one cluster that holds all items of a side (CR2 only), a margin
            without a unit, or an impossible ``alpha``.
    """
    alpha = _checks.one_sided_alpha(alpha)
    mark = 0.0 if margin is None else _checks.margin_fraction(margin)
    clusters = len(terms[0][1].m)
    at_least(clusters, 2, "a standard error")
    if correction is Correction.CR1:
        influence = sum(sign * side.influence for sign, side in terms)
        sandwich, degrees = math.sqrt(clusters / (clusters - 1)) * float(np.linalg.norm(influence)), clusters - 1.0
    else:
        sandwich, degrees = _bell_mccaffrey(terms)
    return Error(sandwich=sandwich, floor=math.sqrt(mark * (1.0 - mark) / clusters), degrees=degrees, alpha=alpha)


def _bell_mccaffrey(terms: Terms) -> tuple[float, float]:
    """Give the CR2 standard error and its Satterthwaite degrees of freedom.

    A rate is the regression of its items on a constant, so that the adjustment (I - H)^(-1/2) of a cluster is
    division by sqrt(1 - m_i/M). The degrees of freedom are (trace P)^2 / trace P^2 for the quadratic form P of
    the variance under independent items: P = diag(d) - sum over sides of u u', whose traces need no G x G matrix.
    """
    clusters = len(terms[0][1].m)
    influence, diagonal = np.zeros(clusters), np.zeros(clusters)
    directions = []
    for sign, side in terms:
        left = 1.0 - side.m / side.items
        if not left.all():
            raise StatisticsError("one cluster holds all items of a side: CR2 is undefined, take CR1")
        influence += sign * side.influence / np.sqrt(left)
        weight = 1.0 / (side.items * np.sqrt(left))
        diagonal += side.m * weight**2
        directions.append(side.m * weight / math.sqrt(side.items))
    u = np.array(directions)
    trace = float(diagonal.sum() - (u**2).sum())
    trace_of_square = float((diagonal**2).sum() - 2.0 * (u**2 @ diagonal).sum() + ((u @ u.T) ** 2).sum())
    return float(np.linalg.norm(influence)), trace**2 / trace_of_square
