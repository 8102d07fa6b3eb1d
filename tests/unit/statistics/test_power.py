import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept.errors import StatisticsError
from twx_accept.statistics import power
from twx_accept.statistics.types import Margin

ONE_POINT = Margin.points(1)
FIVE_POINTS = Margin.points(5)


def test_published_losses_leave_the_power_that_a_plan_must_print() -> None:
    """A full run at the published loss has a power of 71%; with four claims of 90% the suite has 47%."""
    mmlu = power.paired_noninferiority(14_042, 519 / 14_042, -83 / 14_042, ONE_POINT, 0.025)
    assert mmlu.exact == pytest.approx(0.71, abs=0.005)
    assert power.joint([mmlu.exact, 0.9, 0.9, 0.9, 0.9]) == pytest.approx(0.47, abs=0.01)


def test_tool_calls_resolve_five_points_and_not_three() -> None:
    """A loss of 1 point in 600 calls at 97% is shown within 5 points with a power of 94%, within 3 with 44%."""
    discordance = 0.97 * 0.04 + 0.03 * 0.96
    assert power.paired_noninferiority(600, discordance, -0.01, FIVE_POINTS, 0.025).exact >= 0.94
    assert power.paired_noninferiority(600, discordance, -0.01, Margin.points(3), 0.025).exact < 0.45


@settings(max_examples=30)
@given(st.integers(200, 5_000), st.floats(0.02, 0.3), st.floats(-0.3, 0.3))
def test_formula_and_enumeration_agree(n: int, discordance: float, tilt: float) -> None:
    """With a few discordant pairs or more, the normal approximation is within 6 points of the exact power."""
    result = power.paired_noninferiority(n, discordance, tilt * discordance * 0.3, FIVE_POINTS, 0.025)
    assert result.approximate == pytest.approx(result.exact, abs=0.06)


@given(st.floats(0.02, 0.3), st.floats(-0.03, 0.02), st.floats(0.5, 0.99))
def test_the_sample_size_reaches_the_power_it_was_asked_for(
    discordance: float, difference: float, wanted: float
) -> None:
    """At the n given the formula's power is enough, and at one item fewer it is not."""
    true = max(-discordance, min(discordance, difference))
    size = power.paired_noninferiority_sample_size(discordance, true, FIVE_POINTS, 0.025, wanted)
    assert size.n - 1 < size.unrounded <= size.n
    assert power.paired_noninferiority(size.n, discordance, true, FIVE_POINTS, 0.025).approximate >= wanted - 1e-9
    if size.n > 1:
        one_fewer = power.paired_noninferiority(size.n - 1, discordance, true, FIVE_POINTS, 0.025)
        assert one_fewer.approximate < wanted


@given(st.integers(100, 20_000), st.floats(0.0, 0.3), st.floats(-0.02, 0.0))
def test_the_smallest_resolvable_loss_is_the_first_margin_with_the_power(
    n: int, discordance: float, difference: float
) -> None:
    """The margin found has the power wanted, and a slightly smaller one has not."""
    true = max(-discordance, difference)
    margin = power.smallest_resolvable_loss(n, discordance, 0.025, 0.9, true)
    assert power.paired_noninferiority(n, discordance, true, margin, 0.025).approximate >= 0.9 - 1e-12
    smaller = margin.fraction * (1 - 1e-6)
    if true + smaller > 0.0:
        below = power.paired_noninferiority(n, discordance, true, Margin(fraction=smaller), 0.025)
        assert below.approximate < 0.9


def test_more_items_resolve_smaller_losses() -> None:
    """600 calls resolve less than 14,042 questions, and one item resolves nothing."""
    small = power.smallest_resolvable_loss(600, 0.037, 0.025, 0.9)
    large = power.smallest_resolvable_loss(14_042, 0.037, 0.025, 0.9)
    assert large.in_points == pytest.approx(0.529, abs=0.001)
    assert small.fraction > large.fraction
    with pytest.raises(StatisticsError, match="n = 1 cannot resolve"):
        power.smallest_resolvable_loss(1, 1.0, 0.025, 0.9)


def test_a_loss_can_only_be_resolved_for_a_build_that_gains_nothing() -> None:
    """A build assumed to be better may need no margin at all, and a power of alpha comes for free."""
    with pytest.raises(StatisticsError, match="difference"):
        power.smallest_resolvable_loss(5_000, 0.1, 0.025, 0.9, 0.01)
    with pytest.raises(StatisticsError, match="power"):
        power.smallest_resolvable_loss(5_000, 0.1, 0.025, 0.025)


def test_without_discordance_every_run_has_the_same_outcome() -> None:
    """If no pair ever differs, power is 1 where identical outcomes are enough for the margin, and 0 where not."""
    enough = power.paired_noninferiority(500, 0.0, 0.0, ONE_POINT, 0.025)
    too_few = power.paired_noninferiority(100, 0.0, 0.0, ONE_POINT, 0.025)
    assert (enough.approximate, enough.exact) == (1.0, 1.0)
    assert (too_few.approximate, too_few.exact) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("n", "discordance", "difference", "alpha", "named"),
    [
        (0, 0.1, 0.0, 0.025, "n = 0"),
        (9, 1.1, 0.0, 0.025, "discordance"),
        (9, math.nan, 0.0, 0.025, "discordance"),
        (9, 0.1, -0.2, 0.025, "difference"),
        (9, 0.1, -1, 0.025, "difference"),
        (9, 0.1, 0.0, 0.5, "alpha"),
    ],
)
def test_impossible_assumptions_are_refused_by_name(
    n: int, discordance: float, difference: float, alpha: float, named: str
) -> None:
    """A difference cannot exceed the share of pairs that differ at all."""
    with pytest.raises(StatisticsError, match=named):
        power.paired_noninferiority(n, discordance, difference, ONE_POINT, alpha)
    with pytest.raises(StatisticsError, match=named):
        power.smallest_resolvable_loss(n, discordance, alpha, 0.9, difference)


@pytest.mark.parametrize("wanted", [0.0, 1.0, 90, math.nan])
def test_an_impossible_power_is_refused(wanted: float) -> None:
    """Power is a fraction strictly between 0 and 1."""
    with pytest.raises(StatisticsError, match="power"):
        power.paired_noninferiority_sample_size(0.1, 0.0, ONE_POINT, 0.025, wanted)
    with pytest.raises(StatisticsError, match="power"):
        power.smallest_resolvable_loss(100, 0.1, 0.025, wanted)


def test_a_loss_of_the_margin_needs_infinitely_many_items() -> None:
    """No sample size shows a true loss of the margin to be within it, nor finds a difference of 0."""
    with pytest.raises(StatisticsError, match="no n can rule it out"):
        power.paired_noninferiority_sample_size(0.1, -0.01, ONE_POINT, 0.025, 0.9)
    with pytest.raises(StatisticsError, match="nothing to find"):
        power.paired_equality_sample_size(0.1, 0.0, 0.025, 0.9)
    with pytest.raises(StatisticsError, match="no unit"):
        power.paired_noninferiority_sample_size(0.1, 0.0, 0.01, 0.025, 0.9)  # type: ignore[arg-type]


def test_joint_power_multiplies_and_refuses_what_is_no_power() -> None:
    """A suite without a claim has nothing to fail; a power above 1 is an error that names its place."""
    assert power.joint([]) == 1.0
    with pytest.raises(StatisticsError, match=r"powers\[1\]"):
        power.joint([0.9, 1.1])
