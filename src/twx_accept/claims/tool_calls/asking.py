"""The requests of a trial: the turn itself, its raw output as text, and what follows from a tool's answer.

Raw output is asked for as token ids and decoded by the server's tokenizer with every special token in it: what the
engine's parser made of it is in the message, what the model wrote is here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from twx_accept.claims.tool_calls.answer import Answer, NotAMessage
from twx_accept.claims.tool_calls.tasks import Task
from twx_accept.domain.exchange import Exchange, Key, Request

CLAIM = "tool_calls"
CHAT, DECODE = "/v1/chat/completions", "/detokenize"
RAW, PROMPT, FINAL, STREAM = ".raw", ".prompt", ".final", ".stream"
"""Ends of an effort's arms: raw output as text, rendered prompt as text, the turn after the tool's answer, and the
same turn as a stream."""


OWN = frozenset(
    {
        "messages",
        "tools",
        "tool_choice",
        "max_tokens",
        "max_completion_tokens",
        "seed",
        "n",
        "model",
        "return_token_ids",
        "stream",
        "stream_options",
    }
)
"""Fields of a request that are the claim's: whoever asks otherwise asks something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How every trial is asked. ``efforts`` maps an effort to what tells the engine; ``seed`` is the first trial's."""

    efforts: Mapping[str, Mapping[str, Any]]
    sampling: Mapping[str, Any]
    max_tokens: int
    seed: int


def key(item: str, arm: str) -> Key:
    """The key of an exchange of this claim."""
    return Key(claim=CLAIM, item=item, arm=arm)


def turn(task: Task, effort: str, manner: Manner, place: int) -> Request:
    """The first turn of a trial; ``place`` is the trial's, by which it has a seed of its own."""
    body = {
        "messages": list(task.messages),
        "tools": list(task.tools),
        "tool_choice": "auto",
        "max_tokens": manner.max_tokens,
        "seed": manner.seed + place,
        "return_token_ids": True,
        **manner.sampling,
        **manner.efforts[effort],
    }
    return Request(key=key(task.id, effort), path=CHAT, body=body, phase="turns")


def streamed(asked: Request) -> Request:
    """The same turn as a stream, whose parser is another one in the engine."""
    body = {**asked.body, "stream": True, "stream_options": {"include_usage": True}}
    at = key(asked.key.item, asked.key.arm + STREAM)
    return Request(key=at, path=CHAT, body=body, phase="streams")


def decoded(exchange: Exchange | None, end: str = RAW) -> Request | None:
    """The request for the raw output of an answer as text (or its prompt's); None where it has no token ids."""
    ids = token_ids(exchange) if end == RAW else prompt_ids(exchange)
    if exchange is None or ids is None:
        return None
    at = key(exchange.request.key.item, exchange.request.key.arm + end)
    return Request(key=at, path=DECODE, body={"tokens": ids}, phase="raw")


def final(task: Task, asked: Request, answer: Exchange) -> Request | None:
    """The turn after the tool's answer: the conversation so far as the model wrote it, and the result."""
    message = message_of(answer)
    try:
        calls = Answer.of(message).calls
    except NotAMessage:
        return None
    if len(calls) != 1 or message is None or not isinstance(calls[0].id, str):
        return None
    said = {"role": "assistant", "content": message.get("content") or "", "tool_calls": message["tool_calls"]}
    thought = {name: message[name] for name in ("reasoning", "reasoning_content") if message.get(name)}
    result = {"role": "tool", "tool_call_id": calls[0].id, "content": task.result}
    body = {**asked.body, "messages": [*asked.body["messages"], said | thought, result]}
    return Request(key=key(task.id, asked.key.arm + FINAL), path=CHAT, body=body, phase="final turns")


def raws(asked: Sequence[Request], found: Mapping[Key, Exchange]) -> Iterator[Request]:
    """The raw output of whatever was answered."""
    for request in asked:
        if (made := decoded(found.get(request.key))) is not None:
            yield made


def choice_of(exchange: Exchange | None) -> Mapping[str, Any] | None:
    """The one choice of an answer; None where there is none, or more."""
    choices = exchange.choices() if exchange is not None else ()
    return choices[0] if len(choices) == 1 else None


def message_of(exchange: Exchange | None) -> Mapping[str, Any] | None:
    """The message of an answer."""
    message = (choice_of(exchange) or {}).get("message")
    return message if isinstance(message, Mapping) else None


def token_ids(exchange: Exchange | None) -> list[int] | None:
    """The ids that were generated."""
    return _ids((choice_of(exchange) or {}).get("token_ids"))


def prompt_ids(exchange: Exchange | None) -> list[int] | None:
    """The ids of the rendered prompt: proof of what the template made of the request."""
    return _ids((exchange.answer or {}).get("prompt_token_ids") if exchange is not None else None)


def has_ids(exchange: Exchange) -> bool:
    """Whether an answer says which tokens were read and written."""
    return token_ids(exchange) is not None and prompt_ids(exchange) is not None


def text_of(exchange: Exchange | None) -> str | None:
    """What ``/detokenize`` answered."""
    text = (exchange.answer or {}).get("prompt") if exchange is not None else None
    return text if isinstance(text, str) else None


def _ids(value: Any) -> list[int] | None:
    return value if isinstance(value, list) and {*map(type, value)} <= {int} else None
