"""An item of evidence as the page shows it: which part of its texts, and which of them beside each other."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from twx_accept.domain.verdict import Item, Quantity
from twx_accept.report.format import quantity
from twx_accept.report.hostile import abridge, markup_bytes
from twx_accept.report.ids import Ids

SHORT, LONG, LEFT, RIGHT = range(4)
"""Where a text of an item stands: beside the next one, over the whole width, or beside the same of the other side."""

_ITEM_BYTES: Final = 360  # the markup around one item's texts
_ENTRY_BYTES: Final = 60  # the markup around one text
_SHORT, _SHORT_LINES = 100, 2  # characters and line breaks of a short text
_HEADING: Final = 160  # characters of a title, a group or a direction: the texts have it whole
_BREAKS: Final = re.compile("(?:[ \t\n]|\r\n)+")
_LABEL: Final = 1000  # characters of a text's label, which may be a choice of the question
_SIDES: Final = ("the original", "the build")
"""How the labels of what either side said begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownItem:
    """An item as the page shows it; ``id`` is unique in the page, ``body`` holds (label, text, where it stands)."""

    id: str
    group: str
    direction: str
    title: str
    body: tuple[tuple[str, str, int], ...]


def in_turn(items: Sequence[Item]) -> list[int]:
    """The places of all items: the first of each direction and group, then the second of each, and so on."""
    rounds: dict[tuple[str, str], int] = {}
    turn = []
    for item in items:
        key = (item.direction, item.group)
        rounds[key] = rounds.get(key, -1) + 1
        turn.append(rounds[key])
    return sorted(range(len(items)), key=turn.__getitem__)  # stable: within a round they keep their order


def shown(item: Item, limit: int, ids: Ids, build: str) -> ShownItem:
    """An item with ``limit`` characters of each text.

    An id that several builds share belongs to the first; the others add their name to it.
    """
    return ShownItem(
        id=ids.take(item.id, f"{item.id}-{build}"),
        group=_heading(item.group),
        direction=_heading(item.direction),
        title=_heading(item.title),
        body=_placed(_body(item, limit)),
    )


def size(item: ShownItem) -> int:
    """About how many bytes an item takes as markup."""
    headings = 2 * sum(map(markup_bytes, (item.title, item.group, item.direction)))
    texts = sum(_ENTRY_BYTES + markup_bytes(label) + markup_bytes(text) for label, text, _ in item.body)
    return _ITEM_BYTES + headings + texts


def _heading(text: str) -> str:
    """A text on one line, cut where it is long. Only what breaks a line is joined: other blanks are named, not lost."""
    line = _BREAKS.sub(" ", text).strip(" ")
    return line if len(line) <= _HEADING else line[: _HEADING - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _body(item: Item, limit: int) -> list[tuple[str, str]]:
    texts = [
        (entry.label, quantity(each) if isinstance(each := entry.value, Quantity) else each) for entry in item.body
    ]
    return [(abridge(label, min(limit, _LABEL)), abridge(text, limit)) for label, text in texts]


def _placed(body: list[tuple[str, str]]) -> tuple[tuple[str, str, int], ...]:
    """Texts with their places. What the original said and what the build said stand beside each other, in pairs."""
    originals, builds = ([at for at, (label, _) in enumerate(body) if label.startswith(side)] for side in _SIDES)
    if not originals or len(originals) != len(builds):
        return tuple((label, text, LONG if _is_long(text) else SHORT) for label, text in body)
    partner = dict(zip(originals, builds, strict=True))
    placed = []
    for at, (label, text) in enumerate(body):
        if at in partner:
            placed += [(label, text, LEFT), (*body[partner[at]], RIGHT)]
        elif at not in builds:
            placed.append((label, text, LONG if _is_long(text) else SHORT))
    return tuple(placed)


def _is_long(text: str) -> bool:
    """Whether a text wants the whole width; short ones stand beside each other, to be compared."""
    return len(text) > _SHORT or text.count("\n") > _SHORT_LINES
