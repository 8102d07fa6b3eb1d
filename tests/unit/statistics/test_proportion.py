import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from twx_accept.errors import StatisticsError
from twx_accept.statistics.proportion import clopper_pearson, clopper_pearson_lower, wilson


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[int, int]:
    """Draw x of n."""
    n = draw(st.integers(1, 400))
    return draw(st.integers(0, n)), n


@pytest.mark.parametrize("method", [clopper_pearson, wilson])
@pytest.mark.parametrize(
    ("x", "n", "named"),
    [
        (-1, 5, "x = -1"),
        (6, 5, "x = 6"),
        (0, 0, "n = 0"),
        (1.5, 5, r"x = 1\.5"),
        (math.nan, 5, "x = nan"),
        (True, 5, "x = True"),
    ],
)
def test_impossible_counts_are_refused_by_name(method: object, x: object, n: object, named: str) -> None:
    """The error names the count and its value."""
    with pytest.raises(StatisticsError, match=named):
        method(x, n, 0.95)  # type: ignore[operator]


@pytest.mark.parametrize("confidence", [0, 1, 95, math.nan, None])
def test_impossible_confidence_is_refused(confidence: object) -> None:
    """Confidence is a fraction strictly between 0 and 1."""
    with pytest.raises(StatisticsError, match="confidence"):
        wilson(1, 2, confidence)  # type: ignore[arg-type]


@given(outcomes())
def test_intervals_hold_the_estimate_and_stay_within_0_and_1(outcome: tuple[int, int]) -> None:
    """Whatever the counts, lower <= x/n <= upper, within the possible rates."""
    x, n = outcome
    for interval in (clopper_pearson(x, n, 0.95), wilson(x, n, 0.95)):
        assert 0.0 <= interval.lower <= x / n + 1e-12
        assert x / n - 1e-12 <= interval.upper <= 1.0


@given(outcomes())
def test_exact_bounds_invert_the_binomial_tails(outcome: tuple[int, int]) -> None:
    """At the lower bound, x or more successes happen 2.5% of the time; at the upper bound, x or fewer."""
    x, n = outcome
    interval = clopper_pearson(x, n, 0.95)
    if x > 0:
        assert binom.sf(x - 1, n, interval.lower) == pytest.approx(0.025, abs=1e-8)
    if x < n:
        assert binom.cdf(x, n, interval.upper) == pytest.approx(0.025, abs=1e-8)


@given(outcomes())
def test_intervals_mirror_successes_and_failures(outcome: tuple[int, int]) -> None:
    """The interval of the failures is the mirror image of the interval of the successes."""
    x, n = outcome
    for method in (clopper_pearson, wilson):
        assert method(n - x, n, 0.9).upper == pytest.approx(1.0 - method(x, n, 0.9).lower, abs=1e-9)


def test_one_sided_bound_of_a_perfect_score_has_a_closed_form() -> None:
    """With every trial passed the bound is alpha to the power 1/n."""
    assert clopper_pearson_lower(600, 600, 0.05) == pytest.approx(0.05 ** (1 / 600), abs=1e-10)


@pytest.mark.parametrize("alpha", [0.0, 0.5, -1, math.nan])
def test_impossible_alpha_is_refused(alpha: float) -> None:
    """A one-sided error rate lies strictly between 0 and one half."""
    with pytest.raises(StatisticsError, match="alpha"):
        clopper_pearson_lower(1, 2, alpha)
