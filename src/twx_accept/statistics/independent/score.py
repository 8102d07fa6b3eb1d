"""Score tests of a difference between two independent rates, and the intervals that invert them.

Both rates are estimated under the hypothesised difference by maximum likelihood. The estimate is found as the zero
of the likelihood's slope; the closed form of its cubic is shorter, but loses half its digits near a double root.
"""

import math
from dataclasses import dataclass
from typing import SupportsIndex

from twx_accept.statistics import _checks
from twx_accept.statistics._bisection import turning_point
from twx_accept.statistics._normal import cumulative, two_sided_critical_value, upper_tail
from twx_accept.statistics.independent.groups import Groups, checked_groups, difference_interval
from twx_accept.statistics.types import Better, Interval, Margin


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTest:
    """A one-sided test of a hypothesised difference.

    Attributes:
        z: Standard errors that the observed difference lies above the hypothesised one.
        p: One-sided p-value.
    """

    z: float
    p: float


def farrington_manning(
    x_build: SupportsIndex,
    n_build: SupportsIndex,
    x_original: SupportsIndex,
    n_original: SupportsIndex,
    margin: Margin,
    better: Better = Better.HIGHER,
) -> ScoreTest:
    """Test "the build is worse by the margin or more" for two independent groups.

    Source: Farrington and Manning 1990, Statistics in Medicine 9:1447-1454.

    Args:
        x_build: The build's successes (or mistakes, with ``better`` = ``LOWER``).
        n_build: The build's trials, 1 or more.
        x_original: The original's successes, or mistakes.
        n_original: The original's trials, 1 or more.
        margin: The loss that must be ruled out.
        better: Whether a higher or a lower rate is the better one.

    Raises:
        StatisticsError: Impossible counts or a margin without a unit.
    """
    mark = _checks.margin_fraction(margin)
    hypothesis = -mark if better is Better.HIGHER else mark
    return score_test(x_build, n_build, x_original, n_original, hypothesis, better)


def score_test(
    x_build: SupportsIndex,
    n_build: SupportsIndex,
    x_original: SupportsIndex,
    n_original: SupportsIndex,
    difference: float,
    better: Better = Better.HIGHER,
    *,
    small_sample: bool = False,
) -> ScoreTest:
    """Test any hypothesised difference; the evidence looked for lies in the better direction.

    Sources: Farrington and Manning 1990, Statistics in Medicine 9:1447-1454; with ``small_sample``, whose variance
    is larger by N/(N - 1), Miettinen and Nurminen 1985, Statistics in Medicine 4:213-226.

    Args:
        x_build: The build's successes (or mistakes).
        n_build: The build's trials, 1 or more.
        x_original: The original's successes (or mistakes).
        n_original: The original's trials, 1 or more.
        difference: The hypothesised build minus original, a fraction strictly between -1 and 1.
        better: ``HIGHER`` gives P(Z >= z), ``LOWER`` gives P(Z <= z).
        small_sample: Whether to use the variance of Miettinen and Nurminen.

    Raises:
        StatisticsError: Impossible counts or difference.
    """
    groups = checked_groups(x_build, n_build, x_original, n_original)
    hypothesis = _checks.inside("difference", difference, -1.0, 1.0)
    z = _score(groups, hypothesis, small_sample=small_sample)
    return ScoreTest(z=z, p=upper_tail(z) if better is Better.HIGHER else cumulative(z))


def miettinen_nurminen_interval(
    x_build: SupportsIndex,
    n_build: SupportsIndex,
    x_original: SupportsIndex,
    n_original: SupportsIndex,
    confidence: float,
) -> Interval:
    """Give the score interval for build minus original, with the small-sample variance.

    Source: Miettinen and Nurminen 1985, Statistics in Medicine 4:213-226.

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    groups = checked_groups(x_build, n_build, x_original, n_original)
    return _score_interval(groups, confidence, "Miettinen-Nurminen", small_sample=True)


def farrington_manning_interval(
    x_build: SupportsIndex,
    n_build: SupportsIndex,
    x_original: SupportsIndex,
    n_original: SupportsIndex,
    confidence: float,
) -> Interval:
    """Give the differences that the Farrington-Manning test does not reject.

    Source: Mee 1984, Biometrics 40:1175-1176.

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    groups = checked_groups(x_build, n_build, x_original, n_original)
    return _score_interval(groups, confidence, "Farrington-Manning", small_sample=False)


def _restricted_original(groups: Groups, difference: float) -> float:
    """Find the likeliest rate of the original where the build's rate is higher by ``difference``."""

    def still_rising(original: float) -> bool:
        # The slope of the log-likelihood, multiplied by p(1 - p) of both groups so that nothing is divided by 0.
        build = original + difference
        return (groups.x_original - groups.n_original * original) * build * (1.0 - build) + (
            groups.x_build - groups.n_build * build
        ) * original * (1.0 - original) > 0.0

    return turning_point(still_rising, max(0.0, -difference), min(1.0, 1.0 - difference))


def _score(groups: Groups, difference: float, *, small_sample: bool) -> float:
    distance = groups.difference - difference
    if distance == 0.0:
        return 0.0
    original = _restricted_original(groups, difference)
    build = original + difference
    variance = build * (1.0 - build) / groups.n_build + original * (1.0 - original) / groups.n_original
    if small_sample:
        trials = groups.n_build + groups.n_original
        variance *= trials / (trials - 1)
    if variance <= 0.0:
        return math.copysign(math.inf, distance)
    return distance / math.sqrt(variance)


def _score_interval(groups: Groups, confidence: float, method: str, *, small_sample: bool) -> Interval:
    critical = two_sided_critical_value(_checks.confidence_level(confidence))

    def accepted(difference: float) -> bool:
        return abs(_score(groups, difference, small_sample=small_sample)) <= critical

    estimate = groups.difference
    return difference_interval(
        turning_point(accepted, estimate, -1.0), turning_point(accepted, estimate, 1.0), confidence, method
    )
