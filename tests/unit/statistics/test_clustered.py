import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.domain.verdict import Outcome
from twx_accept.errors import StatisticsError
from twx_accept.statistics import clustered
from twx_accept.statistics.types import Better, Margin

TWO_POINTS = Margin.points(2)
Sides = tuple[list[int], list[int], list[int], list[int]]


@st.composite
def sides(draw: st.DrawFn) -> Sides:
    """Draw x and m of both sides, over the same clusters; neither side is empty."""
    clusters = draw(st.integers(2, 30))
    size = st.integers(0, 12)
    m_original = draw(st.lists(size, min_size=clusters, max_size=clusters).filter(any))
    m_build = draw(st.lists(size, min_size=clusters, max_size=clusters).filter(any))
    x_original = [draw(st.integers(0, m)) for m in m_original]
    x_build = [draw(st.integers(0, m)) for m in m_build]
    return x_original, m_original, x_build, m_build


def _informative(given_sides: Sides) -> int:
    return sum(1 for m, k in zip(given_sides[1], given_sides[3], strict=True) if m + k)


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        (([-1, 1], [2, 2], [1, 1], [2, 2]), r"x_original\[0\] = -1"),
        (([1, 1], [2, 2.5], [1, 1], [2, 2]), r"m_original\[1\] = 2\.5"),
        (([1, 1], [2, 2], [1, math.nan], [2, 2]), r"x_build\[1\] = nan"),
        (([1, 1], [2, 2], [1, 3], [2, 2]), r"x_build\[1\] = 3 exceeds m_build\[1\] = 2"),
        (([1, 1], [2], [1, 1], [2, 2]), "x_original has 2 clusters and m_original has 1"),
        (([1, 1], [2, 2], [1], [2]), "original has 2 clusters and the build 1"),
        (([0, 0], [0, 0], [1, 1], [2, 2]), "m_original sums to 0"),
        (([], [], [], []), "m_original sums to 0"),
        (([1, 0], [2, 0], [1, 0], [2, 0]), "1 clusters with items"),
    ],
)
def test_impossible_counts_are_refused_by_name(counts: tuple[Any, Any, Any, Any], named: str) -> None:
    """The error names the side, the cluster and the value."""
    with pytest.raises(StatisticsError, match=named):
        clustered.ratio_difference(*counts, 0.025, margin=TWO_POINTS)


def test_alpha_and_margin_are_checked() -> None:
    """An impossible alpha and a margin without its unit are refused."""
    counts = ([1, 1], [2, 2], [1, 1], [2, 2])
    with pytest.raises(StatisticsError, match="alpha"):
        clustered.ratio_difference(*counts, 0.5)
    with pytest.raises(StatisticsError, match="no unit"):
        clustered.ratio_difference(*counts, 0.025, margin=0.02)  # type: ignore[arg-type]


@given(sides())
def test_exchanging_the_sides_turns_the_difference_around(counts: Sides) -> None:
    """The comparison of (build, original) is the mirror image, for both corrections."""
    if _informative(counts) < 2:
        return
    x_original, m_original, x_build, m_build = counts
    for correction in clustered.Correction:
        if correction is clustered.Correction.CR2 and (
            max(m_original) == sum(m_original) or max(m_build) == sum(m_build)
        ):
            continue
        one = clustered.ratio_difference(*counts, 0.025, margin=TWO_POINTS, correction=correction)
        other = clustered.ratio_difference(
            x_build, m_build, x_original, m_original, 0.025, margin=TWO_POINTS, correction=correction
        )
        assert one.difference == -other.difference
        assert (one.lower, one.upper) == pytest.approx((-other.upper, -other.lower), abs=1e-12)
        assert one.standard_error == pytest.approx(other.standard_error, rel=1e-9)
        assert one.degrees_of_freedom == pytest.approx(other.degrees_of_freedom, rel=1e-9)


@given(sides())
def test_mistakes_are_judged_as_successes_are(counts: Sides) -> None:
    """Counting mistakes and calling a lower rate better leads to the same verdict and p-value."""
    if _informative(counts) < 2:
        return
    x_original, m_original, x_build, m_build = counts
    right = clustered.ratio_difference(*counts, 0.025, margin=TWO_POINTS)
    wrong = clustered.ratio_difference(
        [m - x for x, m in zip(x_original, m_original, strict=True)],
        m_original,
        [m - x for x, m in zip(x_build, m_build, strict=True)],
        m_build,
        0.025,
        margin=TWO_POINTS,
        better=Better.LOWER,
    )
    assert right.outcome is wrong.outcome
    assert right.p == pytest.approx(wrong.p, rel=1e-6, abs=1e-12)
    assert (right.lower, right.upper) == pytest.approx((-wrong.upper, -wrong.lower), abs=1e-9)


@given(sides(), st.floats(0.5, 30.0).map(Margin.points))
def test_the_bound_and_the_p_value_agree(counts: Sides, margin: Margin) -> None:
    """The outcome is shown exactly where p is below alpha."""
    if _informative(counts) < 2:
        return
    result = clustered.ratio_difference(*counts, 0.025, margin=margin)
    assert result.p is not None
    assert -1.0 <= result.lower <= result.difference <= result.upper <= 1.0
    if abs(result.p - 0.025) > 1e-9:
        assert (result.outcome is Outcome.SHOWN) == (result.p < 0.025)


def test_clusters_without_items_are_left_out() -> None:
    """A passage from which neither side took a fact makes the evidence no stronger."""
    counts = ([3, 2, 4, 1], [4, 4, 5, 3], [2, 3, 4, 2], [3, 5, 5, 3])
    padded = ([3, 2, 4, 1, 0], [4, 4, 5, 3, 0], [2, 3, 4, 2, 0], [3, 5, 5, 3, 0])
    for margin in (None, TWO_POINTS):
        result = clustered.ratio_difference(*padded, 0.025, margin=margin)
        assert result == clustered.ratio_difference(*counts, 0.025, margin=margin)
    assert clustered.ratio([3, 2, 4], [4, 4, 5], 0.025) == clustered.ratio([3, 0, 2, 4], [4, 0, 4, 5], 0.025)


def test_one_item_a_cluster_is_the_paired_difference() -> None:
    """With one item in each cluster the estimate is (c - b)/n, and the CR1 error the sample's own."""
    original, build = [1, 1, 1, 0, 0, 1, 1, 0], [1, 0, 1, 1, 0, 0, 1, 0]
    ones = [1] * 8
    result = clustered.ratio_difference(original, ones, build, ones, 0.025)
    changes = np.array(build) - np.array(original)
    assert result.difference == pytest.approx(changes.mean())
    assert result.standard_error == pytest.approx(changes.std(ddof=1) / math.sqrt(8))


def test_without_a_margin_the_figures_are_reported_and_nothing_is_decided() -> None:
    """A claim without a registered mark has no margin p-value and no floor."""
    result = clustered.ratio_difference([3, 2, 4], [4, 4, 5], [2, 3, 4], [3, 5, 5], 0.025)
    assert (result.outcome, result.p, result.floor) == (Outcome.REPORTED, None, 0.0)
    assert result.standard_error == result.sandwich_error > 0.0


@pytest.mark.parametrize("correction", list(clustered.Correction))
def test_when_all_pass_the_floor_stands_in_for_the_error(correction: clustered.Correction) -> None:
    """A perfect score on both sides is shown only where the clusters are enough to show it."""
    for clusters, outcome in ((360, Outcome.SHOWN), (100, Outcome.NOT_SHOWN)):
        full = [10] * clusters
        result = clustered.ratio_difference(full, full, full, full, 0.025, margin=TWO_POINTS, correction=correction)
        assert result.sandwich_error == 0.0
        assert result.standard_error == result.floor == pytest.approx(math.sqrt(0.02 * 0.98 / clusters))
        assert result.outcome is outcome
        assert result.warnings == ()


def test_from_a_perfect_score_one_more_failure_never_helps() -> None:
    """Failures added to a perfect build, spread out or all in one passage, only ever lower its bound."""
    items = [10] * 360
    for step in (1, 0):
        build = items.copy()
        lower = clustered.ratio_difference(items, items, build, items, 0.025, margin=TWO_POINTS).lower
        for failure in range(10):
            build[failure * step] -= 1
            worse = clustered.ratio_difference(items, items, build, items, 0.025, margin=TWO_POINTS).lower
            assert worse < lower
            lower = worse


def test_above_the_floor_a_gain_in_one_cluster_can_cost_the_verdict() -> None:
    """A known limit: a large gain in one passage widens the interval, and one failure there narrows it again."""
    items = [13] + [10] * 59
    original = [0, *items[1:]]
    perfect = clustered.ratio_difference(original, items, items, items, 0.025, margin=TWO_POINTS)
    worse = clustered.ratio_difference(original, items, [12, *items[1:]], items, 0.025, margin=TWO_POINTS)
    assert perfect.sandwich_error > perfect.floor
    assert (perfect.outcome, worse.outcome) == (Outcome.NOT_SHOWN, Outcome.SHOWN)


def test_without_variation_and_margin_the_missing_width_is_warned_of() -> None:
    """An interval without width is no precision, and says so; equal sides give p = 1, unequal ones 0."""
    full, none = [5] * 4, [0] * 4
    same = clustered.ratio_difference(full, full, full, full, 0.025)
    other = clustered.ratio_difference(full, full, none, full, 0.025)
    assert (same.lower, same.upper, same.p_equal) == (0.0, 0.0, 1.0)
    assert (other.lower, other.upper, other.p_equal) == (-1.0, -1.0, 0.0)
    assert "no width" in same.warnings[0]
    assert same.warnings == other.warnings == clustered.ratio(full, full, 0.025).warnings


def test_cr2_refuses_a_cluster_that_is_a_whole_side() -> None:
    """If one passage holds every fact of a side, its correction would divide by 0."""
    with pytest.raises(StatisticsError, match="take CR1"):
        clustered.ratio_difference([3, 0], [4, 0], [2, 1], [3, 3], 0.025, correction=clustered.Correction.CR2)


def test_clusters_of_one_size_have_g_minus_1_degrees_of_freedom() -> None:
    """For one side and equal clusters, Satterthwaite's figure is that of CR1."""
    result = clustered.ratio([3, 5, 4, 6, 2], [8] * 5, 0.025, correction=clustered.Correction.CR2)
    assert result.degrees_of_freedom == pytest.approx(4.0)


def test_one_sides_rate_stays_within_0_and_1_and_takes_a_floor() -> None:
    """The bounds of a rate are possible rates, and a mark gives a perfect score a finite error."""
    narrow = clustered.ratio([9, 10, 10], [10, 10, 10], 0.025)
    assert 0.0 <= narrow.lower <= narrow.ratio <= narrow.upper == 1.0
    perfect = clustered.ratio([10] * 300, [10] * 300, 0.025, margin=Margin.points(8))
    assert perfect.standard_error == perfect.floor == pytest.approx(math.sqrt(0.08 * 0.92 / 300))
    assert perfect.lower > 0.92


@pytest.mark.parametrize(("size", "icc"), [(0, 0.1), (math.nan, 0.1), (10, 1.1), (10, math.nan)])
def test_an_impossible_design_is_refused(size: float, icc: float) -> None:
    """A cluster has at least one item, and a correlation lies between -1 and 1."""
    with pytest.raises(StatisticsError, match=r"cluster_size|icc"):
        clustered.design_effect(size, icc)
