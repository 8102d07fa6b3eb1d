"""An audit of Tango's test that uses no normal approximation: the exact unconditional test.

The p-value is the largest probability, over every discordance that could be true, of a score at least as far out
as the observed one. Tango's score only orders the outcomes; its normal distribution is not used. Following Berger
and Boos, the search is confined to an exact confidence interval for the discordance, and its error rate gamma is
added to the p-value.

The score is monotone (it falls with b and rises with c), so that the largest probability under "the loss is the
margin or more" is found where the loss is the margin. The search walks over a grid that is refined around its best
point. What it gives can only lie below the true maximum: denser grids have found the same to six digits, which is no
proof.

Sources: Barnard 1947, Biometrika 34:123-138 (the maximum); Berger and Boos 1994, Journal of the American
Statistical Association 89:1012-1016 (its confinement).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from twx_accept.statistics import _checks
from twx_accept.statistics._bisection import turning_point
from twx_accept.statistics.paired.enumeration import plausible_discordant, score_region
from twx_accept.statistics.paired.score import tango_z
from twx_accept.statistics.proportion import clopper_pearson
from twx_accept.statistics.types import IDENTICAL_OUTCOMES, Margin

GAMMA = 1e-6
"""Error rate of the confidence interval for the discordance, where none is given."""

GRID = 240
REFINEMENTS = 3
REFINED_GRID = 24
TIE = 1e-9
"""Scores closer than this are the same score computed twice."""
BOUND_HALVINGS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactUnconditional:
    """The p-value of an exact unconditional test.

    Attributes:
        p: The p-value, ``gamma`` included, at most 1.
        discordance: The share of discordant pairs at which the largest probability was found; where the confidence
            interval leaves none that the hypothesis allows, the smallest that it allows.
        gamma: Error rate of the confidence interval for the discordance; 0 searches every discordance.
        warnings: What a reader must know before trusting the figures.
    """

    p: float
    discordance: float
    gamma: float
    warnings: tuple[str, ...] = ()


def exact_unconditional(
    b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, margin: Margin, gamma: float = GAMMA
) -> ExactUnconditional:
    """Test "the loss is the margin or more" without a normal approximation.

    Compare its p with that of :func:`~twx_accept.statistics.paired.noninferiority`: the two should lead to the same
    verdict. It shares the other assumption, that items are independent of each other.

    Args:
        b: Items right only for the original.
        c: Items right only for the build.
        n: Items in all; 1 or more.
        margin: The loss that must be ruled out.
        gamma: Error rate spent on confining the discordance, from 0 to below 1.

    Raises:
        StatisticsError: Impossible counts, a margin without a unit, or an impossible ``gamma``.
    """
    b, c, n = _checks.pairs(b, c, n)
    mark = _checks.margin_fraction(margin)
    return _largest_tail(b, c, n, -mark, _checked_gamma(gamma), two_sided=False)


def exact_unconditional_equality(
    b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, gamma: float = GAMMA
) -> ExactUnconditional:
    """Test "the two sides are right equally often", two-sided, without a normal approximation.

    Outcomes are ordered by McNemar's statistic. Unlike the exact conditional test it uses n, and is less
    conservative.

    Source: as the module; compared by Fagerland, Lydersen and Laake 2013, BMC Medical Research Methodology 13:91.

    Raises:
        StatisticsError: Impossible counts or ``gamma``.
    """
    b, c, n = _checks.pairs(b, c, n)
    return _largest_tail(min(b, c), max(b, c), n, 0.0, _checked_gamma(gamma), two_sided=True)


def exact_unconditional_lower(
    b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, alpha: float, gamma: float = GAMMA
) -> float:
    """Give the one-sided lower bound of build minus original that inverts the exact unconditional test.

    The p-value is not quite monotone in the hypothesised difference; the bound is one of the places where it crosses
    ``alpha``, to about 5 in a million.

    Args:
        b: Items right only for the original.
        c: Items right only for the build.
        n: Items in all; 1 or more.
        alpha: One-sided error rate of the bound, above ``gamma`` and below 0.5.
        gamma: Error rate spent on confining the discordance.

    Raises:
        StatisticsError: Impossible counts, ``alpha`` or ``gamma``.
    """
    b, c, n = _checks.pairs(b, c, n)
    alpha = _checks.one_sided_alpha(alpha)
    gamma = _checks.number("gamma", gamma, 0.0, alpha)

    def not_rejected(difference: float) -> bool:
        return _largest_tail(b, c, n, difference, gamma, two_sided=False).p > alpha

    return turning_point(not_rejected, (c - b) / n, -1.0, BOUND_HALVINGS)


def _checked_gamma(gamma: float) -> float:
    return _checks.number("gamma", gamma, 0.0, 0.5)


def _largest_tail(b: int, c: int, n: int, difference: float, gamma: float, *, two_sided: bool) -> ExactUnconditional:
    """Search the discordance for the largest chance of a score at least as high as that of (b, c)."""
    warnings = (IDENTICAL_OUTCOMES,) if b + c == 0 else ()
    observed = float(tango_z(b, c, n, difference))
    if two_sided and observed <= 0.0:
        return ExactUnconditional(p=1.0, discordance=(b + c) / n, gamma=gamma, warnings=warnings)
    low, high = _possible_discordance(b + c, n, gamma)
    low = max(low, abs(difference))
    if low > high:
        return ExactUnconditional(p=gamma, discordance=abs(difference), gamma=gamma, warnings=warnings)
    first, last = plausible_discordant(n, low, high)
    region = score_region(n, difference, observed - TIE, first, last, strict=False)
    best, p = _maximum(lambda discordance: region.probability(discordance, difference), low, high)
    # Under equality the law of (b, c) is symmetric, and so are the two tails.
    total = (2.0 * p if two_sided else p) + gamma
    return ExactUnconditional(p=min(1.0, total), discordance=best, gamma=gamma, warnings=warnings)


def _possible_discordance(discordant: int, n: int, gamma: float) -> tuple[float, float]:
    if gamma == 0.0:
        return 0.0, 1.0
    interval = clopper_pearson(discordant, n, 1.0 - gamma)
    return interval.lower, interval.upper


def _maximum(probability: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """Maximise over a range: a grid, then finer grids around the best point so far."""
    points = GRID
    best, largest = low, -1.0
    for _ in range(1 + REFINEMENTS):
        grid = np.linspace(low, high, points)
        values = [probability(float(discordance)) for discordance in grid]
        at = int(np.argmax(values))
        if values[at] > largest:
            best, largest = float(grid[at]), values[at]
        low, high = float(grid[max(0, at - 1)]), float(grid[min(points - 1, at + 1)])
        points = REFINED_GRID
    return best, largest
