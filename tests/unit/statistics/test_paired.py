import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from twx_accept.domain.verdict import Outcome
from twx_accept.errors import StatisticsError
from twx_accept.statistics import paired
from twx_accept.statistics.types import IDENTICAL_OUTCOMES, Margin

ONE_POINT = Margin.points(1)
MMLU = 14_042


@st.composite
def tables(draw: st.DrawFn, largest: int = 3_000) -> tuple[int, int, int]:
    """Draw b, c and n of a paired comparison."""
    n = draw(st.integers(1, largest))
    b = draw(st.integers(0, n))
    return b, draw(st.integers(0, n - b)), n


margins = st.floats(min_value=0.05, max_value=60.0).map(Margin.points)


# The published figures


@pytest.mark.parametrize(
    ("b", "c", "exact_p", "points", "lower_points", "margin_p", "design_effect"),
    [
        pytest.param(301, 218, 0.000311, -0.591, -0.912, 0.00640, 1.66, id="TWX2.5"),
        pytest.param(267, 187, 0.000202, -0.570, -0.870, 0.00266, 2.10, id="TWX3"),
    ],
)
def test_published_builds_are_measurably_worse_and_within_one_point(
    b: int, c: int, exact_p: float, points: float, lower_points: float, margin_p: float, design_effect: float
) -> None:
    """Each published build loses significantly and is shown to lose less than one point."""
    result = paired.noninferiority(b, c, MMLU, ONE_POINT, 0.025)
    assert paired.mcnemar(b, c).exact == pytest.approx(exact_p, abs=5e-7)
    assert result.difference * 100 == pytest.approx(points, abs=5e-4)
    assert result.lower * 100 == pytest.approx(lower_points, abs=5e-4)
    assert result.p == pytest.approx(margin_p, abs=5e-6)
    assert result.outcome is Outcome.SHOWN
    assert result.upper < 0.0
    assert result.overturning_design_effect == pytest.approx(design_effect, abs=5e-3)


def test_published_builds_against_each_other() -> None:
    """Only the exact and the corrected McNemar test give the published p of 0.93."""
    equality = paired.mcnemar(290, 287)
    assert equality.exact == pytest.approx(0.9337, abs=5e-5)
    assert equality.corrected == pytest.approx(0.9336, abs=5e-5)
    assert equality.midp == pytest.approx(0.90, abs=5e-3)
    assert equality.asymptotic == pytest.approx(0.90, abs=5e-3)
    assert paired.tango_interval(290, 287, MMLU, 0.95).lower < 0.0
    assert paired.noninferiority(290, 287, MMLU, ONE_POINT, 0.025).difference == pytest.approx(-0.00021, abs=5e-6)


# Degenerate input


IMPOSSIBLE = [
    pytest.param(0, 0, 0, "n = 0", id="nothing observed"),
    pytest.param(-1, 0, 5, "b = -1", id="b negative"),
    pytest.param(0, -2, 5, "c = -2", id="c negative"),
    pytest.param(0, 0, -5, "n = -5", id="n negative"),
    pytest.param(1.5, 0, 5, r"b = 1\.5", id="b not whole"),
    pytest.param(0, math.nan, 5, "c = nan", id="c NaN"),
    pytest.param(0, 0, math.nan, "n = nan", id="n NaN"),
    pytest.param(3, 3, 5, r"b \+ c = 6 exceeds n = 5", id="more discordant pairs than pairs"),
    pytest.param(None, 0, 5, "b = None", id="b missing"),
    pytest.param(True, 0, 5, "b = True", id="b a truth value"),
]


@pytest.mark.parametrize(("b", "c", "n", "named"), IMPOSSIBLE)
def test_impossible_counts_are_refused_by_name(b: Any, c: Any, n: Any, named: str) -> None:
    """Every decision on pairs refuses the same impossible counts, naming count and value."""
    for decide in (paired.noninferiority, paired.equivalence, paired.break_even_design_effect):
        with pytest.raises(StatisticsError, match=named):
            decide(b, c, n, ONE_POINT, 0.025)
    with pytest.raises(StatisticsError, match=named):
        paired.tango_interval(b, c, n, 0.95)


@pytest.mark.parametrize("margin", [1, 0.01, None, "1", math.nan])
def test_a_margin_without_its_unit_is_refused(margin: object) -> None:
    """A bare number cannot say whether it means points or a fraction."""
    with pytest.raises(StatisticsError, match=r"carries no unit: write Margin\.points\(1\)"):
        paired.noninferiority(1, 1, 10, margin, 0.025)  # type: ignore[arg-type]


@pytest.mark.parametrize("alpha", [0.0, 0.5, 2.5, -0.1, math.nan, None])
def test_an_impossible_alpha_is_refused(alpha: object) -> None:
    """A one-sided error rate lies strictly between 0 and one half."""
    with pytest.raises(StatisticsError, match="alpha"):
        paired.noninferiority(1, 1, 10, ONE_POINT, alpha)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [1, 5, 15, MMLU])
def test_identical_outcomes_have_closed_bounds_and_a_warning(n: int) -> None:
    """Without a discordant pair p is 1, the bounds are -/+ z^2/(n + z^2), and the result says what it may mean."""
    z = float(norm.isf(0.025))
    reach = z**2 / (n + z**2)
    interval = paired.tango_interval(0, 0, n, 0.95)
    assert (interval.lower, interval.upper) == pytest.approx((-reach, reach), rel=1e-12)
    assert interval.warnings == (IDENTICAL_OUTCOMES,)
    equality = paired.mcnemar(0, 0)
    assert (equality.exact, equality.midp, equality.asymptotic, equality.corrected) == (1.0, 1.0, 1.0, 1.0)
    assert equality.warnings == (IDENTICAL_OUTCOMES,)
    decision = paired.noninferiority(0, 0, n, ONE_POINT, 0.025)
    assert decision.warnings == (IDENTICAL_OUTCOMES,)
    assert decision.outcome is (Outcome.SHOWN if reach < 0.01 else Outcome.NOT_SHOWN)
    assert decision.overturning_design_effect is None
    assert paired.equivalence(0, 0, n, ONE_POINT, 0.025).warnings == (IDENTICAL_OUTCOMES,)


def test_discordant_outcomes_carry_no_warning() -> None:
    """The warning of identical outcomes is not raised by a single discordant pair."""
    assert paired.mcnemar(1, 0).warnings == ()
    assert paired.tango_interval(1, 0, 9, 0.95).warnings == ()
    assert paired.noninferiority(0, 1, 9, ONE_POINT, 0.025).warnings == ()


def test_counts_may_come_from_numpy() -> None:
    """A count summed by numpy is as good as a Python int."""
    result = paired.noninferiority(np.int64(301), np.int64(218), np.int64(MMLU), ONE_POINT, 0.025)
    assert result == paired.noninferiority(301, 218, MMLU, ONE_POINT, 0.025)


# McNemar


@given(st.integers(0, 500), st.integers(0, 500))
def test_mcnemar_does_not_know_which_side_is_which(b: int, c: int) -> None:
    """Exchanging the two sides leaves every p as it was."""
    one, other = paired.mcnemar(b, c), paired.mcnemar(c, b)
    assert (one.exact, one.midp, one.asymptotic, one.corrected) == pytest.approx(
        (other.exact, other.midp, other.asymptotic, other.corrected), rel=1e-12
    )
    assert 0.0 <= one.midp <= one.exact <= 1.0
    assert one.asymptotic <= one.corrected


def test_midp_of_an_even_split_counts_the_split_once() -> None:
    """With b = c only one split is as extreme as the observed one, so half of one probability is taken off."""
    assert paired.mcnemar(1, 1).midp == pytest.approx(1 - 0.5 / 2)


# Tango


@given(tables(), st.floats(min_value=-1.0, max_value=1.0))
def test_exchanging_the_sides_turns_the_score_around(table: tuple[int, int, int], difference: float) -> None:
    """The score of (b, c) at a difference is minus that of (c, b) at minus the difference, exactly."""
    b, c, n = table
    assert float(paired.tango_z(b, c, n, difference)) == -float(paired.tango_z(c, b, n, -difference))


@given(tables())
def test_exchanging_the_sides_turns_the_interval_around(table: tuple[int, int, int]) -> None:
    """The interval of (c, b) is the mirror image of the interval of (b, c), exactly."""
    b, c, n = table
    one, other = paired.tango_interval(b, c, n, 0.95), paired.tango_interval(c, b, n, 0.95)
    assert (one.lower, one.upper) == (-other.upper, -other.lower)


@given(tables())
def test_the_interval_holds_the_estimate_and_stays_possible(table: tuple[int, int, int]) -> None:
    """-1 <= lower <= D <= upper <= 1."""
    b, c, n = table
    interval = paired.tango_interval(b, c, n, 0.95)
    assert -1.0 <= interval.lower <= (c - b) / n <= interval.upper <= 1.0


@given(tables())
def test_the_interval_inverts_the_test(table: tuple[int, int, int]) -> None:
    """At each bound short of +-1 the score is the critical value."""
    b, c, n = table
    interval = paired.tango_interval(b, c, n, 0.95)
    critical = float(norm.isf(0.025))
    if interval.lower > -1.0:
        assert float(paired.tango_z(b, c, n, interval.lower)) == pytest.approx(critical, rel=1e-6)
    if interval.upper < 1.0:
        assert float(paired.tango_z(b, c, n, interval.upper)) == pytest.approx(-critical, rel=1e-6)


@given(tables(), margins)
def test_the_bound_and_the_p_value_agree(table: tuple[int, int, int], margin: Margin) -> None:
    """The outcome is shown exactly where the test rejects, and failed where the mirrored test does."""
    b, c, n = table
    result = paired.noninferiority(b, c, n, margin, 0.025)
    critical = float(norm.isf(0.025))
    if abs(abs(result.z) - critical) > 1e-9:
        assert (result.outcome is Outcome.SHOWN) == (result.p < 0.025)
        assert (result.outcome is Outcome.FAILED) == (result.z < -critical)
    assert (result.overturning_design_effect is None) == (
        result.outcome is Outcome.NOT_SHOWN or b + c == 0 or n in (b, c)
    )


@given(tables())
def test_at_no_difference_the_score_is_mcnemars(table: tuple[int, int, int]) -> None:
    """The square of z at a difference of 0 is McNemar's chi-squared."""
    b, c, n = table
    assert float(paired.tango_z(b, c, n, 0.0)) ** 2 == pytest.approx(paired.mcnemar(b, c).chi2, rel=1e-9, abs=1e-12)


@given(tables(), margins)
def test_one_more_loss_never_helps_and_one_more_gain_never_hurts(table: tuple[int, int, int], margin: Margin) -> None:
    """The score falls with b and rises with c, and the bounds move with it."""
    b, c, n = table
    if b + c == n:
        n += 1
    at = -margin.fraction
    here = float(paired.tango_z(b, c, n, at))
    assert float(paired.tango_z(b + 1, c, n, at)) <= here + 1e-9
    assert float(paired.tango_z(b, c + 1, n, at)) >= here - 1e-9
    lower = paired.tango_interval(b, c, n, 0.95).lower
    assert paired.tango_interval(b + 1, c, n, 0.95).lower <= lower + 1e-12
    assert paired.tango_interval(b, c + 1, n, 0.95).lower >= lower - 1e-12


@given(tables(), st.floats(min_value=-0.999, max_value=0.999))
def test_the_restricted_estimate_maximises_the_likelihood(table: tuple[int, int, int], difference: float) -> None:
    """The variance behind z is that of the likeliest pair of rates with the hypothesised difference."""
    b, c, n = table
    z = float(paired.tango_z(b, c, n, difference))
    if z == 0.0:
        return
    variance = ((c - b - n * difference) / z) ** 2
    best = (variance / n - difference * (1 - difference)) / 2

    def log_likelihood(share_lost: float) -> float:
        rates = (share_lost, share_lost + difference, 1 - 2 * share_lost - difference)
        return sum(k * math.log(max(rate, 1e-300)) for k, rate in zip((b, c, n - b - c), rates, strict=True) if k)

    low, high = max(0.0, -difference), (1.0 - difference) / 2
    assert low - 1e-9 <= best <= high + 1e-9
    reached = log_likelihood(min(max(best, low), high))
    for other in np.linspace(low, high, 41):
        assert log_likelihood(float(other)) <= reached + 1e-6 * max(1.0, abs(reached))


def test_a_hypothesis_without_variance_is_contradicted_infinitely_or_not_at_all() -> None:
    """At a difference of -1 every pair must be lost: data that agree score 0, data that do not score infinity."""
    assert float(paired.tango_z(5, 0, 5, -1.0)) == 0.0
    assert float(paired.tango_z(4, 0, 5, -1.0)) == math.inf
    assert float(paired.tango_z(0, 0, 5, 0.0)) == 0.0


def test_every_pair_lost_gives_a_bound_at_the_end_of_the_scale() -> None:
    """With b = n the lower bound is -1 and the outcome is failed, with no variance to inflate."""
    result = paired.noninferiority(50, 0, 50, ONE_POINT, 0.025)
    assert result.lower == -1.0
    assert result.outcome is Outcome.FAILED
    assert result.overturning_design_effect is None
    assert paired.tango_interval(0, 50, 50, 0.95).upper == 1.0


# Decisions


@pytest.mark.parametrize(
    ("b", "c", "outcome"), [(301, 218, Outcome.SHOWN), (320, 200, Outcome.NOT_SHOWN), (600, 300, Outcome.FAILED)]
)
def test_the_three_outcomes(b: int, c: int, outcome: Outcome) -> None:
    """A small loss is shown, one near the mark is not shown, a large one has failed."""
    assert paired.noninferiority(b, c, MMLU, ONE_POINT, 0.025).outcome is outcome


@pytest.mark.parametrize(
    ("b", "c", "points", "outcome"),
    [
        (290, 287, 0.5, Outcome.SHOWN),
        (290, 287, 0.1, Outcome.NOT_SHOWN),
        (301, 218, 0.5, Outcome.NOT_SHOWN),
        (600, 300, 1.0, Outcome.FAILED),
        (300, 600, 1.0, Outcome.FAILED),
    ],
)
def test_equivalence_needs_both_sides(b: int, c: int, points: float, outcome: Outcome) -> None:
    """Two sides are equivalent where both bounds clear the margin; a clear gain is as unequal as a clear loss."""
    result = paired.equivalence(b, c, MMLU, Margin.points(points), 0.025)
    assert result.outcome is outcome
    assert result.p == max(result.p_lower, result.p_upper)
    assert (result.outcome is Outcome.SHOWN) == (result.p < 0.025)
