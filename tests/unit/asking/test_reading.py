"""What of an answer's bytes can be kept."""

import contextlib
import json
from typing import Any

import pytest
from asking_bench import Bench, Recorder, request
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.asking import reading
from twx_accept.asking.reading import DEEPEST, MalformedAnswer, read
from twx_accept.domain.exchange import canonical

NESTED = [f'{{"a": {"[" * depth}{"]" * depth}}}' for depth in (DEEPEST, 900, 5_000, 200_000)]

SPOILT = [
    "",
    " ",
    "{",
    "[]",
    "null",
    "1",
    '"text"',
    '{"a": NaN}',
    '{"a": [Infinity]}',
    '{"a": {"b": -Infinity}}',
    '{"a": 1e999}',
    '{"a": -1e999}',
    '{"a": ' + "9" * 400 + ".5}",
    '{"a": ' + "9" * 5000 + "}",
    '{"a": 1}{"b": 2}',
    "{'a': 1}",
    *NESTED,
]


@pytest.mark.parametrize("text", SPOILT)
def test_what_cannot_be_kept_is_malformed(text: str) -> None:
    """No JSON, no object, numbers that are none, and nesting without end are refused in reading."""
    with pytest.raises(MalformedAnswer):
        read(text.encode())


def test_bytes_that_are_no_text_are_malformed() -> None:
    """Bytes that no encoding explains are refused."""
    with pytest.raises(MalformedAnswer):
        read(b'{"a": "\xff\xfe"}')


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(st.characters()), JSON, max_size=4))
def test_every_json_object_is_read_as_it_is(value: dict[str, Any]) -> None:
    """Reading changes nothing, and what is read can be stored."""
    assert read(json.dumps(value).encode()) == value
    assert canonical(read(json.dumps(value).encode()))


@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,0123456789.eE+-NaInfity\\ud8 ').map(str.encode))
def test_no_bytes_break_the_reading(raw: bytes) -> None:
    """Whatever comes is read and can be stored, or is malformed."""
    with contextlib.suppress(MalformedAnswer):
        canonical(read(raw))


@pytest.mark.parametrize("text", SPOILT)
def test_a_spoilt_answer_is_a_failure_that_is_kept(text: str, bench: Bench) -> None:
    """An answer that cannot be kept becomes a failure after the last try: no crash, and no loss."""
    with Recorder(reply=lambda *_: text) as server:
        (exchange,) = bench.ask(server, [request(1)], attempts=2)
        assert len(server.seen) == 2
    assert exchange.answer is None
    assert exchange.failure is not None
    assert (exchange.failure.kind, exchange.failure.lasting) == ("malformed answer", False)
    assert canonical(exchange.failure.message)


def test_halves_of_surrogates_are_kept(bench: Bench) -> None:
    """A lone surrogate in an answer is stored as it came, though no UTF-8 has it."""

    def halve(_: Any, answer: Any) -> str:
        answer["choices"][0]["text"] = "\ud83d"
        return json.dumps(answer)

    with Recorder(reply=halve) as server:
        (exchange,) = bench.ask(server, [request(1)])
    assert exchange.choices()[0]["text"] == "\ud83d"
    assert canonical(exchange.answer)


def test_halves_of_surrogates_can_be_asked(bench: Bench) -> None:
    """A prompt with a lone surrogate reaches the server."""
    with Recorder() as server:
        bench.ask(server, [request(1, ["a \udc00"])])
    assert server.prompts == [["a \udc00"]]


def test_an_answer_without_end_is_not_read_to_its_end(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that is larger than the limit is a failure and does not fill the memory."""
    monkeypatch.setattr(reading, "LARGEST_ANSWER", 100_000)
    with Recorder(reply=lambda _, answer: {**answer, "more": "x" * 200_000}) as server:
        (exchange,) = bench.ask(server, [request(1)])
    assert exchange.failure is not None
    assert "larger than 100000 bytes" in exchange.failure.message


def test_a_large_answer_is_kept(bench: Bench) -> None:
    """Megabytes of log-probabilities are nothing unusual."""
    with Recorder(reply=lambda _, answer: {**answer, "more": [[0.25] * 100] * 10_000}) as server:
        (exchange,) = bench.ask(server, [request(1)])
    assert exchange.answer is not None
    assert len(exchange.answer["more"]) == 10_000
