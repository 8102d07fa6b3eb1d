"""The decisions on a paired difference: within a margin (one side), or within it both ways."""

import math
from dataclasses import dataclass
from typing import SupportsIndex

from twx_accept.domain.verdict import Outcome
from twx_accept.statistics import _checks
from twx_accept.statistics._normal import critical_value, upper_tail
from twx_accept.statistics.decision import equivalence_outcome, noninferiority_outcome
from twx_accept.statistics.paired.score import tango_bounds, tango_z
from twx_accept.statistics.types import IDENTICAL_OUTCOMES, Margin


@dataclass(frozen=True, slots=True, kw_only=True)
class NonInferiority:
    """Whether a build loses less than a margin on the same items.

    Attributes:
        b: Items right only for the original.
        c: Items right only for the build.
        n: Items in all.
        margin: The registered margin.
        alpha: One-sided error rate of the test and of each bound.
        difference: (c - b)/n, a fraction; negative is a loss.
        lower: Lower bound of the difference at two-sided confidence 1 - 2 ``alpha``, a fraction.
        upper: Upper bound of the difference, a fraction.
        z: Tango's statistic at the hypothesis that the loss equals the margin.
        p: One-sided p-value against a loss of the margin or more. It says nothing about a loss of 0.
        outcome: ``SHOWN``, ``NOT_SHOWN`` or ``FAILED``.
        overturning_design_effect: See :func:`break_even_design_effect`; None where ``outcome`` is ``NOT_SHOWN``.
        warnings: What a reader must know before trusting the figures.
    """

    b: int
    c: int
    n: int
    margin: Margin
    alpha: float
    difference: float
    lower: float
    upper: float
    z: float
    p: float
    outcome: Outcome
    overturning_design_effect: float | None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Whether two sides differ by less than a margin, in either direction, on the same items.

    Attributes:
        b: Items right only for the original.
        c: Items right only for the build.
        n: Items in all.
        margin: The registered margin, on both sides of 0.
        alpha: Error rate of each of the two one-sided tests.
        difference: (c - b)/n, a fraction.
        lower: Lower bound of the difference at two-sided confidence 1 - 2 ``alpha``, a fraction.
        upper: Upper bound of the difference, a fraction.
        p_lower: p-value against a loss of the margin or more.
        p_upper: p-value against a gain of the margin or more.
        p: The larger of the two, the p-value of the whole procedure.
        outcome: ``SHOWN``, ``NOT_SHOWN`` or ``FAILED``.
        warnings: What a reader must know before trusting the figures.
    """

    b: int
    c: int
    n: int
    margin: Margin
    alpha: float
    difference: float
    lower: float
    upper: float
    p_lower: float
    p_upper: float
    p: float
    outcome: Outcome
    warnings: tuple[str, ...] = ()


def noninferiority(
    b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, margin: Margin, alpha: float
) -> NonInferiority:
    """Decide whether a build loses less than ``margin`` against the original, item by item.

    Tango's score test of "the loss is the margin or more". The outcome is read off the bounds, strictly and
    unrounded; since the bounds invert the test, p < ``alpha`` says the same. A build can be shown to be within the
    margin and be measurably worse at once: that is what :func:`~twx_accept.statistics.paired.mcnemar` adds. The
    items are taken as independent; ``overturning_design_effect`` says how much of that the verdict can lose.

    Source: Tango 1998, Statistics in Medicine 17:891-908.

    Args:
        b: Items right only for the original.
        c: Items right only for the build.
        n: Items in all, agreeing ones included; 1 or more.
        margin: The loss that must be ruled out.
        alpha: One-sided error rate, below 0.5; 0.025 in most registrations.

    Raises:
        StatisticsError: Impossible counts, a margin without a unit, or an impossible ``alpha``.
    """
    b, c, n = _checks.pairs(b, c, n)
    mark = _checks.margin_fraction(margin)
    alpha = _checks.one_sided_alpha(alpha)
    lower, upper = tango_bounds(b, c, n, critical_value(alpha))
    z = float(tango_z(b, c, n, -mark))
    outcome = noninferiority_outcome(lower, upper, margin)
    return NonInferiority(
        b=b,
        c=c,
        n=n,
        margin=margin,
        alpha=alpha,
        difference=(c - b) / n,
        lower=lower,
        upper=upper,
        z=z,
        p=upper_tail(z),
        outcome=outcome,
        overturning_design_effect=(
            None if outcome is Outcome.NOT_SHOWN else break_even_design_effect(b, c, n, margin, alpha)
        ),
        warnings=_warnings(b, c),
    )


def equivalence(b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, margin: Margin, alpha: float) -> Equivalence:
    """Decide whether two sides differ by less than ``margin`` either way, by two one-sided Tango tests.

    Only this licenses the words "equivalent" or "the same", and only up to the margin.

    Source: Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15:657-680 (two one-sided tests);
    Tango 1998, Statistics in Medicine 17:891-908 (each of them).

    Args:
        b: Items right only for the original (or for the first of two builds).
        c: Items right only for the build (or for the second).
        n: Items in all, agreeing ones included; 1 or more.
        margin: The difference that must be ruled out in both directions.
        alpha: Error rate of each one-sided test, below 0.5.

    Raises:
        StatisticsError: Impossible counts, a margin without a unit, or an impossible ``alpha``.
    """
    b, c, n = _checks.pairs(b, c, n)
    mark = _checks.margin_fraction(margin)
    alpha = _checks.one_sided_alpha(alpha)
    lower, upper = tango_bounds(b, c, n, critical_value(alpha))
    p_lower = upper_tail(float(tango_z(b, c, n, -mark)))
    p_upper = upper_tail(-float(tango_z(b, c, n, mark)))
    return Equivalence(
        b=b,
        c=c,
        n=n,
        margin=margin,
        alpha=alpha,
        difference=(c - b) / n,
        lower=lower,
        upper=upper,
        p_lower=p_lower,
        p_upper=p_upper,
        p=max(p_lower, p_upper),
        outcome=equivalence_outcome(lower, upper, margin),
        warnings=_warnings(b, c),
    )


def break_even_design_effect(
    b: SupportsIndex, c: SupportsIndex, n: SupportsIndex, margin: Margin, alpha: float
) -> float | None:
    """Give the variance inflation at which the distance to the margin is no longer significant.

    ((D + margin) / (z SE))^2 with the Wald standard error. If items that share a subject or a source make the
    variance of D larger than independence says by more than this factor, a verdict of shown or failed falls back
    to not shown. It does not say how large the inflation really is.

    Returns:
        The factor, 0 or more (below 1 where nothing is shown to begin with); None where the standard error is 0,
        for then no factor can be named.

    Raises:
        StatisticsError: Impossible counts, a margin without a unit, or an impossible ``alpha``.
    """
    b, c, n = _checks.pairs(b, c, n)
    mark = _checks.margin_fraction(margin)
    critical = critical_value(_checks.one_sided_alpha(alpha))
    difference = (c - b) / n
    standard_error = math.sqrt((b + c) / n - difference**2) / math.sqrt(n)
    if standard_error == 0.0:
        return None
    return ((difference + mark) / (critical * standard_error)) ** 2


def _warnings(b: int, c: int) -> tuple[str, ...]:
    return (IDENTICAL_OUTCOMES,) if b + c == 0 else ()
