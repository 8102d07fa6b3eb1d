"""Power of a paired claim before the run, in the words that a plan is printed in."""

import math
from dataclasses import dataclass

from twx_accept.domain.prospect import Assumption
from twx_accept.errors import StatisticsError
from twx_accept.statistics import power
from twx_accept.statistics.paired import noninferiority
from twx_accept.statistics.types import Margin

WANTED = 0.90
"""The power that a plan asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedPlan:
    """Power of the planned comparison; see :class:`~twx_accept.domain.prospect.Prospect` for the fields."""

    power: float
    needed: int | None
    resolvable: float | None
    warnings: tuple[str, ...]


def paired(n: int, margin: Margin, alpha: float, assumption: Assumption) -> PairedPlan:
    """What ``n`` paired items can show with that margin under that assumption.

    Args:
        n: planned items.
        margin: the registered margin.
        alpha: one-sided error rate.
        assumption: discordance and loss, fractions.
    """
    psi, loss = assumption.discordance, assumption.loss
    warnings = []
    perfect = noninferiority(0, 0, n, margin, alpha)
    if perfect.lower <= -margin.fraction:
        warnings.append(
            f"{n:,} items cannot show this mark even for a build that answers every one as the original does: "
            f"its lower bound would be {perfect.lower * 100:.2f} points. Plan more items or a larger margin"
        )
    if loss >= margin.fraction:
        warnings.append(
            f"the expected loss of {loss * 100:.2f} points is not below the margin of {margin.fraction * 100:.2f}: "
            "no number of items can show it"
        )
    chance = power.paired_noninferiority(n, psi, -loss, margin, alpha).exact
    needed = None
    if loss < margin.fraction:
        needed = max(
            power.paired_noninferiority_sample_size(psi, -loss, margin, alpha, WANTED).n, _fewest(margin, alpha)
        )
    if not warnings and chance < WANTED:
        more = f"; {needed:,} items would reach {WANTED:.0%}" if needed else ""
        warnings.append(
            f"the power is {chance:.0%}: a build that is as good as assumed may well come out not shown{more}"
        )
    return PairedPlan(power=chance, needed=needed, resolvable=_resolvable(n, psi, alpha), warnings=tuple(warnings))


def _resolvable(n: int, psi: float, alpha: float) -> float | None:
    """Points; None where so few items resolve nothing."""
    try:
        return power.smallest_resolvable_loss(n, psi, alpha, WANTED).fraction * 100
    except StatisticsError:
        return None


def _fewest(margin: Margin, alpha: float) -> int:
    """The fewest items at which even identical answers clear the margin: z^2 / (n + z^2) < margin."""
    n = 1
    while noninferiority(0, 0, n, margin, alpha).lower <= -margin.fraction:
        n = math.ceil(n * 1.1) + 1
    return n
