"""Comparing and deciding: from two builds' answers to a verdict, every planned question in n."""

from dataclasses import replace

import pytest

from twx_accept.claims.multiple_choice import ALIKE
from twx_accept.domain.exchange import Unscored
from twx_accept.domain.scope import Scope
from twx_accept.domain.verdict import Outcome
from twx_accept.errors import InvalidClaim, PairingError, SuiteError
from twx_accept.statistics.types import IDENTICAL_OUTCOMES


@pytest.fixture
def decide(answered, evidence):
    """Decides a claim from what both sides say to each question."""

    def run(claim, original, build):
        return claim.decide(evidence("original", answered(claim, original)), evidence("small", answered(claim, build)))

    return run


def outcomes(right, failed=0, tied=0):
    """What one side says to numbered questions whose first choice is right: right ones first, then failures."""

    def say(question):
        number = int(question.id.rpartition("-")[2])
        if number < tied:
            return [-1.0, -1.0, -3.0, -4.0]
        if number < right:
            return 0
        return "connection refused" if number < right + failed else len(question.choices) - 1

    return say


def figures(verdict, key):
    """The counts behind a figure, by their labels."""
    return {
        count.label: getattr(count.value, "value", count.value)
        for figure in verdict.figures
        if figure.key == key
        for count in figure.counts
    }


PUBLISHED = [
    # b, c, McNemar p, D, lower bound, margin p, verdict, design effect that would overturn it
    (301, 218, 0.000311, -0.591, -0.912, 0.00640, Outcome.SHOWN, 1.66),
    (267, 187, 0.000202, -0.570, -0.870, 0.00266, Outcome.SHOWN, 2.10),
    (290, 287, 0.9337, -0.021, None, None, Outcome.SHOWN, None),
]


@pytest.fixture(scope="module")
def published(letter, rows):
    """The claim about 14,042 questions of 57 subjects with the published margin of one point."""
    counts = [247 if number < 20 else 246 for number in range(57)]
    assert sum(counts) == 14_042
    return letter([row for number, count in enumerate(counts) for row in rows(count, f"subject_{number:02}")])


@pytest.mark.parametrize(("b", "c", "p", "difference", "lower", "margin_p", "outcome", "design"), PUBLISHED)
def test_published_table_is_reproduced(
    published, answered, evidence, b, c, p, difference, lower, margin_p, outcome, design
):
    """Answers with the published counts give the published p, difference, bound and verdict."""
    places = {question.id: place for place, question in enumerate(published.questions.questions)}
    right = 10_000

    def original(question):
        return 0 if places[question.id] < right else 1

    def build(question):
        place = places[question.id]
        return 0 if b <= place < right or right <= place < right + c else 1

    verdict = published.decide(
        evidence("original", answered(published, original)), evidence("TWX", answered(published, build))
    )
    found = verdict.statistics
    assert (found["n"], found["b"], found["c"]) == (14_042, b, c)
    assert (found["right_original"], found["right_build"]) == (right, right - b + c)
    assert found["p_equality"] == pytest.approx(p, rel=0.005)
    assert found["difference"] * 100 == pytest.approx(difference, abs=0.0006)
    assert verdict.outcome is outcome
    if lower is not None:
        assert found["lower"] * 100 == pytest.approx(lower, abs=0.0006)
        assert found["p_margin"] == pytest.approx(margin_p, rel=0.005)
        assert figures(verdict, "difference")["design effect that would overturn the verdict"] == pytest.approx(
            design, abs=0.006
        )
        assert verdict.sentence == (
            f"TWX is {-difference:.2f} points below the original; at worst {-lower:.2f}; the mark is 1.00. "
            "Measurably worse, within the mark."
        )
    assert verdict.mark == "at most 1.00 points below the original"
    assert verdict.gates
    assert verdict.items_total == len(verdict.items) == b + c
    assert len(verdict.effects) == 58
    assert (verdict.effects[0].margin, verdict.effects[1].margin) == (1.0, None)


def test_every_planned_question_is_in_the_denominator(letter, rows, decide):
    """Of 100 asked, 80 right and 10 failed are 80 of 100, never 80 of 90, on either side."""
    claim = letter(rows(100), unscored_share=0.5, margin_points=20.0, lead_share=1.0)
    verdict = decide(claim, outcomes(80, failed=10), outcomes(80, failed=10))
    for key in ("original/right", "right"):
        counted = figures(verdict, key)
        assert (counted["right"], counted["of"], counted["without a score"]) == (80, 100, 10)
    assert verdict.statistics["n"] == 100
    assert (verdict.statistics["right_original"], verdict.statistics["right_build"]) == (80, 80)


def test_refused_connection_is_no_wrong_answer(letter, rows, answered):
    """Right, refused, right is two right, one without a score, and none wrong."""
    claim = letter(rows(3))
    said = {"anatomy-0": 0, "anatomy-1": "connection refused", "anatomy-2": 0}
    found = {each.request.key: each for each in answered(claim, lambda question: said[question.id])}
    scores = [claim.scoring.score(question, found) for question in claim.questions.questions]
    assert [isinstance(score, Unscored) for score in scores] == [False, True, False]
    assert scores[1].reason == "no connection: connection refused"


@pytest.mark.parametrize("side", ["original", "small"])
def test_question_without_a_score_counts_against_the_build(letter, rows, decide, side):
    """Ten failures on either side are ten questions right only for the original."""
    claim = letter(rows(100), unscored_share=0.1, margin_points=30.0, lead_share=1.0)
    sides = {"original": outcomes(80), "small": outcomes(80)}
    # the original fails where the build is wrong, the build where the original is right
    sides[side] = outcomes(80, failed=10) if side == "original" else outcomes(70, failed=10)
    verdict = decide(claim, sides["original"], sides["small"])
    assert (verdict.statistics["b"], verdict.statistics["c"]) == (10, 0)
    assert sum(item.direction == "without a score" for item in verdict.items) == 10


def test_registered_share_without_a_score_is_allowed(letter, rows, decide):
    """Exactly the registered share of questions may stay without a score."""
    claim = letter(rows(100), unscored_share=0.29, margin_points=40.0, lead_share=1.0)
    assert decide(claim, outcomes(70), outcomes(70, failed=29)).statistics["n"] == 100


def test_more_than_the_registered_share_without_a_score_is_invalid(letter, rows, decide):
    """One question more names the first, its side and the reason."""
    claim = letter(rows(100), unscored_share=0.29, margin_points=40.0, lead_share=1.0)
    with pytest.raises(InvalidClaim) as caught:
        decide(claim, outcomes(70), outcomes(70, failed=30))
    assert "30 of 100 questions have no score, more than the registered share of 29.00%" in str(caught.value)
    assert "(first: anatomy-70, build: no connection: connection refused); run again" in str(caught.value)


def test_nothing_asked_is_invalid(letter, rows, evidence):
    """Evidence without exchanges cannot be decided."""
    with pytest.raises(InvalidClaim, match="gave no tokens"):
        letter(rows(10)).decide(evidence("original"), evidence("small"))


def test_missing_question_is_named(letter, rows, answered, evidence):
    """A question that one side was never asked is without a score, and named."""
    claim = letter(rows(10))
    whole = answered(claim, outcomes(10))
    with pytest.raises(InvalidClaim, match=r"first: anatomy-9, build: was never asked"):
        claim.decide(evidence("original", whole), evidence("small", whole[:-1]))


def test_doubled_key_is_named(letter, rows, answered, evidence):
    """Two exchanges under one key are an error that names the question."""
    claim = letter(rows(10))
    whole = answered(claim, outcomes(10))
    with pytest.raises(PairingError, match=r"small: 1 request \(first: anatomy-9\) is answered twice"):
        claim.decide(evidence("original", whole), evidence("small", [*whole, whole[-1]]))


def test_other_tokens_read_is_a_pairing_error(letter, rows, answered, evidence):
    """One prompt that two tokenizers read differently is no pair, and named."""
    claim = letter(rows(10))
    whole = answered(claim, outcomes(10))
    other = answered(claim, outcomes(10))
    other[-1].answer["choices"][0]["prompt_token_ids"] = [1, 3]
    with pytest.raises(PairingError, match=r"1 requests differ .* \(first: anatomy-9\): another tokenizer"):
        claim.decide(evidence("original", whole), evidence("small", other))


def test_other_letter_ids_are_a_pairing_error(letter, rows, answered, evidence, tokenizer):
    """A build whose letters have other ids was asked something else."""
    claim = letter(rows(10))
    shifted = tokenizer()
    shifted("a token before all others")
    sides = [
        evidence("original", answered(claim, outcomes(10))),
        evidence("small", answered(claim, outcomes(10), shifted)),
    ]
    with pytest.raises(PairingError, match="another tokenizer"):
        claim.decide(*sides)


def test_answers_to_other_questions_under_the_same_ids_are_no_evidence(letter, rows, answered, evidence):
    """Even where both sides hold them, answers to what is not planned do not decide it."""
    before = letter([{**row, "question": "Old?"} for row in rows(10)])
    sides = [evidence(name, answered(before, outcomes(10))) for name in ("original", "small")]
    with pytest.raises(PairingError, match=r"original: 15 requests \(first: .*\) are not as planned"):
        letter(rows(10)).decide(*sides)


def test_ties_against_the_build_flip_a_verdict(letter, rows, decide):
    """Where only ties carry it, a comparison that would be shown is not, and the sentence says why."""
    claim = letter(rows(1000), margin_points=3.0, lead_share=0.5)
    verdict = decide(claim, outcomes(800), outcomes(800, tied=40))
    assert verdict.statistics["difference"] == 0
    assert verdict.outcome is Outcome.NOT_SHOWN
    assert verdict.sentence == (
        "small is 0.00 points from the original, but 40 questions are tied. With every tie given against the build "
        "the loss could be as large as 5.40 points; the mark is 3.00."
    )
    counted = figures(verdict, "difference")
    assert counted["questions with a tie at the top"] == 40
    assert counted["verdict with every tie given against the build"] == "not shown"


def test_ties_that_do_not_matter_are_counted(letter, rows, decide):
    """A few ties, on either side, leave the verdict and are printed."""
    claim = letter(rows(1000), margin_points=3.0, lead_share=0.5)
    verdict = decide(claim, outcomes(800, tied=2), outcomes(800, tied=1))
    assert verdict.outcome is Outcome.SHOWN
    assert verdict.statistics["ties"] == 2
    assert verdict.statistics["outcome_with_ties_against"] == "shown"


def test_original_gains_from_its_ties_only_when_they_hold_the_answer(letter, rows, decide):
    """Given against the build, a tie of the original counts as right where the right answer is among the tied."""
    claim = letter(rows(1000), margin_points=3.0, lead_share=0.5)

    def wrong_first(place):
        def say(question):
            if int(question.id.rpartition("-")[2]) < 960:
                return 0
            return [-2.0, -1.0, -1.0, -3.0] if place is None else [-1.5, -9.0, -1.5, -9.0]

        return say

    def swapped(question):
        return 0 if int(question.id.rpartition("-")[2]) < 960 else 3

    assert decide(claim, wrong_first(None), swapped).outcome is Outcome.SHOWN
    first = decide(claim, wrong_first(0), swapped)
    assert first.statistics["b"] == 40


def test_original_at_chance_makes_the_claim_invalid(letter, rows, decide):
    """A test that the original cannot pass cannot show that nothing was lost."""
    with pytest.raises(InvalidClaim) as caught:
        decide(letter(rows(1000)), outcomes(260), outcomes(260))
    assert "assay sensitivity: the original is at chance (26.00% right, chance 25.00%)" in str(caught.value)
    assert caught.value.measured.statistics["right_original"] == 260
    with pytest.raises(InvalidClaim, match="the original is too close to chance"):
        decide(letter(rows(1000)), outcomes(400), outcomes(400))


@pytest.mark.parametrize(
    ("choices", "margin", "share", "right"),
    [(4, 1.0, 0.05, 450), (4, 5.0, 0.1, 750), (4, 3.0, 0.1, 550), (5, 4.2, 0.1, 620), (3, 2.0, 0.03, 1000)],
)
def test_lead_over_chance_may_be_just_enough(letter, rows, decide, choices, margin, share, right):
    """A margin of exactly the registered share of the lead passes, and one question less does not."""
    claim = letter(rows(1000, choices=choices), margin_points=margin, lead_share=share)
    assert decide(claim, outcomes(right), outcomes(right)).outcome is Outcome.SHOWN
    if right < 1000:
        with pytest.raises(InvalidClaim, match="assay sensitivity"):
            decide(claim, outcomes(right - 1), outcomes(right - 1))


def test_questions_without_a_score_give_the_original_no_lead(letter, rows, decide):
    """What the original did not answer counts as right for the decision and not for what it knows."""
    claim = letter(rows(1000), unscored_share=0.5)
    with pytest.raises(InvalidClaim, match=r"26\.00% right"):
        decide(claim, outcomes(260, failed=300), outcomes(260))


def test_chance_follows_the_number_of_choices(letter, rows, decide):
    """Two choices put chance at half."""
    with pytest.raises(InvalidClaim, match=r"chance 50\.00%"):
        decide(letter(rows(100, choices=2), margin_points=3.0), lambda _: 0, lambda _: 0)


def test_partial_run_at_chance_is_reported(letter, rows, decide):
    """A partial run is never an error for a weak original: it is reported, gates nothing, and says so."""
    claim = letter(rows(400), scope=Scope(questions_per_group=300))
    verdict = decide(claim, outcomes(75), outcomes(70))
    assert verdict.statistics["n"] == 300
    assert (verdict.outcome, verdict.labels, verdict.gates) == (Outcome.REPORTED, ("uninformative",), False)
    assert verdict.sentence == (
        "small is 1.67 points below the original, which is too close to chance for that to mean anything."
    )
    assert verdict.reasons[0].startswith("assay sensitivity")
    assert verdict.passes


def test_identical_outcomes_warn(letter, rows, decide):
    """Two sides that never differ may be one model asked twice, and the verdict says so."""
    claim = letter(rows(1000), margin_points=1.0)
    verdict = decide(claim, outcomes(800), outcomes(800))
    assert verdict.outcome is Outcome.SHOWN
    assert verdict.warnings == (IDENTICAL_OUTCOMES,)
    assert verdict.items == ()


def test_verdict_without_room_is_failed(letter, rows, decide):
    """A loss well beyond the margin is worse than the mark."""
    verdict = decide(letter(rows(1000)), outcomes(800), outcomes(600))
    assert verdict.outcome is Outcome.FAILED
    assert verdict.sentence.endswith("Worse than the mark.")
    assert not verdict.passes


def test_flipped_questions_can_be_read(letter, rows, decide):
    """Every question that only one side has right is listed with its prompt, answers and values."""
    claim = letter(rows(100), lead_share=1.0)
    verdict = decide(claim, outcomes(80), outcomes(78))
    assert [item.id for item in verdict.items] == ["questions-anatomy-78", "questions-anatomy-79"]
    body = {count.label: count.value for count in verdict.items[0].body}
    assert body["prompt"].endswith("Answer:")
    assert body["the original's answer"] == "A. choice 78 0"
    assert body["the build's answer"] == "D. choice 78 3"
    assert body["A. choice 78 0"] == "original -0.5000, build -2.0000 nats"


def test_unequal_serving_is_invalid(letter, rows, answered, evidence):
    """Two builds that were not served the same way are not compared."""
    claim = letter(rows(10))
    whole = answered(claim, outcomes(10))
    with pytest.raises(InvalidClaim, match="not served the same way"):
        claim.decide(evidence("original", whole), evidence("small", whole, identity={"machine": {"cores": 4}}))


def test_specification_changes_with_everything_that_decides(letter, rows):
    """Each registered setting and each question shows in what is registered."""
    usual = letter(rows(3)).specification()
    changes = [
        {"margin_points": 1.00001},
        {"alpha": 0.05},
        {"unscored_share": 0.0001},
        {"lead_share": 0.06},
        {"title": "Others"},
    ]
    others = [letter(rows(3), **change).specification() for change in changes]
    others += [
        letter(rows(4)).specification(),
        letter([{**row, "question": "New?"} for row in rows(3)]).specification(),
    ]
    assert all(other != usual for other in others)
    assert letter(rows(3)).specification() == usual


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"margin_points": 0}, "claims.multiple_choice.margin_points"),
        ({"margin_points": "1"}, "claims.multiple_choice.margin_points"),
        ({"margin_points": float("inf")}, "claims.multiple_choice.margin_points"),
        ({"margin_points": float("nan")}, "claims.multiple_choice.margin_points"),
        ({"alpha": 0.5}, "claims.multiple_choice.alpha"),
        ({"scoring": "guess"}, "claims.multiple_choice.scoring"),
        ({"short": "A b"}, "claims.multiple_choice.short"),
        ({"lead_share": 0}, "claims.multiple_choice.lead_share"),
        ({"unscored_share": 1}, "claims.multiple_choice.unscored_share"),
        ({"title": 3}, "claims.multiple_choice.title"),
        ({"seeds": 3}, "claims.multiple_choice.seeds: no such field"),
    ],
)
def test_wrong_settings_are_named(letter, rows, change, told):
    """A setting of the wrong type or outside its range is told with the file and the field."""
    with pytest.raises(SuiteError) as caught:
        letter(rows(1), **change)
    assert f"suite.toml: {told}" in str(caught.value)


def test_questions_of_the_command_line_replace_the_suites(claim, rows):
    """Other questions have another title and make the run partial."""
    made = claim(
        "multiple_choice",
        {
            "title": "Own",
            "short": "own",
            "source": "own",
            "scoring": "continuation",
            "margin_points": 1,
            "lead_share": 1,
        },
        rows(2),
        scope=Scope(questions="cais/mmlu:all"),
    )
    assert (made.title, made.partial) == ("Multiple-choice questions", "questions from mmlu:all")


def test_answers_of_another_claim_are_not_read(letter, rows, answered, evidence):
    """Evidence of other claims beside this one's changes nothing."""
    claim = letter(rows(100), lead_share=1.0)
    side = evidence("original", answered(claim, outcomes(80)))
    more = replace(side, exchanges={**side.exchanges, "other": side.exchanges["multiple_choice"]})
    assert claim.decide(more, more).statistics["n"] == 100


def test_scores_that_are_alike_to_the_last_digit_are_labelled(letter, rows, decide):
    """Another model's numbers never agree everywhere: then one may have answered for both. Few say nothing."""
    claim = letter(rows(40))
    assert ALIKE in decide(claim, lambda _: 0, lambda _: 0).labels
    assert ALIKE not in decide(claim, lambda _: 0, lambda question: int(question.id.endswith("-7"))).labels
    assert ALIKE not in decide(letter(rows(8), margin_points=70.0, lead_share=1.0), lambda _: 0, lambda _: 0).labels


def test_a_lax_error_rate_stands_in_the_mark(letter, rows):
    """A reader of the mark is told where it is decided at more than the usual rate."""
    assert letter(rows(40)).mark("small") == "at most 1.00 points below the original"
    lax = letter(rows(40), alpha=0.49).mark("small")
    assert lax == "at most 1.00 points below the original (at a one-sided error rate of 0.49)"
