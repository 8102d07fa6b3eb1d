"""Intervals for a difference of independent rates that are written down without iteration."""

import math
from typing import SupportsIndex

from twx_accept.statistics import _checks
from twx_accept.statistics._normal import two_sided_critical_value
from twx_accept.statistics.independent.groups import Groups, checked_groups, difference_interval
from twx_accept.statistics.proportion import wilson
from twx_accept.statistics.types import Interval


def newcombe_hybrid_interval(
    x_build: SupportsIndex,
    n_build: SupportsIndex,
    x_original: SupportsIndex,
    n_original: SupportsIndex,
    confidence: float,
) -> Interval:
    """Give the interval that squares and adds the distances of two Wilson intervals.

    Source: Newcombe 1998, Statistics in Medicine 17:873-890, method 10.

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    groups = checked_groups(x_build, n_build, x_original, n_original)
    build = wilson(groups.x_build, groups.n_build, confidence)
    original = wilson(groups.x_original, groups.n_original, confidence)
    below = math.hypot(groups.build - build.lower, original.upper - groups.original)
    above = math.hypot(build.upper - groups.build, groups.original - original.lower)
    return difference_interval(groups.difference - below, groups.difference + above, confidence, "Newcombe hybrid")


def agresti_caffo_interval(
    x_build: SupportsIndex,
    n_build: SupportsIndex,
    x_original: SupportsIndex,
    n_original: SupportsIndex,
    confidence: float,
) -> Interval:
    """Give the Wald interval after one success and one failure are added to each group.

    Source: Agresti and Caffo 2000, The American Statistician 54:280-288.

    Raises:
        StatisticsError: Impossible counts or confidence.
    """
    given = checked_groups(x_build, n_build, x_original, n_original)
    groups = Groups(given.x_build + 1, given.n_build + 2, given.x_original + 1, given.n_original + 2)
    critical = two_sided_critical_value(_checks.confidence_level(confidence))
    reach = critical * math.sqrt(
        groups.build * (1.0 - groups.build) / groups.n_build
        + groups.original * (1.0 - groups.original) / groups.n_original
    )
    return difference_interval(groups.difference - reach, groups.difference + reach, confidence, "Agresti-Caffo")
