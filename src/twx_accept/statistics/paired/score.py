"""Tango's score statistic for a difference of paired proportions, and the interval that inverts it.

Source: Tango 1998, Statistics in Medicine 17:891-908, the restricted estimate and the statistic of its section 2.
"""

import math
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twx_accept.statistics import _checks
from twx_accept.statistics._bisection import turning_point
from twx_accept.statistics._normal import two_sided_critical_value
from twx_accept.statistics.types import IDENTICAL_OUTCOMES, Interval

METHOD = "Tango score"


def tango_z(b: ArrayLike, c: ArrayLike, n: int, difference: float) -> NDArray[np.float64]:
    """Measure how many standard errors the observed (c - b)/n lies above a hypothesised difference.

    The standard error is the one that holds under the hypothesis: with q the estimate of the share of pairs that
    are right only for the original, restricted to a true difference of Delta,
    z = (c - b - n Delta) / sqrt(n (2q + Delta (1 - Delta))). At Delta = 0 its square is McNemar's chi-squared.

    Args:
        b: Pairs right only for the original; any shape.
        c: Pairs right only for the build; a shape that broadcasts with ``b``.
        n: Pairs in all. The counts are not checked here: this is the inner loop of every enumeration.
        difference: The hypothesised build minus original, from -1 to 1.

    Returns:
        z, in the broadcast shape: 0 where the observed difference is the hypothesised one, and infinite where the
        hypothesis leaves no variance but the data contradict it.
    """
    distance = np.asarray(c, dtype=np.float64) - np.asarray(b, dtype=np.float64) - n * difference
    with np.errstate(divide="ignore", invalid="ignore"):
        z = distance / np.sqrt(restricted_variance(b, c, n, difference))
    return np.where(distance == 0.0, 0.0, z)


def restricted_variance(b: ArrayLike, c: ArrayLike, n: float, difference: float) -> NDArray[np.float64]:
    """Estimate the variance of c - b under a hypothesised difference: n (2q + Delta (1 - Delta)).

    Args:
        b: Pairs right only for the original, or their share with ``n`` = 1; any shape.
        c: Pairs right only for the build, likewise.
        n: Pairs in all.
        difference: The hypothesised build minus original, from -1 to 1.

    Returns:
        The variance, 0 or more, in the broadcast shape.
    """
    if difference > 0.0:
        # Exchanging the two sides turns a gain into a loss: one formula serves both, and the symmetry is exact.
        return restricted_variance(c, b, n, -difference)
    lost = np.asarray(b, dtype=np.float64)
    won = np.asarray(c, dtype=np.float64)
    loss = -difference
    # The textbook discriminant (B^2 - 8nC) is a small difference of large numbers near its zero;
    # sorted like this, every term is positive or 0.
    kept = won * (1.0 - loss)
    discriminant = (lost - (2.0 * n - lost) * loss) ** 2 + kept * (2.0 * (lost + (2.0 * n + lost) * loss) + kept)
    minus_linear = lost + won + (2.0 * n + lost - won) * loss
    share_lost = np.maximum((np.sqrt(discriminant) + minus_linear) / (4.0 * n), loss)
    return np.asarray(n * np.maximum(2.0 * share_lost - loss * (1.0 + loss), 0.0), dtype=np.float64)


def tango_interval(b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, confidence: float) -> Interval:
    """Give the score interval for build minus original on the same items.

    It holds exactly those differences that the score test does not reject, so that test and interval cannot
    disagree. Without a discordant pair the bounds are -/+ z^2/(n + z^2), and the result carries a warning. The
    items are taken as independent of each other: clustered items need :mod:`twx_accept.statistics.clustered`.

    Args:
        b: Items right only for the original.
        c: Items right only for the build.
        n: Items in all, agreeing ones included; 1 or more.
        confidence: Two-sided confidence; 0.95 gives bounds that each err 2.5% of the time.

    Returns:
        The bounds as fractions between -1 and 1.

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    b, c, n = _checks.pairs(b, c, n)
    level = _checks.confidence_level(confidence)
    lower, upper = tango_bounds(b, c, n, two_sided_critical_value(level))
    warnings = (IDENTICAL_OUTCOMES,) if b + c == 0 else ()
    return Interval(lower=lower, upper=upper, confidence=level, method=METHOD, warnings=warnings)


def tango_bounds(b: int, c: int, n: int, critical: float) -> tuple[float, float]:
    """Find the smallest and the largest difference whose score lies within -/+ ``critical``."""
    if b + c == 0:
        # Solved by hand: at Delta = 0 there is neither a difference nor a variance to bisect towards.
        reach = critical**2 / (n + critical**2)
        return -reach, reach
    estimate = (c - b) / n

    def accepted(difference: float) -> bool:
        return math.fabs(float(tango_z(b, c, n, difference))) <= critical

    return turning_point(accepted, estimate, -1.0), turning_point(accepted, estimate, 1.0)
