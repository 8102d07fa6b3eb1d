"""What no text for a reader may hold: markers of a chat template, and a call that was written as plain text.

Each pattern begins with a fixed sign or word and takes a bounded run after it, so searching is linear.
"""

import re
from collections.abc import Container

MARKER = re.compile(
    r"<\|\w{1,40}\|>"  # Kimi, ChatML, Llama: <|open|>, <|tool_calls_section_begin|>, <|im_start|>
    r"|<\uff5c[^\uff5c<>]{1,40}\uff5c>"  # DeepSeek, with full-width bars
    r"|</?(?:tool_call|tool_calls|tool_response|tool_result|tools|think|function_call)>"
    r"|<function=|\[/?TOOL_CALLS\]|\[EOS\]"
)
"""Any marker of any template: a marker of another model's template in a text is no better."""

BEGINS_A_CALL = re.compile(
    r"<\|open\|>\s{0,4}(?:tools|call)\b"
    r"|<\|tool_calls?_section_begin\|>|<\|tool_call_begin\|>|<\|tool_call_argument_begin\|>"
    r"|<\uff5ctool\W?calls?\W?begin\uff5c>"
    r"|<tool_calls?>|<function_call>|<function=|\[TOOL_CALLS\]"
)
"""Markers after which a model writes a call."""

NAMED = re.compile(r'"(?:name|function|tool|tool_name)"\s{0,20}:\s{0,20}"([^"\\\n]{1,256})"')
ARGUMENTS = re.compile(r'"(?:arguments|parameters|args|input)"\s{0,20}:')


def marker_in(text: str) -> str | None:
    """The first marker of a chat template in a text, None where there is none."""
    found = MARKER.search(text)
    return found and found.group()


def call_begun_in(text: str) -> str | None:
    """The first marker in a text after which a model writes a call."""
    found = BEGINS_A_CALL.search(text)
    return found and found.group()


def call_written_in(text: str, tools: Container[str]) -> str | None:
    """The tool that a text calls in JSON (in a code fence or bare, whole or half-written); None where it calls none.

    It has to give arguments to one of ``tools``, or to any name where the text begins with JSON: a model that should
    just greet may answer ``{"name": "hello", "arguments": {}}``. Such a call reaches nobody: no parser reads it.
    """
    if ARGUMENTS.search(text) is None:
        return None
    anything = text.lstrip().startswith(("{", "[", "```"))
    return next((name for name in NAMED.findall(text) if anything or name in tools), None)
