import json
from dataclasses import replace

import pytest

from fake_facts import LOST, REPORTED, SETTINGS, Towns, chat, labelled, towns, truth
from twx_accept.claims import made_up_facts
from twx_accept.claims.made_up_facts.settings import CLAIM
from twx_accept.domain.scope import Scope
from twx_accept.domain.verdict import Outcome
from twx_accept.errors import DatasetError, InvalidClaim


def saying(*, false=0, perhaps=0, leaving=0, of=1):
    """A build that writes the truth, and in every ``of``-th passage puts other facts in the place of some."""

    def say(place, row):
        lines = truth(row)
        if place % of:
            return lines
        name = row["text"].split()[0]
        made = [f"The lamp {n} of {name} is out." for n in range(false)]
        made += [f"The lamp {n} of {name} is perhaps out." for n in range(perhaps)]
        return [*made, *lines[len(made) + leaving :]]

    return say


@pytest.fixture(scope="session")
def judged(facts, writing):
    """Decides what the claim says of a build and an original that write so; changes are the claim's settings."""

    def decide(original, build, *, spoilt=(), scope=None, **changes):
        claim = facts(scope=scope, **changes)
        left, right = writing(claim, "original", original), writing(claim, "small", build)
        return claim.decide(left, replace(right, spoilt={CLAIM: frozenset(spoilt)} if spoilt else {}))

    return decide


TRUE = saying()


def test_a_build_that_makes_up_nothing_more_is_shown(judged):
    """Both gates hold; the sentence says rates, bounds and marks, and that it is measurably worse."""
    verdict = judged(TRUE, saying(false=1, of=6))
    assert (verdict.outcome, verdict.gates, verdict.passes) == (Outcome.SHOWN, True, True)
    assert verdict.sentence == (
        "small makes up 3.33% of its facts, the original 0.00%: 3.33 points more, at worst 14.95 more; the mark is "
        "20.00. It recalls 96.67% of the planted facts, the original 100.00%: 3.33 points fewer, at worst 14.95 fewer; "
        "the mark is 20.00. Within the marks."
    )


@pytest.mark.parametrize(
    ("build", "outcome", "said"),
    [
        (saying(false=5), Outcome.FAILED, "Worse than the marks of made-up facts and of recall."),
        (saying(leaving=4), Outcome.FAILED, "Worse than the mark of recall."),
        (saying(false=5, of=4), Outcome.NOT_SHOWN, "This set cannot resolve the marks of made-up facts and of recall."),
        (lambda *_: "", Outcome.FAILED, "wrote no fact"),
        (lambda *_: "I'm sorry, but I cannot help with that.", Outcome.FAILED, "Worse than the mark of recall."),
        (lambda *_: chat("One fact.", finish="length"), Outcome.FAILED, "makes up 100.00% of its facts"),
        (lambda _, row: [*truth(row), *(f"Lamp {n} of it is out." for n in range(40))], Outcome.FAILED, "88.89%"),
    ],
)
def test_a_build_that_loses_is_not_shown(judged, build, outcome, said):
    """Made-up facts, silence, refusals and endless answers: none of them passes."""
    verdict = judged(TRUE, build)
    assert (verdict.outcome, verdict.passes) == (outcome, False)
    assert said in verdict.sentence


def test_undecided_facts_decide_only_both_ways(judged):
    """Shown with them as supported and not with them as made up is not shown, and the sentence says why."""
    verdict = judged(TRUE, saying(perhaps=2), undecided_share=0.5, recall_margin_points=50.0)
    assert verdict.statistics["outcome"] == "failed"
    assert verdict.statistics["outcome_undecided_as_supported"] == "shown"
    assert verdict.outcome is Outcome.NOT_SHOWN
    assert "with undecided facts taken as made up it is failed, with them taken as supported shown" in verdict.sentence


@pytest.mark.parametrize(("share", "decided"), [(0.05, True), (0.0499, False)])
def test_too_much_undecided_is_invalid(judged, share, decided):
    """At most the registered share of a side's facts may be undecided: 12 of 240 are exactly 5%."""
    some = saying(perhaps=1, of=4)
    if decided:
        assert judged(TRUE, some, undecided_share=share).outcome is Outcome.SHOWN
        assert judged(some, TRUE, undecided_share=share).outcome is Outcome.SHOWN
    else:
        for sides, who in (((TRUE, some), "build"), ((some, TRUE), "original")):
            with pytest.raises(InvalidClaim, match=rf"12 of the {who}'s 240 facts undecided"):
                judged(*sides, undecided_share=share)


@pytest.mark.parametrize(("share", "decided"), [(0.05, True), (0.04, False)])
def test_too_many_passages_without_an_answer_are_invalid(judged, share, decided):
    """2 of 48 passages are 4.17%."""

    def lost(place, row):
        return LOST if place in (3, 9) else truth(row)

    if decided:
        verdict = judged(TRUE, lost, unscored_share=share)
        assert (verdict.outcome, verdict.statistics["missing_build"]) == (Outcome.SHOWN, 2)
    else:
        with pytest.raises(InvalidClaim, match=r"2 of 48 passages have no answer.*first: t03, build: no connection"):
            judged(TRUE, lost, unscored_share=share)


def test_nothing_answered_is_invalid_even_where_nothing_gates(judged):
    """Could not check is not checked."""
    with pytest.raises(InvalidClaim, match="48 of 48"):
        judged(TRUE, lambda *_: LOST, settings=REPORTED)


@pytest.mark.parametrize(
    ("original", "changes", "why"),
    [
        (saying(leaving=3), {}, "recalls 40.00% of the planted facts, less than its registered floor of 50.00%"),
        (saying(false=3), {"recall_floor": 0.01}, "makes up 60.00% of its facts, more than the registered 50.00%"),
        (lambda *_: "", {}, "the original wrote no fact"),
        (lambda *_: "I cannot help with that.", {}, "the original wrote no fact"),
    ],
)
def test_an_original_that_cannot_do_it_shows_nothing(judged, original, changes, why):
    """Invalid where something gates; reported as uninformative where nothing does, or in a partial run."""
    with pytest.raises(InvalidClaim, match=f"assay sensitivity: .*{why}"):
        judged(original, TRUE, **changes)
    reported = {**REPORTED, "recall_floor": 0.5, **changes}
    for verdict in (
        judged(original, TRUE, settings=reported),
        judged(original, TRUE, scope=Scope(questions_per_group=24), **changes),
    ):
        assert (verdict.outcome, verdict.gates, verdict.labels) == (Outcome.REPORTED, False, ("uninformative",))
        assert why in verdict.reasons[0]
        assert verdict.passes


def test_the_floor_itself_is_enough(judged):
    """An original that recalls exactly the registered share is strong enough."""
    assert judged(saying(leaving=1), TRUE, recall_floor=0.8).outcome is Outcome.SHOWN


def test_without_marks_everything_is_reported(judged):
    """Rates, recall and their differences are there; nothing gates."""
    verdict = judged(TRUE, saying(false=1), settings=REPORTED)
    assert (verdict.outcome, verdict.gates, verdict.labels, verdict.mark) == (Outcome.REPORTED, False, (), "")
    assert verdict.sentence == (
        "small makes up 20.00% of its facts, the original 0.00%: 20.00 points more. It recalls 80.00% of the planted "
        "facts, the original 100.00%: 20.00 points fewer. No mark is registered."
    )
    assert verdict.statistics["difference"] == pytest.approx(0.2)
    assert "margin" not in verdict.statistics
    assert all(effect.margin is None for effect in verdict.effects)


def test_without_planted_facts_recall_is_not_measured(facts, writing):
    """The rate stands alone and says so."""
    rows = towns(8, planted=False)
    claim = facts(rows, settings=REPORTED)
    sides = [writing(claim, who, lambda _, row: row["text"].split(". "), rows) for who in ("original", "small")]
    verdict = claim.decide(*sides)
    assert {f.value for f in verdict.figures if "recall" in f.key} == {"not measured"}
    assert "recalls" not in verdict.sentence


def test_the_margin_is_worth_what_the_matcher_is(judged):
    """Sensitivity 14/16 and specificity 12/16 leave 62.5% of every registered point."""
    verdict = judged(TRUE, TRUE, labels=[*_labels(true_right=12, false_right=14)])
    assert verdict.statistics["sensitivity"] == 14 / 16
    assert verdict.statistics["specificity"] == 12 / 16
    assert verdict.statistics["margin"] == pytest.approx(0.20 * 0.625)
    assert verdict.statistics["margin_recall"] == pytest.approx(0.20 * 0.625)
    assert "the mark is 12.50" in verdict.sentence
    fold = next(fold for fold in verdict.folds if "own error" in fold.title)
    assert [row[:2] for row in fold.rows[:2]] == [("unsupported", "all"), ("supported", "all")]


def _labels(*, true_right, false_right, undecided=0):
    """Sixteen true facts and sixteen false ones, of which the matcher gets so many right."""
    rows = towns(8)
    for n in range(16):
        turn, row = n // 8, rows[n % 8]
        said, other = truth(row)[turn], f"The moon {turn} is green."
        wrong = f"It is perhaps so {turn}." if n < undecided else None
        true = said if n < true_right else wrong or other
        false = other if n < false_right else wrong or said
        for label, fact in (("supported", true), ("unsupported", false)):
            yield {"id": f"{label}{n}", "passage": row["id"], "fact": fact, "label": label, "kind": "any"}


def test_what_the_matcher_leaves_undecided_counts_against_it(judged):
    """Neither right about a true fact nor about a false one."""
    verdict = judged(TRUE, TRUE, labels=[*_labels(true_right=15, false_right=15, undecided=16)])
    assert verdict.statistics["margin_factor"] == pytest.approx(0.875)


@pytest.mark.parametrize(("true_right", "false_right"), [(8, 8), (0, 16), (4, 4)])
def test_a_matcher_that_guesses_leaves_no_margin(judged, true_right, false_right):
    """No margin, no claim; where nothing gates the error is printed."""
    labels = [*_labels(true_right=true_right, false_right=false_right)]
    with pytest.raises(InvalidClaim, match="the matcher cannot tell true facts from false ones"):
        judged(TRUE, TRUE, labels=labels)
    settings = {**REPORTED, "labelled": "labelled"}
    assert judged(TRUE, TRUE, labels=labels, settings=settings).outcome is Outcome.REPORTED


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"passage": "nowhere"}, "passage is 'nowhere'"),
        ({"label": "maybe"}, "label is 'maybe'"),
        ({"label": None}, "label is None"),
        ({"fact": 5}, "fact is 5"),
        ({"kind": 5}, "kind is 5"),
    ],
)
def test_labels_that_cannot_be_are_told(facts, row, problem):
    """A labelled fact that is malformed is named with its row."""
    rows = labelled(towns(8))
    with pytest.raises(DatasetError, match=problem):
        facts(labels=[*rows[:3], rows[3] | row, *rows[4:]])


@pytest.mark.parametrize("changed", [str, str.upper, lambda fact: f"  {fact.replace(' ', '  ')} "])
def test_a_labelled_fact_counts_once(facts, changed):
    """An easy fact that stands many times would make any matcher look good; what it says is not told."""
    rows = labelled(towns(8))
    with pytest.raises(DatasetError, match="counts twice in the matcher's error") as caught:
        facts(labels=[*rows, rows[0] | {"id": "again", "fact": changed(rows[0]["fact"])}])
    assert rows[0]["fact"] not in str(caught.value)


@pytest.mark.parametrize("label", ["supported", "unsupported"])
def test_the_matchers_error_needs_true_and_false_facts(facts, label):
    """With one of them alone nothing is known of the other error."""
    with pytest.raises(DatasetError, match="needs both"):
        facts(labels=[row for row in labelled(towns(8)) if row["label"] == label])


def test_passages_asked_before_the_registration_must_not_decide(judged):
    """Shown only thanks to them is not shown; shown without them too is shown with a warning."""
    names = [row["id"] for row in towns()]
    shown = judged(TRUE, TRUE, spoilt=names[:2])
    assert shown.outcome is Outcome.SHOWN
    assert "2 of 48 passages were asked in a partial run before the registration; without them it is shown" in str(
        shown.warnings
    )
    for spoilt in (names[:44], names):
        verdict = judged(TRUE, TRUE, spoilt=spoilt)
        assert verdict.outcome is Outcome.NOT_SHOWN
        assert "without them it is not shown" in verdict.sentence


def test_builds_that_were_served_otherwise_are_not_compared(facts, writing, evidence):
    """Another engine is another experiment."""
    claim = facts()
    original, build = writing(claim, "original", TRUE), writing(claim, "small", TRUE)
    other = replace(build, identity=evidence("small", identity={"engine": {"vllm": "0.1"}}).identity)
    with pytest.raises(InvalidClaim, match="not served the same way"):
        claim.decide(original, other)


def test_only_unreadable_answers_are_asked_again(facts, writing):
    """What holds a text stays, however bad; a judge's words are not asked again."""
    claim = facts()

    def say(place, row):
        return {0: chat(7), 1: chat(""), 2: chat("x", finish="length"), 3: LOST, 4: {}}.get(place, truth(row))

    exchanges = writing(claim, "small", say).exchanges[CLAIM]
    assert [key.item for key in claim.unusable(exchanges)] == ["t00", "t04"]
    assert claim.follow_up(exchanges) == ()
    assert claim.appeals(exchanges) == ()


def test_the_views_hold_every_figure_and_can_be_kept(judged):
    """One headline, both sides of each figure, effects drawn so that left is worse, and nothing that JSON refuses."""
    verdict = judged(TRUE, saying(false=2, of=2), margin_points=50.0, recall_margin_points=50.0)
    keys = [figure.key for figure in verdict.figures]
    assert [figure.key for figure in verdict.figures if figure.headline] == ["difference"]
    assert {key for key in keys if key.startswith("original/")} == {
        f"original/{key}" for key in ("made_up", "recall", "facts_per_passage", "made_up_per_passage")
    }
    rate, recall = verdict.effects
    assert rate.difference == pytest.approx(-20.0)
    assert recall.difference == pytest.approx(-20.0)
    assert rate.lower < rate.difference < rate.upper
    labels = {count.label for figure in verdict.figures for count in figure.counts}
    assert {"published test, facts as independent: p (Fisher, exact, two-sided)", "duplicates left out"} <= labels
    json.dumps(dict(verdict.statistics), allow_nan=False)
    assert verdict.statistics["p_independent"] < 1e-6


def test_a_control_is_drawn_apart(facts, writing):
    """Its difference would squeeze the others together."""
    claim = facts()
    control = replace(writing(claim, "damaged", saying(false=5)), control=True)
    verdict = claim.decide(writing(claim, "original", TRUE), control)
    assert {effect.chart for effect in verdict.effects} == {"made_up_facts, control", "made_up_facts, recall, control"}


def test_the_facts_that_a_sceptic_reads(judged):
    """Made up by either side, undecided, cut short: each with its passage, the reason and the sentence."""

    def build(place, row):
        if place == 1:
            return chat("\n".join(truth(row)), finish="length")
        return saying(false=1, of=6)(place, row)

    verdict = judged(saying(false=1, perhaps=1, of=8), build, undecided_share=0.5)
    directions = [item.direction for item in verdict.items]
    assert directions.count("made up by the build") == 8
    assert directions.count("made up by the original") == 6
    assert directions.count("undecided") == 6
    assert directions.count("cut short") == 1
    assert verdict.items_total == len(verdict.items) == 21
    first = verdict.items[0]
    assert (first.id, first.group, first.title) == ("facts-t00-b1", "gazetteer", "The lamp 0 of Brenlow is out.")
    assert [count.label for count in first.body] == ["fact", "written by", "why", "nearest sentence", "passage t00"]
    assert len({item.id for item in verdict.items}) == len(verdict.items)


def test_many_items_leave_room_for_each_direction(judged):
    """A build that makes up everything does not hide what is undecided."""

    def build(_, row):
        return [f"The lamp {n} of {row['id']} is {'perhaps ' * (n % 10 == 0)}out." for n in range(40)]

    verdict = judged(saying(false=1), build, undecided_share=0.5)
    directions = [item.direction for item in verdict.items]
    assert len(directions) == 300
    assert verdict.items_total == 48 * 40 + 48
    assert directions.count("undecided") >= 40
    assert directions.count("made up by the original") >= 40


def test_make_takes_the_projects_own_matcher(suite_of):
    """What a suite makes is decided by the matcher of this project."""
    claim = made_up_facts.make(suite_of({CLAIM: SETTINGS}), Towns(towns(2)), Scope())
    assert claim.name == CLAIM


def test_a_measurable_gain_is_said(judged):
    """Within the marks is not all there is to say of a build that makes up a fifth less."""
    verdict = judged(saying(false=1), TRUE)
    assert verdict.sentence.endswith(
        "Measurably better in made-up facts, measurably better in recall, within the marks."
    )
    assert "20.00 points fewer, at worst 8.39 fewer" in verdict.sentence
    assert "20.00 points more, at worst 8.39 more" in verdict.sentence


@pytest.mark.parametrize("build", [saying(), saying(false=5), saying(false=2, of=2), saying(perhaps=1), lambda *_: ""])
@pytest.mark.parametrize("settings", [SETTINGS, REPORTED])
def test_no_verdict_promises_equality(judged, build, settings):
    """Neither the sentence nor any title says that there is no difference."""
    verdict = judged(TRUE, build, settings={**settings, "undecided_share": 0.9})
    told = [verdict.sentence, *(figure.label for figure in verdict.figures), *(each.title for each in verdict.effects)]
    told += [count.label for figure in verdict.figures for count in figure.counts]
    said = " ".join(told).casefold()
    assert not [word for word in ("no difference", "level", "the same", "equivalent") if word in said]


def test_the_design_effect_is_told(judged):
    """Facts that are made up together, passage by passage, say less than their number."""
    together = judged(TRUE, saying(false=5, of=6), settings=REPORTED).statistics["design_effect"]
    apart = judged(TRUE, saying(false=1), settings=REPORTED).statistics["design_effect"]
    assert together > 4.0 > 1.0 > apart
    assert "design_effect" not in judged(TRUE, TRUE, settings=REPORTED).statistics


def test_twins_have_no_interval_to_believe(judged):
    """Where no passage differs from another nothing is estimated: without a margin's floor the report says so."""
    verdict = judged(TRUE, TRUE, settings=REPORTED)
    assert any("no variation between clusters" in warning for warning in verdict.warnings)
    figure = next(figure for figure in verdict.figures if figure.key == "made_up")
    assert {count.label: count.value for count in figure.counts}["interval"].startswith("none")
    assert judged(TRUE, TRUE).warnings == ()
