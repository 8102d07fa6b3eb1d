"""Chats: a model that does as it is told, in the shapes of vLLM 0.32. A token of a chat is a character.

A user's line ``call NAME JSON`` is a call of an offered tool. What a tool answered is repeated; all else gets the
script's message.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fake_vllm.script import Script

ORDER = re.compile(r"^call (\w+) (.*)$", re.MULTILINE)
NOT_TOLD = (
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set; the tools are not called'
)
PIECE = 5
"""Characters in a chunk of a stream."""


def spell(text: str) -> list[int]:
    """The tokens of a text."""
    return [ord(sign) for sign in text]


def unspell(tokens: list[int]) -> str:
    """The text of these tokens."""
    return "".join(map(chr, tokens))


def rendered(body: Mapping[str, Any]) -> str:
    """The prompt as the template writes it: what is said and offered, and what is told of the effort."""
    kinds = ("tools", "messages", "reasoning_effort", "chat_template_kwargs")
    return "".join(f"<|{kind}|>{json.dumps(body[kind])}" for kind in kinds if body.get(kind))


def refusal(body: Mapping[str, Any], script: Script) -> str:
    """Why a server that was started without its flags takes no tools; empty where it takes them or there are none."""
    return NOT_TOLD if body.get("tools") and not script.tools else ""


def message(body: Mapping[str, Any], script: Script) -> dict[str, Any]:
    """What the model says: calls as it was told, unless it forgets them."""
    last = (body.get("messages") or [{"role": "user", "content": ""}])[-1]
    offered = [tool["function"]["name"] for tool in body.get("tools") or ()]
    forgotten = bool(script.forgets) and script.forgets in str(last["content"])
    orders = [] if forgotten else [(n, told) for n, told in ORDER.findall(str(last["content"])) if n in offered]
    if last["role"] == "tool":
        return {"role": "assistant", "content": f"It says {last['content']}.", "reasoning": None, "tool_calls": []}
    if not orders:
        return {"reasoning": None, "tool_calls": [], **script.chat}
    calls = [
        {"id": f"call-{place}", "type": "function", "function": {"name": name, "arguments": told}}
        for place, (name, told) in enumerate(orders)
    ]
    return {"role": "assistant", "content": None, "reasoning": None, "tool_calls": calls}


def written(said: Mapping[str, Any]) -> str:
    """What the model wrote, in Hermes' format."""
    calls = [
        f'{{"name": "{call["function"]["name"]}", "arguments": {call["function"]["arguments"]}}}'
        for call in said["tool_calls"]
    ]
    return (said["content"] or "") + "".join(f"<tool_call>\n{call}\n</tool_call>" for call in calls) + "<|im_end|>"


def answer(body: Mapping[str, Any], name: str, script: Script) -> Any:
    """``/v1/chat/completions``: JSON, or the text of a stream."""
    said = message(body, script)
    asked, made = spell(rendered(body)), spell(written(said))
    usage = {"prompt_tokens": len(asked), "completion_tokens": len(made), "total_tokens": len(asked) + len(made)}
    head = {"id": "chatcmpl-0", "created": 0, "model": name}
    reason = "tool_calls" if said["tool_calls"] else "stop"
    if body.get("stream"):
        chunks = [
            *({**head, "object": "chat.completion.chunk", "choices": [choice]} for choice in deltas(said, reason)),
            {**head, "object": "chat.completion.chunk", "choices": [], "usage": usage},
        ]
        return "".join(f"data: {each}\n\n" for each in (*map(json.dumps, chunks), "[DONE]"))
    ids = bool(body.get("return_token_ids"))
    choice = {"index": 0, "message": said, "finish_reason": reason, "token_ids": made if ids else None}
    rest = {"object": "chat.completion", "usage": usage, "prompt_token_ids": asked if ids else None}
    return {**head, **rest, "choices": [choice]}


def deltas(said: Mapping[str, Any], reason: str) -> Iterator[dict[str, Any]]:
    """A message in pieces."""
    parts: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    parts += [{"content": piece} for piece in pieces(said["content"] or "")]
    for index, call in enumerate(said["tool_calls"]):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        parts.append({"tool_calls": [{**call, "index": index, "function": {"name": name, "arguments": ""}}]})
        parts += [{"tool_calls": [{"index": index, "function": {"arguments": each}}]} for each in pieces(arguments)]
    yield from ({"index": 0, "delta": part, "finish_reason": None} for part in parts)
    yield {"index": 0, "delta": {}, "finish_reason": reason}


def pieces(text: str) -> list[str]:
    """A text cut up."""
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
