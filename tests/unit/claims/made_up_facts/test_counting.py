import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_facts import LOST, Sentences, chat, completion, towns, truth
from twx_accept.claims._passages import Passage
from twx_accept.claims.made_up_facts.comparing import Reading, Side, compare
from twx_accept.claims.made_up_facts.desk import Desk, Judged, Kind
from twx_accept.claims.made_up_facts.elsewhere import Index
from twx_accept.claims.made_up_facts.reading import Answer, State
from twx_accept.claims.made_up_facts.recalling import Recalled
from twx_accept.errors import PairingError

ROWS = towns(4)
FALSE = ["The mayor of {} is a cook.", "The fountain of {} is dry.", "The mill of {} is closed."]


def name(row):
    """The town that a passage is about."""
    return row["text"].split()[0]


@pytest.fixture(scope="session")
def read(facts, writing):
    """Makes the readings of four passages; each side is what it says of a passage."""

    def make(original, build, **changes):
        claim = facts(ROWS, **changes)
        sides = [writing(claim, who, say, ROWS) for who, say in (("original", original), ("small", build))]
        return compare(claim.plan, claim.desk, claim.referee, *sides)

    return make


def true(_, row):
    """All planted facts."""
    return truth(row)


def test_facts_are_counted_by_what_supports_them(read):
    """Its own passage, another one, none, nobody knows, or it is no fact at all."""

    def say(place, row):
        other = truth(ROWS[(place + 1) % 4])
        return [
            *truth(row)[:2],
            other[0],
            FALSE[0].format(name(row)),
            f"{name(row)} is perhaps old.",
            "Here are the facts:",
            truth(row)[0],
        ]

    first = read(true, say)[0]
    assert [each.kind for each in first.build.judged] == [
        Kind.SUPPORTED,
        Kind.SUPPORTED,
        Kind.ELSEWHERE,
        Kind.MADE_UP,
        Kind.UNDECIDED,
        Kind.NOT_A_FACT,
    ]
    assert first.build.judged[2].elsewhere == "t01"
    assert first.build.judged[3].reason == "because it is unsupported"
    assert first.build.answer.duplicates == 1
    assert first.rate(undecided_is_made_up=True) == (0, 5, 2, 5)
    assert first.rate(undecided_is_made_up=False) == (0, 5, 1, 5)
    assert first.recall() == (5, 5, 2, 5)


@pytest.mark.parametrize("cut", [{"finish": "length"}, {"tokens": 1024}])
def test_an_answer_cut_short_counts_in_the_worst_way_for_the_build(read, cut):
    """All of its facts are made up and none is recalled; the original's are all true and all recalled."""

    def say(_, row):
        return chat("\n".join([*truth(row), *(each.format(name(row)) for each in FALSE)]), **cut)

    assert read(true, say)[0].rate(undecided_is_made_up=False) == (0, 5, 8, 8)
    assert read(true, say)[0].recall() == (5, 5, 0, 5)
    assert read(say, true)[0].rate(undecided_is_made_up=True) == (0, 8, 0, 5)
    assert read(say, true)[0].recall() == (5, 5, 5, 5)


def test_an_answer_cut_at_its_first_word_counts_no_less_than_none(read):
    """Whoever thinks until the tokens are spent stands for as many facts as the original wrote."""
    assert read(true, lambda *_: chat(None, finish="length"))[0].rate(undecided_is_made_up=False) == (0, 5, 5, 5)


def test_what_is_missing_counts_in_the_worst_way_for_the_build(read):
    """As many facts as the other side wrote, all made up for the build and none for the original."""
    assert read(true, lambda *_: LOST)[0].rate(undecided_is_made_up=False) == (0, 5, 5, 5)
    assert read(true, lambda *_: LOST)[0].recall() == (5, 5, 0, 5)
    assert read(lambda *_: LOST, true)[0].rate(undecided_is_made_up=False) == (0, 5, 0, 5)
    assert read(lambda *_: LOST, true)[0].recall() == (5, 5, 5, 5)
    assert read(lambda *_: LOST, lambda *_: LOST)[0].rate(undecided_is_made_up=False) == (0, 5, 5, 5)


def test_a_missing_answer_stands_for_the_planted_facts_at_least(read):
    """An original that wrote one fact does not make a missing answer cheap."""
    assert read(lambda _, row: truth(row)[:1], lambda *_: LOST)[0].rate(undecided_is_made_up=False) == (0, 1, 5, 5)


def test_without_planted_facts_it_stands_for_one(facts, writing):
    """Where nothing is planted and the original wrote nothing, one fact is made up."""
    rows = towns(4, planted=False)
    claim = facts(rows, settings={"source": "towns"})
    sides = [writing(claim, "original", lambda *_: "", rows), writing(claim, "small", lambda *_: LOST, rows)]
    assert compare(claim.plan, claim.desk, None, *sides)[0].rate(undecided_is_made_up=False) == (0, 0, 1, 1)


def test_a_refusal_has_no_facts_and_recalls_none(read):
    """It makes nothing up, and is told by recall."""
    first = read(true, lambda *_: "I'm sorry, but I cannot help with that.")[0]
    assert first.build.answer.state is State.REFUSED
    assert first.rate(undecided_is_made_up=True) == (0, 5, 0, 0)
    assert first.recall() == (5, 5, 0, 5)


def test_a_completion_is_read_alike(read):
    """The other way of asking leads to the same counts."""
    first = read(*[lambda _, row: completion(" " + "\n- ".join(truth(row)))] * 2, mode="completion")[0]
    assert first.rate(undecided_is_made_up=True) == (0, 5, 0, 5)


def test_what_was_asked_must_be_what_is_planned(facts, writing):
    """Answers to another prompt, or twice to one, are no evidence."""
    claim, other = facts(ROWS), facts(ROWS, seed=5)
    good, foreign = writing(claim, "original", true, ROWS), writing(other, "small", true, ROWS)
    with pytest.raises(PairingError, match=r"small: 4 requests \(first: t00, t01.*\) are not as planned"):
        compare(claim.plan, claim.desk, None, good, foreign)
    twice = writing(claim, "small", true, ROWS, more=good.exchanges["made_up_facts"])
    with pytest.raises(PairingError, match=r"small: 4 requests \(first: .*\) are answered twice"):
        compare(claim.plan, claim.desk, None, good, twice)


class Counting(Sentences):
    """Counts what is prepared and matched."""

    prepared = 0
    matched = 0

    def __init__(self, passage):
        super().__init__(passage)
        Counting.prepared += 1

    def match(self, fact):
        """Counted."""
        Counting.matched += 1
        return super().match(fact)


def test_one_fact_is_matched_once():
    """The original's facts are not matched again for every build."""
    passages = [Passage(id=row["id"], kind="x", text=row["text"]) for row in ROWS]
    desk = Desk(passages, Counting)
    first = [desk.judge(passages[0], fact) for fact in truth(ROWS[0])]
    done = (Counting.prepared, Counting.matched)
    assert [desk.judge(passages[0], fact) for fact in truth(ROWS[0])] == first
    assert (Counting.prepared, Counting.matched) == done == (1, 5)


def test_only_passages_that_hold_what_is_rare_are_tried():
    """A fact about a town of its own is tried nowhere else; one about another town there alone."""
    passages = [Passage(id=row["id"], kind="x", text=row["text"]) for row in towns(40)]
    index = Index(passages)
    assert index.candidates(truth(towns(40)[7])[0], "t07") == []
    assert index.candidates(truth(towns(40)[7])[0], "t03") == ["t07"]
    assert index.candidates("The school has a river.", "t03") == []
    assert index.candidates("", "t03") == []


KINDS = st.sampled_from(list(Kind))
SIDES = st.builds(
    lambda state, kinds, recalled: Side(
        answer=Answer(state=state, facts=("x",) * len(kinds)),
        judged=tuple(Judged(fact="x", kind=kind, reason="", sentence="") for kind in kinds)
        if state is State.WRITTEN
        else (),
        recalled=Recalled(*recalled) if state in (State.WRITTEN, State.REFUSED) else Recalled(0, 0),
    ),
    st.sampled_from(list(State)),
    st.lists(KINDS, max_size=8),
    st.sampled_from([(said, unheard) for said in range(4) for unheard in range(4 - said)]),
)


@given(SIDES, SIDES)
def test_counts_are_possible_and_losing_an_answer_never_helps(original, build):
    """No side makes up more than it wrote; a build whose answer is lost is never better off for it."""
    passage = Passage(id="p", kind="x", text="x", planted=("a", "b", "c"))
    missing = Side(answer=Answer(state=State.MISSING))
    for undecided in (True, False):
        cell = Reading(passage=passage, original=original, build=build).rate(undecided_is_made_up=undecided)
        lost = Reading(passage=passage, original=original, build=missing).rate(undecided_is_made_up=undecided)
        assert 0 <= cell.x_original <= cell.m_original
        assert 0 <= cell.x_build <= cell.m_build
        assert lost.x_build == lost.m_build >= 3
        assert cell.x_build * lost.m_build <= lost.x_build * max(cell.m_build, 1)
    assert Reading(passage=passage, original=original, build=missing).recall().x_build == 0
