"""Distributions in an answer become arrays; an answer that is not of the form stays as it came."""

import copy
import json
import math
from typing import Any

import numpy as np
import pytest
from asking_bench import Bench, Recorder, request
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept.asking.answers import split
from twx_accept.asking.batching import Batch
from twx_accept.asking.compacting import compact
from twx_accept.asking.reading import read
from twx_accept.domain.exchange import Request


def entry(value: Any, text: Any = "x", rank: int = 1) -> dict[str, Any]:
    """A token of a row, as vLLM writes it."""
    return {"logprob": value, "rank": rank, "decoded_token": text}


GOOD = [None, {"5": entry(-0.5, "five"), "9": entry(-1.5, " nine")}, {"7": entry(-0.25, "seven")}]


def prompt(ids: Any = (4, 9, 7), k: Any = 2) -> Request:
    """A request for the distributions at a prompt of ids."""
    return request("p", list(ids) if isinstance(ids, tuple) else ids, prompt_logprobs=k)


def answer(rows: Any) -> dict[str, Any]:
    """An answer with those rows."""
    return {"model": "m", "choices": [{"index": 0, "text": "t", "prompt_logprobs": rows}], "usage": {"total": 3}}


def steps(rows: Any) -> dict[str, Any]:
    """An answer with the whole vocabulary of each written token."""
    logprobs = {"tokens": ["token_id:1"], "token_logprobs": [-0.1], "top_logprobs": rows}
    return {"choices": [{"index": 0, "logprobs": logprobs}]}


FULL = request("f", [1, 2], logprobs=-1, return_tokens_as_token_ids=True)


def test_rows_of_a_prompt_become_arrays() -> None:
    """Ids in rising order with their values; the texts of the likeliest token and of the one that was read are kept."""
    whole = answer(GOOD)
    before = copy.deepcopy(whole)
    rest, rows = compact(prompt(), whole)
    assert whole == before
    assert rest == {"model": "m", "choices": [{"index": 0, "text": "t"}], "usage": {"total": 3}}
    assert rows is not None
    assert rows.ids.tolist() == [[5, 9], [7, -1]]
    assert rows.logprobs.tolist() == [[-0.5, -1.5], [-0.25, -math.inf]]
    assert rows.logprobs.dtype == np.float32
    assert rows.texts == (("five", " nine"), ("seven", "seven"))
    assert rows.summary == "2 rows with the log-probabilities of 1 to 2 tokens each (float32)"


def test_a_prompt_in_a_list_is_the_same_prompt() -> None:
    """A list with one list of ids is one prompt."""
    assert compact(prompt([[4, 9, 7]]), answer(GOOD)) == compact(prompt(), answer(GOOD))


def test_a_rank_is_not_used() -> None:
    """Two tokens that tie have rank 2 both; the lower id is the likeliest."""
    rows = [None, {"9": entry(-0.5, "nine", 2), "5": entry(-0.5, "five", 2)}]
    _, found = compact(prompt((4, 9)), answer(rows))
    assert found is not None
    assert found.texts == (("five", "nine"),)


def test_values_do_not_change() -> None:
    """A value that single precision would change keeps its double one."""
    _, rows = compact(prompt((4, 9)), answer([None, {"9": entry(-0.1)}]))
    assert rows is not None
    assert rows.logprobs.dtype == np.float64
    assert rows.logprobs.tolist() == [[-0.1]]


def test_a_whole_vocabulary_becomes_arrays() -> None:
    """The written token's distribution is taken out, everything else stays."""
    whole = steps([{f"token_id:{token}": -float(token) - 1 for token in (2, 0, 1)}])
    rest, rows = compact(FULL, whole)
    assert rows is not None
    assert (rows.ids.tolist(), rows.logprobs.tolist(), rows.texts) == ([[0, 1, 2]], [[-1, -2, -3]], ())
    assert rest == {"choices": [{"index": 0, "logprobs": {"tokens": ["token_id:1"], "token_logprobs": [-0.1]}}]}


@pytest.mark.parametrize("asked", [prompt(k=0), prompt(k=None), prompt(k=True), prompt(k="2"), request("a", [1])])
def test_what_was_not_asked_for_is_not_touched(asked: Request) -> None:
    """Only a request for more than the read token itself has its rows taken out."""
    assert compact(asked, answer(GOOD)) == (answer(GOOD), None)


def spoilt(**row: Any) -> list[Any]:
    """Rows of which the last is this one."""
    return [None, GOOD[1], row]


HOSTILE = [
    *(None, {}, "rows", 3, [], [None], GOOD[:2], [*GOOD, GOOD[1]], [GOOD[1], *GOOD[1:]], [None, None, GOOD[2]]),
    *([None, GOOD[1], {}], [None, GOOD[1], []], [None, GOOD[1], "row"], [None, GOOD[1], {"7": -0.1}]),
    *([None, GOOD[1], {"7": {}}], [None, GOOD[1], {"7": None}]),
    *(spoilt(**{"7": entry(value)}) for value in (None, "-0.1", True, [], {}, 0.5, -9998.0, -9999, -1e300, 10**400)),
    *(spoilt(**{"7": entry(value)}) for value in (math.nan, -math.inf, math.inf)),
    *(
        spoilt(**{key: entry(-0.1)})
        for key in ("", "x", "-7", "7.0", " 7", "07", "\u0667", "1e3", "99999999999", "3" * 5000)
    ),
    spoilt(**{str(2**31): entry(-0.1)}),
]


@pytest.mark.parametrize("rows", HOSTILE)
def test_hostile_rows_leave_the_answer_as_it_came(rows: Any) -> None:
    """Wrong types, no log-probabilities, ids that are none, missing rows: no arrays, and nothing raised."""
    assert compact(prompt(), answer(rows)) == (answer(rows), None) or math.isnan(rows[2]["7"]["logprob"])
    assert compact(prompt(), answer(rows))[1] is None


@pytest.mark.parametrize("held", [None, {}, "abc", 3, [], [1], [None], [{}], [{"prompt_logprobs": GOOD}] * 2])
def test_hostile_choices_leave_the_answer_as_it_came(held: Any) -> None:
    """An answer that has not one choice has no rows."""
    for asked in (prompt(), FULL):
        assert compact(asked, {"choices": held}) == ({"choices": held}, None)


@pytest.mark.parametrize(
    "rows",
    [
        *(None, [], {}, [[]], [{}], [None], [{"1": -0.1}], [{"token_id:": -0.1}], [{"token_id:x": -0.1}]),
        *([{"token_id:1": 1.0}], [{"token_id:1": None}], [{"token_id:1": -9999.0}], [{"token_id:01": -1.0}]),
    ],
)
def test_hostile_vocabularies_leave_the_answer_as_it_came(rows: Any) -> None:
    """Keys that are no ids and values that are no log-probabilities: no arrays."""
    assert compact(FULL, steps(rows)) == (steps(rows), None)


def test_texts_that_are_none_are_empty() -> None:
    """A text that is no text, and a token that was read and is not there, decide nothing and break nothing."""
    rows = [None, {"5": entry(-0.5, None)}, {"7": entry(-0.25, "x" * 9000)}]
    _, found = compact(prompt(), answer(rows))
    assert found is not None
    assert [len(text) for pair in found.texts for text in pair] == [0, 0, 200, 200]
    _, bare = compact(prompt((4, 7)), answer([None, {"7": {"logprob": -1}}]))
    assert bare is not None
    assert bare.texts == ()


@pytest.mark.parametrize("ids", ["a text", [["a text"]], [1, 2], [], None, 4, [[4, 9, 7], [1]]])
def test_prompts_that_do_not_match_their_rows(ids: Any) -> None:
    """Rows of a text, or of another number of tokens than were sent, are not taken."""
    assert compact(prompt(ids), answer(GOOD))[1] is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["1", "7", "logprob", "a"]), inner),
    max_leaves=12,
)


@settings(deadline=None)
@given(JSON)
def test_nothing_raises(anything: Any) -> None:
    """Whatever a server sends in the place of rows, nothing is raised."""
    for asked, whole in ((prompt(), answer(anything)), (FULL, steps(anything))):
        compact(asked, whole)
        compact(asked, {"choices": anything})
        compact(asked, answer([None, anything, anything]))


def test_several_passages_of_one_request_keep_their_own_rows() -> None:
    """Where prompts shared a request, each exchange has the rows of its own prompt."""
    batch = Batch((prompt([[4, 9, 7]]), prompt([[1, 2]])))
    choices = [{"index": 1, "prompt_logprobs": [None, {"2": entry(-1)}]}, {"index": 0, "prompt_logprobs": GOOD}]
    first, second = split(batch, {"choices": choices}, "m", 1.0, 1)
    assert first.rows is not None
    assert second.rows is not None
    assert (len(first.rows), len(second.rows)) == (2, 1)
    assert "prompt_logprobs" not in json.dumps([first.answer, second.answer])


def test_the_asker_keeps_arrays(bench: Bench) -> None:
    """What is asked of a server arrives with its rows taken out."""
    with Recorder() as server:
        (kept,) = bench.ask(server, [request("p", [5, 6, 7, 8], prompt_logprobs=3)])
    assert kept.rows is not None
    assert len(kept.rows) == 3
    assert set(kept.rows.counts.tolist()) <= {3, 4}
    assert "prompt_logprobs" not in kept.choices()[0]


def test_a_text_is_no_number() -> None:
    """NaN and infinities never come so far: an answer that holds one is malformed as a whole."""
    with pytest.raises(Exception, match="no number"):
        read(b'{"choices": [{"prompt_logprobs": [null, {"1": {"logprob": NaN}}]}]}')
