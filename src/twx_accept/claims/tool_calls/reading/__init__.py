"""Our own strict reader of raw model output: what is a call to the letter, and what is wrong with all else.

The engine's parsers forgive: they mend arguments, pass half-written calls on and drop others without a word. Where
their message and this reading differ, something was lost or changed on the way.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from twx_accept.claims.tool_calls.reading.hermes import read as hermes
from twx_accept.claims.tool_calls.reading.kimi_k2 import read as kimi_k2
from twx_accept.claims.tool_calls.reading.kimi_k3 import read as kimi_k3
from twx_accept.claims.tool_calls.reading.shape import Call, Kind, Problem, Reading

__all__ = ["FORMATS", "Call", "Format", "Kind", "Problem", "Reading", "read"]

Format = Literal["kimi_k2", "kimi_k3", "hermes"]
"""The formats by the names of vLLM's parsers (``--tool-call-parser``)."""

FORMATS: Mapping[Format, Callable[[str, bool], Reading]] = MappingProxyType(
    {"kimi_k2": kimi_k2, "kimi_k3": kimi_k3, "hermes": hermes}
)

THINKS_FIRST: frozenset[Format] = frozenset({"kimi_k2", "kimi_k3"})
"""Formats whose prompt ends inside the thinking unless it was turned off."""


def read(raw: str, format: Format, *, thinking: bool | None = None) -> Reading:  # noqa: A002 - the word for it
    """Read raw output, special tokens included. Takes time in proportion to its length, and never raises.

    Args:
        raw: the text of all generated tokens, decoded with its special tokens.
        format: how the model writes calls.
        thinking: whether the prompt ended inside the thinking, so that the text begins there; None for what is usual.
    """
    return FORMATS[format](raw, format in THINKS_FIRST if thinking is None else thinking)
