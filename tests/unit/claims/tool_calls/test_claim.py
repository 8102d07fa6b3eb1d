"""Deciding: from two builds' answers to a verdict, every planned trial in n, at every effort."""

from dataclasses import replace

import pytest

import fake_calls
from fake_calls import called, spoken
from twx_accept.domain.exchange import Failure
from twx_accept.domain.scope import Scope
from twx_accept.domain.verdict import Outcome
from twx_accept.errors import InvalidClaim, PairingError
from twx_accept.session.comparing import adjusted
from twx_accept.statistics.paired import tango_interval
from twx_accept.statistics.types import IDENTICAL_OUTCOMES

ROWS = fake_calls.trials(10)
N = len(ROWS)
USUAL = {"margin_points": 30.0}


@pytest.fixture
def make(claim):
    """Makes the claim on those trials; a setting that is ``...`` is left out."""

    def made(rows=ROWS, scope=None, **changes):
        settings = {name: value for name, value in (fake_calls.SETTINGS | USUAL | changes).items() if value is not ...}
        return claim("tool_calls", settings, rows, scope=scope)

    return made


@pytest.fixture
def side(evidence):
    """Makes the evidence of a build from its exchanges, or from what it says."""

    def made(build, exchanges, **changes):
        return replace(evidence(build, **changes), exchanges={"tool_calls": tuple(exchanges)})

    return made


@pytest.fixture
def decide(side):
    """Decides a claim from what both sides say."""

    def run(made, original=None, build=None, rows=ROWS):
        sides = [
            side(name, fake_calls.asked(made, rows, say)) for name, say in (("original", original), ("small", build))
        ]
        return made.decide(*sides)

    return run


def wrong(*items, arms=("low", "high"), answer=None):
    """Says something wrong to the first turn of these trials: nothing at all, or that answer."""

    def say(row, request):
        return (answer or called()) if row["id"] in items and request.key.arm in arms else None

    return say


def first(count, case=None):
    """The ids of the first so many trials (of a case) whose first turn can be spoilt."""
    return [row["id"] for row in ROWS if case in (None, row["case"])][:count]


def figure(verdict, key):
    """The counts behind a figure, by their labels."""
    return {
        count.label: getattr(count.value, "value", count.value)
        for each in verdict.figures
        if each.key == key
        for count in each.counts
    }


def fold(verdict, title):
    """The rows of a fold, numbers as they are."""
    (found,) = [fold for fold in verdict.folds if fold.title.startswith(title)]
    return [tuple(getattr(cell, "value", cell) for cell in row) for row in found.rows]


def test_build_that_calls_as_the_original_does_is_shown(make, decide):
    """Every planned trial is in n at each effort; two sides that never differ are warned of."""
    verdict = decide(make())
    assert (verdict.outcome, verdict.gates, verdict.passes) == (Outcome.SHOWN, True, True)
    for effort in ("low", "high"):
        assert verdict.statistics[f"{effort}_n"] == N
        assert verdict.statistics[f"{effort}_passed_build"] == verdict.statistics[f"{effort}_passed_original"] == N
    assert verdict.items == ()
    assert verdict.warnings == (IDENTICAL_OUTCOMES,)
    assert fold(verdict, "Why trials fail") == [("every effort", "no trial fails", "", "")]
    assert verdict.sentence.startswith("At low effort small is 0.00 points from the original; ")
    assert " At high effort small is " in verdict.sentence


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [
        (1, 1, Outcome.SHOWN),
        (1, 15, Outcome.NOT_SHOWN),
        (15, 1, Outcome.NOT_SHOWN),
        (35, 1, Outcome.FAILED),
        (15, 35, Outcome.FAILED),
        (35, 15, Outcome.FAILED),
    ],
)
def test_worst_effort_decides(make, decide, low, high, outcome):
    """A claim is as its worse effort is, and the headline is that effort's."""

    def say(row, request):
        count = {"low": low, "high": high}.get(request.key.arm, 0)
        return called() if row["id"] in first(count) else None

    verdict = decide(make(), build=say)
    assert verdict.outcome is outcome
    assert (verdict.statistics["low_b"], verdict.statistics["high_b"]) == (low, high)
    if low != high:
        (headline,) = [each.key for each in verdict.figures if each.headline]
        assert headline == f"difference {'low' if low > high else 'high'}"


@pytest.mark.parametrize(("by", "outcome"), [(0.0001, Outcome.SHOWN), (-0.0001, Outcome.NOT_SHOWN)])
def test_lower_bound_must_lie_above_the_mark(make, decide, by, outcome):
    """A hair inside the margin is shown, a hair outside is not."""
    lower = tango_interval(2, 0, N, 0.95).lower
    verdict = decide(make(margin_points=-lower * 100 + by), build=wrong(*first(2)))
    assert verdict.outcome is outcome
    assert verdict.statistics["low_lower"] == pytest.approx(lower)


def test_better_build_is_not_held_against_it(make, decide):
    """What only the build passes counts for it, and is listed as such."""
    verdict = decide(make(), original=wrong(*first(3)))
    assert verdict.outcome is Outcome.SHOWN
    assert (verdict.statistics["low_b"], verdict.statistics["low_c"]) == (0, 3)
    assert {item.direction for item in verdict.items} == {"passed only by the build"}


@pytest.mark.parametrize("who", ["original", "build"])
def test_trial_without_a_score_counts_against_the_build(make, decide, who):
    """A failure on either side is a trial that only the original passes."""
    items = first(2)
    # the original fails where the build is wrong, the build where the original is right
    both = {"build": wrong(*items)} if who == "original" else {}
    both[who] = wrong(*items, answer="connection refused")
    verdict = decide(make(unscored_share=0.1), **both)
    assert (verdict.statistics["low_b"], verdict.statistics["low_c"], verdict.statistics["low_n"]) == (2, 0, N)
    side = "original/passed low" if who == "original" else "passed low"
    counted = figure(verdict, side)
    assert (counted["passed"], counted["of"], counted["without a score"]) == (N - 2, N, 2)
    assert [item.direction for item in verdict.items] == ["without a score"] * 4
    reasons = fold(verdict, "Why trials fail")
    assert ("low", "without a score", *((2, 0) if who == "original" else (0, 2))) in reasons


def test_no_score_on_both_sides_counts_against_the_build(make, decide):
    """Where neither side answered, nothing speaks for the build."""
    say = wrong(*first(2), answer="connection refused")
    verdict = decide(make(unscored_share=0.1), say, say)
    assert (verdict.statistics["low_b"], verdict.statistics["low_c"]) == (2, 0)


def test_registered_share_may_stay_without_a_score(make, decide):
    """Exactly the registered share is allowed; more names the first with its side, effort, reason and the cure."""
    say = wrong(*first(6), answer="connection refused", arms=("high",))
    assert decide(make(unscored_share=0.05), build=say).statistics["high_b"] == 6
    with pytest.raises(InvalidClaim) as caught:
        decide(make(unscored_share=0.0499), build=say)
    assert str(caught.value) == (
        "6 of 120 trials have no score, more than the registered share of 4.99% (first: one-call-000 at high effort, "
        "the build: no connection: connection refused); run again to ask them"
    )


def test_what_has_a_cause_is_told_before_what_was_never_asked(make, side):
    """Of many trials without a score, the one that says why is named."""
    made = make()
    whole = fake_calls.asked(made, ROWS)
    cut = [each for each in whole if each.request.key.item == ROWS[-1]["id"]]
    at = [each.request.key.arm for each in cut].index("high")
    cut[at] = replace(cut[at], answer=None, failure=Failure(kind="time-out", message="late\nby far", lasting=False))
    with pytest.raises(InvalidClaim, match=r"\(first: loop-009 at high effort, the build: time-out: late\\nby far\)"):
        made.decide(side("original", whole), side("small", cut))
    with pytest.raises(InvalidClaim, match=r"120 of 120 trials .* was never asked\); run again to ask them"):
        made.decide(side("original", whole), side("small", ()))


def test_one_refused_trial_among_many_is_without_a_score(make, decide):
    """A refusal of any trial but the first is no refusal of all: it counts against the build, as any other failure."""
    refused = Failure(kind="HTTP 400", message="maximum context length is 2048 tokens", lasting=True)
    say = wrong("nested-003", answer=refused, arms=("low",))
    assert decide(make(unscored_share=0.1), build=say).statistics["low_b"] == 1
    with pytest.raises(InvalidClaim, match=r"1 of 120 trials .* HTTP 400: .*; give the engine a larger max_model_len"):
        decide(make(), build=say)


def test_refused_first_trial_is_invalid_with_the_cure(make, side):
    """Evidence that ends with the first refusal says which build was refused, why, and what to do."""
    made = make()
    refused = Failure(kind="HTTP 400", message='"auto" tool choice requires --tool-call-parser', lasting=True)
    there = [fake_calls.exchange(ROWS[0], request, lambda *_: refused) for request in made.opening()]
    with pytest.raises(InvalidClaim) as caught:
        made.decide(side("original", fake_calls.asked(made, ROWS)), side("small", there))
    assert str(caught.value) == (
        'small refuses one-call-000 at low effort (HTTP 400: "auto" tool choice requires --tool-call-parser); '
        "serve with enable_auto_tool_choice and the model's tool_call_parser among the suite's flags"
    )


def test_effort_that_does_not_reach_one_prompt_is_invalid(make, side):
    """The proof is asked of every trial on both sides; a single effort needs none."""
    made = make()
    whole = fake_calls.asked(made, ROWS)
    ids = {
        each.request.key.arm: each.answer["prompt_token_ids"]
        for each in whole
        if each.request.key.item == "nested-002" and each.request.key.arm in ("low", "high")
    }
    same = changed(whole, "nested-002", "high", prompt_token_ids=ids["low"])
    for sides in ((whole, same), (same, whole)):
        with pytest.raises(InvalidClaim, match="the thinking effort does not reach the model: nested-002 renders"):
            made.decide(side("original", sides[0]), side("small", sides[1]))
    single = make(efforts={"low": {}})
    there = fake_calls.asked(single, ROWS)
    assert single.decide(side("original", there), side("small", there)).outcome is Outcome.SHOWN


def changed(exchanges, item, arm, **fields):
    """The exchanges with other fields in one answer."""
    at = [(each.request.key.item, each.request.key.arm) for each in exchanges].index((item, arm))
    other = replace(exchanges[at], answer={**exchanges[at].answer, **fields})
    return [*exchanges[:at], other, *exchanges[at + 1 :]]


@pytest.mark.parametrize("field", ["prompt_token_ids", "token_ids"])
def test_trial_that_hides_its_tokens_has_no_score(make, side, field):
    """What was read or written cannot be checked without ids, and is never taken on trust."""
    made = make()
    whole = fake_calls.asked(made, ROWS)
    at = {(each.request.key.item, each.request.key.arm): each for each in whole}["nested-002", "high"]
    choices = at.answer["choices"]
    fields = {"choices": [{**choices[0], "token_ids": None}]} if field == "token_ids" else {field: None}
    hidden = changed(whole, "nested-002", "high", **fields)
    with pytest.raises(InvalidClaim, match=r"1 of 120 trials .* does not say which tokens .* knows return_token_ids"):
        made.decide(side("original", whole), side("small", hidden))


def test_other_prompts_under_the_same_ids_are_no_evidence(make, side):
    """Evidence of another suite's trials, of another decoding or of another conversation names what was not planned."""
    made = make()
    whole = fake_calls.asked(made, ROWS)
    others = [{**row, "messages": [{"role": "user", "content": f"Other {row['id']}"}]} for row in ROWS]
    strange = fake_calls.asked(make(others), others)
    with pytest.raises(PairingError) as caught:
        made.decide(side("original", whole), side("small", strange))
    first = sorted(row["id"] for row in ROWS)[:5]
    assert f" requests (first: {', '.join(first)}) are not as planned: other prompts" in str(caught.value)
    assert str(caught.value).startswith("small: ")
    assert str(caught.value).endswith("; run with --fresh")
    for item, arm, body in (
        ("nested-001", "low.raw", {"tokens": fake_calls.ids("Other")}),
        ("loop-001", "high.final", {"messages": []}),
        ("loop-001", "high.final.raw", {"tokens": [1]}),
        ("loop-000", "low.stream", {"messages": []}),
    ):
        at = [(each.request.key.item, each.request.key.arm) for each in whole].index((item, arm))
        request = replace(whole[at].request, body={**whole[at].request.body, **body})
        other = [*whole[:at], replace(whole[at], request=request), *whole[at + 1 :]]
        for sides in ((whole, other), (other, whole)):
            with pytest.raises(PairingError, match=rf": 1 request \(first: {item}\) is not as planned"):
                made.decide(side("original", sides[0]), side("small", sides[1]))


def test_prompts_that_were_rendered_otherwise_are_not_paired(make, side):
    """Another tokenizer or template reads other tokens, and is named with the first trials."""
    made = make()
    whole = fake_calls.asked(made, ROWS)
    other = changed(changed(whole, "nested-002", "low", prompt_token_ids=[9]), "loop-000", "high", prompt_token_ids=[8])
    with pytest.raises(PairingError) as caught:
        made.decide(side("original", whole), side("small", other))
    assert str(caught.value) == (
        "the prompts that original and small read differ in their tokens: 2 trials (first: loop-000, nested-002); "
        "serve both with the original's tokenizer and chat template"
    )


def test_doubled_answers_are_named(make, side):
    """Two answers under one key cannot be told apart."""
    made = make()
    whole = fake_calls.asked(made, ROWS)
    with pytest.raises(PairingError, match=r"small: 1 request \(first: one-call-000\) is answered twice; run"):
        made.decide(side("original", whole), side("small", [*whole, whole[0]]))


def test_call_that_the_parser_lost_fails_and_is_counted_apart(make, decide):
    """A call in the raw output that the message lacks fails its trial, and is right as the model wrote it."""
    lost = ["one-call-001", "nested-001"]

    def say(row, request):
        if row["id"] not in lost or request.key.arm != "high":
            return None
        raw = called(*((call["name"], call["arguments"]) for call in row["expected"]))
        written = raw["choices"][0]["token_ids"]
        return spoken("Let me look.", raw="".join(map(chr, written)))

    verdict = decide(make(), build=say)
    assert (verdict.statistics["high_b"], verdict.statistics["low_b"]) == (2, 0)
    assert (verdict.statistics["high_parser_losses"], verdict.statistics["high_rescued"]) == (2, 2)
    counted = figure(verdict, "passed high")
    assert counted["lost or changed by the server's parser"] == 2
    assert counted["of these right as the model wrote them"] == 2
    assert fold(verdict, "Why trials fail") == [("high", "the server's parser lost or changed a call", 0, 2)]
    body = {count.label: count.value for count in verdict.items[0].body}
    assert "(lost by the parser, right as written)" in body["the build"]
    assert "<tool_call>" in body["the build, raw output"]


def test_lost_call_that_was_wrong_anyway_is_not_rescued(make, decide):
    """The rescued are those that would have passed."""
    raw = called(("weather", {"city": 3}))["choices"][0]["token_ids"]
    verdict = decide(make(), build=wrong("one-call-001", answer=spoken("", raw="".join(map(chr, raw)))))
    assert (verdict.statistics["low_parser_losses"], verdict.statistics["low_rescued"]) == (1, 0)


def test_call_that_the_parser_mended_fails_and_is_counted_apart(make, decide):
    """A message that is right by itself over raw output that is not is no success of the model."""
    half = '<tool_call>\n{"name": "weather", "arguments": {"city": "City1", "city": "City1"}}\n</tool_call>'
    verdict = decide(make(), build=wrong("one-call-001", answer=called(("weather", {"city": "City1"}), raw=half)))
    assert figure(verdict, "passed low")["mended by the server's parser"] == 1
    assert verdict.statistics["low_b"] == 1


@pytest.mark.parametrize("how", ["length", "exactly as many"])
def test_truncated_answer_fails(make, decide, how):
    """A turn that was cut off fails, also where the server says that it ended with a call."""
    made = called(("weather", {"city": "City1"}))
    if how == "length":
        made["choices"][0]["finish_reason"] = "length"
    else:
        thought = f"<think>{'a' * 400}"
        made = called(("weather", {"city": "City1"}), raw=thought + "".join(map(chr, made["choices"][0]["token_ids"])))
    verdict = decide(make(), build=wrong("one-call-001", answer=made))
    assert verdict.statistics["low_b"] == 1
    assert figure(verdict, "passed low")["truncated"] == 1
    assert ("low", "truncated", 0, 1) in fold(verdict, "Why trials fail")


LAST = [
    (spoken("It is qx1, I think."), None, True),
    (spoken("I do not know."), None, False),
    (spoken(" \n"), "empty answer", None),
    (called(("weather", {"city": "City1"}), content="QX1"), "called a tool where none was to be called", None),
    (spoken('<tool_call>{"name": "weather"'), "half-written call", None),
    (spoken("It is QX1.", finish="length"), "truncated", None),
]


@pytest.mark.parametrize(("answer", "reason", "holds"), LAST)
def test_second_turn_of_a_loop_decides_it_too(make, decide, answer, reason, holds):
    """A loop passes where both turns do; whether the answer holds the value is told beside and gates nothing."""

    def say(row, request):
        return answer if row["id"] == "loop-001" and request.key.arm == "low.final" else None

    verdict = decide(make(), build=say)
    assert verdict.statistics["low_b"] == (reason is not None)
    if reason:
        assert fold(verdict, "Why trials fail") == [("low", reason, 0, 1)]
        assert "the build (after the tool's answer)" in [count.label for count in verdict.items[0].body]
    else:
        counted = figure(verdict, "passed low")
        wrong_values = (
            counted["of turns whose values are known"] - counted["turns with the values asked for (not gated)"]
        )
        assert wrong_values == (not holds)


def test_second_turn_without_an_answer_leaves_the_loop_without_a_score(make, decide):
    """Half a loop is no loop: a failure after the tool's answer is a failure of the trial."""

    def say(row, request):
        return "connection refused" if row["id"] == "loop-001" and request.key.arm == "low.final" else None

    verdict = decide(make(unscored_share=0.1), build=say)
    assert figure(verdict, "passed low")["without a score"] == 1
    assert verdict.statistics["low_b"] == 1


def test_raw_output_that_was_not_decoded_leaves_no_score(make, decide):
    """What the model wrote must be read, or the parser's losses could not be seen."""

    def say(row, request):
        return "connection refused" if row["id"] == "nested-001" and request.key.arm == "low.raw" else None

    with pytest.raises(InvalidClaim, match="the build: its raw output was not decoded: no connection"):
        decide(make(), build=say)


def test_values_are_told_and_gate_nothing(make, decide):
    """Another city in a call of the right shape passes, and is counted among the wrong values."""
    verdict = decide(make(), build=wrong("one-call-001", answer=called(("weather", {"city": "Elsewhere"}))))
    assert verdict.statistics["low_b"] == 0
    both = [
        figure(verdict, key)["turns with the values asked for (not gated)"]
        for key in ("original/passed low", "passed low")
    ]
    assert both[0] - both[1] == 1


@pytest.mark.parametrize("lost", [15, 16])
def test_original_must_do_what_is_asked_of_its_builds(make, decide, lost):
    """At the registered floor the original is good enough; one trial under it, at one effort, the claim is invalid."""
    say = wrong(*first(lost), arms=("high",))
    made = make(original_at_least=0.75)
    if lost == 15:
        assert decide(made, say, say).outcome is Outcome.SHOWN
        return
    with pytest.raises(InvalidClaim) as caught:
        decide(made, say, say)
    assert str(caught.value) == (
        "assay sensitivity: the original passes 44 of 60 trials at high effort, under the registered 75%: what it "
        "cannot do itself, no build can be shown to have kept"
    )


@pytest.mark.parametrize(
    ("scope", "changes"),
    [(None, {"margin_points": ...}), (Scope(questions_per_group=10), {})],
    ids=["no mark", "partial"],
)
def test_weak_original_is_reported_as_uninformative(make, decide, scope, changes):
    """Where nothing is gated a weak original is no error: the figures are there, and say that they mean nothing."""
    say = wrong(*first(40))
    verdict = decide(make(scope=scope, **changes), say, say)
    assert (verdict.outcome, verdict.labels, verdict.gates) == (Outcome.REPORTED, ("uninformative",), False)
    assert verdict.passes
    assert verdict.reasons[0].startswith("assay sensitivity: the original passes 20 of 60 trials at low effort")
    assert verdict.sentence == (
        "At low effort small passes 20 of 60 trials, the original 20. "
        "At high effort small passes 20 of 60 trials, the original 20."
    )
    assert {effect.margin for effect in verdict.effects} == {None}


def test_claim_without_a_mark_is_reported(make, decide):
    """Without a margin any build passes, nothing is gated, and the interval is there."""
    made = make(margin_points=...)
    verdict = decide(made, build=wrong(*first(50)))
    assert (verdict.outcome, verdict.gates, verdict.passes, verdict.labels) == (Outcome.REPORTED, False, True, ())
    assert (verdict.mark, made.sensitive, verdict.warnings) == ("", False, ())
    assert verdict.statistics["low_lower"] < verdict.statistics["low_difference"] < verdict.statistics["low_upper"] < 0


def test_spoilt_trials_must_not_decide(make, side):
    """What a partial run had asked before the registration is left out once more; shown only if it is shown so too."""
    made = make(margin_points=20.0)
    whole = fake_calls.asked(made, ROWS)
    spoil = {"tool_calls": frozenset(first(30))}
    original = side("original", whole)
    small = side("small", fake_calls.asked(made, ROWS, wrong(*first(60)[30:33])))
    usual = made.decide(original, small)
    assert usual.outcome is Outcome.SHOWN
    for sides in ((replace(original, spoilt=spoil), small), (original, replace(small, spoilt=spoil))):
        verdict = made.decide(*sides)
        assert verdict.outcome is Outcome.NOT_SHOWN
        assert verdict.reasons == (
            "30 of 60 trials were asked in a partial run before the registration; without them it is not shown",
        )
        assert verdict.sentence.startswith(usual.sentence)
    few = {"tool_calls": frozenset([*first(2), "of-another-suite"])}
    verdict = made.decide(original, replace(small, spoilt=few))
    assert verdict.outcome is Outcome.SHOWN
    assert verdict.warnings[-1].startswith("2 of 60 trials were asked in a partial run")
    assert verdict.warnings[-1].endswith("without them it is shown")
    every = {"tool_calls": frozenset(first(60))}
    assert made.decide(original, replace(original, spoilt=every)).outcome is Outcome.NOT_SHOWN
    assert made.decide(original, replace(small, spoilt={"other": frozenset(first(60))})) == usual
    reported = make(margin_points=...).decide(original, replace(small, spoilt=every))
    assert reported.outcome is Outcome.REPORTED
    assert reported.warnings == ("60 of 60 trials were asked in a partial run before the registration",)


def test_builds_are_compared_at_each_effort(make, side):
    """Each effort is a figure of its own, the other minus the one, and Holm adjusts over the pairs of a figure."""
    made = make(equivalence_points=40.0)
    sides = {
        "one": side("one", fake_calls.asked(made, ROWS)),
        "two": side("two", fake_calls.asked(made, ROWS, wrong(*first(12), arms=("low",)))),
        "three": side("three", fake_calls.asked(made, ROWS, wrong(*first(3), arms=("low",)))),
    }
    low, high = made.between(sides["one"], sides["one"], sides["two"])
    assert [(each.one, each.other, each.figure) for each in (low, high)] == [
        ("one", "two", "low effort"),
        ("one", "two", "high effort"),
    ]
    assert (low.difference, high.difference) == (pytest.approx(-20.0), 0.0)
    assert low.lower < -20 < low.upper < 0
    (back, _) = made.between(sides["one"], sides["two"], sides["one"])
    assert (back.difference, back.upper) == (pytest.approx(20.0), pytest.approx(-low.lower))
    pairs = [
        low,
        made.between(sides["one"], sides["one"], sides["three"])[0],
        made.between(sides["one"], sides["two"], sides["three"])[0],
    ]
    found = adjusted(pairs)
    smallest = min(pairs, key=lambda each: each.p)
    assert found[pairs.index(smallest)].adjusted == pytest.approx(3 * smallest.p)
    assert all(after.adjusted >= before.p for after, before in zip(found, pairs, strict=True))
    assert [each.same for each in found] == [each.adjusted_equivalence < 0.025 for each in found]
    without = make().between(sides["one"], sides["one"], sides["two"])
    assert {each.p_equivalence for each in without} == {None}


def test_builds_that_cannot_be_compared_say_why(make, side):
    """Other prompts or another way of serving are no comparison of two builds either."""
    made = make()
    whole = fake_calls.asked(made, ROWS)
    with pytest.raises(InvalidClaim, match="not served the same way"):
        made.between(
            side("original", whole), side("one", whole), side("two", whole, identity={"machine": {"cores": 4}})
        )
    with pytest.raises(PairingError, match="differ in their tokens"):
        made.between(
            side("original", whole),
            side("one", whole),
            side("two", changed(whole, "loop-000", "low", prompt_token_ids=[1])),
        )


def test_unequal_serving_is_invalid(make, side):
    """Two builds that were not served the same way are not compared."""
    made = make()
    whole = fake_calls.asked(made, ROWS)
    with pytest.raises(InvalidClaim, match="not served the same way"):
        made.decide(side("original", whole), side("small", whole, identity={"machine": {"cores": 4}}))


def test_answers_of_another_claim_are_not_read(make, side):
    """Evidence of other claims beside this one's changes nothing."""
    made = make()
    alone = side("original", fake_calls.asked(made, ROWS))
    more = replace(alone, exchanges={**alone.exchanges, "other": alone.exchanges["tool_calls"][:3]})
    assert made.decide(more, more) == made.decide(alone, alone)


def test_streams_are_told_beside_the_whole_answers(make, decide):
    """A stream that says the same, something else or nothing is told by case, and changes no verdict."""

    def say(row, request):
        if request.key.arm != "low.stream":
            return None
        arguments = '{"city":\n"City0"}'
        return {
            "one_call": called(("weather", arguments)),  # blanks are no difference
            "two_calls": called(*((call["name"], call["arguments"]) for call in row["expected"][::-1])),
            "nested": "connection refused",
            "forbidden": spoken("Something else."),
            "choice_of_twenty": called(("weather", {"city": "City0"}), reasoning="Hm."),
        }.get(row["case"])

    verdict = decide(make(), build=say)
    assert verdict.outcome is Outcome.SHOWN
    found = {case: what for effort, case, what in fold(verdict, "As a stream") if effort == "low"}
    assert found == {
        "one call": "the stream says what the whole answer says",
        "two calls in one turn": "differ in tool_calls",
        "nested arguments": "one of them has no answer",
        "a tool that must not be called": "differ in content",
        "the right tool out of twenty": "differ in reasoning",
        "a two-turn loop": "the stream says what the whole answer says",
    }


def test_prompt_is_shown_as_the_model_read_it(make, decide):
    """The first trial's rendered prompt is there for each effort; what was not decoded says so."""

    def say(_, request):
        prompts = {"low.prompt": {"prompt": "<|im_start|>Effort: low"}, "high.prompt": "connection refused"}
        return prompts.get(request.key.arm)

    assert fold(decide(make(), build=say), "The prompt as the model read it (one-call-000)") == [
        ("low", "<|im_start|>Effort: low"),
        ("high", "not decoded"),
    ]


def test_trials_are_counted_by_case(make, decide):
    """Each case at each effort has its counts with bounds."""
    verdict = decide(make(), build=wrong(*first(2, "nested"), arms=("low",)))
    rows = {row[:2]: row[2:] for row in fold(verdict, "Trials passed by case")}
    assert len(rows) == 12
    before, passed, of, lower, upper = rows["low", "nested arguments"]
    assert (before, passed, of) == (10, 8, 10)
    assert lower < 0.8 < upper
    assert rows["high", "nested arguments"][:3] == (10, 10, 10)


def test_tokens_and_thinking_are_told(make, decide):
    """A build that thinks longer shows it, beside the original's figure."""
    thought = "<think>" + "a" * 100 + "</think>"
    written = thought + "".join(map(chr, called(("weather", {"city": "City1"}))["choices"][0]["token_ids"]))
    answer = called(("weather", {"city": "City1"}), raw=written, reasoning="a" * 100)
    verdict = decide(make(), build=wrong("one-call-001", answer=answer))
    one, other = figure(verdict, "original/tokens low"), figure(verdict, "tokens low")
    assert other["tokens written"] - one["tokens written"] == len(thought)
    assert (one["characters of thinking"], other["characters of thinking"]) == (0, 100)
    assert one["turns"] == N + 10


def test_failed_trials_can_be_read(make, decide):
    """Every trial that one side does not pass is listed with prompt, expectation, raw output and message."""
    hostile = "<script>alert(1)</script>\x1b[31m"
    verdict = decide(make(), wrong("loop-002"), wrong("loop-002", "forbidden-001", answer=spoken(hostile)))
    found = {item.id: item for item in verdict.items}
    assert verdict.items_total == len(found) == 2
    assert set(found) == {"tools-loop-002-low", "tools-loop-002-high"}
    item = found["tools-loop-002-low"]
    assert (item.group, item.direction) == ("a two-turn loop, low effort", "passed by neither")
    body = {count.label: count.value for count in item.body}
    assert body["prompt"] == "loop: what about City2?"
    assert '"name": "weather"' in body["expected"]
    assert body["the original"] == "call count: 0 instead of 1"
    assert body["the build, raw output"] == hostile + "<|im_end|>"
    assert hostile.partition("\x1b")[0] in body["the build, message"]


def test_forbidden_tool_that_is_called_is_told(make, decide):
    """A call where none was right fails, and what was expected is told in words."""
    verdict = decide(make(), build=wrong("forbidden-001", answer=called(("weather", {"city": "Oslo"}))))
    body = {count.label: count.value for count in verdict.items[0].body}
    assert verdict.items[0].direction == "passed only by the original"
    assert body["expected"] == "a positive answer in words, and no call"
    assert body["the build"] == "called a tool where none was to be called: weather"


def test_effects_are_drawn_with_the_mark(make, decide, side):
    """Each effort is a row of one chart with its mark; the control has a chart of its own."""
    made = make()
    verdict = decide(made)
    assert [(each.label, each.margin, each.chart) for each in verdict.effects] == [
        ("small, low", 30.0, "tool_calls"),
        ("small, high", 30.0, "tool_calls"),
    ]
    whole = side("damaged", fake_calls.asked(made, ROWS))
    control = made.decide(side("original", whole.exchanges["tool_calls"]), replace(whole, control=True))
    assert {each.chart for each in control.effects} == {"tool_calls, control"}
