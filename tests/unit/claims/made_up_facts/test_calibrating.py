"""Matcher and judge as one instrument: what the judge reads, and how its error, measured, decides."""

from collections import Counter
from dataclasses import replace

import pytest

from fake_facts import LOST, REPORTED, Sentences, Support, chat, exchange, labelled, towns, truth
from fake_judge import judging
from twx_accept.claims import SEALED, Appealing
from twx_accept.claims.made_up_facts.calibrating import calibrate
from twx_accept.claims.made_up_facts.error import measure
from twx_accept.domain.exchange import Failure
from twx_accept.domain.scope import Scope
from twx_accept.domain.suite import Asking
from twx_accept.domain.verdict import Outcome
from twx_accept.errors import InvalidClaim, PairingError
from twx_accept.evidence import Store
from twx_accept.session.appealing import appeal
from twx_accept.session.progress import Silent
from twx_accept.session.repetition import FIRST, Repetition

CLAIM = "made_up_facts"
ROWS = towns(48)
FEW = ROWS[:8]


def judge(reads="refused", **changes):
    """The table of a judge in a suite."""
    return {"model": "oracle", "address": "http://judge:9", "reads": reads, **changes}


class Strict(Sentences):
    """A matcher that knows half of the truth: it refuses whatever is about a school, a river or a tower."""

    def match(self, fact):
        """As the parent, or unsupported."""
        found = super().match(fact)
        hard = any(word in fact for word in ("school", "river", "tower"))
        return replace(found, verdict=Support.UNSUPPORTED) if hard and found.verdict is Support.SUPPORTED else found


def labels():
    """True facts of which the strict matcher refuses three of five, and false ones, of eight passages."""
    rows = []
    for row in towns(8):
        true = truth(row)
        false = [fact.replace(" has ", " has 9") for fact in true[:2]]
        false += [fact.replace("The ", "The old ") for fact in true[2:]]
        lines = [*((fact, "supported") for fact in true), *((fact, "unsupported") for fact in false)]
        rows += [
            {"id": f"{row['id']}-{n}", "passage": row["id"], "fact": fact, "label": label, "kind": "plain"}
            for n, (fact, label) in enumerate(lines)
        ]
    return rows


def oracle(request):
    """A judge that knows: a statement is supported where the text before it holds it word for word."""
    passage, fact = request.body["messages"][0]["content"].split("\nPassage: ")[1].split("\nStatement: ")
    return chat("supported" if fact.split('"')[1].rstrip(".") in passage else "unsupported")


def true(_, row):
    """All planted facts."""
    return truth(row)


@pytest.fixture(scope="session")
def strict(facts):
    """Makes the claim with the strict matcher, its labels and a judge."""

    def make(reads="refused", judging=None, **changes):
        table = judge(reads, **(judging or {}))
        return facts(ROWS, labels=labels(), prepare=Strict, judge=table, margin_points=20.0, **changes)

    return make


def heard(claim, evidence, say):
    """The build's evidence with what a judge says of everything that it is asked; None where it is not answered."""
    kept = evidence.exchanges[CLAIM]
    said = [(request, say(request)) for request in claim.appeals(kept)]
    more = [exchange(request, word) for request, word in said if word is not None]
    return replace(evidence, exchanges={CLAIM: (*kept, *more)})


@pytest.fixture(scope="session")
def decided(strict, writing):
    """Decides about a build that writes the truth, as the original does, with a judge that says that."""

    def decide(say, other=None, build=true, claim=None, **changes):
        claim = claim or strict(**changes)
        left = heard(claim, writing(claim, "original", true, ROWS), say)
        right = heard(claim, writing(claim, "small", build, ROWS), other or say)
        return claim.decide(left, right)

    return decide


def test_without_a_judge_a_weak_matcher_leaves_little(facts, writing):
    """It refuses three true facts of five: the original makes up most of its facts, and nothing can be shown."""
    claim = facts(ROWS, labels=labels(), prepare=Strict, margin_points=15.0, made_up_ceiling=1.0, recall_floor=0.1)
    verdict = claim.decide(*(writing(claim, who, true, ROWS) for who in ("original", "small")))
    assert verdict.statistics["margin_factor"] == pytest.approx(0.4)
    assert verdict.statistics["specificity"] == 0.4
    assert verdict.outcome is Outcome.NOT_SHOWN
    assert verdict.statistics["made_up_original"] == 48 * 3


@pytest.mark.parametrize("reads", ["refused", "all"])
def test_a_good_judge_mends_a_weak_matcher(decided, reads):
    """It reads what is refused, of the build, of the labelled facts and of the planted ones; the margin grows."""
    verdict = decided(oracle, reads=reads)
    told = verdict.statistics
    assert verdict.outcome is Outcome.SHOWN
    assert (told["made_up_build"], told["recalled_build"], told["recalled_original"]) == (0, 240, 240)
    assert (told["sensitivity"], told["specificity"], told["specificity_without_judge"]) == (1.0, 1.0, 0.4)
    assert told["margin_factor"] == pytest.approx(0.876, abs=0.001)  # Newcombe's bound for 40 of 40 and 0 of 40
    assert told["margin"] == pytest.approx(0.2 * told["margin_factor"])
    assert told["margin_recall"] == told["margin"]
    assert told["labelled_facts_for_the_judge"] == {"refused": 64, "all": 80}[reads]
    folds = [fold.title for fold in verdict.folds]
    assert folds[-2:] == [
        "The matcher's own error, by kind of labelled fact",
        "Matcher and judge together, by kind of labelled fact",
    ]


def test_a_judge_of_what_is_undecided_mends_nothing_here(decided):
    """Nothing is undecided, so that it is asked nothing; its error is the matcher's, at the lower bound."""
    verdict = decided(oracle, reads="undecided", made_up_ceiling=1.0, recall_floor=0.1)
    assert verdict.statistics["labelled_facts_for_the_judge"] == 0
    assert verdict.statistics["margin_factor_estimate"] == pytest.approx(0.4)
    assert verdict.statistics["margin_factor"] < 0.4


def test_the_error_is_that_of_both_together(decided):
    """A judge that errs on every fourth labelled fact leaves so much of a point, and its bound decides."""
    count = Counter()

    def errs(request):
        word = oracle(request)
        if request.key.arm != SEALED:
            return word
        count[request.key.item] += 1
        wrong = len(count) % 4 == 0
        right = word["choices"][0]["message"]["content"]
        return chat({"supported": "unsupported", "unsupported": "supported"}[right]) if wrong else word

    said = {}

    def once(request):
        return said.setdefault(request.key, errs(request))

    verdict = decided(once, reads="all")
    told = verdict.statistics
    assert told["margin_factor_estimate"] == pytest.approx(told["sensitivity"] + told["specificity"] - 1)
    assert told["margin_factor_estimate"] == pytest.approx(0.5)
    assert told["margin_factor"] < 0.4
    assert told["margin"] == pytest.approx(0.2 * told["margin_factor"])


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("supported", "sensitivity 0.00%, specificity 100.00%"),
        ("unsupported", "sensitivity 100.00%, specificity 0.00%"),
    ],
)
def test_a_judge_that_says_one_thing_to_everything_shows_nothing(decided, word, why):
    """Invalid, with figures: nothing is left of a margin, whatever it makes of the builds."""
    with pytest.raises(InvalidClaim, match="the matcher with oracle cannot tell true facts from false ones") as raised:
        decided(lambda _: chat(word), reads="all", made_up_ceiling=1.0)
    assert why in str(raised.value)
    assert "take another judge" in str(raised.value)
    assert raised.value.measured.statistics["margin_factor"] < 0
    assert raised.value.measured.sentence.endswith("What a point of that is worth is not known.")


def test_yes_to_what_the_matcher_refuses_shows_nothing_either(decided):
    """With the matcher's own support every line is supported then."""
    with pytest.raises(InvalidClaim, match=r"specificity 100\.00%, and the lower bound of their sum less one -0\."):
        decided(lambda _: chat("supported"), reads="refused")


@pytest.mark.parametrize("scope_is_partial", [False, True])
def test_a_judge_that_was_never_asked_is_not_measured(strict, writing, scope_is_partial):
    """Invalid with the cure, in a part of a run too: never the matcher's own error in its place."""
    claim = strict(made_up_ceiling=1.0, scope=Scope(questions_per_group=24) if scope_is_partial else None)
    with pytest.raises(InvalidClaim) as raised:
        claim.decide(*(writing(claim, who, true, ROWS) for who in ("original", "small")))
    said = str(raised.value)
    assert "the judge oracle has not answered 64 of the 64 labelled facts that measure it" in said
    assert "it was never asked" in said
    assert "see that it answers at http://judge:9 and run again" in said
    assert raised.value.measured.statistics["undecided_build"] == 48 * 3


@pytest.mark.parametrize(("lost", "share", "decided_"), [(1, 0.02, True), (2, 0.02, False), (64, 0.02, False)])
def test_a_half_measured_judge_is_not_measured(decided, lost, share, decided_):
    """At most the registered share may be without an answer, and counts as judged wrong: 1 of 64 is 1.56%."""
    gone = set()

    def failing(request):
        if request.key.arm == SEALED and (len(gone) < lost or request.key in gone):
            gone.add(request.key)
            return LOST
        return oracle(request)

    if decided_:
        told = decided(failing, unscored_share=share).statistics
        assert told["labelled_facts_not_answered"] == 1
        assert told["sensitivity"] + told["specificity"] == pytest.approx(2 - 1 / 40)
    else:
        with pytest.raises(InvalidClaim, match=r"has not answered .* of the 64 .*\(first: no connection\)"):
            decided(failing, unscored_share=share)


@pytest.mark.parametrize("sealed", [True, False])
def test_a_server_that_quotes_what_it_was_asked_tells_no_sealed_fact(strict, sealed):
    """Its message is told where the facts are open, and of sealed ones the kind alone."""
    claim = strict()
    claim.yardstick.labelled = replace(claim.yardstick.labelled, sealed=sealed)
    asked = claim.appeals(())
    quoted = Failure(kind="HTTP 400", message="cannot read\nThe old school of Brenlow", lasting=True)
    known = {each.key: exchange(each, quoted) for each in asked}
    told = calibrate(claim.yardstick, claim.referee, known).failure
    assert told == ("HTTP 400" if sealed else "HTTP 400: cannot read The old school of Brenlow")


def test_the_worse_side_decides(decided):
    """Beside the build the judge turns its word on one labelled fact: what a point is worth is the smaller figure."""
    turned = []

    def turning(request):
        if request.key.arm == SEALED and not turned:
            turned.append(request.key)
            return chat("neither")
        return oracle(request)

    whole, less = decided(oracle).statistics, decided(oracle, other=turning).statistics
    assert less["margin_factor"] <= whole["margin_factor"]
    assert turned


def test_another_judge_under_the_same_name_is_found(decided):
    """Beside one build it knows, beside the other it says yes to everything: invalid, whatever that shows."""
    with pytest.raises(
        InvalidClaim, match=r"the judge oracle judges 40 of 64 labelled facts otherwise beside one build"
    ):
        decided(oracle, other=lambda _: chat("supported"))


@pytest.mark.parametrize(
    "said",
    [
        chat(""),
        chat(None),
        chat("suppo", finish="length"),
        chat("The statement is supported by the passage."),
        chat("supported\nunsupported"),
        chat("<think>" * 3000),
        {"choices": []},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": {"a": 1}}}]},
        {"error": {"message": "no"}},
    ],
)
def test_a_judge_that_says_none_of_its_words_is_none(decided, said):
    """Empty, cut short, chatty, hostile: the matcher's verdict stands, and a judge that mostly does so is refused."""
    with pytest.raises(InvalidClaim, match="says one of its three words to 0 of 64 labelled facts alone; give it more"):
        decided(lambda _: said, made_up_ceiling=1.0, recall_floor=0.1)


def test_an_unclear_word_leaves_the_matchers_verdict(decided):
    """Now and then it says something else: that is measured like everything else it says, and counted."""
    seen = {}

    def sometimes(request):
        place = seen.setdefault(request.key, len(seen))
        return chat("Well, perhaps.") if place % 5 == 0 else oracle(request)

    told = decided(sometimes, made_up_ceiling=0.5, recall_floor=0.3).statistics
    assert told["labelled_facts_without_a_clear_word"] == 13
    assert 0.4 < told["specificity"] < 1.0
    assert told["sensitivity"] == 1.0
    assert 0 < told["made_up_build"] < 48 * 3


def test_what_a_judge_has_not_answered_is_undecided(strict, writing):
    """Of the build's own facts too, whatever the matcher says: too many are invalid, and the cure is its server."""
    claim = strict()
    sides = [writing(claim, who, true, ROWS) for who in ("original", "small")]
    left = heard(claim, sides[0], oracle)
    right = heard(claim, sides[1], lambda request: oracle(request) if request.key.arm == SEALED else None)
    with pytest.raises(InvalidClaim, match="matcher and judge leave 144 of the build's 240 facts undecided") as raised:
        claim.decide(left, right)
    assert "the judge has not answered about 144 of them: see to its server" in str(raised.value)
    told = raised.value.measured.statistics
    assert (told["recalled_original"], told["recalled_build"]) == (240, 96)


def test_recall_counts_against_the_build_where_the_judge_is_silent(strict, writing):
    """A planted fact that it should have read and has not is said by the original, and not by the build."""
    claim = strict(undecided_share=0.9)

    def silent(request):
        return None if " recalled " in request.key.item else oracle(request)

    sides = [heard(claim, writing(claim, who, true, ROWS), silent) for who in ("original", "small")]
    with pytest.raises(InvalidClaim, match=r"recalls 40\.00% of the planted facts"):
        claim.decide(*sides)
    verdict = strict(undecided_share=0.9, recall_floor=0.1).decide(*sides)
    assert (verdict.statistics["recalled_original"], verdict.statistics["recalled_build"]) == (240, 96)


@pytest.fixture
def appealed(writing, tmp_path):
    """A build's evidence after its answers were kept in a store and put to the judge, as a run does it."""

    def make(claim, build):
        written = writing(claim, build, true, FEW)
        asking = Asking(concurrency=4, prompts_per_request=1, timeout_seconds=5, attempts=1)
        with Store(tmp_path / f"{build}.sqlite", {"weights": {}}, written.inventory) as store:
            part = Repetition(store, FIRST)
            part.keep(written.exchanges[CLAIM])
            appeal(build, claim, part, asking, Silent())
            return replace(written, exchanges={CLAIM: part.exchanges(CLAIM)})

    return make


def test_a_judge_that_falls_silent_is_asked_the_rest_later(facts, appealed):
    """Over HTTP, through the store: halfway the claim is invalid; then what is missing is asked, and it is decided."""
    patience = [50]

    def tires(passage, fact):
        patience[0] -= 1
        return ("supported" if fact.rstrip(".") in passage else "unsupported") if patience[0] >= 0 else None

    with judging(tires, "oracle") as told:
        claim = facts(FEW, labels=labels()[:20], prepare=Strict, judge=judge(address=told.address), margin_points=95.0)
        with pytest.raises(InvalidClaim, match=r"matcher and judge leave|has not answered"):
            claim.decide(appealed(claim, "original"), appealed(claim, "small"))
        heard_then, patience[0] = len(told.heard), 10**6
        verdict = claim.decide(appealed(claim, "original"), appealed(claim, "small"))
    assert verdict.statistics["made_up_build"] == 0
    assert verdict.statistics["labelled_facts_not_answered"] == 0
    assert heard_then == 2 * (16 + 8 * 3 * 2)
    assert len(told.heard) == heard_then + heard_then - 50


def test_labelled_facts_are_asked_first_and_sealed(strict, writing):
    """Each once, under an arm that nobody shows and an item that says nothing; facts and planted ones follow."""
    claim = strict()
    assert isinstance(claim, Appealing)
    asked = claim.appeals(writing(claim, "small", true, ROWS).exchanges[CLAIM])
    arms = [request.key.arm for request in asked]
    assert arms[:64] == [SEALED] * 64
    assert set(arms[64:]) == {"judge"}
    assert len(asked) == 64 + 48 * 3 * 2
    assert len({request.key for request in asked}) == len(asked)
    assert not [request for request in asked[:64] if "Brenlow" in request.key.item]


def test_open_labels_are_no_secret(facts):
    """Facts of the open split are filed where anybody may look at them."""
    claim = facts(ROWS, labels=labels(), prepare=Strict, judge=judge())
    opened = replace(claim.yardstick.labelled, sealed=False)
    claim.yardstick.labelled = opened
    assert {request.key.arm for request in claim.appeals(())} == {"labelled"}


def test_a_judge_asked_something_else_about_labels_is_refused(strict, writing):
    """Another prompt under the keys of this one measures nothing."""
    claim = strict()
    sides = [writing(claim, who, true, ROWS) for who in ("original", "small")]
    asked = [replace(each, body={**each.body, "top_p": 0.5}) for each in claim.appeals(sides[1].exchanges[CLAIM])]
    foreign = [exchange(request, chat("supported")) for request in asked]
    kept = replace(sides[1], exchanges={CLAIM: (*sides[1].exchanges[CLAIM], *foreign)})
    with pytest.raises(PairingError, match="the judge was not asked what is planned"):
        claim.decide(heard(claim, sides[0], oracle), kept)


def test_what_a_judge_reads_is_registered(facts):
    """A suite that does not say it is registered as before, to the letter; one that does says what decides."""
    plain = {"model": "oracle", "address": "http://judge:9"}
    old, new = facts(ROWS, judge=plain).specification(), facts(ROWS, judge=judge()).specification()
    assert set(old["second_stage"]) == {"model", "prompt", "max_tokens", "temperature", "seed"}
    assert old["decision"] == facts(ROWS).specification()["decision"]
    limits = {"turned_at_most": "0.0500", "readable_at_least": "0.5000"}
    assert new["second_stage"] == {**old["second_stage"], "reads": "refused", "on_labelled_facts": limits}
    assert "lower bound" in new["decision"]
    assert {name for name in old if old[name] != new[name]} == {"second_stage", "decision"}
    assert facts(ROWS, judge=plain).mark("small").endswith("less the matcher's own error")
    assert facts(ROWS, judge=judge()).mark("small").endswith("less the error of matcher and judge")


def test_what_is_reported_needs_no_measure(facts, writing):
    """Where nothing gates, an unmeasured judge is told and the figures stand."""
    claim = facts(ROWS, settings=REPORTED, labelled="labelled", judge=judge())
    verdict = claim.decide(*(writing(claim, who, true, ROWS) for who in ("original", "small")))
    assert verdict.outcome is Outcome.REPORTED
    assert any("has not answered" in each for each in verdict.warnings)
    without = facts(ROWS, settings=REPORTED, judge=judge())
    unlabelled = without.decide(*(writing(without, who, true, ROWS) for who in ("original", "small")))
    assert not any("judge" in each for each in unlabelled.warnings)


def test_a_plan_says_what_is_not_measured_yet(strict):
    """How to measure it, and what it must come to; with the measurement, what a point is worth."""
    claim = strict()
    told, besides = claim.prospect("small", None).warnings
    assert besides == (
        "the cost leaves out what the judge oracle is asked beside each build: about every fact, written or planted, "
        "that the matcher does not support"
    )
    assert "what a point is worth with the judge oracle is not measured yet: `twx-accept facts measure SUITE`" in told
    assert "48 passages can show the marks where a point is worth more than 0.39 for made-up facts" in told
    asked = claim.appeals(())
    half = claim.calibrated([exchange(request, oracle(request)) for request in asked[:20]])
    assert "not measured yet (20 of 64 labelled facts)" in half.prospect("small", None).warnings[0]
    whole = claim.calibrated([exchange(request, oracle(request)) for request in asked])
    told = whole.prospect("small", None).warnings
    assert "is asked beside each build: about 64 labelled facts and about every fact, written" in told[-1]
    assert told[0] == (
        "the matcher with oracle has sensitivity 1.00 and specificity 1.00: a registered point is worth 1.00, at the "
        "lower bound that decides 0.88"
    )
    bad = claim.calibrated([exchange(request, chat("supported")) for request in asked])
    assert "cannot tell true facts from false ones" in bad.prospect("small", None).warnings[0]


def test_equivalence_of_two_builds_needs_the_measure_too(strict, writing):
    """A margin of equivalence shrinks by the same figure, and is refused where that is not known."""
    claim = strict(equivalence_points=20.0)
    sides = [heard(claim, writing(claim, who, true, ROWS), oracle) for who in ("original", "small", "other")]
    rate = claim.between(*sides)[0]
    assert rate.margin == pytest.approx(20 * 0.876, abs=0.01)
    unheard = [writing(claim, who, true, ROWS) for who in ("original", "small", "other")]
    with pytest.raises(InvalidClaim, match="has not answered 64 of the 64"):
        claim.between(*unheard)


def test_the_lower_bound_respects_passages(facts):
    """Facts of one passage that err together say less than as many that err alone."""
    claim = facts(labels=labelled(towns(8)))
    told = [each for each in claim.yardstick.labelled.facts if each.label != "not_a_fact"]
    right = {"supported": Support.SUPPORTED, "unsupported": Support.UNSUPPORTED}
    wrong = {"supported": Support.UNSUPPORTED, "unsupported": Support.SUPPORTED}
    together = [wrong[each.label] if each.passage == "t00" else right[each.label] for each in told]
    places = {(n % 8, label) for n, label in enumerate(("supported", "supported", "unsupported", "unsupported"))}
    seen = Counter()
    apart = []
    for each in told:
        at = int(each.passage[1:]), each.label
        apart.append(wrong[each.label] if at in places and not seen[at] else right[each.label])
        seen[at] += 1
    one, other = measure(told, together), measure(told, apart)
    assert one.factor == other.factor == pytest.approx(0.75)
    assert one.lower < other.lower < 0.75
    assert one.worth == one.factor
