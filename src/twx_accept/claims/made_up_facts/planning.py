"""What the comparison can show as planned, as far as that can be said before the passages are read.

How sure a clustered rate is depends on how much passages differ, which no assumption about single facts says. It is
known once some passages were read by both builds, in a partial run say; until then there is no power to state.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import NormalDist

from scipy.special import stdtrit

from twx_accept.claims.made_up_facts.calibrating import Calibration
from twx_accept.claims.made_up_facts.comparing import Reading
from twx_accept.claims.made_up_facts.deciding import Marks, difference, enough
from twx_accept.claims.made_up_facts.error import MatcherError
from twx_accept.claims.made_up_facts.settings import MadeUpFactsSettings
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.statistics.types import Better, Margin

FEWEST = 20
"""Passages under which the spread that was seen says too little to plan with."""

WANTED = 0.90
"""The power that a plan asks for."""

MOST = 100_000
"""Passages beyond which nobody plans."""

GATES = (("made-up facts", "rate"), ("recall", "recall"))
"""What gates, in words, and the margin of it."""

SEEN = "the spread of one passage's difference, seen in the evidence of"
"""How an assumption about passages is told from one about single answers."""

UNKNOWN = (
    "no power is stated: it depends on how much passages differ, which is known once both builds have read "
    f"{FEWEST} of them or more (a partial run will do)"
)
JUDGE = (
    "a judge as a second stage that reads what the matcher refuses ([claims.made_up_facts.judge], reads) may mend it: "
    "`twx-accept facts measure SUITE --judge URL --model NAME` measures what a point is worth with one"
)
RECALL = "the power is that of the rate of made-up facts; recall must be shown too"


def assumption(readings: Sequence[Reading], alpha: float) -> Assumption | None:
    """The spread between passages and the loss that were seen; None where too few passages were read by both.

    The assumption's ``discordance`` is the variance of one passage's difference, which for single answers is the share
    that flip.
    """
    read = [reading for reading in readings if reading.original.answer.counts and reading.build.answer.counts]
    cells = [reading.rate(undecided_is_made_up=True) for reading in read]
    if len(read) < FEWEST or not enough(cells):
        return None
    found = difference(cells, alpha, None, Better.LOWER)
    variance = found.sandwich_error**2 * found.clusters
    return Assumption(discordance=variance, loss=found.difference, source=f"{SEEN} {found.clusters:,} passages")


def unmeasured(settings: MadeUpFactsSettings, calibration: Calibration | None, n: int) -> str:
    """That nobody knows yet what a point is worth with the suite's judge, and how to know."""
    judge = settings.judge
    if judge is None:
        return ""
    heard, of = (0, 0) if calibration is None else (calibration.read - calibration.unheard, calibration.read)
    asked = f" ({heard:,} of {of:,} labelled facts)" if of else ""
    return (
        f"what a point is worth with the judge {judge.model} is not measured yet{asked}: "
        f"`twx-accept facts measure SUITE` asks it about the labelled facts; {least(settings, n)}"
    )


WHAT_IT_READS = {
    None: "about every fact that the matcher leaves undecided",
    "undecided": "about every fact, written or planted, that the matcher leaves undecided",
    "refused": "about every fact, written or planted, that the matcher does not support",
    "all": "about every fact that is written, and every planted one",
}


def besides(settings: MadeUpFactsSettings, calibration: Calibration | None) -> str:
    """What the suite's judge is asked, which no plan can count: it follows from what a build writes."""
    judge = settings.judge
    if judge is None:
        return ""
    labelled = f"about {calibration.read:,} labelled facts and " if calibration and calibration.read else ""
    return (
        f"the cost leaves out what the judge {judge.model} is asked beside each build: {labelled}"
        f"{WHAT_IT_READS[judge.reads]}"
    )


def least(settings: MadeUpFactsSettings, n: int) -> str:
    """What sensitivity and specificity must come to for ``n`` passages to show the marks, in words."""
    points = {"made-up facts": settings.margin_points, "recall": settings.recall_margin_points}
    needed = {name: smallest(n, settings.alpha) * 100 / value for name, value in points.items() if value is not None}
    told = ", ".join(f"{worth:.2f} for {name}" for name, worth in needed.items())
    return f"{n:,} passages can show the marks where a point is worth more than {told}"


def smallest(n: int, alpha: float) -> float:
    """The smallest margin, a fraction, at which ``n`` passages can show a build that loses nothing."""
    t = float(stdtrit(n - 1, alpha))
    return t * t / (n + t * t)


def prospect(
    base: Prospect, settings: MadeUpFactsSettings, marks: Marks, error: MatcherError, assumed: Assumption | None
) -> Prospect:
    """The prospect of so many passages as ``base`` plans, which has everything that does not depend on chance.

    Args:
        base: claim, build, mark, passages and requests.
        settings: the registered marks, and whether there is a judge.
        marks: the margins that decide, after the error of what judges facts, and alpha.
        error: that error.
        assumed: what :func:`assumption` saw; what speaks of single answers is not used.
    """
    warnings, alpha, worth, n = list(base.warnings), marks.alpha, error.worth, base.planned_n or 0
    if error.bounded:
        warnings.append(
            f"{error.who} has sensitivity {error.sensitivity:.2f} and specificity {error.specificity:.2f}: a "
            f"registered point is worth {error.factor:.2f}, at the lower bound that decides {worth:.2f}"
        )
    elif worth < 1:
        warnings.append(f"the matcher's own error leaves {worth:.2f} of each registered point")
    impossible = [told for name, mark in GATES if (told := _impossible(name, n, getattr(marks, mark), alpha))]
    warnings += impossible
    if impossible and settings.judge is None:
        warnings.append(f"{JUDGE}; {least(settings, n)}")
    margin = marks.rate
    if margin is None:
        return replace(base, warnings=tuple(warnings))
    if assumed is None or not assumed.source.startswith(SEEN):
        return replace(base, warnings=(*warnings, UNKNOWN))
    variance, loss = assumed.discordance, assumed.loss
    chance = power(n, variance, loss, margin.fraction, alpha)
    needed = _needed(variance, loss, margin.fraction, alpha)
    if loss >= margin.fraction:
        warnings.append(
            f"the expected loss of {loss * 100:.2f} points is not below the margin of {margin.fraction * 100:.2f}: "
            "no number of passages can show it"
        )
    elif chance < WANTED:
        more = f"; {needed:,} passages would reach {WANTED:.0%}" if needed else ""
        warnings.append(
            f"the power is {chance:.0%}: a build that is as good as assumed may well come out not shown{more}"
        )
    return replace(
        base,
        power=chance,
        needed=needed,
        resolvable=_resolvable(n, variance, alpha, worth),
        assumption=assumed,
        warnings=(*warnings, RECALL),
    )


def _impossible(name: str, n: int, margin: Margin | None, alpha: float) -> str:
    """Why not even a build that loses nothing can be shown at a margin; empty where one can."""
    if margin is None or power(n, 0.0, 0.0, margin.fraction, alpha):
        return ""
    return (
        f"{n:,} passages cannot show {margin.in_points:.2f} points of {name} even for a build that loses nothing: the "
        f"error of a rate is not believed below that of the mark. {_fewest(margin.fraction, alpha):,} passages could, "
        "or a larger margin"
    )


def power(n: int, variance: float, loss: float, margin: float, alpha: float) -> float:
    """The chance that the upper bound of the difference lies below the margin.

    The difference is taken for normal with that variance a passage, its error for known; the error has the floor that
    the decision gives it.

    Args:
        n: passages.
        variance: of one passage's difference.
        loss: true rise of the rate, a fraction.
        margin: a fraction.
        alpha: one-sided error rate.
    """
    error = math.sqrt(variance / n)
    floor = math.sqrt(margin * (1 - margin) / n)
    room = margin - loss + float(stdtrit(n - 1, alpha)) * max(error, floor)
    if error == 0:
        return float(room > 0)
    return NormalDist().cdf(room / error)


def _needed(variance: float, loss: float, margin: float, alpha: float) -> int | None:
    """The fewest passages with the power wanted; None where no plan has so many."""
    return _first(lambda n: power(n, variance, loss, margin, alpha) >= WANTED) if loss < margin else None


def _fewest(margin: float, alpha: float) -> int:
    return _first(lambda n: power(n, 0.0, 0.0, margin, alpha) > 0) or MOST


def _first(reached: Callable[[int], bool]) -> int | None:
    """The smallest number of passages, from 2 on, from which it holds; None beyond :data:`MOST`."""
    if not reached(MOST):
        return None
    low, high = 1, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def _resolvable(n: int, variance: float, alpha: float, worth: float) -> float | None:
    """The smallest registered margin, in points, that a build which loses nothing is shown at with the power wanted."""
    low, high = 0.0, 0.5
    if power(n, variance, 0.0, high, alpha) < WANTED:
        return None
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if power(n, variance, 0.0, middle, alpha) >= WANTED else (middle, high)
    return high * 100 / worth
