import math
from decimal import Decimal

import pytest

from twx_accept.errors import StatisticsError, TwxAcceptError
from twx_accept.statistics.types import Interval, Margin


def test_a_margin_of_points_is_a_fraction_of_a_hundredth_each() -> None:
    """One point is 0.01, and reads back as one point."""
    assert Margin.points(1).fraction == 0.01
    assert Margin.points(0.5).fraction == 0.005
    assert Margin.points(5).in_points == 5


@pytest.mark.parametrize(("points", "words"), [(1, "1 point"), (0.5, "0.5 points"), (5, "5 points")])
def test_a_margin_reads_as_words(points: float, words: str) -> None:
    """A margin says its unit when it is printed."""
    assert str(Margin.points(points)) == words


@pytest.mark.parametrize("points", [0, -1, 100, 250, math.nan, math.inf, None, "1", True, Decimal(1)])
def test_a_margin_that_decides_nothing_is_refused(points: object) -> None:
    """Zero, negative, 100 and more, NaN, missing, words and truth values are errors that name the value."""
    with pytest.raises(StatisticsError, match="margin"):
        Margin.points(points)  # type: ignore[arg-type]


@pytest.mark.parametrize("fraction", [None, "0.01", True, math.nan, 0.0, 1.0, 1])
def test_the_fraction_itself_is_checked_too(fraction: object) -> None:
    """Going around ``points`` does not go around the checks: 1 meant as one point is refused."""
    with pytest.raises(StatisticsError, match="margin"):
        Margin(fraction=fraction)  # type: ignore[arg-type]


def test_a_statistics_error_is_a_value_error_and_one_of_ours() -> None:
    """Callers may catch the project's root or Python's own kind."""
    with pytest.raises(ValueError, match="margin") as caught:
        Margin.points(0)
    assert isinstance(caught.value, TwxAcceptError)


def test_values_cannot_be_changed_after_they_were_decided_on() -> None:
    """Margins and intervals are frozen."""
    interval = Interval(lower=0.0, upper=1.0, confidence=0.95, method="Wilson")
    with pytest.raises(AttributeError):
        interval.lower = 0.5  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Margin.points(1).fraction = 0.5  # type: ignore[misc]
