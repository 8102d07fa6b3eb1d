"""The chance that Tango's test rejects, added up over every possible outcome.

Outcomes (b, c) of n pairs follow a trinomial law with rates p_b and p_c. It is walked through in two steps: how
many pairs m are discordant (binomial, rate psi = p_b + p_c), and how many of these the build won (binomial, rate
p_c / psi). For each m the score rises with c, so that the rejected outcomes are those from some c on: n + 1
numbers describe a region of n^2/2 outcomes.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, gammaln, xlog1py, xlogy

from twx_accept.statistics.paired.score import tango_z

NEGLIGIBLE = 1e-13
"""Tail mass of the number of discordant pairs that an enumeration may leave out, on each side."""


@dataclass(frozen=True, slots=True)
class Region:
    """The outcomes whose score against one hypothesised difference reaches a threshold.

    Attributes:
        n: Pairs in all.
        first: The smallest number m of discordant pairs described.
        least_won: For m = first, first + 1, ...: the smallest c that lies in the region, or m + 1 where none does.
        log_ways: For the same m: log of the ways to choose m of n pairs.
    """

    n: int
    first: int
    least_won: NDArray[np.int64]
    log_ways: NDArray[np.float64]

    def probability(self, discordance: float, difference: float) -> float:
        """P(outcome in the region) where the rates are p_b + p_c = ``discordance``, p_c - p_b = ``difference``."""
        low, high = plausible_discordant(self.n, discordance, discordance)
        low, high = max(low, self.first), min(high, self.first + len(self.least_won) - 1)
        described = slice(low - self.first, high - self.first + 1)
        discordant = np.arange(low, high + 1)
        chance = np.exp(
            self.log_ways[described] + xlogy(discordant, discordance) + xlog1py(self.n - discordant, -discordance)
        )
        won_share = min(1.0, max(0.0, (1.0 + difference / discordance) / 2.0)) if discordance > 0.0 else 0.0
        least = self.least_won[described]
        # bdtrc(k, m, p) is P(X > k), which it does not know to be certain for k < 0 and impossible for k >= m.
        reached = bdtrc(np.clip(least - 1, 0, discordant), discordant, won_share)
        reached = np.where(least <= 0, 1.0, np.where(least > discordant, 0.0, reached))
        return float(chance @ reached)


def plausible_discordant(n: int, lowest: float, highest: float) -> tuple[int, int]:
    """Give the numbers of discordant pairs that are not negligibly rare for a discordance in a range.

    By Bernstein's inequality, a binomial variable of variance v lies t or more from its mean, on one side, with
    probability at most exp(-t^2 / (2 (v + t/3))).
    """
    rarity = -math.log(NEGLIGIBLE)

    def reach(rate: float) -> float:
        variance = n * rate * (1.0 - rate)
        return rarity / 3.0 + math.sqrt(rarity**2 / 9.0 + 2.0 * rarity * variance)

    return (
        max(0, math.floor(n * lowest - reach(lowest))),
        min(n, math.ceil(n * highest + reach(highest))),
    )


def score_region(n: int, difference: float, threshold: float, first: int, last: int, *, strict: bool) -> Region:
    """Find the outcomes whose score against ``difference`` exceeds ``threshold``.

    Args:
        n: Pairs in all.
        difference: The hypothesised build minus original.
        threshold: The score to reach.
        first: The smallest number of discordant pairs to describe, 0 or more.
        last: The largest, at most ``n``.
        strict: Whether a score equal to the threshold stays outside (a test that rejects) or inside (outcomes at
            least as extreme as the observed one).
    """
    discordant = np.arange(first, last + 1)
    outside = np.full(discordant.shape, -1)
    inside = discordant + 1
    for _ in range(int(last + 2).bit_length()):
        middle = (outside + inside) // 2
        asked = np.clip(middle, 0, discordant)
        z = tango_z(discordant - asked, asked, n, difference)
        reached = (z > threshold) if strict else (z >= threshold)
        split = inside - outside > 1
        inside = np.where(split & reached, middle, inside)
        outside = np.where(split & ~reached, middle, outside)
    log_ways = gammaln(n + 1) - gammaln(discordant + 1) - gammaln(n - discordant + 1)
    return Region(n=n, first=first, least_won=inside, log_ways=log_ways)
