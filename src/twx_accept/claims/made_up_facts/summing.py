"""The unrounded numbers behind a verdict, by name."""

from collections.abc import Mapping, Sequence

from twx_accept.claims.made_up_facts.calibrating import Calibration
from twx_accept.claims.made_up_facts.checking import Check
from twx_accept.claims.made_up_facts.comparing import Reading
from twx_accept.claims.made_up_facts.deciding import Rate, Recall, Result
from twx_accept.claims.made_up_facts.desk import Kind
from twx_accept.claims.made_up_facts.error import MatcherError
from twx_accept.claims.made_up_facts.reading import State
from twx_accept.claims.made_up_facts.views import states
from twx_accept.statistics.clustered import RatioDifference

Numbers = Mapping[str, float | int | str]

KINDS = {
    "supported": Kind.SUPPORTED,
    "made_up": Kind.MADE_UP,
    "other_passage": Kind.ELSEWHERE,
    "undecided": Kind.UNDECIDED,
    "no_facts": Kind.NOT_A_FACT,
}
STATES = {"refused": State.REFUSED, "cut_short": State.TRUNCATED, "missing": State.MISSING}


def statistics(
    readings: Sequence[Reading],
    result: Result,
    error: MatcherError | None,
    calibration: Calibration | None,
    found: Sequence[Check],
) -> Numbers:
    """Everything that a reader of the JSON can check the verdict by. ``error`` is the matcher's alone."""
    decides = error if calibration is None else calibration.error
    return {
        "passages": len(readings),
        **_of_side("original", readings),
        **_of_side("build", readings),
        **_rate(result.rate),
        **_recall(result.recall),
        **({} if decides is None else {"sensitivity": decides.sensitivity, "specificity": decides.specificity}),
        **({} if decides is None else {"margin_factor": decides.worth}),
        **({} if error is None or calibration is None else _judge(error, calibration)),
        **{f"check_{each.name.replace(' ', '_')}": each.share for each in found if each.share is not None},
    }


def _judge(alone: MatcherError, calibration: Calibration) -> Numbers:
    """What the judge adds, on labelled facts."""
    return {
        "margin_factor_estimate": calibration.error.factor,
        "sensitivity_without_judge": alone.sensitivity,
        "specificity_without_judge": alone.specificity,
        "labelled_facts_for_the_judge": calibration.read,
        "labelled_facts_not_answered": calibration.unheard,
        "labelled_facts_without_a_clear_word": calibration.unclear,
    }


def _of_side(who: str, readings: Sequence[Reading]) -> Numbers:
    own = [reading.original if who == "original" else reading.build for reading in readings]
    counted = states(own)
    return {
        **{f"{name}_{who}": sum(side.count(kind) for side in own) for name, kind in KINDS.items()},
        **{f"{name}_{who}": counted[state] for name, state in STATES.items()},
        f"duplicates_{who}": sum(side.answer.duplicates for side in own),
    }


def _rate(rate: Rate | None) -> Numbers:
    if rate is None:
        return {}
    counts = rate.counts
    return {
        "x_original": counts.x_original,
        "m_original": counts.m_original,
        "x_build": counts.x_build,
        "m_build": counts.m_build,
        **_difference("", rate.strict),
        **_difference("_undecided_as_supported", rate.lenient),
        **({} if rate.design_effect is None else {"design_effect": rate.design_effect}),
        "p_independent": rate.independent.p,
        "lower_independent": rate.independent.interval.lower,
        "upper_independent": rate.independent.interval.upper,
    }


def _recall(recall: Recall | None) -> Numbers:
    if recall is None:
        return {}
    counts = recall.counts
    return {
        "recalled_original": counts.x_original,
        "recalled_build": counts.x_build,
        "planted": counts.m_build,
        **_difference("_recall", recall.result),
    }


def _difference(end: str, found: RatioDifference) -> Numbers:
    margin = {} if found.margin is None else {f"margin{end}": found.margin.fraction}
    against = {} if found.p is None else {f"p_margin{end}": found.p}
    return {
        f"difference{end}": found.difference,
        f"lower{end}": found.lower,
        f"upper{end}": found.upper,
        f"standard_error{end}": found.standard_error,
        f"p_equality{end}": found.p_equal,
        f"outcome{end}": str(found.outcome),
        **margin,
        **against,
    }
