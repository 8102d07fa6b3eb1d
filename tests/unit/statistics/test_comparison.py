import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.errors import StatisticsError
from twx_accept.statistics import paired
from twx_accept.statistics.types import IDENTICAL_OUTCOMES, Interval

SIMPLE = [paired.wald_interval, paired.agresti_min_interval, paired.bonett_price_interval]
Method = Callable[[int, int, int, float], Interval]


@st.composite
def cells(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Draw the four cells of a paired table that is not empty."""
    drawn = draw(st.tuples(*[st.integers(0, 300)] * 4).filter(any))
    return drawn[0], drawn[1], drawn[2], drawn[3]


@pytest.mark.parametrize("method", SIMPLE)
@pytest.mark.parametrize(
    ("b", "c", "n", "named"),
    [(-1, 0, 5, "b = -1"), (3, 3, 5, r"b \+ c = 6"), (0, 0, 0, "n = 0"), (0.5, 0, 5, "b = 0.5")],
)
def test_impossible_counts_are_refused_by_name(method: Method, b: int, c: int, n: int, named: str) -> None:
    """The intervals set beside Tango's refuse what Tango's refuses."""
    with pytest.raises(StatisticsError, match=named):
        method(b, c, n, 0.95)
    with pytest.raises(StatisticsError, match=named):
        paired.newcombe_interval(b, c, n, 0.95, both_right=0)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, math.nan])
def test_impossible_confidence_is_refused(confidence: float) -> None:
    """Confidence is a fraction strictly between 0 and 1."""
    for method in SIMPLE:
        with pytest.raises(StatisticsError, match="confidence"):
            method(1, 2, 9, confidence)
    with pytest.raises(StatisticsError, match="confidence"):
        paired.newcombe_interval(1, 2, 9, confidence, both_right=3)


@pytest.mark.parametrize("both_right", [8, -1, math.nan])
def test_newcombe_refuses_an_impossible_split_of_the_agreeing_pairs(both_right: int) -> None:
    """No more items can be right for both than agree."""
    with pytest.raises(StatisticsError, match="both_right"):
        paired.newcombe_interval(1, 2, 10, 0.95, both_right=both_right)


def test_only_wald_has_no_width_without_a_discordant_pair() -> None:
    """The trap that keeps Wald from gating: identical outcomes would look like certainty."""
    assert paired.wald_interval(0, 0, 15, 0.95).lower == paired.wald_interval(0, 0, 15, 0.95).upper == 0.0
    for method in SIMPLE[1:]:
        assert method(0, 0, 15, 0.95).lower < 0.0 < method(0, 0, 15, 0.95).upper


def test_identical_outcomes_are_warned_of() -> None:
    """Each method carries the warning that one model may have answered twice, and only then."""
    for method in SIMPLE:
        assert method(0, 0, 15, 0.95).warnings == (IDENTICAL_OUTCOMES,)
        assert method(1, 0, 15, 0.95).warnings == ()
    assert paired.newcombe_interval(0, 0, 15, 0.95, both_right=7).warnings == (IDENTICAL_OUTCOMES,)


@given(cells())
def test_exchanging_the_sides_turns_every_interval_around(table: tuple[int, int, int, int]) -> None:
    """The interval of (c, b) is the mirror image of the interval of (b, c), within -1 and 1."""
    both, b, c, neither = table
    n = both + b + c + neither
    intervals = [(method(b, c, n, 0.95), method(c, b, n, 0.95)) for method in SIMPLE]
    intervals.append(
        (
            paired.newcombe_interval(b, c, n, 0.95, both_right=both),
            paired.newcombe_interval(c, b, n, 0.95, both_right=both),
        )
    )
    for one, other in intervals:
        assert (one.lower, one.upper) == pytest.approx((-other.upper, -other.lower), abs=1e-12)
        assert -1.0 <= one.lower <= one.upper <= 1.0


@given(cells())
def test_newcombe_holds_the_estimate(table: tuple[int, int, int, int]) -> None:
    """Lower <= D <= upper, whether the sides correlate or not."""
    both, b, c, neither = table
    n = both + b + c + neither
    interval = paired.newcombe_interval(b, c, n, 0.95, both_right=both)
    assert interval.lower - 1e-12 <= (c - b) / n <= interval.upper + 1e-12


@given(st.integers(2_000, 20_000), st.floats(0.005, 0.05), st.floats(-0.3, 0.3))
def test_all_methods_agree_on_a_large_table(n: int, discordance: float, tilt: float) -> None:
    """With thousands of pairs the methods differ by less than a tenth of the interval's width."""
    b = round(n * discordance * (1 - tilt) / 2) + 20
    c = round(n * discordance * (1 + tilt) / 2) + 20
    tango = paired.tango_interval(b, c, n, 0.95)
    tenth = (tango.upper - tango.lower) / 10
    others = [method(b, c, n, 0.95) for method in SIMPLE]
    others.append(paired.newcombe_interval(b, c, n, 0.95, both_right=(n - b - c) // 2))
    for other in others:
        assert other.lower == pytest.approx(tango.lower, abs=tenth)
        assert other.upper == pytest.approx(tango.upper, abs=tenth)
