"""Exact tests of equal rates. Neither knows a margin; a large p is no evidence of equality."""

from dataclasses import dataclass
from typing import Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray
from scipy.stats import boschloo_exact, fisher_exact

from twx_accept.statistics.independent.groups import Groups, checked_groups

Alternative = Literal["two-sided", "less", "greater"]
"""The build's rate against the original's: different, lower, or higher."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boschloo:
    """Boschloo's test.

    Attributes:
        statistic: Fisher's p-value of the table, by which outcomes are ordered.
        p: The p-value, never above Fisher's for a one-sided alternative but for rounding.
    """

    statistic: float
    p: float


def fisher(
    x_build: SupportsIndex,
    n_build: SupportsIndex,
    x_original: SupportsIndex,
    n_original: SupportsIndex,
    alternative: Alternative = "two-sided",
) -> float:
    """Give the p-value of Fisher's exact test of equal rates.

    Exact given both totals, and conservative for it. A large p is no evidence of equality.

    Source: Fisher 1935, Journal of the Royal Statistical Society 98:39-54.

    Args:
        x_build: The build's successes.
        n_build: The build's trials, 1 or more.
        x_original: The original's successes.
        n_original: The original's trials, 1 or more.
        alternative: How the build's rate differs.

    Raises:
        StatisticsError: Impossible counts.
    """
    groups = checked_groups(x_build, n_build, x_original, n_original)
    return float(fisher_exact(_table(groups), alternative=alternative).pvalue)


def boschloo(
    x_build: SupportsIndex,
    n_build: SupportsIndex,
    x_original: SupportsIndex,
    n_original: SupportsIndex,
    alternative: Alternative = "two-sided",
) -> Boschloo:
    """Test equal rates exactly with only the trials held fixed: sharper than Fisher's test.

    Its cost grows with ``n_build`` times ``n_original``; it is meant for hundreds of trials, not for thousands.

    Source: Boschloo 1970, Statistica Neerlandica 24:1-35.

    Args:
        x_build: The build's successes.
        n_build: The build's trials, 1 or more.
        x_original: The original's successes.
        n_original: The original's trials, 1 or more.
        alternative: How the build's rate differs.

    Raises:
        StatisticsError: Impossible counts.
    """
    groups = checked_groups(x_build, n_build, x_original, n_original)
    result = boschloo_exact(_table(groups), alternative=alternative)
    return Boschloo(statistic=float(result.statistic), p=float(result.pvalue))


def _table(groups: Groups) -> NDArray[np.int64]:
    """Lay the groups out as scipy wants them: one column for each group, successes above failures."""
    return np.array(
        [
            [groups.x_build, groups.x_original],
            [groups.n_build - groups.x_build, groups.n_original - groups.x_original],
        ]
    )
