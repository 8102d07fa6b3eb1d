"""From the evidence of two builds to a verdict about agreement and drift."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept.domain.scope import Scope
from twx_accept.domain.verdict import Outcome
from twx_accept.errors import DatasetError, InvalidClaim, PairingError, SuiteError


@pytest.fixture
def decide(agreement, passages, reads, having_read):
    """Decides between an original and a build that departs by a noise."""

    def run(noise=0.3, *, count=12, say=None, original_says=None, change=None, **settings):
        made = agreement(passages(count), **settings)
        original = having_read("original", reads(made, 0.0, original_says))
        build = having_read("small", reads(made, noise, say))
        return made.decide(original, change(build) if change else build)

    return run


def figure(verdict, key):
    """A figure by its key."""
    return next(each for each in verdict.figures if each.key == key)


def test_without_a_mark_everything_is_reported(decide):
    """No mark: reported, gates nothing, and is nothing that a control has to fail."""
    verdict = decide()
    assert (verdict.outcome, verdict.gates, verdict.passes) == (Outcome.REPORTED, False, True)
    assert verdict.sentence.endswith("No mark is registered.")
    assert verdict.statistics["n"] == 12 * 59
    assert 0.5 < verdict.statistics["agreement"] < 1
    assert verdict.statistics["agreed_tolerant"] >= verdict.statistics["agreed"]


def test_claims_are_sensitive_with_a_mark(agreement, passages):
    """A damaged build must fail a claim that gates, and need not fail one that reports."""
    assert not agreement(passages(2)).sensitive
    assert agreement(passages(2), mark={"small": 0.9}).sensitive
    assert agreement(passages(2), total_variation_mark={"small": 0.1}).sensitive


def test_the_mark_is_met_by_the_lower_bound(decide):
    """A bound at the mark meets it; above the bound nothing is shown, and above the upper bound it is failed."""
    found = decide().statistics
    lower, value, upper = (found[name] for name in ("lower", "agreement", "upper"))
    assert lower < value < upper
    outcomes = [
        decide(mark={"small": mark}).outcome
        for mark in (lower - 0.001, lower, lower + 0.001, value, upper, upper + 0.001)
    ]
    shown, open_ = Outcome.SHOWN, Outcome.NOT_SHOWN
    assert outcomes == [shown, shown, open_, open_, open_, Outcome.FAILED]


def test_a_build_that_answers_alike_leaves_room_for_chance(decide):
    """Agreement everywhere has a lower bound below one, drifts by nothing and shows no position."""
    verdict = decide(0.0, mark={"small": 0.99})
    assert verdict.outcome is Outcome.SHOWN
    assert 0.99 < verdict.statistics["lower"] < 1
    assert verdict.statistics["drift_at_least"] == 0
    assert (verdict.items, verdict.items_total) == ((), 0)
    assert "full_ratio" not in verdict.statistics
    assert "undefined" in figure(verdict, "full_ratio").value


def test_total_variation_is_gated_by_its_upper_bound(decide):
    """The upper bound meets its mark; a lower bound above the mark fails it; agreement and it must both be met."""
    found = decide().statistics
    upper, least = found["variation_upper"], found["variation_at_least"]
    assert decide(total_variation_mark={"small": upper + 1e-9}).outcome is Outcome.SHOWN
    assert decide(total_variation_mark={"small": upper - 1e-6}).outcome is Outcome.NOT_SHOWN
    assert decide(total_variation_mark={"small": least / 2}).outcome is Outcome.FAILED
    both = decide(mark={"small": found["lower"] - 0.01}, total_variation_mark={"small": least / 2})
    assert both.outcome is Outcome.FAILED
    assert "total variation" in both.sentence
    assert both.mark == (
        f"at least {(found['lower'] - 0.01) * 100:.2f}% of next tokens agree, "
        f"total variation distance at most {least / 2:.4f}"
    )


def test_a_passage_without_an_answer_agrees_nowhere(decide):
    """It stays in n, counts as not agreeing and as far apart as can be, and is shown with the reason."""

    def say(request):
        return "gone" if (request.key.item, request.key.arm) == ("p003", "passage") else None

    whole, less = decide(0.0), decide(0.0, say=say, unscored_share=0.1)
    assert less.statistics["n"] == whole.statistics["n"]
    assert less.statistics["agreed"] == whole.statistics["agreed"] - 59
    assert less.statistics["missing"] == 59
    assert less.statistics["variation_at_most"] == pytest.approx(
        (whole.statistics["variation_at_most"] * 11 + 1) / 12, rel=0.2
    )
    (item,) = less.items
    assert (item.direction, item.id) == ("without an answer", "passages-p003")
    assert "gone" in item.body[1].value
    with pytest.raises(InvalidClaim, match=r"59 of 708 positions have no answer \(1 passages\).*p003, build: no conn"):
        decide(0.0, say=say)


def test_a_server_that_refuses_log_probabilities_is_told_with_the_cure(decide):
    """Not "run again": what is refused once is refused always; the flag that mends it is named."""

    def say(request):
        refusal = "Requested prompt logprobs of 50, which is greater than max allowed: 20"
        return refusal if request.key.arm == "passage" else None

    with pytest.raises(InvalidClaim, match=r"greater than max allowed: 20.*serve with max_logprobs = -1, or at least"):
        decide(0.0, say=say)


def test_an_original_without_an_answer_counts_against_the_build(decide):
    """Nobody knows whether the build would have agreed, so it did not."""

    def say(request):
        return "gone" if (request.key.item, request.key.arm) == ("p003", "passage") else None

    assert decide(0.0, original_says=say, unscored_share=0.1).statistics["missing"] == 59


def test_another_tokenizer_is_invalid(decide):
    """Ids that differ between the sides decide nothing, and the passage is named."""

    def say(request):
        return {"tokens": [1, 2, 3]} if (request.key.item, request.key.arm) == ("p005", "tokens") else None

    with pytest.raises(InvalidClaim, match=r"tokenizer of small is not that of original: 1 passages.*p005"):
        decide(say=say)


def test_tokens_of_one_side_are_enough_to_count(decide):
    """Where one server gave no tokens, the other's say how many positions are missing; without either it is invalid."""

    def say(request):
        return "gone" if (request.key.item, request.key.arm) == ("p001", "tokens") else None

    assert decide(say=say, unscored_share=0.1).statistics["missing"] == 59
    with pytest.raises(InvalidClaim, match=r"neither server gave the tokens of 1 passages \(first: p001\)"):
        decide(say=say, original_says=say)


def test_other_evidence_is_refused(decide):
    """Requests that are not planned, and answers that stand twice, are no evidence."""

    def doubled(build):
        exchanges = build.exchanges["agreement"]
        return replace(build, exchanges={"agreement": (*exchanges, exchanges[-1])})

    def changed(build):
        *rest, last = build.exchanges["agreement"]
        at = next(place for place, each in enumerate(rest) if each.request.key.arm == "passage")
        body = {**rest[at].request.body, "prompt_logprobs": 7}
        rest[at] = replace(rest[at], request=replace(rest[at].request, body=body))
        return replace(build, exchanges={"agreement": (*rest, last)})

    with pytest.raises(PairingError, match=r"1 request \(first: .*\) is answered twice"):
        decide(change=doubled)
    with pytest.raises(PairingError, match=r"1 request \(first: p000\) is not as planned"):
        decide(change=changed)


def test_served_otherwise_is_invalid(decide):
    """The settings of both sides are compared first."""
    with pytest.raises(InvalidClaim, match="not served the same way"):
        decide(change=lambda build: replace(build, identity={**build.identity, "flags": {"max_model_len": 1}}))


def test_a_mark_that_reading_nothing_meets_is_invalid(decide, rows_from):
    """Where the original nearly always says one word, a mark below its share cannot tell a build from a parrot."""

    def one_word(request):
        if request.key.arm not in ("passage", "reversed"):
            return None
        return rows_from(
            [
                {39: -0.1} | {each: -6.0 - each for each in (1, 2, 3)} | {token: -4.0}
                for token in request.body["prompt"][1:]
            ]
        )

    args = {"say": one_word, "original_says": one_word, "top_k": 4}
    with pytest.raises(InvalidClaim, match="assay sensitivity: the original's commonest next token"):
        decide(mark={"small": 0.9}, **args)
    assert decide(**args).outcome is Outcome.REPORTED


def test_a_probe_that_changes_is_a_warning(decide, rows_from):
    """Passages that are answered otherwise in reverse order are told with figures and a cure."""
    assert decide(0.0).warnings == ()

    def say(request):
        if request.key.arm != "reversed":
            return None
        return rows_from(
            [
                {token: -0.2, **{(token + step) % 40: -4.0 - step for step in (1, 2, 3, 4)}}
                for token in request.body["prompt"][1:]
            ]
        )

    (warning,) = decide(0.0, say=say).warnings
    assert warning.startswith("small: 2 of 2 passages were answered otherwise")
    assert "enable_prefix_caching = false" in warning


def test_the_bound_is_held_against_the_whole(decide):
    """Over the whole vocabulary the bound reaches a share of the divergence, never more than all of it."""
    verdict = decide(0.5)
    assert 0.3 < verdict.statistics["full_ratio"] <= 1
    assert verdict.statistics["full_prefixes"] == 2
    assert verdict.warnings == ()


@pytest.mark.parametrize(
    ("answer", "why"),
    [("max_logprobs", "no connection: max_logprobs; to measure it"), ({"choices": []}, "no whole vocabulary")],
)
def test_a_check_that_was_not_answered_is_not_measured(decide, answer, why):
    """A server that gives no whole vocabulary is no error: the ratio is not measured, with the reason."""
    verdict = decide(say=lambda request: answer if request.key.arm == "full" else None)
    assert figure(verdict, "full_ratio").value.startswith("not measured: ")
    assert why in figure(verdict, "full_ratio").value
    assert "full_ratio" not in verdict.statistics


def test_part_of_a_vocabulary_is_not_the_whole(decide, rows_from):
    """Rows that do not add up to one are not taken for a whole vocabulary."""
    part = decide(say=lambda request: rows_from([{1: -1.0, 2: -1.5}]) if request.key.arm == "full" else None)
    assert "add up to 0.59" in figure(part, "full_ratio").value


def test_unusable_answers_are_asked_again(agreement, passages, reads, rows_from):
    """Answers without tokens and rows that cannot be trusted are set aside; a whole vocabulary is not insisted on."""
    made = agreement(passages(4), reversed_probe=1)
    assert made.unusable(reads(made)) == []

    def say(request):
        arm, item = request.key.arm, request.key.item
        if arm == "full":
            return {"choices": []}
        if (arm, item) == ("passage", "p001"):
            return rows_from([{1: -0.1}])
        return {"choices": ["nonsense"]} if (arm, item) == ("passage", "p002") else None

    found = made.unusable(reads(made, 0.0, say))
    assert [(each.item, each.arm) for each in found] == [("p001", "passage"), ("p002", "passage")]
    tokens = reads(made, 0.0, lambda request: {"tokens": "no"} if request.key.item == "p000" else None)
    assert ("p000", "tokens") in [(each.item, each.arm) for each in made.unusable(tokens)]


def test_departures_are_shown_the_surest_first(decide):
    """At most three hundred positions, each with what both sides would say; every other one is counted."""
    verdict = decide(float("inf"), count=16)
    assert verdict.statistics["agreed"] == 0
    assert len(verdict.items) == 300
    assert verdict.items_total == 16 * 59
    assert len({item.id for item in verdict.items}) == 300
    labels = [line.label for line in verdict.items[0].body]
    assert labels == [
        "the text before",
        "the next token of the text",
        "the original's next token",
        "the build's next token",
        "drift here, at least",
    ]
    assert "token " in verdict.items[0].title


def test_every_position_is_in_every_table(decide):
    """By position, by gap and by kind: the rows of each table hold all positions."""
    verdict = decide()
    for fold in verdict.folds:
        assert sum(row[1].value for row in fold.rows) == verdict.statistics["n"]
    assert [row[0] for row in verdict.folds[0].rows] == ["1 to 16", "17 to 64"]
    assert {row[0] for row in verdict.folds[2].rows} == {"prose", "code"}
    early = figure(verdict, "agreement_first")
    assert early.counts[1].value.value == 12 * 16


@settings(deadline=None, max_examples=15)
@given(st.randoms(use_true_random=False))
def test_the_order_of_passages_changes_nothing(agreement, passages, reads, having_read, random):
    """The same passages in another order come to the same figures."""
    rows = passages(8)
    mixed = random.sample(rows, len(rows))
    found = []
    for order in (rows, mixed):
        made = agreement(order, full_vocabulary_prefixes=8, reversed_probe=0)
        sides = (having_read("original", reads(made)), having_read("small", reads(made, 0.5)))
        found.append(dict(made.decide(*sides).statistics))
    assert found[0] == pytest.approx(found[1], abs=1e-12)


def test_swapping_the_sides_keeps_the_agreement(agreement, passages, reads, having_read):
    """Who is called the original changes neither agreement nor total variation."""
    made = agreement(passages(6))
    one, other = reads(made), reads(made, 0.7)
    here = made.decide(having_read("original", one), having_read("small", other)).statistics
    there = made.decide(having_read("original", other), having_read("small", one)).statistics
    for name in ("agreed", "agreed_tolerant", "lower", "upper", "variation_at_least", "variation_at_most"):
        assert here[name] == pytest.approx(there[name], abs=1e-12)
    assert here["perplexity_original"] == pytest.approx(there["perplexity"])


def test_spoilt_passages_do_not_decide(decide):
    """What a partial run asked before the registration is told; a verdict that needs it is not shown."""
    spoil = lambda *items: lambda build: replace(build, spoilt={"agreement": frozenset(items)})  # noqa: E731
    told = decide(0.1, mark={"small": 0.8}, change=spoil("p001"))
    assert told.outcome is Outcome.SHOWN
    assert "1 of 12 passages were asked in a partial run" in told.warnings[-1]
    everything = decide(0.1, mark={"small": 0.8}, change=spoil(*(f"p{place:03d}" for place in range(12))))
    assert everything.outcome is Outcome.NOT_SHOWN
    assert "12 of 12 passages" in everything.reasons[0]
    assert decide(0.1, change=spoil("p001")).outcome is Outcome.REPORTED


def test_builds_are_contrasted_by_their_agreement_with_the_original(agreement, passages, reads, having_read):
    """The difference is of agreement with the original, passage by passage; what they share stands among the counts."""
    made = agreement(passages(12))
    original = having_read("original", reads(made))
    (alike,) = made.between(original, having_read("one", reads(made)), having_read("other", reads(made)))
    assert (alike.difference, alike.one, alike.other) == (0.0, "one", "other")
    assert alike.counts[0].value == alike.counts[1].value


def test_the_plan_counts_its_requests(agreement, passages, reads):
    """A prospect names as many requests as are asked, and says where nothing is gated."""
    made = agreement(passages(6))
    prospect = made.prospect("small", None)
    assert prospect.requests == len(reads(made))
    assert prospect.planned_n == 6
    assert prospect.warnings
    assert agreement(passages(6), mark={"small": 0.9}).prospect("small", None).warnings == ()
    assert made.assume(None, None) is None
    assert made.cost > 0


@pytest.mark.parametrize("change", [{"mark": {"small": 0.9}}, {"top_k": 6}, {"passages": 3}, {"alpha": 0.05}])
def test_a_specification_holds_what_a_verdict_depends_on(agreement, passages, change):
    """A change of a setting is a change of the registered specification."""
    assert agreement(passages(5)).specification() != agreement(passages(5), **change).specification()
    assert agreement(passages(5)).specification() != agreement(passages(5, length=50)).specification()


def test_passages_are_checked(agreement, passages):
    """Rows that are no passages, ids or texts that stand twice, and too few passages are told before anything boots."""
    good = passages(3)
    for rows, why in (
        ([*good, {"id": "x", "text": " "}], "row 3.: text is ' '"),
        ([*good, {"id": "x", "text": 4}], "text is 4"),
        ([*good, {"id": "a\nb", "text": "t"}], "id is"),
        ([*good, {"id": "x", "text": "t", "kind": 3}], "kind is 3"),
        ([*good, good[0]], "1 ids stand twice: 'p000'"),
        ([*good, {"id": "x", "text": f" {good[0]['text'].upper()}\n"}], "'p000' and 'x' hold the same text"),
        (good[:1], "1 passages are too few"),
    ):
        with pytest.raises(DatasetError, match=why):
            agreement(rows)
    assert [each.id for each in agreement([{"text": "a b"}, {"text": "c d", "group": "g"}]).passages.passages] == [
        "0000",
        "0001",
    ]


def test_a_partial_run_reads_some_of_each_kind(agreement, passages):
    """A limit of questions a subject is one of passages a kind."""
    made = agreement(passages(10), Scope(questions_per_group=2))
    assert [each.id for each in made.passages.passages] == ["p000", "p001", "p002", "p003"]


def test_a_mark_for_no_build_is_refused(agreement, passages):
    """A mark whose build the suite does not have is an error that lists those it has."""
    for table in ("mark", "total_variation_mark"):
        with pytest.raises(SuiteError, match=f"agreement.{table}: no build 'smal'; it has: small, damaged"):
            agreement(passages(2), **{table: {"smal": 0.9}})


def test_passages_of_one_token_cannot_be_compared(agreement, having_read, reads):
    """Without two passages that have a position there is nothing to decide."""
    made = agreement([{"text": "a"}, {"text": "b"}, {"text": "a b c d e f g h"}])
    sides = [having_read(name, reads(made)) for name in ("original", "small")]
    with pytest.raises(InvalidClaim, match="1 passages have a position"):
        made.decide(*sides)


def test_a_control_is_drawn_apart(decide):
    """A control's row has a chart of its own."""
    assert decide().effects[0].chart == "agreement"
    assert decide(change=lambda build: replace(build, control=True)).effects[0].chart == "agreement, control"
    assert decide(mark={"small": 0.9}).effects[0].margin == pytest.approx(10)
