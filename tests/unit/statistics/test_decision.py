import math

import pytest

from twx_accept.domain.verdict import Outcome
from twx_accept.errors import StatisticsError
from twx_accept.statistics.decision import equivalence_outcome, noninferiority_outcome
from twx_accept.statistics.types import Better, Margin

ONE_POINT = Margin.points(1)
JUST_ABOVE = math.nextafter(-0.01, 1)
JUST_BELOW = math.nextafter(-0.01, -1)


@pytest.mark.parametrize(
    ("lower", "upper", "outcome"),
    [
        pytest.param(JUST_ABOVE, 0.0, Outcome.SHOWN, id="lower bound one bit above the margin"),
        pytest.param(-0.01, 0.0, Outcome.NOT_SHOWN, id="lower bound exactly at the margin"),
        pytest.param(JUST_BELOW, 0.0, Outcome.NOT_SHOWN, id="lower bound one bit below the margin"),
        pytest.param(-0.02, JUST_ABOVE, Outcome.NOT_SHOWN, id="upper bound one bit above the margin"),
        pytest.param(-0.02, -0.01, Outcome.NOT_SHOWN, id="upper bound exactly at the margin"),
        pytest.param(-0.02, JUST_BELOW, Outcome.FAILED, id="upper bound one bit below the margin"),
        pytest.param(0.01, 0.02, Outcome.SHOWN, id="a gain"),
        pytest.param(-0.009, -0.005, Outcome.SHOWN, id="measurably worse, within the margin"),
        pytest.param(-0.01, -0.01, Outcome.NOT_SHOWN, id="no width, at the margin"),
    ],
)
def test_the_boundary_of_every_outcome(lower: float, upper: float, outcome: Outcome) -> None:
    """Bounds are compared strictly and unrounded, and a rate of mistakes is decided as the mirror image."""
    assert noninferiority_outcome(lower, upper, ONE_POINT) is outcome
    assert noninferiority_outcome(-upper, -lower, ONE_POINT, Better.LOWER) is outcome


@pytest.mark.parametrize(
    ("lower", "upper", "outcome"),
    [
        pytest.param(JUST_ABOVE, -JUST_ABOVE, Outcome.SHOWN, id="one bit inside on both sides"),
        pytest.param(-0.01, 0.0, Outcome.NOT_SHOWN, id="at the margin below"),
        pytest.param(0.0, 0.01, Outcome.NOT_SHOWN, id="at the margin above"),
        pytest.param(-0.02, 0.02, Outcome.NOT_SHOWN, id="wider than the margin"),
        pytest.param(-0.03, JUST_BELOW, Outcome.FAILED, id="wholly below"),
        pytest.param(-JUST_BELOW, 0.03, Outcome.FAILED, id="wholly above"),
    ],
)
def test_the_boundary_of_equivalence(lower: float, upper: float, outcome: Outcome) -> None:
    """Both bounds must lie strictly inside the margin."""
    assert equivalence_outcome(lower, upper, ONE_POINT) is outcome


@pytest.mark.parametrize(
    ("lower", "upper", "named"),
    [
        (math.nan, 0.0, "lower"),
        (0.0, math.nan, "upper"),
        (0.1, 0.0, "lower"),
        (-1.5, 0.0, "lower"),
        (0.0, 1.5, "upper"),
    ],
)
def test_bounds_that_bound_nothing_are_refused(lower: float, upper: float, named: str) -> None:
    """NaN, crossed bounds and impossible differences decide nothing."""
    with pytest.raises(StatisticsError, match=named):
        noninferiority_outcome(lower, upper, ONE_POINT)


def test_a_bare_margin_is_refused() -> None:
    """A margin without its unit decides nothing."""
    with pytest.raises(StatisticsError, match="no unit"):
        noninferiority_outcome(0.0, 0.1, 0.01)  # type: ignore[arg-type]
