"""Puts the markers of Kimi K3 together to tags: ``<|open|>call tool="x" index="1"<|sep|>`` is one."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from twx_accept.claims.tool_calls.reading.lexing import ANY_SPECIAL, Piece, pieces

OPEN, CLOSE, SEP, END = "<|open|>", "<|close|>", "<|sep|>", "<|end_of_msg|>"
MARKERS = re.compile(ANY_SPECIAL)
HEAD = re.compile(r'(?P<name>[a-z]+)(?P<attributes>(?: [a-z]+="[^"]*")*)')
ATTRIBUTE = re.compile(r' ([a-z]+)="([^"]*)"')
NAMES = frozenset({"think", "response", "tools", "call", "argument", "json", "message"})


class Sort(Enum):
    """What stands in the text."""

    TEXT = auto()
    OPEN = auto()
    CLOSE = auto()
    END = auto()
    BROKEN = auto()
    """Markers that make no tag, or one of a name that the format does not know."""
    UNKNOWN = auto()
    """A special token of another format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag, or what stands between two; ``attributes`` is None where they cannot be understood in one way only."""

    sort: Sort
    at: int
    text: str
    name: str = ""
    attributes: Mapping[str, str] | None = None

    @property
    def blank(self) -> bool:
        """Whether it is text of spaces and line ends only."""
        return self.sort is Sort.TEXT and not self.text.strip(" \t\r\n")

    def opens(self, *names: str) -> bool:
        """Whether it opens one of these."""
        return self.sort is Sort.OPEN and self.name in names

    def closes(self, *names: str) -> bool:
        """Whether it closes one of these."""
        return self.sort is Sort.CLOSE and self.name in names

    @property
    def ends_the_message(self) -> bool:
        """Whether it closes the message, or is the token that ends it."""
        return self.sort is Sort.END or self.closes("message")


def tags(raw: str) -> Iterator[Tag]:
    """Tags and what stands between them, from left to right; their texts together are ``raw``."""
    head: list[Piece] = []
    for piece in pieces(raw, MARKERS):
        begins = piece.text in (OPEN, CLOSE)
        if head and (begins or (piece.marker and piece.text != SEP)):
            yield _broken(head)
            head = []
        if begins or head:
            head.append(piece)
            if piece.text == SEP:
                yield _tag(head)
                head = []
        else:
            yield _other(piece)
    if head:
        yield _broken(head)


def _broken(head: list[Piece]) -> Tag:
    return Tag(sort=Sort.BROKEN, at=head[0].at, text="".join(piece.text for piece in head))


def _other(piece: Piece) -> Tag:
    sort = {END: Sort.END, SEP: Sort.BROKEN}.get(piece.text, Sort.UNKNOWN) if piece.marker else Sort.TEXT
    return Tag(sort=sort, at=piece.at, text=piece.text)


def _tag(head: list[Piece]) -> Tag:
    found = HEAD.fullmatch("".join(piece.text for piece in head[1:-1]))
    if found is None or found["name"] not in NAMES:
        return _broken(head)
    sort = Sort.OPEN if head[0].text == OPEN else Sort.CLOSE
    pairs = ATTRIBUTE.findall(found["attributes"])
    # In this order: what was written as &amp;quot; means &quot; and no quotation mark.
    attributes = {key: value.replace("&quot;", '"').replace("&amp;", "&") for key, value in pairs}
    clear = len(attributes) == len(pairs) and (sort is Sort.OPEN or not pairs)
    return Tag(
        sort=sort,
        at=head[0].at,
        text="".join(piece.text for piece in head),
        name=found["name"],
        attributes=attributes if clear else None,
    )
