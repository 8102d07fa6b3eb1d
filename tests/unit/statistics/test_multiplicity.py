import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.errors import StatisticsError
from twx_accept.statistics.multiplicity import holm

probabilities = st.floats(min_value=0.0, max_value=1.0)


def test_adjusted_values_keep_the_order_given() -> None:
    """The adjusted p-value of a comparison stands where its raw p-value stood."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))


def test_no_comparison_gives_no_p_value() -> None:
    """A suite with one build has no pair of builds."""
    assert holm([]) == ()


def test_one_comparison_needs_no_adjustment() -> None:
    """A single p-value is returned as it is."""
    assert holm([0.03]) == (0.03,)


@pytest.mark.parametrize("p", [math.nan, -0.01, 1.01, None, "0.5", True])
def test_what_is_no_probability_is_refused_by_its_place(p: object) -> None:
    """The error says which of the p-values is wrong."""
    with pytest.raises(StatisticsError, match=r"p_values\[1\]"):
        holm([0.5, p])  # type: ignore[list-item]


@given(st.lists(probabilities, max_size=8))
def test_adjustment_never_lowers_a_p_value_and_keeps_their_order(p_values: list[float]) -> None:
    """Adjusted values are at least the raw ones, at most 1, and ordered like them."""
    adjusted = holm(p_values)
    assert all(raw <= new <= 1.0 for raw, new in zip(p_values, adjusted, strict=True))
    ordered = [new for _, new in sorted(zip(p_values, adjusted, strict=True))]
    assert ordered == sorted(ordered)
