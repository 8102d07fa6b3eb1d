"""What a plan hopes for, and what questions that were asked too early are worth."""

from dataclasses import replace

import pytest

from twx_accept.domain.prospect import Assumption
from twx_accept.domain.verdict import Outcome

SEEN = Assumption(discordance=0.037, loss=0.0059, source="given")


def test_power_of_the_published_comparison(letter, rows):
    """14,042 questions, a margin of one point, 3.7% that flip and a loss of 0.59 points: a power of 71%."""
    claim = letter(rows(14_042))
    prospect = claim.prospect("small", SEEN)
    assert prospect.planned_n == 14_042
    assert prospect.power == pytest.approx(0.71, abs=0.005)
    assert prospect.needed > 14_042
    assert prospect.assumption is SEEN
    (warning,) = prospect.warnings
    assert warning.startswith("the power is 71%: ")
    assert f"{prospect.needed:,} items would reach 90%" in warning
    assert claim.prospect("small", replace(SEEN, loss=0.0)).power > 0.99


def test_marks_that_nothing_can_reach_are_told(letter, rows):
    """Too few questions even for a perfect build, and a loss that is expected at or over the margin."""
    few = letter(rows(100)).prospect("small", Assumption(discordance=0.0, loss=0.0, source="given"))
    assert "100 items cannot show this mark even for a build that answers every one as the original does" in str(
        few.warnings
    )
    assert few.power == 0
    for loss in (0.01, 0.02):
        lossy = letter(rows(14_042)).prospect("small", Assumption(discordance=0.037, loss=loss, source="given"))
        assert "no number of items can show it" in str(lossy.warnings)
        assert lossy.needed is None
        assert lossy.power <= 0.03


def test_a_plan_assumes_what_was_seen_then_what_the_suite_expects(letter, rows, answered, evidence):
    """Evidence of enough questions says discordance and loss; without it the suite does, or a stated guess."""
    claim = letter(rows(100), expected_discordance=0.08, expected_loss_points=1.5)
    original = evidence("original", answered(claim, lambda _: 0))
    lost = evidence("small", answered(claim, lambda question: int(question.id in ("anatomy-1", "anatomy-2"))))
    seen = claim.assume(original, lost)
    assert (seen.discordance, seen.loss, seen.source) == (0.02, 0.02, "seen in the evidence of 100 questions")
    part = [each for each in answered(claim, lambda _: 0) if each.request.path == "/tokenize"]
    part += [each for each in answered(claim, lambda _: 0) if each.request.path != "/tokenize"][:29]
    assert claim.assume(original, evidence("small", part)) is None
    assert claim.prospect("small", None).assumption == Assumption(
        discordance=0.08, loss=0.015, source="expected by the suite"
    )
    assert letter(rows(100)).prospect("small", None).assumption.source == "assumed, for want of evidence"


def test_questions_asked_before_the_registration_do_not_decide(letter, rows, answered, evidence):
    """Shown with them and not without is not shown; shown either way stays shown; both say how many there were."""
    claim = letter(rows(400), margin_points=2.0, lead_share=1.0)
    original = evidence("original", answered(claim, lambda _: 0))
    build = evidence("small", answered(claim, lambda _: 0))
    assert claim.decide(original, build).outcome is Outcome.SHOWN

    def spoilt(number):
        return frozenset(f"anatomy-{at}" for at in range(number))

    few = claim.decide(original, replace(build, spoilt={"multiple_choice": spoilt(10)}))
    assert few.outcome is Outcome.SHOWN
    assert few.warnings[-1] == (
        "10 of 400 questions were asked in a partial run before the registration; without them it is shown"
    )
    for number in (300, 400):
        many = claim.decide(replace(original, spoilt={"multiple_choice": spoilt(number)}), build)
        assert many.outcome is Outcome.NOT_SHOWN
        assert f"{number} of 400 questions were asked in a partial run" in many.reasons[0]
        assert many.sentence.endswith("without them it is not shown.")
    other = claim.decide(original, replace(build, spoilt={"another_claim": spoilt(300)}))
    assert (other.outcome, other.warnings) == (Outcome.SHOWN, claim.decide(original, build).warnings)


def test_questions_that_are_asked_again_do_not_decide(letter, rows, answered, evidence):
    """A question that stands there many times makes no interval narrow; a few repetitions are told."""
    for number, outcome in ((10, Outcome.SHOWN), (300, Outcome.NOT_SHOWN)):
        asked = rows(400)
        for at, row in enumerate(asked[-number:]):
            row |= {"question": f"{asked[0]['question']}{' ' * at}", "choices": asked[0]["choices"]}
        claim = letter(asked, margin_points=2.0, lead_share=1.0)
        verdict = claim.decide(*(evidence(side, answered(claim, lambda _: 0)) for side in ("original", "small")))
        told = f"{number} of 400 questions ask the same as an earlier one"
        assert verdict.outcome is outcome
        assert f"{told}; without them it is {outcome}" in (*verdict.warnings, *verdict.reasons)
        assert told in claim.prospect("small", None).warnings
