"""What the claim is registered as, and its mark in words."""

from collections.abc import Mapping
from typing import Any

from twx_accept.claims import _between
from twx_accept.claims._exact import fixed
from twx_accept.claims._words import at_rate
from twx_accept.claims.made_up_facts import elsewhere, lines
from twx_accept.claims.made_up_facts.asking import Plan
from twx_accept.claims.made_up_facts.calibrating import READABLE, TURNED
from twx_accept.claims.made_up_facts.error import Yardstick
from twx_accept.claims.made_up_facts.passages import PassageSet
from twx_accept.claims.made_up_facts.second_stage import Referee
from twx_accept.claims.made_up_facts.settings import MadeUpFactsSettings
from twx_accept.domain.exchange import digest


def specification(plan: Plan, passages: PassageSet, yardstick: Yardstick, referee: Referee | None) -> Mapping[str, Any]:
    """Statistic, direction, marks, and everything that is asked, matched and left out."""
    settings = plan.settings
    return {
        "statistic": "made-up facts of all facts, build minus original, paired by passage; planted facts recalled",
        "decision": (
            "upper bound of the clustered difference (ratio estimator, CR1, t) strictly below the margin with "
            "undecided facts as made up and as supported; lower bound of recall strictly above minus its margin; both "
            f"margins times {_worth(referee)}"
        ),
        "marks": _marks(settings),
        "alpha": {"value": fixed(settings.alpha, 4), "unit": "one-sided"},
        "assay_sensitivity": {
            "recall_of_the_original_at_least": _optional(settings.recall_floor),
            "made_up_by_the_original_at_most": fixed(settings.made_up_ceiling, 4),
        },
        "planned_passages": len(passages.passages),
        "planted_facts": passages.planted,
        "passages": {"sha256": passages.digest},
        "prompt": settings.template,
        "mode": settings.mode,
        "sampling": _written(plan.sampling()),
        "prompts_sha256": digest([[each.key.item, each.key.arm, each.digest] for each in plan.requests()]),
        "reading": {"most_facts": settings.most_facts, "longest_line": lines.LONGEST},
        "other_passages": {"tried": elsewhere.MOST, "shared_at_least": fixed(elsewhere.SHARED, 2)},
        "undecided_share_at_most": fixed(settings.undecided_share, 4),
        "unscored_share_at_most": fixed(settings.unscored_share, 4),
        "matcher": _matcher(settings, yardstick),
        "second_stage": None if referee is None else _written(_second_stage(referee)),
        **_between.specification(settings.equivalence_points),
        **_recall_equivalence(settings.recall_equivalence_points),
    }


def mark(settings: MadeUpFactsSettings) -> str:
    """The registered margins in words; empty where none are."""
    if settings.margin_points is None or settings.recall_margin_points is None:
        return ""
    measured = settings.judge is not None and settings.judge.reads is not None
    less = "the error of matcher and judge" if measured else "the matcher's own error"
    told = (
        f"at most {settings.margin_points:.2f} points more facts made up than by the original and "
        f"{settings.recall_margin_points:.2f} points fewer planted facts recalled, less {less}"
    )
    return at_rate(told, settings.alpha)


def _second_stage(referee: Referee) -> Mapping[str, Any]:
    """Who judges, and what a judge is believed at."""
    if not referee.measured:
        return referee.specification()
    limits = {"turned_at_most": fixed(TURNED, 4), "readable_at_least": fixed(READABLE, 4)}
    return {**referee.specification(), "on_labelled_facts": limits}


def _worth(referee: Referee | None) -> str:
    """What shrinks the margins, in words."""
    if referee is None or not referee.measured:
        return "(sensitivity + specificity - 1) of the matcher"
    return (
        "the lower bound (one-sided alpha) of sensitivity + specificity - 1 of matcher and judge together, measured on "
        "the labelled facts beside each build, the smaller of the two"
    )


def _marks(settings: MadeUpFactsSettings) -> Mapping[str, Any]:
    marks = {"made_up": settings.margin_points, "recall": settings.recall_margin_points}
    return {
        name: {"value": fixed(value, 4), "unit": "percentage points"}
        for name, value in marks.items()
        if value is not None
    }


def _matcher(settings: MadeUpFactsSettings, yardstick: Yardstick) -> Mapping[str, Any] | None:
    """What it makes of the labelled facts: whoever changes the matcher changes what a margin is worth."""
    if yardstick.labelled is None or yardstick.error is None:
        return None
    false, true = yardstick.error.false, yardstick.error.true
    labelled = {"labelled": {"sha256": yardstick.labelled.digest, "split": settings.labelled_split}}
    if not settings.gated and settings.equivalence_points is None and settings.recall_equivalence_points is None:
        return labelled  # nothing is decided by how well it matches
    return {
        **labelled,
        "false_facts_judged_unsupported": f"{false.right} of {false.n}",
        "true_facts_judged_supported": f"{true.right} of {true.n}",
    }


def _recall_equivalence(points: float | None) -> Mapping[str, Any]:
    return {f"recall_{name}": value for name, value in _between.specification(points).items()}


def _optional(value: float | None) -> str | None:
    return None if value is None else fixed(value, 4)


def _written(value: Any) -> Any:
    """Numbers as they were written: a mark is compared as text."""
    if isinstance(value, Mapping):
        return {name: _written(each) for name, each in value.items()}
    return repr(value) if isinstance(value, float) else value
