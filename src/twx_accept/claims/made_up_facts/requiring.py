"""What must hold before anything is decided: enough answers, few undecided facts, an original that can do it."""

from collections.abc import Sequence
from fractions import Fraction

from twx_accept.claims._cures import cure
from twx_accept.claims._exact import decimal
from twx_accept.claims._words import percent
from twx_accept.claims.made_up_facts.comparing import Reading, Side
from twx_accept.claims.made_up_facts.deciding import Marks
from twx_accept.claims.made_up_facts.desk import Kind
from twx_accept.claims.made_up_facts.error import MatcherError
from twx_accept.claims.made_up_facts.reading import State
from twx_accept.claims.made_up_facts.settings import MadeUpFactsSettings
from twx_accept.errors import InvalidClaim
from twx_accept.statistics.types import Margin


def marks(settings: MadeUpFactsSettings, error: MatcherError | None) -> Marks:
    """The registered margins, made smaller by what is missed; none where nothing is registered, or nothing measured.

    Raises:
        InvalidClaim: facts are judged no better than by a guess, so that no margin is left.
    """
    points, recall = settings.margin_points, settings.recall_margin_points
    if points is None or recall is None or error is None:
        return Marks(rate=None, recall=None, alpha=settings.alpha)
    return Marks(rate=effective(points, error), recall=effective(recall, error), alpha=settings.alpha)


def effective(points: float, error: MatcherError) -> Margin:
    """A registered margin in points, times (sensitivity + specificity - 1) or its lower bound.

    Raises:
        InvalidClaim: nothing is left of it.
    """
    if error.worth <= 0:
        at_worst = f", and the lower bound of their sum less one {error.lower:.2f}" if error.bounded else ""
        raise InvalidClaim(
            f"{error.who} cannot tell true facts from false ones (sensitivity {percent(error.sensitivity)}, "
            f"specificity {percent(error.specificity)}{at_worst}), so that nothing is left of a margin of {points:.2f} "
            f"points; {'take another judge' if error.bounded else 'mend the matcher'} or mend the labelled facts"
        )
    return Margin(fraction=points * error.worth / 100)


def answers(readings: Sequence[Reading], settings: MadeUpFactsSettings) -> None:
    """Refuse more passages without an answer than are registered.

    Raises:
        InvalidClaim: naming the first of them.
    """
    missing = [
        (reading.passage.id, name, side.answer.why)
        for reading in readings
        for name, side in (("original", reading.original), ("build", reading.build))
        if side.answer.state is State.MISSING
    ]
    passages = {name for name, _, _ in missing}
    if passages and Fraction(len(passages), len(readings)) > decimal(settings.unscored_share):
        name, who, why = missing[0]
        raise InvalidClaim(
            f"{len(passages):,} of {len(readings):,} passages have no answer, more than the registered share of "
            f"{settings.unscored_share:.2%} (first: {name}, {who}: {why}); "
            f"{cure(why)}"
        )


def undecided(readings: Sequence[Reading], settings: MadeUpFactsSettings) -> str:
    """Why too much is left undecided for a verdict; empty where it is not."""
    for name, own in _sides(readings):
        facts = sum(side.facts for side in own if side.answer.counts)
        open_ones = sum(side.count(Kind.UNDECIDED) for side in own)
        if open_ones and Fraction(open_ones, facts) > decimal(settings.undecided_share):
            who = "the matcher leaves" if settings.judge is None else "matcher and judge leave"
            return (
                f"{who} {open_ones:,} of the {name}'s {facts:,} facts undecided, more than the registered "
                f"share of {settings.undecided_share:.2%}; {_cure(own, settings)}"
            )
    return ""


def _cure(own: Sequence[Side], settings: MadeUpFactsSettings) -> str:
    """What to do about undecided facts."""
    if unheard := sum(each.unheard for side in own for each in side.judged):
        return f"the judge has not answered about {unheard:,} of them: see to its server, and run again to ask them"
    if settings.judge is None:
        return "register a judge as a second stage, or plainer passages"
    return "take a judge that decides more of them, or plainer passages"


def weakness(readings: Sequence[Reading], settings: MadeUpFactsSettings) -> str:
    """Why the original is too weak for a difference from it to mean anything; empty where it is not."""
    own = [reading.original for reading in readings]
    facts = sum(side.facts for side in own if side.answer.counts)
    made_up = sum(side.count(Kind.MADE_UP) for side in own)
    if not facts:
        return "assay sensitivity: the original wrote no fact; mend the prompt, or take a model that follows it"
    if Fraction(made_up, facts) > decimal(settings.made_up_ceiling):
        return (
            f"assay sensitivity: the original makes up {percent(made_up / facts)} of its facts, more than the "
            f"registered {percent(settings.made_up_ceiling)}; take a prompt that it follows, or plainer passages"
        )
    planted = sum(len(reading.passage.planted) for reading in readings)
    recalled = sum(side.recalled.said for side in own)
    floor = settings.recall_floor
    if floor is not None and planted and Fraction(recalled, planted) < decimal(floor):
        return (
            f"assay sensitivity: the original recalls {percent(recalled / planted)} of the planted facts, less than "
            f"its registered floor of {percent(floor)}; take a prompt that it follows, plainer passages or more tokens"
        )
    return ""


def _sides(readings: Sequence[Reading]) -> tuple[tuple[str, list[Side]], ...]:
    return ("original", [reading.original for reading in readings]), ("build", [reading.build for reading in readings])
