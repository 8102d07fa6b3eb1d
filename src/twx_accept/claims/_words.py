"""Verdicts in words. Never "no difference", "level" or "the same": a test that found no loss has not shown equality."""

from twx_accept.domain.verdict import Outcome
from twx_accept.statistics.paired import McNemar, NonInferiority

SIGNIFICANT = 0.05
"""Two-sided level at which a build is called measurably worse or better."""


USUAL_RATE = 0.025
"""One-sided error rate that a mark need not name."""


def at_rate(mark: str, alpha: float) -> str:
    """A mark in words, with the error rate that it is decided at where that is laxer than usual."""
    return f"{mark} (at a one-sided error rate of {alpha:.10g})" if mark and alpha > USUAL_RATE else mark


def points(fraction: float) -> str:
    """A size in percentage points, unsigned, to two decimals."""
    return f"{abs(fraction) * 100:.2f}"


def percent(share: float) -> str:
    """A share in percent, to two decimals."""
    return f"{share * 100:.2f}%"


def below(fraction: float) -> str:
    """A difference from the original in words: which side of it, and by how much."""
    if fraction == 0:
        return "0.00 points from"
    return f"{points(fraction)} points {'below' if fraction < 0 else 'above'}"


def noninferiority(build: str, result: NonInferiority, equality: McNemar) -> str:
    """One to three sentences that say what a paired comparison with a margin came to."""
    head, mark = _head(build, result), points(result.margin.fraction)
    if result.outcome is Outcome.SHOWN:
        return f"{head}; {_worst(result)}; the mark is {mark}. {_within(result, equality)}"
    if result.outcome is Outcome.FAILED:
        return f"{head}; at best {points(result.upper)} below; the mark is {mark}. Worse than the mark."
    loss = points(result.lower)
    return f"{head}. The loss could be as large as {loss} points; this set cannot resolve the mark of {mark}."


def ties_decide(build: str, result: NonInferiority, against: NonInferiority, tied: int) -> str:
    """That a comparison would be within the margin, were it not for questions with two choices exactly level."""
    ties = "one question is tied" if tied == 1 else f"{tied} questions are tied"
    return (
        f"{_head(build, result)}, but {ties}. With every tie given against the build the loss could be as large as "
        f"{points(against.lower)} points; the mark is {points(result.margin.fraction)}."
    )


def uninformative(build: str, result: NonInferiority) -> str:
    """That a comparison says nothing, because the original hardly knows more than a guess."""
    return f"{_head(build, result)}, which is too close to chance for that to mean anything."


def _head(build: str, result: NonInferiority) -> str:
    return f"{build} is {below(result.difference)} the original"


def _worst(result: NonInferiority) -> str:
    if result.lower >= 0:
        return f"at least {points(result.lower)} above"
    return f"at worst {points(result.lower)}{'' if result.difference < 0 else ' below'}"


def _within(result: NonInferiority, equality: McNemar) -> str:
    if equality.exact >= SIGNIFICANT or result.difference == 0:
        return "Within the mark."
    return f"Measurably {'worse' if result.difference < 0 else 'better'}, within the mark."
