"""Other intervals for a paired difference, to set beside Tango's; none of them decides a verdict.

All give build minus original as a fraction, and share the convention of b, c and n.
"""

import math
from typing import SupportsIndex

from twx_accept.errors import StatisticsError
from twx_accept.statistics import _checks
from twx_accept.statistics._normal import two_sided_critical_value
from twx_accept.statistics.proportion import wilson
from twx_accept.statistics.types import IDENTICAL_OUTCOMES, Interval


def wald_interval(b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, confidence: float) -> Interval:
    """Give the textbook interval, D -/+ z SE, with SE^2 = ((b + c)/n - D^2)/n.

    It has no width when no pair is discordant, which is no evidence of anything; that is why it never gates.

    Source: Fagerland, Lydersen and Laake 2014, Statistics in Medicine 33:2850-2875 (the Wald interval there).

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    b, c, n = _checks.pairs(b, c, n)
    return _wald(b, c, n, confidence, "Wald", b + c)


def agresti_min_interval(b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, confidence: float) -> Interval:
    """Give the Wald interval of a table with one half added to each of its four cells.

    Source: Agresti and Min 2005, Statistics in Medicine 24:729-740.

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    b, c, n = _checks.pairs(b, c, n)
    return _wald(b + 0.5, c + 0.5, n + 2, confidence, "Agresti-Min", b + c)


def bonett_price_interval(b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, confidence: float) -> Interval:
    """Give the Wald interval with one added to each discordant count, and two to their number of pairs.

    Source: Bonett and Price 2012, Journal of Educational and Behavioral Statistics 37:479-488.

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    b, c, n = _checks.pairs(b, c, n)
    return _wald(b + 1, c + 1, n + 2, confidence, "Bonett-Price", b + c)


def newcombe_interval(
    b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, confidence: float, *, both_right: SupportsIndex
) -> Interval:
    """Give Newcombe's square-and-add interval: two Wilson intervals, joined by the correlation of the sides.

    It needs to know how the agreeing pairs split. A positive correlation is corrected for continuity.

    Source: Newcombe 1998, Statistics in Medicine 17:2635-2650, method 10.

    Args:
        b: Items right only for the original.
        c: Items right only for the build.
        n: Items in all; 1 or more.
        confidence: Two-sided confidence.
        both_right: Items right for both, at most n - b - c.

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    b, c, n = _checks.pairs(b, c, n)
    both = _checks.count("both_right", both_right)
    neither = n - b - c - both
    if neither < 0:
        raise StatisticsError(f"both_right = {both} exceeds the n - b - c = {n - b - c} pairs that agree")
    original, build = both + b, both + c
    of_original, of_build = wilson(original, n, confidence), wilson(build, n, confidence)
    correlation = _corrected_phi(both, b, c, neither)
    below = _joined(build / n - of_build.lower, of_original.upper - original / n, correlation)
    above = _joined(of_build.upper - build / n, original / n - of_original.lower, correlation)
    difference = (c - b) / n
    return _interval(difference - below, difference + above, confidence, "Newcombe 10", b + c)


def _wald(b: float, c: float, n: int, confidence: float, method: str, discordant: int) -> Interval:
    critical = two_sided_critical_value(_checks.confidence_level(confidence))
    difference = (c - b) / n
    reach = critical * math.sqrt(((b + c) / n - difference**2) / n)
    return _interval(difference - reach, difference + reach, confidence, method, discordant)


def _joined(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one**2 - 2.0 * correlation * one * other + other**2))


def _corrected_phi(both: int, b: int, c: int, neither: int) -> float:
    """Correlate the two sides; a positive covariance is shrunk by n/2 towards 0, never past it."""
    margins = (both + b) * (c + neither) * (both + c) * (b + neither)
    if margins == 0:
        return 0.0
    covariance: float = both * neither - b * c
    if covariance > 0:
        covariance = max(0.0, covariance - (both + b + c + neither) / 2.0)
    return covariance / math.sqrt(margins)


def _interval(lower: float, upper: float, confidence: float, method: str, discordant: int) -> Interval:
    return Interval(
        lower=max(-1.0, lower),
        upper=min(1.0, upper),
        confidence=confidence,
        method=method,
        warnings=() if discordant else (IDENTICAL_OUTCOMES,),
    )
