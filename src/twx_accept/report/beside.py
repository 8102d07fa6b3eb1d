"""What stands beside the verdicts, in words: the original against itself, and the builds against each other."""

from dataclasses import dataclass
from typing import Final

from twx_accept.domain.contrast import Contrast
from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Quantity, Unit
from twx_accept.report import format as fmt
from twx_accept.report.naming import title_of

SIGNIFICANT: Final = 0.05
"""Two-sided level, after Holm, at which two builds are called measurably apart."""

COLUMNS: Final = ("Claim", "Builds", "Difference", "Lower", "Upper", "p", "p, Holm", "What it shows")
NUMBERS: Final = (2, 3, 4, 5, 6)
"""The columns that hold numbers."""

_DIGITS: Final = {Unit.BYTES: 2, Unit.TOKENS: 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorView:
    """One claim about the original served again: what came of it, and where it cannot be told why."""

    title: str
    outcome: str
    said: str


def floor(run: RunRecord) -> list[FloorView]:
    """The noise floor, claim by claim; empty where it was not measured."""
    return [
        FloorView(title=each.title, outcome=each.outcome.value, said=" ".join([each.sentence, *each.reasons]))
        for each in run.floor
    ]


def contrasts(run: RunRecord) -> list[tuple[str, ...]]:
    """A row of :data:`COLUMNS` for each figure of each pair of builds; empty where there is one build."""
    return [
        (
            f"{each.title}, {each.figure}" if each.figure else each.title,
            f"{title_of(run, each.other)} against {title_of(run, each.one)}",
            _amount(each.difference, each.unit),
            _bound(each.lower, each.unit),
            _bound(each.upper, each.unit),
            "" if each.p is None else fmt.p_value(each.p),
            "" if each.adjusted is None else fmt.p_value(each.adjusted),
            said(each),
        )
        for each in run.contrasts
    ]


def said(contrast: Contrast) -> str:
    """What a comparison of two builds shows. That they score the same takes both one-sided tests."""
    if contrast.lower is None:
        return "counted, not estimated"
    margin = "" if contrast.margin is None else fmt.number(contrast.margin, 2)
    unit = contrast.unit.value
    apart = contrast.adjusted is not None and contrast.adjusted < SIGNIFICANT
    if contrast.same:
        words = f"the two score the same within {margin} {unit}"
        return f"{words}, and are measurably apart" if apart else words
    if apart:
        return "measurably apart"
    return f"not resolved: not shown to be within {margin} {unit}" if margin else "not resolved"


def _amount(value: float, unit: Unit) -> str:
    text = fmt.quantity(Quantity(value=value, unit=unit, digits=_DIGITS.get(unit, 2)))
    return text if unit is Unit.POINTS or value <= 0 else f"+{text}"


def _bound(value: float | None, unit: Unit) -> str:
    return "" if value is None else fmt.difference(value, unit)
