"""The matcher as this claim uses it: a passage is prepared once, and asked whether it supports a fact."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from twx_accept.claims.made_up_facts.matching import Match, Matcher, Support

__all__ = ["Match", "Matcher", "Matching", "Part", "Prepare", "Support", "matched"]


class Matching(Protocol):
    """A prepared passage."""

    def match(self, fact: str) -> Match:
        """Whether the passage supports the fact, why, and by which sentence."""
        ...


Prepare = Callable[[str], Matching]
"""Prepares a passage."""


class Part(NamedTuple):
    """Some facts to be held against one text, wherever that is done."""

    prepare: Prepare
    text: str
    facts: tuple[str, ...]


def matched(part: Part) -> tuple[Match, ...]:
    """What the text says of each fact."""
    prepared = part.prepare(part.text)
    return tuple(map(prepared.match, part.facts))
