"""How much of the whole divergence the lower bound reaches, on a few beginnings whose whole vocabulary is known."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twx_accept.claims._pairing import Found
from twx_accept.claims.agreement.measures import cut, measure
from twx_accept.claims.agreement.reading import SLACK
from twx_accept.claims.agreement.vocabularies import answer_of
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.exchange import Exchange

TOLERANCE = 1e-5
"""Nats by which single precision may put the bound of one position above the whole."""

CURE = "to measure it, allow whole vocabularies in the suite: max_logprobs = -1"


@dataclass(frozen=True, slots=True, kw_only=True)
class FullCheck:
    """Mean divergence (nats) over ``prefixes`` beginnings, whole and as the bound finds it from the top tokens alone.

    ``why`` says why nothing was measured, or why not everything; ``above`` counts beginnings at which the bound exceeds
    the whole by more than rounding, which would be an error in one of the two.
    """

    prefixes: int
    bound: float
    full: float
    above: int
    why: str

    @property
    def ratio(self) -> float | None:
        """Bound over whole; None where there is no divergence to speak of."""
        return self.bound / self.full if self.prefixes and self.full > TOLERANCE else None


def check(names: Sequence[str], original: Found, build: Found, width: int) -> FullCheck:
    """Compare bound and whole after the beginnings of these passages.

    Args:
        names: the passages.
        original: the original's exchanges.
        build: the build's.
        width: how many top tokens the bound is found from.
    """
    reasons: list[str] = [] if names else ["no passage is long enough, or none is planned"]
    bounds, wholes = [], []
    for name in names:
        sides = [whole(answer_of(found, name)) for found in (original, build)]
        reasons += [side for side in sides if isinstance(side, str)]
        rows = [side for side in sides if isinstance(side, Distributions)]
        if len(rows) == len(sides):
            wholes.append(float(measure(*rows).bound.sum()))
            bounds.append(float(measure(*(cut(each, width) for each in rows)).bound.sum()))
    count = len(wholes)
    return FullCheck(
        prefixes=count,
        bound=sum(bounds) / count if count else 0.0,
        full=sum(wholes) / count if count else 0.0,
        above=sum(bound > full + TOLERANCE for bound, full in zip(bounds, wholes, strict=True)),
        why=reasons[0] if reasons else "",
    )


def whole(exchange: Exchange | None) -> Distributions | str:
    """The one distribution over the whole vocabulary, or why there is none."""
    if exchange is None:
        return "was not asked"
    if exchange.failure is not None:
        return f"{exchange.failure.kind}: {exchange.failure.message}; {CURE}"
    rows = exchange.rows
    if rows is None or len(rows) != 1:
        return "the answer holds no whole vocabulary that can be read"
    mass = float(np.exp(rows.logprobs.astype(np.float64)).sum())
    if abs(mass - 1) > SLACK:
        return f"the probabilities over the whole vocabulary add up to {mass:.4f}"
    return rows
