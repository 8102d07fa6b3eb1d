"""Distributions straight from an answer's bytes are those that the slower way finds, or none."""

import json
from typing import Any

import pytest
from asking_bench import Bench, Recorder, request
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept.asking.compacting import compact
from twx_accept.asking.peeling import peel
from twx_accept.asking.reading import MalformedAnswer, read
from twx_accept.domain.exchange import Request

IDS = [4, 9, 7]
GOOD: list[Any] = [
    None,
    {"5": {"logprob": -0.5, "rank": 1, "decoded_token": "five"}, "9": {"logprob": -1.5, "decoded_token": " nine"}},
    {"7": {"logprob": -0.25, "rank": 1, "decoded_token": None}},
]


def asked(*, tokens: bool, ids: Any = None, k: Any = 2) -> Request:
    """A request for the distributions at a prompt, by either way of asking."""
    ids = IDS if ids is None else ids
    if not tokens:
        return request("p", ids, prompt_logprobs=k)
    return request("p", (), token_ids=ids, sampling_params={"prompt_logprobs": k, "detokenize": False})


def answered(rows: Any, *, tokens: bool) -> dict[str, Any]:
    """The answer to it."""
    choice = {"index": 0, "token_ids": [1]}
    if tokens:
        return {"model": "m", "choices": [choice], "prompt_logprobs": rows}
    return {"model": "m", "choices": [{**choice, "text": "t", "prompt_logprobs": rows}]}


@pytest.mark.parametrize("tokens", [True, False])
def test_both_ways_find_the_same(tokens: bool) -> None:
    """Answer, rows and texts are equal, wherever the answer holds them."""
    whole, asking = answered(GOOD, tokens=tokens), asked(tokens=tokens)
    found = peel(asking, json.dumps(whole).encode())
    assert found is not None
    assert found == compact(asking, whole)
    assert found[1].ids.tolist() == [[5, 9], [7, -1]]
    assert "prompt_logprobs" not in json.dumps(found[0])


def test_both_ways_of_asking_have_the_same_rows() -> None:
    """The rows are equal to the last bit, whichever endpoint answered."""
    sides = [peel(asked(tokens=tokens), json.dumps(answered(GOOD, tokens=tokens)).encode()) for tokens in (True, False)]
    assert sides[0] is not None
    assert sides[1] is not None
    assert sides[0][1] == sides[1][1]


VALUES = st.sampled_from([-0.5, -1.5, 0, 1e-6, 1, -9999.0, True, None, "x", 1e308]) | st.floats(-20, 0)
ENTRIES = st.fixed_dictionaries({"logprob": VALUES}, optional={"decoded_token": st.none() | st.text() | st.integers()})
KEYS = st.sampled_from(["0", "-0", "00", "7", "9", "-1", "x", "", "2147483648", "\uff11"]) | st.integers(0, 60).map(str)
KEYS |= st.sampled_from([str(2**63 - 1), str(2**63), str(2**64), "9" * 23, "9" * 5000])
ROWS = st.lists(st.none() | st.dictionaries(KEYS, ENTRIES, max_size=4) | st.just([]), max_size=4)


@given(
    st.just(GOOD) | ROWS.map(lambda rows: [None, *rows]) | ROWS, st.booleans(), st.sampled_from([IDS, [4], [[4, 9, 7]]])
)
@settings(max_examples=300)
def test_whatever_comes_is_the_same_or_left(rows: Any, tokens: bool, ids: Any) -> None:
    """What is read from bytes is what the slower way reads, and all else is left to it."""
    asking, raw = asked(tokens=tokens, ids=ids), json.dumps(answered(rows, tokens=tokens)).encode()
    found = peel(asking, raw)
    assert found is None or found == compact(asking, read(raw))
    if found is None and json.loads(raw) == answered(GOOD, tokens=tokens) and ids == IDS:
        raise AssertionError("a good answer was left to the slower way")


@pytest.mark.parametrize("token", [str(2**31), str(2**63), str(2**64), "9" * 23, "9" * 5000])
@pytest.mark.parametrize("tokens", [True, False])
def test_ids_that_no_number_of_a_machine_holds_are_left(token: str, tokens: bool) -> None:
    """An id of many digits is no token: the answer stays as it came."""
    rows = [None, {token: {"logprob": -0.5}}, GOOD[2]]
    asking, raw = asked(tokens=tokens), json.dumps(answered(rows, tokens=tokens)).encode()
    assert peel(asking, raw) is None
    assert compact(asking, read(raw)) == (read(raw), None)


@given(st.integers(0, 200), st.binary(max_size=4))
def test_no_bytes_break_it(at: int, spoil: bytes) -> None:
    """An answer that is cut off or spoilt anywhere is left, or read as the slower way reads it."""
    whole = json.dumps(answered(GOOD, tokens=True)).encode()
    raw = whole[:at] + spoil + whole[at + len(spoil) :]
    found = peel(asked(tokens=True), raw)
    if found is not None:
        try:
            assert found == compact(asked(tokens=True), read(raw))
        except MalformedAnswer:
            pytest.fail("bytes were read that the slower way refuses")


@pytest.mark.parametrize("k", [0, None, True, "2"])
def test_nothing_is_taken_that_was_not_asked_for(k: Any) -> None:
    """An answer to a request without distributions is left as it is."""
    assert peel(asked(tokens=False, k=k), json.dumps(answered(GOOD, tokens=False)).encode()) is None


def test_the_asker_keeps_the_rows_of_either_way(bench: Bench) -> None:
    """An exchange holds the rows and an answer without them, and is asked once."""

    def reply(body: Any, _: Any) -> Any:
        return answered(GOOD, tokens="token_ids" in body)

    with Recorder(reply=reply) as server:
        (exchange,) = bench.ask(server, [asked(tokens=False)])
        assert len(server.seen) == 1
    assert exchange.rows is not None
    assert exchange.rows.ids.tolist() == [[5, 9], [7, -1]]
    assert exchange.answer is not None
    assert exchange.answer["choices"] == [{"index": 0, "token_ids": [1], "text": "t"}]
