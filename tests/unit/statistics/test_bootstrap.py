import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from twx_accept.errors import StatisticsError
from twx_accept.statistics import clustered
from twx_accept.statistics.bootstrap import SEED

GENERATOR = np.random.default_rng(3)
ITEMS = [int(m) for m in GENERATOR.integers(5, 15, 60)]
ORIGINAL = [int(GENERATOR.binomial(m, 0.90)) for m in ITEMS]
BUILD = [int(GENERATOR.binomial(m, 0.87)) for m in ITEMS]


def test_fewer_than_fifty_clusters_are_refused() -> None:
    """Percentiles of few clusters are too narrow, however many resamples are drawn."""
    with pytest.raises(StatisticsError, match="49 clusters with items: a percentile bootstrap needs 50"):
        clustered.cluster_bootstrap(ORIGINAL[:49], ITEMS[:49], BUILD[:49], ITEMS[:49], 0.95)
    enough = clustered.cluster_bootstrap(ORIGINAL[:50], ITEMS[:50], BUILD[:50], ITEMS[:50], 0.95, resamples=99)
    assert enough.clusters == 50


def test_the_seed_is_fixed_carried_and_reproduces_every_digit() -> None:
    """Two runs give the same digits, another seed gives others, and the result says which seed was used."""
    one = clustered.cluster_bootstrap(ORIGINAL, ITEMS, BUILD, ITEMS, 0.95, resamples=1_500)
    assert one.seed == SEED
    assert one.resamples == 1_500
    assert one == clustered.cluster_bootstrap(ORIGINAL, ITEMS, BUILD, ITEMS, 0.95, resamples=1_500)
    assert one.lower != clustered.cluster_bootstrap(ORIGINAL, ITEMS, BUILD, ITEMS, 0.95, seed=5, resamples=1_500).lower


def test_it_agrees_with_the_formula() -> None:
    """With sixty clusters the resampled error is within a tenth of CR1, and the bounds within a tenth of its width."""
    formula = clustered.ratio_difference(ORIGINAL, ITEMS, BUILD, ITEMS, 0.025)
    resampled = clustered.cluster_bootstrap(ORIGINAL, ITEMS, BUILD, ITEMS, 0.95, resamples=4_000)
    assert resampled.difference == formula.difference
    assert resampled.sd == pytest.approx(formula.standard_error, rel=0.1)
    tenth = (formula.upper - formula.lower) / 10
    assert (resampled.lower, resampled.upper) == pytest.approx((formula.lower, formula.upper), abs=tenth)


def test_items_in_too_few_clusters_are_refused() -> None:
    """A side whose items stand in one cluster would be missing from many resamples."""
    lonely = [5] + [0] * 59
    with pytest.raises(StatisticsError, match="too few clusters"):
        clustered.cluster_bootstrap(ORIGINAL, ITEMS, lonely, lonely, 0.95)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"confidence": 95}, "confidence"),
        ({"confidence": 0.95, "seed": -1}, "seed"),
        ({"confidence": 0.95, "resamples": 0}, "resamples"),
    ],
)
def test_impossible_options_are_refused(options: Any, named: str) -> None:
    """Confidence, seed and number of resamples are checked by name."""
    with pytest.raises(StatisticsError, match=named):
        clustered.cluster_bootstrap(ORIGINAL, ITEMS, BUILD, ITEMS, **options)


def test_complete_enumeration_visits_every_resample() -> None:
    """Weighted combinations give the moments of all 5^5 ordered resamples."""
    x, m = [3, 1, 4, 2, 0], [5, 2, 6, 7, 1]
    rates = [sum(x[i] for i in drawn) / sum(m[i] for i in drawn) for drawn in product(range(5), repeat=5)]
    result = clustered.ideal_bootstrap(x, m)
    assert result.resamples == len(rates) == 3_125
    assert result.mean == pytest.approx(math.fsum(rates) / len(rates), rel=1e-12)
    assert result.sd == pytest.approx(np.std(rates), rel=1e-12)


@pytest.mark.parametrize(
    ("x", "m", "named"),
    [([1], [2], "1 clusters"), ([1] * 11, [2] * 11, "10 at most"), ([1, 0], [2, 0], "without items"), ([3], [2], "x")],
)
def test_what_cannot_be_enumerated_is_refused(x: list[int], m: list[int], named: str) -> None:
    """One cluster, too many, empty ones and impossible counts are errors."""
    with pytest.raises(StatisticsError, match=named):
        clustered.ideal_bootstrap(x, m)
