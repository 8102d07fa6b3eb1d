"""The frozen types: digests, denominators, and what may ship."""

import dataclasses
import functools
import hashlib
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from twx_accept.domain.evidence import Inventory
from twx_accept.domain.exchange import Exchange, Failure, Key, Request, canonical, digest
from twx_accept.domain.run import RunRecord, Setting
from twx_accept.domain.scope import Scope
from twx_accept.domain.verdict import Outcome, Verdict

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(value=st.dictionaries(st.text(max_size=4), JSON, max_size=4))
def test_digest_does_not_depend_on_order(value):
    """Two tables with the same fields have one digest, whatever the order they were written in."""
    assert digest(value) == digest(dict(reversed(value.items())))


def test_digest_is_that_of_sorted_compact_json():
    """The canonical form is sorted, without spaces, in UTF-8, so that anybody can take the digest again."""
    assert canonical({"b": [1, 2.5, None, True], "a": "é"}) == '{"a":"é","b":[1,2.5,null,true]}'.encode()
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


ANY_TEXT = st.text(st.characters(categories=None))
WHOLE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=8,
)


@given(value=WHOLE | JSON)
@example(value="".join(map(chr, range(0x2100))))
@example(value={"\uffff": 1, "\U00010000": 2, "\ud800": 3, "\x7f\u2028": 4})
@example(value={2: True, 10: 2, 1.5: 3})
@example(value={Outcome.SHOWN: 1, Outcome.FAILED: Outcome.INVALID})
@example(value=(1, Outcome.SHOWN, -0.0, 1e16, 1e-7))
@example(value=[2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 2**200])
def test_a_digest_is_of_the_canonical_form_whatever_is_in_it(value):
    """Controls, halves of surrogates, numbers of any size: the digest is that of the canonical bytes."""
    assert digest(value) == hashlib.sha256(canonical(value)).hexdigest()


def test_a_deep_request_has_a_digest():
    """What can be written as JSON at all has its digest, at whatever depth."""
    deep = functools.reduce(lambda inner, _: [inner], range(600), 1)
    assert digest(deep) == hashlib.sha256(b"[" * 600 + b"1" + b"]" * 600).hexdigest()


@pytest.mark.parametrize("value", [b"a", {1, 2}, object(), Key(claim="c", item="i")])
def test_what_is_no_json_has_no_digest(value):
    """Bytes, sets and objects are refused, not written in some form of their own."""
    with pytest.raises(TypeError):
        digest({"a": [value]})


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_have_no_digest(value):
    """NaN and infinities are refused: they have no JSON."""
    with pytest.raises(ValueError, match="JSON"):
        digest([value])


def request_for(body, item="q", phase="tokens"):
    """A request with that body."""
    return Request(key=Key(claim="c", item=item), path="/v1/completions", body=body, phase=phase)


def test_digest_of_a_request_is_what_was_asked():
    """Key and phase do not count, path and body do."""
    one = request_for({"prompt": "a"})
    assert one.digest == request_for({"prompt": "a"}, item="other", phase="later").digest
    assert one.digest != request_for({"prompt": "b"}).digest
    assert one.digest != dataclasses.replace(one, path="/tokenize").digest


def test_prompts_are_counted():
    """A text is one prompt, a list of texts or of ids as many as it holds."""
    assert request_for({"prompt": "a"}).prompts == 1
    assert request_for({"prompt": ["a", "b"]}).prompts == 2
    assert request_for({"prompt": [[1, 2], [3]]}).prompts == 2
    assert request_for({}).prompts == 1


@pytest.mark.parametrize(
    "answer", [None, {}, {"choices": None}, {"choices": "text"}, {"choices": {"0": {}}}, {"choices": [{}, None]}]
)
def test_exchange_without_choices_has_none(answer):
    """A failure, or an answer of another form, has no choices and does not crash."""
    made = Exchange(request=request_for({}), answer=answer, failure=None, seconds=0, attempts=1)
    assert list(made.choices()) == []


def test_keys_sort_by_claim_and_item():
    """Keys have an order, so that evidence reads alike every time."""
    keys = [
        Key(claim="b", item="1"),
        Key(claim="a", item="2", arm="x"),
        Key(claim="a", item="2"),
        Key(claim="a", item="1"),
    ]
    assert [(key.claim, key.item, key.arm) for key in sorted(keys)] == [
        ("a", "1", "answer"),
        ("a", "2", "answer"),
        ("a", "2", "x"),
        ("b", "1", "answer"),
    ]


def test_types_are_frozen():
    """Nothing that passes through the system can be changed on the way."""
    for made in (Key(claim="c", item="q"), request_for({}), Failure(kind="k", message="m", lasting=False), Scope()):
        with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
            made.claim = "other"


def test_weights_are_summed():
    """The size of a build is that of its weight files."""
    assert Inventory(weights={"a": 3, "b": 4}, digests={}, tensors={}).total_bytes == 7


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        (Scope(), ""),
        (Scope(questions_per_group=4), "4 questions a subject"),
        (Scope(questions="cais/mmlu:all"), "questions from mmlu:all"),
        (Scope(questions="/data/mine/"), "questions from mine"),
        (Scope(questions="C:\\data\\mine"), "questions from mine"),
        (Scope(questions_per_group=1, questions="x"), "1 question a subject, questions from x"),
    ],
)
def test_scope_says_why_a_run_is_partial(scope, words):
    """A whole run is not partial; any departure is told without the folders of this machine."""
    assert scope.partial == words


def test_setting_is_the_same_for_all_or_not():
    """One value for every build is the same."""
    assert Setting(group="g", label="l", values={"a": "1", "b": "1"}).same
    assert not Setting(group="g", label="l", values={"a": "1", "b": "2"}).same


def verdict(outcome=Outcome.SHOWN, build="small", title="Size", **changes):
    """A verdict."""
    return Verdict(claim="size", title=title, build=build, outcome=outcome, sentence="It is.", **changes)


@pytest.mark.parametrize(
    ("made", "passes"),
    [
        (verdict(Outcome.SHOWN), True),
        (verdict(Outcome.REPORTED), True),
        (verdict(Outcome.FAILED, gates=False), True),
        (verdict(Outcome.FAILED), False),
        (verdict(Outcome.NOT_SHOWN), False),
        (verdict(Outcome.INVALID), False),
    ],
)
def test_what_passes_its_test(made, passes):
    """Shown passes, and what decides nothing; the rest does not."""
    assert made.passes is passes


def test_verdict_in_a_message_is_short():
    """A failing test shows the outcome, not thousands of items."""
    assert repr(verdict()) == "<Size of small: shown>"


def run(*verdicts, **changes):
    """A whole run of one build and the size claim."""
    usual = {
        "suite": "s",
        "suite_title": "S",
        "demonstration": False,
        "date": "2025-01-01T00:00:00+00:00",
        "command": "pytest",
        "original": "original",
        "builds": ("small",),
        "planned": (("Size", "small"),),
        "verdicts": verdicts,
        "settings": (),
        "timings": (),
        "titles": {},
        "control": "caught",
    }
    return RunRecord(**usual | changes)


@pytest.mark.parametrize(
    ("made", "ships"),
    [
        (run(verdict()), True),
        (run(verdict(), verdict(Outcome.REPORTED, title="Cache", gates=False)), True),
        (run(), False),
        (run(verdict(Outcome.FAILED)), False),
        (run(verdict(Outcome.NOT_SHOWN)), False),
        (run(verdict(Outcome.INVALID)), False),
        (run(verdict(Outcome.REPORTED)), False),
        (run(verdict(gates=False)), False),
        (run(verdict(), partial="4 questions a subject"), False),
        (run(verdict(), interrupted=True), False),
        (run(verdict(), control="missed"), False),
        (run(verdict(), planned=(("Size", "small"), ("Cache", "small"))), False),
        (run(verdict(), planned=(("Size", "small"), ("Size", "other"))), True),
    ],
)
def test_what_may_ship(made, ships):
    """A build ships on a whole run in which every gating claim about it is shown and the control was not missed."""
    assert made.may_ship("small") is ships


def test_what_was_planned_and_has_no_verdict_is_missing():
    """Planned pairs without a verdict are listed in order."""
    planned = (("Size", "small"), ("Cache", "small"), ("Size", "other"))
    assert run(verdict(), planned=planned).missing() == planned[1:]
    assert run(verdict(), verdict(build="other")).of("other") == (verdict(build="other"),)
