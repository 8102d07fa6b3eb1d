"""Verdicts in words. Never "no difference", "level" or "the same": a test that found no loss has not shown equality."""

from twx_accept.domain.verdict import Outcome
from twx_accept.statistics.paired import McNemar, NonInferiority

SIGNIFICANT = 0.05
"""Two-sided level at which a build is called measurably worse or better."""


def points(fraction: float) -> str:
    """A size in percentage points, unsigned, to two decimals."""
    return f"{abs(fraction) * 100:.2f}"


def below(fraction: float) -> str:
    """A difference from the original in words: which side of it, and by how much."""
    if fraction == 0:
        return "0.00 points from"
    return f"{points(fraction)} points {'below' if fraction < 0 else 'above'}"


def noninferiority(build: str, result: NonInferiority, equality: McNemar) -> str:
    """One to three sentences that say what a paired comparison with a margin came to."""
    mark = points(result.margin.fraction)
    head = f"{build} is {below(result.difference)} the original"
    measured = _measured(result, equality)
    if result.outcome is Outcome.SHOWN:
        worst = f"at worst {points(result.lower)}" if result.lower < 0 else f"at least {points(result.lower)} above"
        return f"{head}; {worst}; the mark is {mark}. {measured}ithin the mark."
    if result.outcome is Outcome.FAILED:
        return f"{head}; at best {points(result.upper)} below; the mark is {mark}. Worse than the mark."
    loss = points(min(result.lower, 0.0))
    return f"{head}. The loss could be as large as {loss} points; this set cannot resolve the mark of {mark}."


def _measured(result: NonInferiority, equality: McNemar) -> str:
    if equality.exact >= SIGNIFICANT or result.difference == 0:
        return "W"
    return f"Measurably {'worse' if result.difference < 0 else 'better'}, w"
