"""Trials of tool calling, and a server that answers them: rightly, or as a test says.

A token is a character here, so that raw output and its ids are one and the same; a prompt is rendered to the digest of
its messages, tools and effort. Raw output is written in Hermes' format, as the engine's parser reads it.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twx_accept.domain.exchange import Exchange, Failure, Request, canonical

CASES = ("one_call", "two_calls", "nested", "forbidden", "choice_of_twenty", "loop")
EFFORTS = {"low": {"reasoning_effort": "low"}, "high": {"reasoning_effort": "high"}}
SETTINGS: Mapping[str, Any] = {
    "source": "trials",
    "format": "hermes",
    "max_tokens": 400,
    "sampling": {"temperature": 0.6},
    "efforts": EFFORTS,
    "margin_points": 10.0,
}
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}
PLAN = {
    "type": "object",
    "properties": {"stops": {"type": "array", "items": CITY, "minItems": 1}},
    "required": ["stops"],
    "additionalProperties": False,
}
WORDS = "Nothing needs to be looked up for that."


def trial(case: str, number: int) -> dict[str, Any]:
    """One trial of a case as a row of a source."""
    city = f"City{number}"
    weather = {"name": "weather", "arguments": {"city": city}}
    expected = {
        "two_calls": [weather, {"name": "weather", "arguments": {"city": "Oslo", "days": number}}],
        "nested": [{"name": "plan", "arguments": {"stops": [{"city": city}, {"city": "Oslo"}]}}],
        "forbidden": [],
    }.get(case, [weather])
    names = [*("weather", "plan"), *(f"tool_{each}" for each in range(18 if case == "choice_of_twenty" else 1))]
    schemas = {"weather": CITY, "plan": PLAN}
    row: dict[str, Any] = {
        "id": f"{case.replace('_', '-')}-{number:03}",
        "case": case,
        "domain": "weather",
        "messages": [{"role": "user", "content": f"{case}: what about {city}?"}],
        "tools": [
            {"type": "function", "function": {"name": name, "parameters": schemas.get(name, {"type": "object"})}}
            for name in names
        ],
        "expected": expected,
    }
    if case == "loop":
        row |= {"result": {"name": "weather", "content": f'{{"code": "QX{number}"}}'}, "answer_holds": [f"QX{number}"]}
    return row


def trials(per_case: int, cases: Sequence[str] = CASES) -> list[dict[str, Any]]:
    """So many trials of each case."""
    return [trial(case, number) for case in cases for number in range(per_case)]


def ids(text: str) -> list[int]:
    """The tokens of a text."""
    return [ord(sign) for sign in text]


def rendered(body: Mapping[str, Any]) -> list[int]:
    """The tokens of a prompt: they depend on what is said, offered and told of the effort, and on nothing else."""
    said = {name: body.get(name) for name in ("messages", "tools", "reasoning_effort", "chat_template_kwargs")}
    return list(hashlib.sha256(canonical(said)).digest()[:6])


def called(*calls: tuple[str, Any], raw: str | None = None, finish: str | None = None, **fields: Any) -> dict[str, Any]:
    """An answer that calls tools (name and arguments, as an object or as text), read by the server as it was written.

    ``raw`` is what the model wrote where the message is not what it wrote; ``fields`` replace fields of the message.
    """
    texts = [(name, given if isinstance(given, str) else json.dumps(given)) for name, given in calls]
    written = "".join(f'<tool_call>\n{{"name": "{name}", "arguments": {text}}}\n</tool_call>' for name, text in texts)
    message = {
        "role": "assistant",
        "content": None,
        "reasoning": None,
        "tool_calls": [
            {"id": f"call-{place}", "type": "function", "function": {"name": name, "arguments": text}}
            for place, (name, text) in enumerate(texts)
        ],
    }
    usual = "tool_calls" if calls else "stop"
    return answer(written + "<|im_end|>" if raw is None else raw, message | fields, usual if finish is None else finish)


def spoken(text: str, *, raw: str | None = None, finish: str = "stop", **fields: Any) -> dict[str, Any]:
    """An answer in words."""
    message = {"role": "assistant", "content": text, "reasoning": None, "tool_calls": []}
    return answer(f"{text}<|im_end|>" if raw is None else raw, message | fields, finish)


def answer(raw: str, message: Any, finish: Any) -> dict[str, Any]:
    """A chat completion but for its prompt."""
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish, "token_ids": ids(raw)}]}


def right(row: Mapping[str, Any], arm: str) -> dict[str, Any]:
    """The right answer to a turn of a trial."""
    if ".final" in arm:
        return spoken(f"It is {row['answer_holds'][0]}.")
    if not row["expected"]:
        return spoken(WORDS)
    return called(*((call["name"], call["arguments"]) for call in row["expected"]))


Say = Callable[[Mapping[str, Any], Request], Any]


def exchange(row: Mapping[str, Any], request: Request, say: Say | None = None) -> Exchange:
    """What a server answers to a request about a trial.

    ``say`` gets the trial and the request, and returns an answer, a failure, a message of one that may pass, or None
    for what is right.
    """
    said = say(row, request) if say else None
    if isinstance(said, str):
        said = Failure(kind="no connection", message=said, lasting=False)
    if said is None:
        if request.path == "/detokenize":
            said = {"prompt": "".join(map(chr, request.body["tokens"]))}
        else:
            said = right(row, request.key.arm)
    if isinstance(said, dict) and "choices" in said:
        said = {"prompt_token_ids": rendered(request.body)} | said
    failure = said if isinstance(said, Failure) else None
    return Exchange(
        request=request, answer=None if failure else said, failure=failure, seconds=0.1, attempts=1, rows=None
    )


def asked(claim: Any, rows: Sequence[Mapping[str, Any]], say: Say | None = None) -> list[Exchange]:
    """Everything that a server is asked for the claim and answers, each request once, in the order of the asking."""
    by_id = {row["id"]: row for row in rows}
    found = [exchange(by_id[request.key.item], request, say) for request in claim.opening()]
    while True:
        there = {each.request.key for each in found}
        todo = [request for request in claim.follow_up(found) if request.key not in there]
        if not todo:
            return found
        found += [exchange(by_id[request.key.item], request, say) for request in todo]
