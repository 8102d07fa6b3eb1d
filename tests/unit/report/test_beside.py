"""The noise floor and the builds against each other, in every report."""

import json
from dataclasses import replace

import pytest

from twx_accept.domain.contrast import Contrast
from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Effect, Figure, Outcome, Quantity, Unit, Verdict
from twx_accept.report import beside, data, html, markdown, text

QUIZ = Contrast(
    claim="quiz",
    title="Quiz",
    one="smol-w4",
    other="smol-w8",
    difference=-0.0214,
    lower=-0.35,
    upper=0.31,
    p=0.9337,
    margin=1.0,
    p_equivalence=0.001,
    adjusted=0.9337,
    adjusted_equivalence=0.001,
)
FLOOR = Verdict(
    claim="quiz",
    title="Everyday questions",
    build="original, again",
    outcome=Outcome.SHOWN,
    sentence="original, again is 0.04 points below the original.",
    gates=False,
    figures=(
        Figure(key="difference", label="Difference", value=Quantity(value=-0.04, unit=Unit.POINTS), headline=True),
    ),
    effects=(
        Effect(chart="quiz", title="Quiz", label="original, again", difference=-0.04, lower=-0.2, upper=0.1, margin=5),
        Effect(chart="alone", title="Alone", label="original, again", difference=-0.04, lower=-0.2, upper=0.1),
    ),
)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "the two score the same within 1.00 points"),
        ({"adjusted": 0.04}, "the two score the same within 1.00 points, and are measurably apart"),
        ({"adjusted_equivalence": 0.025}, "not resolved: not shown to be within 1.00 points"),
        ({"adjusted_equivalence": 0.2, "adjusted": 0.01}, "measurably apart"),
        ({"margin": None, "p_equivalence": None, "adjusted_equivalence": None}, "not resolved"),
        ({"lower": None, "upper": None, "unit": Unit.BYTES, "adjusted_equivalence": None}, "counted, not estimated"),
    ],
)
def test_equality_is_said_only_where_it_is_shown(changes: dict[str, object], words: str) -> None:
    """Both one-sided tests after Holm, strictly; else the interval is all there is."""
    assert beside.said(replace(QUIZ, **changes)) == words


def test_every_report_shows_what_stands_beside(three: RunRecord) -> None:
    """Floor and contrasts are in the page, the summary, the terminal and the data; the floor has its own column."""
    whole = replace(three, noise_floor="measured", floor=(FLOOR,), contrasts=(QUIZ,))
    page = html.render(whole)
    for said in (page, markdown.render(whole), "\n".join(text.summary(whole))):
        assert "0.04 points below the original" in said
    assert page.count("SmolLM2 135M, again</bdi></th>") >= 1
    for said in (page, markdown.render(whole)):
        assert "the two score the same within" in said
        assert "0.93" in said
    kept = json.loads(data.render(whole))["run"]
    assert kept["contrasts"][0]["difference"] == -0.0214
    assert kept["floor"][0]["outcome"] == "shown"


def test_without_them_nothing_stands_beside(three: RunRecord) -> None:
    """A run without floor and with one build has no such part."""
    assert 'id="beside"' not in html.render(three)
    assert "against each other" not in markdown.render(three)


def test_hostile_names_are_text(three: RunRecord) -> None:
    """What a build is called and what a verdict says never becomes markup."""
    hostile = replace(QUIZ, one="<b>x</b>", title="</table><script>1</script>")
    page = html.render(replace(three, contrasts=(hostile,), floor=(replace(FLOOR, sentence="<i>\x1b[31m"),)))
    assert "<b>x</b>" not in page
    assert "<script>1" not in page
    assert "<i>" not in page
