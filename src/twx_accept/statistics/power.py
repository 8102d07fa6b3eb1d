"""What a plan can show, computed before a run.

Power depends on rates that nobody knows: the discordance (the share of items that only one side has right) and the
true difference. Both are assumptions of a plan. Never feed them with a run's own figures: power computed after the
fact restates its p-value and says nothing new.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

from twx_accept.errors import StatisticsError
from twx_accept.statistics import _checks
from twx_accept.statistics._bisection import turning_point
from twx_accept.statistics._normal import critical_value, cumulative
from twx_accept.statistics.paired.enumeration import plausible_discordant, score_region
from twx_accept.statistics.paired.score import restricted_variance
from twx_accept.statistics.types import Margin


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedPower:
    """The chance that a paired non-inferiority test comes out shown, if the assumptions hold.

    Attributes:
        n: Items in all.
        discordance: Assumed share of items that only one side has right.
        difference: Assumed build minus original, a fraction.
        margin: The registered margin.
        alpha: One-sided error rate of the test.
        approximate: Power by the normal approximation.
        exact: Power of Tango's test, added up over every outcome.
    """

    n: int
    discordance: float
    difference: float
    margin: Margin
    alpha: float
    approximate: float
    exact: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSize:
    """How many items a plan needs.

    Attributes:
        unrounded: What the formula gives.
        n: The next whole number.
    """

    unrounded: float
    n: int


def paired_noninferiority(
    n: SupportsIndex, discordance: float, difference: float, margin: Margin, alpha: float
) -> PairedPower:
    """Give the power of :func:`~twx_accept.statistics.paired.noninferiority`.

    The approximation is Phi(((D + margin) sqrt(n) - z_alpha sqrt(v0)) / sqrt(psi - D^2)), where v0 is the variance
    that Tango's restricted estimate tends to when the loss is taken to be the margin. With D = -margin, ``exact`` is
    the test's true error rate at that discordance.

    Source: the sample size of Nam 1997, Biometrics 53:1422-1430, turned around.

    Args:
        n: Items in all; 1 or more. Where items are clustered, divide by the design effect first.
        discordance: Assumed psi = p_b + p_c, from 0 to 1.
        difference: Assumed D = p_c - p_b, a fraction from -psi to psi.
        margin: The registered margin.
        alpha: One-sided error rate, below 0.5.

    Raises:
        StatisticsError: Impossible assumptions, a margin without a unit, or an impossible ``alpha``.
    """
    n = _checks.sample_size("n", n)
    psi, true = _assumed(discordance, difference)
    mark = _checks.margin_fraction(margin)
    alpha = _checks.one_sided_alpha(alpha)
    first, last = plausible_discordant(n, psi, psi)
    region = score_region(n, -mark, critical_value(alpha), first, last, strict=True)
    return PairedPower(
        n=n,
        discordance=psi,
        difference=true,
        margin=margin,
        alpha=alpha,
        approximate=_approximate_power(n, psi, true, mark, alpha),
        exact=region.probability(psi, true),
    )


def paired_noninferiority_sample_size(
    discordance: float, difference: float, margin: Margin, alpha: float, power: float
) -> SampleSize:
    """Give the number of items at which the approximate power reaches ``power``.

    n = ((z_alpha sqrt(v0) + z_beta sqrt(psi - D^2)) / (D + margin))^2, with v0 as in :func:`paired_noninferiority`.

    Source: Nam 1997, Biometrics 53:1422-1430.

    Args:
        discordance: Assumed psi, from 0 to 1.
        difference: Assumed D, a fraction from -psi to psi, above -margin.
        margin: The registered margin.
        alpha: One-sided error rate, below 0.5.
        power: The power wanted, between 0 and 1.

    Raises:
        StatisticsError: Impossible assumptions, or a loss that no number of items can show to be within the margin.
    """
    psi, true = _assumed(discordance, difference)
    mark = _checks.margin_fraction(margin)
    if true <= -mark:
        raise StatisticsError(f"difference = {true!r} is a loss of the margin ({margin}) or more: no n can rule it out")
    return _sample_size(_null_variance(psi, true, mark), psi, true, true + mark, alpha, power)


def paired_equality_sample_size(discordance: float, difference: float, alpha: float, power: float) -> SampleSize:
    """Give the number of items at which McNemar's test finds a difference with probability ``power``.

    n = ((z_alpha sqrt(psi) + z_beta sqrt(psi - D^2)) / D)^2.

    Source: Connor 1987, Biometrics 43:207-211.

    Args:
        discordance: Assumed psi, from 0 to 1.
        difference: Assumed D, a fraction from -psi to psi, not 0.
        alpha: One-sided error rate; half of the two-sided one.
        power: The power wanted, between 0 and 1.

    Raises:
        StatisticsError: Impossible assumptions, or no difference to find.
    """
    psi, true = _assumed(discordance, difference)
    if true == 0.0:
        raise StatisticsError("difference = 0: there is nothing to find, whatever n")
    return _sample_size(psi, psi, true, abs(true), alpha, power)


def smallest_resolvable_loss(
    n: SupportsIndex, discordance: float, alpha: float, power: float, difference: float = 0.0
) -> Margin:
    """Give the smallest margin that n items can show, with the power wanted.

    Args:
        n: Items in all; 1 or more. Where items are clustered, divide by the design effect first.
        discordance: Assumed psi, from 0 to 1.
        alpha: One-sided error rate, below 0.5.
        power: The power wanted, above ``alpha`` and below 1.
        difference: Assumed D, from -psi to 0; 0 for a build that truly loses nothing.

    Raises:
        StatisticsError: Impossible assumptions, or so few items that no margin is resolved.
    """
    n = _checks.sample_size("n", n)
    psi, true = _assumed(discordance, difference)
    _checks.number("difference", true, -1.0, 0.0)
    alpha = _checks.one_sided_alpha(alpha)
    wanted = _checks.inside("power", power, alpha, 1.0)

    def resolved(mark: float) -> bool:
        return true + mark > 0.0 and _approximate_power(n, psi, true, mark, alpha) >= wanted

    everything = math.nextafter(1.0, 0.0)
    if not resolved(everything):
        raise StatisticsError(f"n = {n} cannot resolve any loss with power {wanted:g}: plan more items")
    return Margin(fraction=turning_point(resolved, everything, 0.0))


def joint(powers: Sequence[float]) -> float:
    """Give the power of a suite whose claims must all be shown: the product, for independent claims.

    Raises:
        StatisticsError: One of them is not a number from 0 to 1.
    """
    return math.prod(_checks.number(f"powers[{i}]", value, 0.0, 1.0) for i, value in enumerate(powers))


def _assumed(discordance: float, difference: float) -> tuple[float, float]:
    """Check a discordance and a difference, and that the one allows the other."""
    psi = _checks.number("discordance", discordance, 0.0, 1.0)
    return psi, _checks.number("difference", difference, -psi, psi)


def _null_variance(psi: float, true: float, mark: float) -> float:
    """Give the limit of Tango's restricted variance of one pair when the loss is taken to be ``mark``."""
    return float(restricted_variance((psi - true) / 2.0, (psi + true) / 2.0, 1.0, -mark))


def _approximate_power(n: int, psi: float, true: float, mark: float, alpha: float) -> float:
    ahead = (true + mark) * math.sqrt(n) - critical_value(alpha) * math.sqrt(_null_variance(psi, true, mark))
    spread = math.sqrt(psi - true**2)
    if spread == 0.0:
        # Every run has the same outcome.
        return float(ahead > 0.0)
    return cumulative(ahead / spread)


def _sample_size(
    null_variance: float, psi: float, true: float, distance: float, alpha: float, power: float
) -> SampleSize:
    z_alpha = critical_value(_checks.one_sided_alpha(alpha))
    z_beta = critical_value(1.0 - _checks.inside("power", power, 0.0, 1.0))
    root = z_alpha * math.sqrt(null_variance) + z_beta * math.sqrt(psi - true**2)
    unrounded = (root / distance) ** 2
    return SampleSize(unrounded=unrounded, n=math.ceil(unrounded))
