"""Rates whose items come in clusters: facts of a passage, tokens of a passage, calls of a prompt.

Items of one cluster succeed and fail together, so that their number overstates what is known. The cluster is the
unit of evidence here: a side's rate is its successes over its items, and its error is judged from how far whole
clusters depart from that rate. Both sides read the same clusters, so that what a cluster does to both cancels.

Sources: the sandwich estimator of a ratio with CR1 correction and t with G - 1 degrees of freedom, Cameron and
Miller 2015, Journal of Human Resources 50:317-372, section VI; CR2 and its Satterthwaite degrees of freedom, Bell
and McCaffrey 2002, Survey Methodology 28:169-181.
"""

import math
from dataclasses import dataclass

from twx_accept.domain.verdict import Outcome
from twx_accept.statistics import _checks
from twx_accept.statistics._clusters import Counts, Side, checked_side, checked_sides
from twx_accept.statistics._sandwich import Correction, error_of
from twx_accept.statistics.bootstrap import ClusterBootstrap, IdealBootstrap, cluster_bootstrap, ideal_bootstrap
from twx_accept.statistics.decision import noninferiority_outcome
from twx_accept.statistics.types import Better, Margin

__all__ = [
    "ClusterBootstrap",
    "ClusteredRatio",
    "Correction",
    "IdealBootstrap",
    "RatioDifference",
    "cluster_bootstrap",
    "design_effect",
    "ideal_bootstrap",
    "ratio",
    "ratio_difference",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredRatio:
    """One side's rate.

    Attributes:
        ratio: Successes over items, all clusters together.
        clusters: Clusters with items, G.
        standard_error: The error used, never below ``floor``.
        sandwich_error: The error as estimated from the clusters.
        floor: The smallest error believed, sqrt(margin (1 - margin)/G); 0 without a margin.
        degrees_of_freedom: Of the t distribution used.
        lower: Lower bound, which errs with probability alpha; not below 0.
        upper: Upper bound, which errs with probability alpha; not above 1.
        alpha: One-sided error rate of each bound.
        method: The name of the method, for the report.
        warnings: What a reader must know before trusting the figures.
    """

    ratio: float
    clusters: int
    standard_error: float
    sandwich_error: float
    floor: float
    degrees_of_freedom: float
    lower: float
    upper: float
    alpha: float
    method: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioDifference:
    """The build's rate minus the original's, over the same clusters.

    Attributes:
        original: The original's rate, all clusters together.
        build: The build's rate.
        difference: ``build`` - ``original``, a fraction.
        clusters: Clusters in which at least one side has items, G.
        standard_error: The error used, never below ``floor``.
        sandwich_error: The error as estimated from the clusters.
        floor: The smallest error believed, sqrt(margin (1 - margin)/G); 0 without a margin.
        degrees_of_freedom: Of the t distribution used.
        lower: Lower bound of the difference, which errs with probability alpha; not below -1.
        upper: Upper bound of the difference, which errs with probability alpha; not above 1.
        alpha: One-sided error rate of each bound.
        margin: The registered margin, or None.
        better: Which direction of the rate is the good one.
        p_equal: Two-sided p-value against equal rates. A large one is no evidence of equality.
        p: One-sided p-value against a loss of the margin or more; None without a margin.
        outcome: ``SHOWN``, ``NOT_SHOWN`` or ``FAILED``; ``REPORTED`` without a margin.
        method: The name of the method, for the report.
        warnings: What a reader must know before trusting the figures.
    """

    original: float
    build: float
    difference: float
    clusters: int
    standard_error: float
    sandwich_error: float
    floor: float
    degrees_of_freedom: float
    lower: float
    upper: float
    alpha: float
    margin: Margin | None
    better: Better
    p_equal: float
    p: float | None
    outcome: Outcome
    method: str
    warnings: tuple[str, ...] = ()


def ratio_difference(
    x_original: Counts,
    m_original: Counts,
    x_build: Counts,
    m_build: Counts,
    alpha: float,
    *,
    margin: Margin | None = None,
    better: Better = Better.HIGHER,
    correction: Correction = Correction.CR1,
) -> RatioDifference:
    """Compare the rates of two sides that read the same clusters, and decide where a margin is registered.

    With a margin the standard error is never believed below sqrt(margin (1 - margin)/G). When nearly everything
    passes, few clusters vary and the sandwich estimate is too small, down to 0 when all pass; the floor is what G
    clusters would have if mistakes were as common as the margin. It holds for a perfect score too, so that while it
    holds each further failure lowers the bound. Above the floor this need not be so: a build that gains much in one
    cluster widens its own interval, and a failure there can lift the bound, as with every interval whose width is
    estimated.

    Args:
        x_original: The original's successes (or mistakes, with ``better`` = ``LOWER``) of each cluster, shape (G,).
        m_original: The original's items of each cluster; 0 where it has none.
        x_build: The build's successes or mistakes, clusters in the same order.
        m_build: The build's items, which need not be as many as the original's.
        alpha: One-sided error rate of each bound, below 0.5.
        margin: The registered margin; without one the figures are reported and nothing is decided.
        better: Whether a higher or a lower rate is the better one.
        correction: How the standard error is corrected for few clusters.

    Returns:
        The difference and its verdict. With very few clusters (under about 10) even the corrected error is rough.

    Raises:
        StatisticsError: Counts that are impossible or do not match, fewer than two clusters, one cluster that holds
            all items of a side (CR2 only), a margin without a unit, or an impossible ``alpha``.
    """
    original, build = checked_sides(x_original, m_original, x_build, m_build)
    error = error_of(((1.0, build), (-1.0, original)), alpha, margin, correction)
    difference = build.ratio - original.ratio
    lower, upper = max(-1.0, difference - error.reach), min(1.0, difference + error.reach)
    p, outcome = None, Outcome.REPORTED
    if margin is not None:
        gain = difference if better is Better.HIGHER else -difference
        p = error.upper_tail(gain + margin.fraction)
        outcome = noninferiority_outcome(lower, upper, margin, better)
    return RatioDifference(
        original=original.ratio,
        build=build.ratio,
        difference=difference,
        clusters=len(build.m),
        standard_error=error.used,
        sandwich_error=error.sandwich,
        floor=error.floor,
        degrees_of_freedom=error.degrees,
        lower=lower,
        upper=upper,
        alpha=error.alpha,
        margin=margin,
        better=better,
        p_equal=2.0 * error.upper_tail(abs(difference)),
        p=p,
        outcome=outcome,
        method=f"paired ratio estimator, {correction}",
        warnings=error.warnings,
    )


def ratio(
    x: Counts, m: Counts, alpha: float, *, margin: Margin | None = None, correction: Correction = Correction.CR1
) -> ClusteredRatio:
    """Give one side's rate with bounds that respect its clusters.

    Args:
        x: Successes of each cluster, shape (G,).
        m: Items of each cluster; clusters without items are left out.
        alpha: One-sided error rate of each bound, below 0.5.
        margin: The share of mistakes that the rate's mark allows; gives the standard error its floor.
        correction: How the standard error is corrected for few clusters.

    Raises:
        StatisticsError: As :func:`ratio_difference`.
    """
    given = checked_side("", x, m)
    side = Side(given.x[given.m > 0], given.m[given.m > 0])
    error = error_of(((1.0, side),), alpha, margin, correction)
    return ClusteredRatio(
        ratio=side.ratio,
        clusters=len(side.m),
        standard_error=error.used,
        sandwich_error=error.sandwich,
        floor=error.floor,
        degrees_of_freedom=error.degrees,
        lower=max(0.0, side.ratio - error.reach),
        upper=min(1.0, side.ratio + error.reach),
        alpha=error.alpha,
        method=f"ratio estimator, {correction}",
        warnings=error.warnings,
    )


def design_effect(cluster_size: float, icc: float) -> float:
    """Give the factor by which clusters of equal size inflate a variance, 1 + (m - 1) rho.

    Source: Kish 1965, Survey Sampling, section 5.4.

    Args:
        cluster_size: Items of each cluster, m; 1 or more.
        icc: Intra-class correlation rho, from -1 to 1.

    Raises:
        StatisticsError: An impossible size or correlation.
    """
    size = _checks.number("cluster_size", cluster_size, 1.0, math.inf)
    return 1.0 + (size - 1.0) * _checks.number("icc", icc, -1.0, 1.0)
