"""Raw output as each format's template writes it, and messages as a server gives them."""

import json

import pytest


def open_tag(name, **attributes):
    """An opening tag of Kimi K3."""
    escaped = {key: str(value).replace("&", "&amp;").replace('"', "&quot;") for key, value in attributes.items()}
    written = "".join(f' {key}="{value}"' for key, value in escaped.items())
    return f"<|open|>{name}{written}<|sep|>"


def close_tag(name):
    """A closing tag of Kimi K3."""
    return f"<|close|>{name}<|sep|>"


def k3_type(value):
    """The type that Kimi K3 says a value is of."""
    names = {bool: "boolean", type(None): "null", int: "number", float: "number", str: "string", dict: "object"}
    return names.get(type(value), "array")


def k3_call(name, arguments, index=1):
    """One call of Kimi K3."""
    written = [open_tag("call", tool=name, index=index)]
    for key, value in arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        written += [open_tag("argument", key=key, type=k3_type(value)), text, close_tag("argument")]
    return "".join([*written, close_tag("call")])


def k3(calls, content="", reasoning="plan"):
    """A message of Kimi K3, from where the prompt leaves off inside the thinking."""
    written = [reasoning, close_tag("think"), open_tag("response"), content, close_tag("response")]
    if calls:
        written.append(open_tag("tools"))
        written += [k3_call(*call, index) for index, call in enumerate(calls, start=1)]
        written.append(close_tag("tools"))
    return "".join([*written, close_tag("message"), "<|end_of_msg|>"])


def k2(calls, content="", reasoning="plan"):
    """A message of Kimi K2, from where the prompt leaves off inside the thinking."""
    written = [
        f"<|tool_call_begin|>functions.{name}:{index}<|tool_call_argument_begin|>"
        f"{json.dumps(arguments, ensure_ascii=False)}<|tool_call_end|>"
        for index, (name, arguments) in enumerate(calls)
    ]
    section = f"<|tool_calls_section_begin|>{''.join(written)}<|tool_calls_section_end|>" if calls else ""
    return f"{reasoning}</think>{content}{section}<|im_end|>"


def hermes(calls, content="", reasoning="plan"):
    """A message in Hermes' format."""
    written = [
        f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False)}\n</tool_call>"
        for name, arguments in calls
    ]
    return "\n".join([f"<think>{reasoning}</think>{content}", *written]) + "<|im_end|>"


def message_of(calls=(), content=None, reasoning=None, ids=None):
    """A message as a chat completion holds it; arguments that are no text are written as JSON."""
    return {
        "role": "assistant",
        "content": content,
        "reasoning": reasoning,
        "tool_calls": [
            {
                "id": f"call-{place}" if ids is None else ids[place],
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
                },
            }
            for place, (name, arguments) in enumerate(calls)
        ],
    }


@pytest.fixture(scope="session")
def rendered():
    """Renders calls, content and reasoning in each format."""
    return {"kimi_k2": k2, "kimi_k3": k3, "hermes": hermes}


@pytest.fixture(scope="session")
def message():
    """Makes a message."""
    return message_of


@pytest.fixture(scope="session")
def tag():
    """Makes an opening tag of Kimi K3."""
    return open_tag
