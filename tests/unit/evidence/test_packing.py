"""The forms in which requests and answers are stored: whatever a server said comes back as it was said."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.domain.exchange import Exchange, Key, Request, canonical
from twx_accept.evidence.packing import exchange_of, pack, row_of

NAMES = st.sampled_from(["choices", "prompt_token_ids", "logprobs", "tokens", "\ud800"]) | st.text(max_size=3)
IDS = st.lists(st.integers(0, 2**40), max_size=4)
NUMBER = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
LEAF = st.none() | st.booleans() | NUMBER | st.text(max_size=5)
ANYTHING = st.recursive(
    LEAF | IDS | st.just('"prompt_token_ids":[1]'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


def kept(body: Any, answer: Any) -> Exchange:
    """An exchange, written and read again."""
    request = Request(key=Key(claim="c", item="1"), path="/v1/completions", body=body, phase="p")
    row = row_of(Exchange(request=request, answer=answer, failure=None, seconds=0.5, attempts=1))
    claim, item, arm, trial, run, _digest, *rest = row
    return exchange_of(claim, (item, arm, trial, run, *rest, None))


@given(body=st.dictionaries(NAMES, ANYTHING, max_size=3), answer=st.dictionaries(NAMES, ANYTHING, max_size=5))
def test_answers_of_any_form_come_back_as_they_were(body: Any, answer: Any) -> None:
    """Ids that are not where a server puts them, choices that are none, and halves of surrogates among them."""
    found = kept(body, answer)
    assert (found.request.body, found.answer) == (body, answer)
    assert canonical(found.answer) == canonical(answer)  # which tells 1 from 1.0 and true


def test_a_prompt_that_is_read_twice_is_held_once() -> None:
    """Of builds that were asked the same, request and ids are the same objects, and the rest is each one's own."""
    one, other = (
        kept({"prompt": ["x" * 100]}, {"choices": [{"prompt_token_ids": [7000, 8000], "text": said}]}) for said in "ab"
    )
    assert one.request.body is other.request.body
    assert one.choices()[0]["prompt_token_ids"] is other.choices()[0]["prompt_token_ids"]
    assert [each.choices()[0]["text"] for each in (one, other)] == ["a", "b"]


@pytest.mark.parametrize("wrong", [[1], "prompt_token_ids", ["prompt_token_ids"], None])
def test_an_answer_that_is_no_object_is_refused(wrong: Any) -> None:
    """Whatever stands in it."""
    asked = pack({"path": "", "body": {}, "phase": ""})
    with pytest.raises(TypeError, match="not an object"):
        exchange_of("c", ("1", "answer", 1, 1, asked, pack(wrong), None, 0, 1, None))
