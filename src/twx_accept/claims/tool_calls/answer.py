"""One message as a server gave it, with every field checked for its type before anything reads it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from twx_accept.claims.tool_calls.arguments import shortened


class NotAMessage(Exception):
    """The JSON is no message of a chat completion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A call in a message; ``id`` is whatever stands there."""

    id: Any
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a message holds; a text that is not there is empty."""

    content: str
    reasoning: str
    calls: tuple[Called, ...]

    @classmethod
    def of(cls, message: Any) -> "Answer":
        """The answer in a message as vLLM's chat completion gives it.

        Older servers say ``reasoning_content`` for ``reasoning``; where both stand, both are looked at.

        Raises:
            NotAMessage: naming the field.
        """
        if not isinstance(message, Mapping):
            raise NotAMessage(f"the message is {_kind(message)}, not an object")
        reasoning = dict.fromkeys(_text(message, field) for field in ("reasoning", "reasoning_content"))
        calls = message.get("tool_calls")
        if calls is not None and not isinstance(calls, list):
            raise NotAMessage(f"tool_calls is {_kind(calls)}, not a list")
        return cls(
            content=_text(message, "content"),
            reasoning="\n".join(text for text in reasoning if text),
            calls=tuple(_called(call, place) for place, call in enumerate(calls or ())),
        )


def _text(message: Mapping[str, Any], field: str) -> str:
    text = message.get(field)
    if text is not None and not isinstance(text, str):
        raise NotAMessage(f"{field} is {_kind(text)}, not text")
    return text or ""


def _called(call: Any, place: int) -> Called:
    where = f"tool_calls[{place}]"
    if not isinstance(call, Mapping) or not isinstance(call.get("function"), Mapping):
        raise NotAMessage(f"{where} holds no function")
    if call.get("type", "function") != "function":
        raise NotAMessage(f"{where}.type is {told(call['type'])}, not 'function'")
    function = call["function"]
    for field in ("name", "arguments"):
        if not isinstance(function.get(field), str):
            raise NotAMessage(f"{where}.function.{field} is {_kind(function.get(field))}, not text")
    return Called(id=call.get("id"), name=function["name"], arguments=function["arguments"])


def told(value: Any) -> str:
    """A field's value for a sentence: text as it is, of all else (which may be nested without end) only its type."""
    return shortened(repr(value), 60) if isinstance(value, str) else _kind(value)


def _kind(value: Any) -> str:
    return "missing" if value is None else type(value).__name__
