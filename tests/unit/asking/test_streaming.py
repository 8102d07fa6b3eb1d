"""Streams add up to the answer that a request without one would have had, or are malformed: nothing in between."""

import contextlib
import json
from typing import Any

import pytest
from asking_bench import Bench, Recorder, request
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.asking.reading import MalformedAnswer
from twx_accept.asking.streaming import whole

CHAT = "/v1/chat/completions"
CALLS = [
    {"id": "call-0", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Ålesund"}'}},
    {"id": "call-1", "type": "function", "function": {"name": "clock", "arguments": "{}"}},
]
MESSAGE = {"role": "assistant", "content": "Let me look.", "reasoning": "Two cities: 東京.", "tool_calls": CALLS}


def event(chunk: Any, end: str = "\n") -> str:
    """One event of a stream."""
    return f"data: {chunk if isinstance(chunk, str) else json.dumps(chunk)}{end}{end}"


def chunk(delta: Any, **choice: Any) -> dict[str, Any]:
    """A chunk with one piece of the first choice."""
    return {"id": "c", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": None, **choice}]}


def call(index: Any, **part: Any) -> dict[str, Any]:
    """A piece of a call."""
    return {"tool_calls": [{"index": index, **part}]}


def chunks(message: dict[str, Any], size: int = 3, finish: str = "tool_calls") -> list[dict[str, Any]]:
    """A message in pieces of so many characters, as vLLM sends them: ids of the prompt first, counts last."""
    made = [chunk({"role": "assistant", "content": ""}) | {"prompt_token_ids": [1, 2]}]
    for name in ("reasoning", "content"):
        made += [chunk({name: piece}, token_ids=[3]) for piece in pieces(message[name], size)]
    for index, each in enumerate(message["tool_calls"]):
        name, arguments = each["function"]["name"], each["function"]["arguments"]
        made.append(chunk(call(index, id=each["id"], type="function", function={"name": name, "arguments": ""})))
        made += [chunk(call(index, function={"arguments": piece}), token_ids=[4]) for piece in pieces(arguments, size)]
    made.append(chunk({}, finish_reason=finish))
    return [*made, {"id": "c", "model": "m", "choices": [], "usage": {"completion_tokens": 5}}]


def pieces(text: str, size: int) -> list[str]:
    """A text cut up."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def stream(parts: list[Any], end: str = "\n", done: bool = True) -> bytes:
    """The bytes of a stream."""
    return "".join(event(part, end) for part in [*parts, *(["[DONE]"] if done else [])]).encode()


GOOD = chunks(MESSAGE)


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_stream_adds_up_to_the_whole_answer(size: int, end: str) -> None:
    """However it is cut up and its lines end, a stream says what the whole answer says, with all ids and counts."""
    found = whole(stream(chunks(MESSAGE, size), end))
    (choice,) = found["choices"]
    assert choice["message"] == MESSAGE
    assert (choice["index"], choice["finish_reason"]) == (0, "tool_calls")
    assert (found["model"], found["prompt_token_ids"], found["usage"]) == ("m", [1, 2], {"completion_tokens": 5})
    texts = [MESSAGE["reasoning"], MESSAGE["content"]], [each["function"]["arguments"] for each in CALLS]
    one, other = (sum(len(pieces(text, size)) for text in each) for each in texts)
    assert choice["token_ids"] == [3] * one + [4] * other


TEXTS = st.text(st.characters(exclude_categories=()), max_size=30)


@given(
    texts=st.tuples(TEXTS, TEXTS),
    calls=st.lists(st.tuples(TEXTS, TEXTS), max_size=3),
    size=st.integers(1, 9),
)
def test_every_message_survives_being_streamed(texts: tuple[str, str], calls: list[tuple[str, str]], size: int) -> None:
    """Whatever characters content, reasoning and arguments hold, they come through unchanged and in their order."""
    made = {
        "role": "assistant",
        "content": texts[0],
        "reasoning": texts[1],
        "tool_calls": [
            {"id": f"call-{at}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for at, (name, arguments) in enumerate(calls)
        ],
    }
    (choice,) = whole(stream(chunks(made, size)))["choices"]
    assert {"reasoning": "", **choice["message"]} == made


def test_stream_that_is_cut_off_anywhere_is_malformed() -> None:
    """At every byte before its end a stream is no answer; a whole one never becomes a shorter one."""
    raw = stream(GOOD)
    last = raw.index(b"[DONE]") + len(b"[DONE]")
    for length in range(last):
        with pytest.raises(MalformedAnswer):
            whole(raw[:length])
    for length in range(last, len(raw) + 1):
        assert whole(raw[:length]) == whole(raw)


def test_bytes_that_are_left_out_or_turned_never_break_the_reader() -> None:
    """With any byte gone or another, a stream is an answer or malformed, never another error."""
    raw = stream(chunks(MESSAGE, 20))
    for at in range(len(raw)):
        for other in (b"", b"\x00", b"\xff", b'"', b"\n", b"{"):
            with contextlib.suppress(MalformedAnswer):
                whole(raw[:at] + other + raw[at + 1 :])


def test_pieces_of_two_calls_may_alternate() -> None:
    """A piece belongs to the call of its index, wherever it stands."""
    parts = [
        chunk(call(0, id="call-0", function={"name": "weather", "arguments": '{"city"'})),
        chunk(call(1, id="call-1", function={"name": "clock"})),
        chunk(call(0, function={"arguments": ': "Ålesund"}'})),
        chunk(
            {
                "tool_calls": [
                    {"index": 1, "function": {"arguments": "{"}},
                    {"index": 1, "id": "", "function": {"arguments": "}"}},
                ]
            }
        ),
        chunk({}, finish_reason="tool_calls"),
    ]
    assert whole(stream(parts))["choices"][0]["message"]["tool_calls"] == CALLS


def test_comments_and_other_fields_are_passed_over() -> None:
    """Keep-alive comments, names and numbers of events, and JSON on several lines change nothing."""
    split = json.dumps(GOOD[1], indent=1).replace("\n", "\ndata:")
    raw = f": keep-alive\n\nretry: 3\n\n{event(GOOD[0])}event: message\nid: 7\ndata:{split}\n\n"
    assert whole(raw.encode() + stream(GOOD[2:])) == whole(stream(GOOD))


def test_what_comes_after_the_end_is_not_read() -> None:
    """The stream ends where it says so."""
    assert whole(stream(GOOD) + event(chunk({"content": "more"})).encode()) == whole(stream(GOOD))


WRONG = {
    "error": [{"error": {"message": "out of memory", "code": 500}}],
    "another choice": [chunk({"content": "a"}, index=1)],
    "choice without an index": [{"choices": [{"delta": {}}]}],
    "true for an index": [chunk({}, index=False)],
    "no choices": [{"id": "c"}],
    "choices no list": [{"choices": {"0": {}}}],
    "choice no object": [{"choices": ["a"]}],
    "delta no object": [chunk("text")],
    "content no text": [chunk({"content": 3})],
    "content a list": [chunk({"content": [{"type": "text", "text": "a"}]})],
    "reasoning no text": [chunk({"reasoning": {}})],
    "calls no list": [chunk({"tool_calls": {"0": {}}})],
    "call no object": [chunk({"tool_calls": [None]})],
    "call without an index": [chunk({"tool_calls": [{"function": {}}]})],
    "call ahead of its turn": [chunk(call(5, function={"name": "a"}))],
    "call before the first": [chunk(call(-1))],
    "true for a call's index": [chunk(call(True)), chunk(call(False))],
    "function no object": [chunk(call(0, function="weather"))],
    "empty list for a function": [chunk(call(0, function=[]))],
    "name no text": [chunk(call(0, function={"name": 1}))],
    "arguments an object": [chunk(call(0, function={"arguments": {}}))],
    "id no text": [chunk(call(0, id=7))],
    "finish_reason no text": [chunk({}, finish_reason=True)],
    "ids no list": [chunk({}, token_ids={})],
    "list for a chunk": ["[]"],
    "no JSON": ["{"],
    "nothing": [""],
    "NaN": ['{"choices": [], "usage": NaN}'],
}


@pytest.mark.parametrize("parts", WRONG.values(), ids=WRONG)
def test_piece_that_fits_no_message_is_malformed(parts: list[Any]) -> None:
    """An error or a wrong type anywhere in a stream is no answer, though its beginning and its end are well."""
    for at in (0, 3, len(GOOD)):
        with pytest.raises(MalformedAnswer):
            whole(stream([*GOOD[:at], *parts, *GOOD[at:]]))


def test_error_in_a_stream_is_told() -> None:
    """What the server says went wrong stands in the failure."""
    with pytest.raises(MalformedAnswer, match=r"the stream holds an error: .*out of memory"):
        whole(stream([*GOOD[:3], *WRONG["error"]]))


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "no stream of events"),
        (json.dumps({"choices": [{"index": 0, "message": MESSAGE}]}).encode(), "no stream of events"),
        (stream(GOOD, done=False), "cut off before its end"),
        (stream([]), "without a finish_reason"),
        (stream(GOOD[:-2]), "without a finish_reason"),
    ],
    ids=["empty", "whole answer", "no end", "end alone", "never finished"],
)
def test_what_is_no_whole_stream_says_so(raw: bytes, told: str) -> None:
    """Nothing, an answer without a stream, and a stream without an end or a reason to end are told apart."""
    with pytest.raises(MalformedAnswer, match=told):
        whole(raw)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["index", "delta", "tool_calls", "function", "name", "content", "token_ids", "id"]), inner
        )
    ),
    max_leaves=8,
)


@given(st.lists(st.builds(lambda value: {"choices": [{"index": 0, "delta": value}]}, JSON) | JSON, max_size=4))
def test_no_other_error_leaves_the_reader(parts: list[Any]) -> None:
    """Any JSON in any place gives an answer of one choice with a message, or is malformed."""
    with contextlib.suppress(MalformedAnswer):
        (choice,) = whole(stream([json.dumps(part) for part in parts]))["choices"]
        assert isinstance(choice["message"]["tool_calls"], list)


def test_asker_keeps_the_whole_answer_of_a_stream(bench: Bench) -> None:
    """A streamed request is kept as the answer that it adds up to; one that breaks off is asked again."""
    replies = iter([stream(GOOD[:4], done=False).decode(), stream(GOOD).decode()])
    asked = request("one", (), path=CHAT, messages=[], stream=True)
    with Recorder(reply=lambda *_: next(replies)) as server:
        (kept,) = bench.ask(server, [asked])
    assert kept.failure is None
    assert kept.attempts == 2
    assert kept.choices()[0]["message"] == MESSAGE


def test_stream_of_the_stand_in_says_what_its_whole_answer_says(bench: Bench) -> None:
    """Asked both ways, a server that behaves gives one set of calls, one reason and the same counts."""
    told = {"messages": [{"role": "user", "content": 'call weather {"city": "Oslo"}'}], "return_token_ids": True}
    tools = [{"type": "function", "function": {"name": "weather"}}]
    both = [request(name, (), path=CHAT, tools=tools, **told, stream=name == "stream") for name in ("whole", "stream")]
    with Recorder() as server:
        at_once, streamed = bench.ask(server, both)
    one, other = at_once.choices()[0], streamed.choices()[0]
    assert one["message"]["tool_calls"] == other["message"]["tool_calls"] != []
    assert one["finish_reason"] == other["finish_reason"] == "tool_calls"
    assert at_once.answer is not None
    assert streamed.answer is not None
    assert at_once.answer["usage"] == streamed.answer["usage"]


def test_asker_tells_why_there_is_no_stream(bench: Bench) -> None:
    """A server that does not stream leaves a failure that may pass, with what it answered."""
    asked = request("one", (), path=CHAT, messages=[], stream=True)
    with Recorder(reply=lambda *_: {"model": "m", "choices": [{"index": 0, "message": MESSAGE}]}) as server:
        (kept,) = bench.ask(server, [asked], attempts=1)
    assert kept.failure is not None
    assert (kept.failure.kind, kept.failure.lasting) == ("malformed answer", False)
    assert "no stream of events" in kept.failure.message
