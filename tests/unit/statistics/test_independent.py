import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from twx_accept.errors import StatisticsError
from twx_accept.statistics import independent
from twx_accept.statistics.types import Better, Margin

INTERVALS = [
    independent.farrington_manning_interval,
    independent.miettinen_nurminen_interval,
    independent.newcombe_hybrid_interval,
    independent.agresti_caffo_interval,
]
TEN_POINTS = Margin.points(10)


@st.composite
def groups(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Draw successes and trials of both sides."""
    n_build, n_original = draw(st.integers(1, 500)), draw(st.integers(1, 500))
    return draw(st.integers(0, n_build)), n_build, draw(st.integers(0, n_original)), n_original


differences = st.floats(min_value=-0.95, max_value=0.95)


def _closed_form(x1: int, n1: int, x2: int, n2: int, delta: float) -> float:
    """Restricted rate of the first group by the trigonometric root of Farrington and Manning's appendix."""
    theta, p1, p2 = n2 / n1, x1 / n1, x2 / n2
    a = 1 + theta
    b = -(1 + theta + p1 + theta * p2 + delta * (theta + 2))
    c = delta**2 + delta * (2 * p1 + theta + 1) + p1 + theta * p2
    d = -p1 * delta * (1 + delta)
    v = b**3 / (27 * a**3) - b * c / (6 * a**2) + d / (2 * a)
    u = math.copysign(math.sqrt(max(0.0, b**2 / (9 * a**2) - c / (3 * a))), v)
    w = (math.pi + math.acos(min(1.0, max(-1.0, v / u**3 if u else 0.0)))) / 3
    return min(1.0, max(0.0, 2 * u * math.cos(w) - b / (3 * a)))


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        ((-1, 5, 1, 5), "x_build = -1"),
        ((6, 5, 1, 5), "x_build = 6 exceeds n_build = 5"),
        ((1, 0, 1, 5), "n_build = 0"),
        ((1, 5, 1.5, 5), r"x_original = 1\.5"),
        ((1, 5, 6, 5), "x_original = 6 exceeds n_original = 5"),
        ((1, 5, 0, 0), "n_original = 0"),
        ((1, 5, math.nan, 5), "x_original = nan"),
    ],
)
def test_impossible_counts_are_refused_by_name(counts: tuple[Any, Any, Any, Any], named: str) -> None:
    """Every method on two groups refuses impossible counts, naming side and value."""
    for method in INTERVALS:
        with pytest.raises(StatisticsError, match=named):
            method(*counts, 0.95)
    for exact in (independent.fisher, independent.boschloo):
        with pytest.raises(StatisticsError, match=named):
            exact(*counts)
    with pytest.raises(StatisticsError, match=named):
        independent.farrington_manning(*counts, TEN_POINTS)


@pytest.mark.parametrize("method", INTERVALS)
@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, math.nan])
def test_impossible_confidence_is_refused(method: Any, confidence: float) -> None:
    """Confidence is a fraction strictly between 0 and 1."""
    with pytest.raises(StatisticsError, match="confidence"):
        method(1, 5, 1, 5, confidence)


@pytest.mark.parametrize("difference", [-1.0, 1.0, 5, math.nan])
def test_a_hypothesis_beyond_every_difference_is_refused(difference: float) -> None:
    """A hypothesised difference lies strictly between -1 and 1, so that points cannot pass for a fraction."""
    with pytest.raises(StatisticsError, match="difference"):
        independent.score_test(1, 5, 1, 5, difference)


def test_a_margin_without_its_unit_is_refused() -> None:
    """A bare number cannot say whether it means points or a fraction."""
    with pytest.raises(StatisticsError, match="no unit"):
        independent.farrington_manning(1, 5, 1, 5, 0.1)  # type: ignore[arg-type]


def test_the_table_that_a_common_library_gets_wrong() -> None:
    """56/70 against 48/80 has the Miettinen-Nurminen interval 0.05283 to 0.33817."""
    interval = independent.miettinen_nurminen_interval(56, 70, 48, 80, 0.95)
    assert (interval.lower, interval.upper) == pytest.approx((0.05283, 0.33817), abs=5e-6)


@settings(max_examples=40)
@given(groups())
def test_exchanging_the_sides_turns_every_interval_around(counts: tuple[int, int, int, int]) -> None:
    """The interval of original minus build is the mirror image, and each holds the estimate or nearly so."""
    x_build, n_build, x_original, n_original = counts
    for method in INTERVALS:
        one = method(x_build, n_build, x_original, n_original, 0.95)
        other = method(x_original, n_original, x_build, n_build, 0.95)
        assert (one.lower, one.upper) == pytest.approx((-other.upper, -other.lower), abs=1e-9)
        assert -1.0 <= one.lower <= one.upper <= 1.0


@settings(max_examples=40)
@given(groups())
def test_score_intervals_invert_their_tests(counts: tuple[int, int, int, int]) -> None:
    """At each bound short of +-1 the score is the critical value, and the interval holds the estimate."""
    critical = float(norm.isf(0.025))
    estimate = counts[0] / counts[1] - counts[2] / counts[3]
    for method, small_sample in (
        (independent.farrington_manning_interval, False),
        (independent.miettinen_nurminen_interval, True),
    ):
        interval = method(*counts, 0.95)
        assert interval.lower <= estimate <= interval.upper
        for bound, score in ((interval.lower, critical), (interval.upper, -critical)):
            if -0.999 < bound < 0.999:
                z = independent.score_test(*counts, bound, small_sample=small_sample).z
                assert z == pytest.approx(score, rel=1e-4)


@given(groups(), differences)
def test_the_restricted_estimate_agrees_with_its_closed_form(
    counts: tuple[int, int, int, int], difference: float
) -> None:
    """The score from the solved slope is the score from the trigonometric root of the cubic."""
    x_build, n_build, x_original, n_original = counts
    build = _closed_form(x_build, n_build, x_original, n_original, difference)
    original = min(1.0, max(0.0, build - difference))
    variance = build * (1 - build) / n_build + original * (1 - original) / n_original
    distance = x_build / n_build - x_original / n_original - difference
    z = independent.score_test(*counts, difference).z
    if variance > 1e-6 and abs(distance) > 1e-9:
        assert z == pytest.approx(distance / math.sqrt(variance), rel=1e-3)


@given(groups())
def test_at_no_difference_the_score_is_the_pooled_one(counts: tuple[int, int, int, int]) -> None:
    """Under equal rates the restricted estimate is the pooled rate."""
    x_build, n_build, x_original, n_original = counts
    pooled = (x_build + x_original) / (n_build + n_original)
    variance = pooled * (1 - pooled) * (1 / n_build + 1 / n_original)
    distance = x_build / n_build - x_original / n_original
    expected = distance / math.sqrt(variance) if distance else 0.0
    assert independent.score_test(*counts, 0.0).z == pytest.approx(expected, rel=1e-9)


@given(groups())
def test_both_directions_of_a_score_test_are_mirror_images(counts: tuple[int, int, int, int]) -> None:
    """Counting mistakes and calling a lower rate better gives the same p-value as counting successes."""
    x_build, n_build, x_original, n_original = counts
    right = independent.farrington_manning(*counts, TEN_POINTS)
    wrong = independent.farrington_manning(
        n_build - x_build, n_build, n_original - x_original, n_original, TEN_POINTS, Better.LOWER
    )
    assert right.p == pytest.approx(wrong.p, rel=1e-6, abs=1e-12)


def test_a_difference_without_variance_is_contradicted_infinitely() -> None:
    """All passed on one side and none on the other leaves no room at the end of the scale."""
    assert independent.miettinen_nurminen_interval(10, 10, 0, 20, 0.95).upper == 1.0
    assert independent.score_test(5, 5, 5, 5, 0.0).z == 0.0
    assert independent.farrington_manning_interval(0, 10, 10, 10, 0.95).lower == -1.0


@pytest.mark.parametrize("x", [0, 5])
def test_exact_tests_of_identical_certainty_give_1(x: int) -> None:
    """All failed or all passed on both sides contradicts nothing."""
    assert independent.fisher(x, 5, x, 5) == 1.0
    assert independent.boschloo(x, 5, x, 5).p == 1.0


def test_one_sided_exact_tests_look_at_the_build() -> None:
    """A build with the lower rate is found by "less", and Boschloo's test is at least as sharp as Fisher's."""
    assert independent.fisher(5, 20, 15, 20, "less") < 0.01 < 0.99 < independent.fisher(5, 20, 15, 20, "greater")
    result = independent.boschloo(5, 20, 15, 20, "less")
    assert result.p <= result.statistic == pytest.approx(independent.fisher(5, 20, 15, 20, "less"))
