"""Two builds against each other in what they make up and recall."""

from dataclasses import replace

import pytest

from fake_facts import REPORTED, towns, truth
from twx_accept.domain.verdict import Unit


def true(_, row):
    """All planted facts."""
    return truth(row)


def worse(_, row):
    """One planted fact exchanged for a made-up one."""
    return ["The lamp is out.", *truth(row)[1:]]


@pytest.fixture(scope="session")
def between(facts, writing):
    """The contrasts of two builds that write so."""

    def make(one, other, rows=None, **changes):
        claim = facts(rows, **changes)
        return claim.between(
            writing(claim, "one", one, rows), writing(claim, "one", one, rows), writing(claim, "other", other, rows)
        )

    return make


def test_two_builds_are_compared_in_both_figures(between):
    """The other minus the one, in points, with the counts behind it."""
    rate, recall = between(true, worse)
    assert (rate.figure, recall.figure) == ("share made up", "planted facts recalled")
    assert (rate.one, rate.other, rate.unit) == ("one", "other", Unit.POINTS)
    assert rate.difference == pytest.approx(20.0)
    assert recall.difference == pytest.approx(-20.0)
    assert rate.lower <= rate.difference <= rate.upper
    assert (rate.margin, rate.p_equivalence) == (None, None)
    assert [count.value.value for count in rate.counts] == [0, 240, 48, 240]


def test_equivalence_takes_a_registered_margin_and_both_directions(between):
    """The larger of the two one-sided p-values: small for twins, large for builds that differ either way."""
    marks = {"equivalence_points": 20.0, "recall_equivalence_points": 20.0}
    for each in between(true, true, **marks):
        assert each.margin == pytest.approx(20.0)
        assert each.p_equivalence < 0.025
    for sides in ((true, worse), (worse, true)):
        assert all(each.p_equivalence > 0.4 for each in between(*sides, **marks))


def test_undecided_facts_count_both_ways(between):
    """Twins but for what the matcher leaves open are not shown to be alike."""

    def open_ones(_, row):
        return [*truth(row), f"{row['text'].split()[0]} is perhaps old."]

    rate = between(true, open_ones, equivalence_points=10.0)[0]
    assert rate.p_equivalence > 0.5


def test_the_margin_is_worth_what_the_matcher_is(between):
    """A matcher that errs makes the margin of equivalence smaller too."""
    labels = [
        {"id": f"{n}", "passage": "t00", "fact": fact, "label": label, "kind": "any"}
        for n, (fact, label) in enumerate(
            [(truth(towns(1)[0])[0], "supported"), ("Not so.", "supported"), ("No.", "unsupported")]
        )
    ]
    settings = {**REPORTED, "labelled": "labelled", "equivalence_points": 20.0}
    assert between(true, true, settings=settings, labels=labels)[0].margin == pytest.approx(10.0)


def test_builds_that_wrote_nothing_have_no_rate_to_compare(between):
    """Recall is compared still; nothing is divided by zero."""
    assert [each.figure for each in between(true, lambda *_: "")] == ["planted facts recalled"]
    assert between(lambda *_: ["A lamp."], lambda *_: "", towns(4, planted=False), settings=REPORTED) == ()


def test_answers_cut_short_count_alike_on_both_sides(facts, writing):
    """Two builds that were cut short alike do not differ, though each would fare far worse than an original."""
    claim = facts(None)
    sides = [writing(claim, name, true, None) for name in ("one", "other")]
    sides = [
        replace(side, exchanges={name: tuple(map(cut_short, each)) for name, each in side.exchanges.items()})
        for side in sides
    ]
    rate, recall = claim.between(sides[0], *sides)
    assert (rate.difference, recall.difference) == (0.0, 0.0)
    assert [count.value.value for count in rate.counts] == [240, 240, 240, 240]


def cut_short(exchange):
    """The same answer, stopped at its limit."""
    (choice,) = exchange.answer["choices"]
    return replace(exchange, answer={**exchange.answer, "choices": [{**choice, "finish_reason": "length"}]})
