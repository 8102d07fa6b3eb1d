import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multinomial

from twx_accept.errors import StatisticsError
from twx_accept.statistics import paired
from twx_accept.statistics.types import IDENTICAL_OUTCOMES, Margin

ONE_POINT = Margin.points(1)


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, int, int]:
    """Draw b, c and n of a small paired comparison."""
    n = draw(st.integers(1, 30))
    b = draw(st.integers(0, n))
    return b, draw(st.integers(0, n - b)), n


def _enumerated(b: int, c: int, n: int, difference: float) -> float:
    """Search the largest tail probability by visiting every outcome, without the two steps of the package."""
    outcomes = np.array([(i, j) for i, j in product(range(n + 1), repeat=2) if i + j <= n])
    z = paired.tango_z(outcomes[:, 0], outcomes[:, 1], n, difference)
    extreme = outcomes[z >= float(paired.tango_z(b, c, n, difference)) - 1e-9]
    counts = np.column_stack([extreme, n - extreme.sum(axis=1)])
    largest = 0.0
    for discordance in np.linspace(abs(difference), 1.0, 201):
        rates = [(discordance - difference) / 2, (discordance + difference) / 2, 1 - discordance]
        largest = max(largest, float(multinomial.pmf(counts, n, rates).sum()))
    return largest


@settings(max_examples=25)
@given(tables(), st.sampled_from([5.0, 10.0, 30.0]))
def test_the_p_value_is_the_largest_tail_over_every_outcome(table: tuple[int, int, int], points: float) -> None:
    """Visiting every outcome one by one finds the same maximum, up to the grid."""
    b, c, n = table
    result = paired.exact_unconditional(b, c, n, Margin.points(points), gamma=0.0)
    reference = _enumerated(b, c, n, -points / 100)
    assert reference - 1e-9 <= result.p <= reference + 2e-3


@settings(max_examples=40)
@given(tables())
def test_equality_is_tested_alike_from_both_sides(table: tuple[int, int, int]) -> None:
    """Exchanging the sides leaves the two-sided p-value as it was; an even split gives 1."""
    b, c, n = table
    p = paired.exact_unconditional_equality(b, c, n).p
    assert p == paired.exact_unconditional_equality(c, b, n).p
    assert 0.0 <= p <= 1.0
    if b == c:
        assert p == 1.0


@pytest.mark.parametrize(("b", "c"), [(301, 218), (267, 187), (340, 210), (290, 287)])
def test_the_audit_confirms_the_verdict_of_the_score_test(b: int, c: int) -> None:
    """At the size of a full run, exact and asymptotic p-values lead to the same verdict at 2.5%."""
    exact = paired.exact_unconditional(b, c, 14_042, ONE_POINT)
    asymptotic = paired.noninferiority(b, c, 14_042, ONE_POINT, 0.025)
    assert (exact.p < 0.025) == (asymptotic.p < 0.025)
    assert exact.p == pytest.approx(asymptotic.p, rel=0.05, abs=2e-6)


def test_confining_the_discordance_costs_gamma_and_saves_more() -> None:
    """With gamma 0 every discordance is searched; confined to the plausible ones the p-value comes out smaller."""
    free = paired.exact_unconditional(301, 218, 14_042, ONE_POINT, gamma=0.0)
    confined = paired.exact_unconditional(301, 218, 14_042, ONE_POINT, gamma=1e-6)
    assert confined.p < free.p
    assert abs(confined.discordance - 519 / 14_042) < 0.01


def test_a_margin_beyond_every_plausible_discordance_leaves_gamma() -> None:
    """A loss larger than the share of pairs that differ at all is ruled out but for gamma."""
    result = paired.exact_unconditional(1, 1, 500, Margin.points(50), gamma=1e-6)
    assert (result.p, result.discordance) == (1e-6, 0.5)


def test_identical_outcomes_are_warned_of() -> None:
    """No discordant pair: p is at least the chance of just that where the loss is the margin, with the warning."""
    result = paired.exact_unconditional(0, 0, 500, ONE_POINT, gamma=0.0)
    assert 0.99**500 <= result.p < 0.025
    assert result.warnings == (IDENTICAL_OUTCOMES,)
    assert paired.exact_unconditional_equality(0, 0, 500).p == 1.0


@settings(max_examples=15)
@given(tables())
def test_the_exact_bound_inverts_the_exact_test(table: tuple[int, int, int]) -> None:
    """Just above the lower bound the test does not reject; just below it does, unless the bound is -1."""
    b, c, n = table
    lower = paired.exact_unconditional_lower(b, c, n, 0.05, gamma=0.0)
    assert -1.0 <= lower <= (c - b) / n
    loss = -lower
    if 0.001 < loss < 0.998:
        assert paired.exact_unconditional(b, c, n, Margin(fraction=loss + 1e-7), 0.0).p <= 0.05 + 1e-6
        assert paired.exact_unconditional(b, c, n, Margin(fraction=loss), 0.0).p > 0.05 - 1e-6


@pytest.mark.parametrize("gamma", [-0.1, 0.6, math.nan, None])
def test_an_impossible_gamma_is_refused(gamma: object) -> None:
    """Gamma is a small error rate."""
    with pytest.raises(StatisticsError, match="gamma"):
        paired.exact_unconditional(1, 1, 9, ONE_POINT, gamma)  # type: ignore[arg-type]


def test_the_bound_cannot_spend_more_than_alpha_on_gamma() -> None:
    """A gamma above alpha would leave nothing to decide with."""
    with pytest.raises(StatisticsError, match="gamma"):
        paired.exact_unconditional_lower(1, 1, 9, 0.025, gamma=0.03)


@pytest.mark.parametrize(("b", "c", "n"), [(-1, 0, 5), (3, 3, 5), (0, 0, 0)])
def test_impossible_counts_are_refused(b: int, c: int, n: int) -> None:
    """The audit refuses what the test refuses."""
    with pytest.raises(StatisticsError):
        paired.exact_unconditional(b, c, n, ONE_POINT)
    with pytest.raises(StatisticsError):
        paired.exact_unconditional_equality(b, c, n)
    with pytest.raises(StatisticsError):
        paired.exact_unconditional_lower(b, c, n, 0.025)
    with pytest.raises(StatisticsError, match="no unit"):
        paired.exact_unconditional(1, 1, 5, 0.01)  # type: ignore[arg-type]
