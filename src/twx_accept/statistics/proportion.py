"""Intervals for one rate of independent successes.

Neither knows about clusters: where items come in groups that succeed or fail together, use ``clustered``.
"""

from typing import SupportsIndex

from scipy.stats import binomtest

from twx_accept.statistics import _checks
from twx_accept.statistics.types import Interval


def clopper_pearson(x: SupportsIndex, n: SupportsIndex, confidence: float) -> Interval:
    """Give the exact interval for a rate: it covers at least as often as it says, usually more often.

    Source: Clopper and Pearson 1934, Biometrika 26:404-413.

    Args:
        x: Successes, from 0 to ``n``.
        n: Independent trials, 1 or more.
        confidence: Two-sided confidence, between 0 and 1.

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    x, n = _checks.successes("x", x, "n", n)
    level = _checks.confidence_level(confidence)
    bounds = binomtest(x, n).proportion_ci(confidence_level=level, method="exact")
    return Interval(lower=float(bounds.low), upper=float(bounds.high), confidence=level, method="Clopper-Pearson")


def clopper_pearson_lower(x: SupportsIndex, n: SupportsIndex, alpha: float) -> float:
    """Give the exact one-sided lower bound of a rate, which errs with probability ``alpha`` at most.

    It is the lower end of the two-sided interval of confidence 1 - 2 ``alpha``. When every trial succeeded it is
    alpha^(1/n), and speaks of new trials drawn like the old ones.

    Raises:
        StatisticsError: Impossible counts or ``alpha``.
    """
    return clopper_pearson(x, n, 1.0 - 2.0 * _checks.one_sided_alpha(alpha)).lower


def wilson(x: SupportsIndex, n: SupportsIndex, confidence: float) -> Interval:
    """Give the score interval for a rate, without continuity correction: close to its confidence on average.

    It can cover less often than it says at some rates; where "at least" matters, take :func:`clopper_pearson`.

    Source: Wilson 1927, Journal of the American Statistical Association 22:209-212.

    Args:
        x: Successes, from 0 to ``n``.
        n: Independent trials, 1 or more.
        confidence: Two-sided confidence, between 0 and 1.

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    x, n = _checks.successes("x", x, "n", n)
    level = _checks.confidence_level(confidence)
    bounds = binomtest(x, n).proportion_ci(confidence_level=level, method="wilson")
    return Interval(lower=float(bounds.low), upper=float(bounds.high), confidence=level, method="Wilson")
