"""The matcher as this claim uses it: a passage is prepared once, and asked whether it supports a fact."""

from collections.abc import Callable
from typing import Protocol

from twx_accept.claims.made_up_facts.matching import Match, Matcher, Support

__all__ = ["Match", "Matcher", "Matching", "Prepare", "Support"]


class Matching(Protocol):
    """A prepared passage."""

    def match(self, fact: str) -> Match:
        """Whether the passage supports the fact, why, and by which sentence."""
        ...


Prepare = Callable[[str], Matching]
"""Prepares a passage."""
