"""From a stream of events to the answer that the same request without a stream would have had.

The engine parses a stream with other code than a whole answer, which is why it is asked for at all. Nothing is mended
here: what the pieces say is put together in their order.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from twx_accept.asking.reading import MalformedAnswer, read

DATA, END = b"data:", b"[DONE]"

TEXTS = ("content", "reasoning", "reasoning_content")


def whole(raw: bytes) -> Mapping[str, Any]:
    """The answer that a stream of chat completion chunks adds up to.

    Raises:
        MalformedAnswer: no stream, cut off before its end, an error in it, or pieces that fit no message.
    """
    message: dict[str, Any] = {"role": "assistant", "tool_calls": []}
    answer: dict[str, Any] = {}
    choice: dict[str, Any] = {"index": 0, "finish_reason": None}
    ended = False
    for event in _events(raw):
        ended = event == END
        if ended:
            break
        chunk = read(event)
        if "error" in chunk:
            raise MalformedAnswer(f"the stream holds an error: {str(chunk['error'])[:500]}")
        answer |= {name: chunk[name] for name in ("id", "model", "usage", "prompt_token_ids") if chunk.get(name)}
        for piece in _choices(chunk):
            choice["finish_reason"] = _text(piece, "finish_reason") or choice["finish_reason"]
            _add_ids(choice, piece)
            _add(message, piece.get("delta"))
    if not ended:
        raise MalformedAnswer("the stream was cut off before its end")
    if choice["finish_reason"] is None:
        raise MalformedAnswer("the stream ended without a finish_reason")
    return {**answer, "choices": [{**choice, "message": message}]}


def _events(raw: bytes) -> Iterator[bytes]:
    """The data of each event (Server-Sent Events, WHATWG HTML 9.2); comments and other fields are passed over."""
    found = False
    for block in raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n\n"):
        lines = [line[len(DATA) :].strip() for line in block.split(b"\n") if line.startswith(DATA)]
        if lines:
            found = True
            yield b"\n".join(lines)
    if not found:
        raise MalformedAnswer(f"the answer is no stream of events: {raw[:200]!r}")


def _choices(chunk: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    choices = chunk.get("choices")
    if not isinstance(choices, list) or not all(isinstance(piece, Mapping) for piece in choices):
        raise MalformedAnswer("a chunk of the stream has no list of choices")
    if not all(type(piece.get("index")) is int and piece["index"] == 0 for piece in choices):
        raise MalformedAnswer("a chunk of the stream belongs to another choice than the first")
    yield from choices


def _add_ids(choice: dict[str, Any], piece: Mapping[str, Any]) -> None:
    ids = piece.get("token_ids")
    if ids is not None and not isinstance(ids, list):
        raise MalformedAnswer("the token_ids of a chunk are no list")
    if ids is not None:
        choice.setdefault("token_ids", []).extend(ids)


def _add(message: dict[str, Any], delta: Any) -> None:
    if delta is None:
        return
    if not isinstance(delta, Mapping):
        raise MalformedAnswer("a delta of the stream is no object")
    for name in TEXTS:
        if (text := _text(delta, name)) is not None:
            message[name] = f"{message.get(name, '')}{text}"
    calls = delta.get("tool_calls")
    if calls is not None and not isinstance(calls, list):
        raise MalformedAnswer("the tool_calls of a delta are no list")
    for part in calls or ():
        _add_call(message["tool_calls"], part)


def _add_call(calls: list[dict[str, Any]], part: Any) -> None:
    if not isinstance(part, Mapping) or type(part.get("index")) is not int or not 0 <= part["index"] <= len(calls):
        raise MalformedAnswer("a call of the stream has no index that fits")
    if part["index"] == len(calls):
        calls.append({"id": None, "type": "function", "function": {"name": "", "arguments": ""}})
    call, function = calls[part["index"]], part.get("function")
    if function is not None and not isinstance(function, Mapping):
        raise MalformedAnswer("a call of the stream holds no function")
    call["id"] = _text(part, "id") or call["id"]
    for name in ("name", "arguments"):
        if (text := _text(function or {}, name)) is not None:
            call["function"][name] += text


def _text(piece: Mapping[str, Any], name: str) -> str | None:
    text = piece.get(name)
    if text is not None and not isinstance(text, str):
        raise MalformedAnswer(f"the {name} of a piece of the stream is {type(text).__name__}, not text")
    return text
