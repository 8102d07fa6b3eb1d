"""Resampling whole clusters: a check on the formulas of ``clustered`` that assumes no distribution.

The cluster is drawn with all its items, on both sides at once. With few clusters the percentiles are too narrow
whatever the number of resamples, so that under 50 clusters an interval is refused. Complete enumeration draws
nothing and gives no interval, and is exempt.

Source: Davison and Hinkley 1997, Bootstrap Methods and their Application, sections 2.4 and 3.8.
"""

import math
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from twx_accept.errors import StatisticsError
from twx_accept.statistics import _checks
from twx_accept.statistics._clusters import Counts, Side, at_least, checked_side, checked_sides

SEED = 1979
"""The seed of every resampling, unless another is registered; results carry it so that a report can print it."""

RESAMPLES = 10_000
LEAST_CLUSTERS = 50
MOST_ENUMERATED = 10
BATCH = 1_000
"""Resamples held in memory at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterBootstrap:
    """Percentiles of a resampled difference of rates.

    Attributes:
        difference: The build's rate minus the original's, a fraction, as observed.
        lower: Lower percentile of the resampled differences.
        upper: Upper percentile.
        sd: Their standard deviation, an estimate of the standard error.
        confidence: Two-sided confidence of the percentiles.
        clusters: Clusters in which at least one side has items.
        resamples: How often the clusters were drawn.
        seed: The seed that reproduces every digit.
    """

    difference: float
    lower: float
    upper: float
    sd: float
    confidence: float
    clusters: int
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IdealBootstrap:
    """Moments of a rate over every possible resample, each counted as often as it can be drawn.

    Attributes:
        mean: Mean of the resampled rates.
        sd: Their standard deviation over the whole distribution.
        resamples: Resamples in all, G to the power G.
    """

    mean: float
    sd: float
    resamples: int


def cluster_bootstrap(
    x_original: Counts,
    m_original: Counts,
    x_build: Counts,
    m_build: Counts,
    confidence: float,
    *,
    seed: SupportsIndex = SEED,
    resamples: SupportsIndex = RESAMPLES,
) -> ClusterBootstrap:
    """Give percentile bounds of build minus original from resampled clusters.

    Args:
        x_original: The original's successes of each cluster, shape (G,), G of 50 or more.
        m_original: The original's items of each cluster; 0 where it has none.
        x_build: The build's successes, clusters in the same order.
        m_build: The build's items.
        confidence: Two-sided confidence.
        seed: Seed of the generator (PCG64).
        resamples: How often the clusters are drawn, 1 or more.

    Raises:
        StatisticsError: Counts that are impossible or do not match, fewer than 50 clusters with items, items in so
            few clusters that a resample holds none of a side, or an impossible confidence, seed or number.
    """
    original, build = checked_sides(x_original, m_original, x_build, m_build)
    level = _checks.confidence_level(confidence)
    start, draws = _checks.count("seed", seed), _checks.sample_size("resamples", resamples)
    clusters = len(build.m)
    at_least(clusters, LEAST_CLUSTERS, "a percentile bootstrap")
    generator = np.random.default_rng(start)
    shares = np.full(clusters, 1.0 / clusters)
    differences = np.concatenate(
        [
            _differences(generator.multinomial(clusters, shares, size=min(BATCH, draws - done)), original, build)
            for done in range(0, draws, BATCH)
        ]
    )
    tail = (1.0 - level) / 2.0
    lower, upper = np.quantile(differences, [tail, 1.0 - tail])
    return ClusterBootstrap(
        difference=build.ratio - original.ratio,
        lower=float(lower),
        upper=float(upper),
        sd=float(differences.std()),
        confidence=level,
        clusters=clusters,
        resamples=draws,
        seed=start,
    )


def ideal_bootstrap(x: Counts, m: Counts) -> IdealBootstrap:
    """Enumerate every resample of the clusters of one side: the bootstrap without its noise.

    Args:
        x: Successes of each cluster, shape (G,), G from 2 to 10.
        m: Items of each cluster, none of them 0.

    Raises:
        StatisticsError: Impossible counts, or a number of clusters that cannot be enumerated.
    """
    side = checked_side("", x, m)
    clusters = len(side.m)
    at_least(clusters, 2, "a bootstrap")
    if clusters > MOST_ENUMERATED:
        raise StatisticsError(f"{clusters} clusters cannot be enumerated: {MOST_ENUMERATED} at most")
    if np.any(side.m == 0):
        raise StatisticsError("a cluster without items: some resamples would have no rate")
    drawn = np.array(list(combinations_with_replacement(range(clusters), clusters)))
    times = np.array([np.bincount(row, minlength=clusters) for row in drawn])
    factorials = np.array([math.factorial(k) for k in range(clusters + 1)])
    orders = math.factorial(clusters) // np.prod(factorials[times], axis=1)
    rates = (times @ side.x) / (times @ side.m)
    total = clusters**clusters
    mean = float(orders @ rates) / total
    return IdealBootstrap(mean=mean, sd=math.sqrt(float(orders @ (rates - mean) ** 2) / total), resamples=total)


def _differences(times: NDArray[np.int64], original: Side, build: Side) -> NDArray[np.float64]:
    """Give build minus original for each row of ``times``, which says how often each cluster was drawn."""
    items_original, items_build = times @ original.m, times @ build.m
    if not (items_original.all() and items_build.all()):
        raise StatisticsError("a resample holds no item of one side: its items stand in too few clusters")
    difference: NDArray[np.float64] = (times @ build.x) / items_build - (times @ original.x) / items_original
    return difference
