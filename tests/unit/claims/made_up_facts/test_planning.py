import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_facts import LOST, REPORTED, towns, truth
from twx_accept.claims.made_up_facts.planning import SEEN, UNKNOWN, power
from twx_accept.domain.prospect import Assumption


def some(place, row):
    """Here and there a made-up fact."""
    return [*truth(row)[place % 5 == 0 :], *["The lamp is out."] * (place % 5 == 0)]


def true(_, row):
    """All planted facts."""
    return truth(row)


def test_without_evidence_no_power_is_stated(facts):
    """How much passages differ is not known before they are read, and the plan says so."""
    found = facts().prospect("small", None)
    assert (found.planned_n, found.power, found.needed, found.requests) == (48, None, None, 48)
    assert found.warnings == (UNKNOWN,)
    assert found.prompt_characters > 48 * 100


def test_what_is_assumed_of_single_answers_is_not_used(facts):
    """A share of answers that flip says nothing of passages."""
    given = Assumption(discordance=0.03, loss=0.005, source="given")
    assert facts().prospect("small", given).power is None


def test_the_spread_that_was_seen_gives_power(facts, writing):
    """From passages that both sides have read, whole runs or parts of one."""
    claim = facts()
    assumed = claim.assume(writing(claim, "original", true), writing(claim, "small", some))
    assert "48 passages" in assumed.source
    assert assumed.loss == pytest.approx(10 / 240)
    found = claim.prospect("small", assumed)
    assert 0.5 < found.power < 1.0
    assert found.needed is not None
    assert found.resolvable is not None
    assert any("recall must be shown too" in warning for warning in found.warnings)


def test_few_passages_say_nothing(facts, writing):
    """Ten passages that both have read are too few to plan with."""
    claim = facts()

    def few(place, row):
        return truth(row) if place < 10 else LOST

    assert claim.assume(writing(claim, "original", few), writing(claim, "small", some)) is None


@pytest.mark.parametrize(("passages", "warned"), [(360, False), (200, False), (150, True)])
def test_a_mark_that_no_build_can_meet_is_told(facts, passages, warned):
    """The error of a rate is not believed below that of the mark: 2 points need about 190 passages."""
    many = enumerate((towns() * 8)[:passages])
    rows = [row | {"id": f"{row['id']}-{at}", "text": f"{row['text']} So ends {at}."} for at, row in many]
    found = facts(rows, margin_points=2.0).prospect("small", None)
    assert any("passages cannot show 2.00 points of made-up facts" in each for each in found.warnings) is warned


def test_without_a_mark_nothing_is_planned(facts):
    """What gates nothing needs no power."""
    found = facts(settings=REPORTED).prospect("small", None)
    assert found.power is None
    assert "no mark is registered" in found.warnings[0]


def test_one_point_cannot_be_resolved_with_360_passages_and_two_can():
    """What the claim's registered plan rests on."""
    assert power(360, 0.0, 0.0, 0.01, 0.025) == 0.0
    assert power(360, 0.0, 0.0, 0.02, 0.025) == 1.0
    assert power(720, 0.0, 0.0, 0.015, 0.025) == 1.0


@given(
    st.integers(2, 2000),
    st.floats(0.0001, 0.5),
    st.floats(-0.1, 0.1),
    st.floats(0.005, 0.3),
)
def test_power_is_a_chance_that_falls_with_the_loss(n, variance, loss, margin):
    """It lies between 0 and 1, and a larger loss is never easier to show."""
    at, worse = (power(n, variance, each, margin, 0.025) for each in (loss, loss + 0.01))
    assert 0.0 <= worse <= at <= 1.0
    if loss >= margin:
        assert at <= 0.026 or n < 30


def test_a_loss_of_the_margin_cannot_be_shown(facts):
    """What is expected to be too much is told, and no number of passages helps."""
    seen = Assumption(discordance=0.01, loss=0.25, source=f"{SEEN} 48 passages")
    found = facts().prospect("small", seen)
    assert found.power < 0.025
    assert found.needed is None
    assert any("no number of passages can show it" in each for each in found.warnings)


def test_a_spread_that_is_too_large_asks_for_more_passages(facts):
    """The plan says how many would do."""
    seen = Assumption(discordance=1.0, loss=0.05, source=f"{SEEN} 48 passages")
    found = facts().prospect("small", seen)
    assert found.power < 0.9
    assert power(found.needed, 1.0, 0.05, 0.2, 0.025) >= 0.9 > power(found.needed - 1, 1.0, 0.05, 0.2, 0.025)
    assert any(f"{found.needed:,} passages would reach 90%" in each for each in found.warnings)


def test_what_the_matcher_leaves_of_a_point_is_told(facts):
    """A matcher that errs makes each mark harder, recall's too."""
    rows, other = towns(8), "The moon is green."
    told = [(row["id"], truth(row)[0], "supported") for row in rows[:6]]
    told += [(row["id"], other, "supported") for row in rows[:4]] + [(rows[0]["id"], other, "unsupported")]
    labels = [
        {"id": f"{n}", "passage": passage, "fact": text, "label": label, "kind": "any"}
        for n, (passage, text, label) in enumerate(told)
    ]
    found = facts(labels=labels, margin_points=20.0, recall_margin_points=10.0).prospect("small", None)
    assert found.warnings[0] == "the matcher's own error leaves 0.60 of each registered point"
    assert "48 passages cannot show 6.00 points of recall" in found.warnings[1]


def test_a_matcher_that_guesses_is_told_in_the_plan(facts):
    """Before anything boots, not after."""
    rows = [("The moon is green.", "supported"), ("The moon is green.", "unsupported")]
    labels = [
        {"id": f"{n}", "passage": "t00", "fact": text, "label": label, "kind": "any"}
        for n, (text, label) in enumerate(rows)
    ]
    assert "cannot tell true facts from false ones" in facts(labels=labels).prospect("small", None).warnings[0]
