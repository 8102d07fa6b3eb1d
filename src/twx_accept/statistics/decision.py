"""From bounds and a margin to an outcome: the one place where a verdict's inequality is written.

All comparisons are strict and on unrounded numbers: a bound that lies exactly at the margin has not cleared it.
"""

from twx_accept.domain.verdict import Outcome
from twx_accept.statistics import _checks
from twx_accept.statistics.types import Better, Margin


def noninferiority_outcome(lower: float, upper: float, margin: Margin, better: Better = Better.HIGHER) -> Outcome:
    """Decide whether a build is within the margin, from the bounds of build minus original.

    Args:
        lower: Lower bound of the difference, a fraction.
        upper: Upper bound of the difference, a fraction, at least ``lower``.
        margin: The registered margin.
        better: Whether a rise of the rate is good (right answers) or bad (mistakes).

    Returns:
        For right answers, ``SHOWN`` where ``lower`` > -margin, ``FAILED`` where ``upper`` < -margin, and
        ``NOT_SHOWN`` where the interval holds -margin; mirrored for mistakes.
        ``NOT_SHOWN`` is not evidence of a loss, and ``SHOWN`` is not evidence of equality.

    Raises:
        StatisticsError: The margin has no unit, or the bounds are not numbers or cross each other.
    """
    mark = _checks.margin_fraction(margin)
    _checks.number("upper", upper, -1.0, 1.0)
    _checks.number("lower", lower, -1.0, upper)
    if better is Better.LOWER:
        lower, upper = -upper, -lower
    if lower > -mark:
        return Outcome.SHOWN
    if upper < -mark:
        return Outcome.FAILED
    return Outcome.NOT_SHOWN


def equivalence_outcome(lower: float, upper: float, margin: Margin) -> Outcome:
    """Decide whether two sides differ by less than the margin in either direction.

    Returns:
        ``SHOWN`` where both bounds lie strictly between -margin and +margin, ``FAILED`` where the whole interval
        lies beyond one of them, ``NOT_SHOWN`` otherwise.

    Raises:
        StatisticsError: The margin has no unit, or the bounds are not numbers or cross each other.
    """
    sides = {
        noninferiority_outcome(lower, upper, margin, Better.HIGHER),
        noninferiority_outcome(lower, upper, margin, Better.LOWER),
    }
    if Outcome.FAILED in sides:
        return Outcome.FAILED
    return Outcome.NOT_SHOWN if Outcome.NOT_SHOWN in sides else Outcome.SHOWN
