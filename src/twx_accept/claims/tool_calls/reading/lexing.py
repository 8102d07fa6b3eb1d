"""Cuts raw text at its markers, once, from left to right.

A marker is a marker wherever it stands: raw text does not say whether ``<|close|>`` was the special token or seven
characters in an argument, so an argument that holds one is malformed here. (The engine's parsers cannot tell either.)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

ANY_SPECIAL = r"<\|\w{1,40}\|>"
"""The look of a special token in the templates of Kimi, ChatML and their kin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A marker, or the text between two; ``at`` is its offset in characters."""

    at: int
    text: str
    marker: bool

    @property
    def blank(self) -> bool:
        """Whether it is text of spaces and line ends only."""
        return not self.marker and not self.text.strip(" \t\r\n")


def pieces(raw: str, markers: re.Pattern[str]) -> Iterator[Piece]:
    """Markers and the texts between them, which are never empty; together they are the whole of ``raw``."""
    done = 0
    for match in markers.finditer(raw):
        if match.start() > done:
            yield Piece(at=done, text=raw[done : match.start()], marker=False)
        yield Piece(at=match.start(), text=match.group(), marker=True)
        done = match.end()
    if done < len(raw):
        yield Piece(at=done, text=raw[done:], marker=False)
