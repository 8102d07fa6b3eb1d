import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_facts import Match, Sentences, Support, towns, truth
from twx_accept.claims.made_up_facts import changing, checking
from twx_accept.claims.made_up_facts.comparing import compare


@pytest.mark.parametrize(
    ("fact", "how", "false"),
    [
        ("Brenlow has 412 houses.", changing.NUMBER, "Brenlow has 312 houses."),
        ("It cost 12,000 crowns.", changing.NUMBER, "It cost 22,000 crowns."),
        ("The train leaves at 20:24.", changing.NUMBER, "The train leaves at 10:24."),
        ("It fell by 0.5 points.", changing.NUMBER, "It fell by 1.5 points."),
        ("The mayor is Iris Marwood.", changing.NAME, "The mayor is Zorblax Marwood."),
        ("Iris Marwood is the mayor.", changing.NAME, "Iris Zorblax is the mayor."),
        ("It opens on Friday in March.", changing.NAME, None),
        ("The tower is old.", changing.NUMBER, None),
        ("The tower is old.", changing.NEGATION, "The tower is not old."),
        ("The tower is not old.", changing.NEGATION, "The tower is old."),
        ("She never married.", changing.NEGATION, "She married."),
        ("The train left.", changing.NEGATION, None),
    ],
)
def test_one_thing_is_changed(fact, how, false):
    """The first number, name or verb; None where a fact has no such thing."""
    assert changing.changed(fact, how, ["Zorblax"]) == false


def test_without_another_name_none_is_put_in():
    """A name needs another passage to come from."""
    assert changing.changed("The mayor is Iris Marwood.", changing.NAME, []) is None


@given(st.text(max_size=100), st.sampled_from(changing.CHANGES))
def test_a_change_changes_something_and_always_the_same_way(fact, how):
    """Whatever a model wrote, what comes back is another text, or nothing."""
    false = changing.changed(fact, how, ["Zorblax"])
    assert false != fact or how == changing.NAME
    assert changing.changed(fact, how, ["Zorblax"]) == false


@pytest.fixture(scope="session")
def checked(facts, writing):
    """The checks of a build that writes the truth, with that matcher."""

    def check(prepare):
        claim = facts(prepare=prepare)
        sides = [writing(claim, who, lambda _, row: truth(row)) for who in ("original", "small")]
        return checking.checks(compare(claim.plan, claim.desk, None, *sides), claim.desk)

    return check


def test_a_good_matcher_supports_nothing_that_is_surely_false(checked):
    """Facts against the next passage, and facts with one thing changed."""
    found = checked(Sentences)
    assert [each.name for each in found] == [checking.SHUFFLED, *changing.CHANGES]
    assert found[0].tried == 240
    assert sum(each.tried for each in found[1:]) == 240
    assert all(each.tried for each in found)
    assert [each.supported for each in found] == [0, 0, 0, 0]
    assert checking.warnings(found) == ()


class Gullible:
    """A matcher that believes everything."""

    def __init__(self, passage):
        self.passage = passage

    def match(self, fact):
        """Supported."""
        return Match(verdict=Support.SUPPORTED, reason=fact, sentence="")


def test_a_gullible_matcher_is_told(checked):
    """Each check that it fails is a warning of its own."""
    warnings = checking.warnings(checked(Gullible))
    assert len(warnings) == 4
    assert "the matcher supports 240 of 240 facts that are surely false (against the next passage)" in warnings[0]


def test_a_check_that_tried_nothing_says_nothing():
    """No share, no warning."""
    empty = checking.Check(name="x", tried=0, supported=0)
    assert empty.share is None
    assert checking.warnings([empty]) == ()


@given(st.integers(0, 3000))
def test_facts_are_taken_at_even_distances(count):
    """In their order, none twice, no more than are taken."""
    taken = checking.spread(list(range(count)))
    assert len(taken) == min(count, checking.MOST)
    assert taken == sorted(set(taken))


def test_towns_do_not_share_their_names():
    """What the tests above rest on."""
    assert len({row["text"].split()[0] for row in towns()}) == 48
