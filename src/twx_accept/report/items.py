"""Which evidence goes into the page, and how much of each text, so that the page stays under its size.

All evidence is in the evidence file; the page says how much of it is shown.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Item, Quantity, Verdict
from twx_accept.report.format import quantity
from twx_accept.report.hostile import abridge, marked
from twx_accept.report.ids import Ids
from twx_accept.report.naming import controls

INLINE: Final = 300
"""Items of one claim and build that a page holds at most."""

BUDGET: Final = 1_600_000
"""Bytes that all items of a page take at most, where the rest of it leaves them as much."""

_ITEM_BYTES: Final = 360  # the markup around one item's texts
_ENTRY_BYTES: Final = 60  # the markup around one text
_SHORT, _SHORT_LINES = 100, 2  # characters and line breaks of a short text
_HEADING: Final = 160  # characters of a title, a group or a direction: the texts have it whole
_BREAKS: Final = re.compile("(?:[ \t\n]|\r\n)+")
_LABEL: Final = 1000  # characters of a text's label, which may be a choice of the question
_WHOLE: Final = (8000, 4000, 2000, 1000, 600)
"""Characters of one text, from generous to terse, as long as every item is shown."""
_FEWER: Final = ((600, 60), (400, 20), (200, 5))
"""Then items are left out: characters of one text, and the fewest items of a claim and build worth keeping them for."""
_CONTROL: Final = 4  # a build that was damaged on purpose has a quarter of the others' items


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownItem:
    """An item as the page shows it; ``id`` is unique in the page, ``body`` holds (label, text, whether it is long)."""

    id: str
    group: str
    direction: str
    title: str
    body: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The items of one claim and build: ``shown`` of ``total``."""

    claim: str
    build: str
    total: int
    items: tuple[ShownItem, ...]


def select(run: RunRecord, ids: Ids, budget: int = BUDGET) -> list[Block]:
    """The most that fits: every item with long texts if possible, else shorter texts, else fewer items.

    Where items are left out, every group and direction keeps its turn, and each block as many as the others.
    """
    verdicts = [verdict for verdict in run.verdicts if verdict.items or verdict.items_total]
    turns = [_in_turn(verdict.items)[:INLINE] for verdict in verdicts]
    limit, most = _room(verdicts, turns, controls(run), min(budget, BUDGET))
    return [
        Block(
            claim=verdict.title,
            build=verdict.build,
            total=max(verdict.items_total, len(verdict.items)),
            items=tuple(_shown(verdict.items[at], limit, ids, verdict.build) for at in sorted(turn[:count])),
        )
        for verdict, turn, count in zip(verdicts, turns, most, strict=True)
    ]


def _in_turn(items: Sequence[Item]) -> list[int]:
    """The places of all items: the first of each direction and group, then the second of each, and so on."""
    rounds: dict[tuple[str, str], int] = {}
    turn = []
    for item in items:
        key = (item.direction, item.group)
        rounds[key] = rounds.get(key, -1) + 1
        turn.append(rounds[key])
    return sorted(range(len(items)), key=turn.__getitem__)  # stable: within a round they keep their order


def _room(
    verdicts: Sequence[Verdict], turns: Sequence[Sequence[int]], damaged: frozenset[str], budget: int
) -> tuple[int, list[int]]:
    """How many characters of each text there is room for, and how many items of each verdict."""
    for limit in _WHOLE:
        if _fits(verdicts, turns, limit, budget):
            return limit, [INLINE] * len(verdicts)
    for limit, enough in _FEWER:
        sizes = [
            [0, *accumulate(_size(verdict.items[at], limit) for at in turn)]
            for verdict, turn in zip(verdicts, turns, strict=True)
        ]
        most = 0
        for count in range(1, INLINE + 1):
            shares = [max(1, count // _CONTROL) if verdict.build in damaged else count for verdict in verdicts]
            if sum(size[min(share, len(size) - 1)] for size, share in zip(sizes, shares, strict=True)) > budget:
                break
            most = count
        if most >= enough:
            break
    return limit, [max(1, most // _CONTROL) if verdict.build in damaged else max(1, most) for verdict in verdicts]


def _shown(item: Item, limit: int, ids: Ids, build: str) -> ShownItem:
    """An id that several builds share belongs to the first; the others add their name to it."""
    return ShownItem(
        id=ids.take(item.id, f"{item.id}-{build}"),
        group=_heading(item.group),
        direction=_heading(item.direction),
        title=_heading(item.title),
        body=tuple((label, text, _is_long(text)) for label, text in _body(item, limit)),
    )


def _heading(text: str) -> str:
    """A text on one line, cut where it is long. Only what breaks a line is joined: other blanks are named, not lost."""
    line = _BREAKS.sub(" ", text).strip(" ")
    return line if len(line) <= _HEADING else line[: _HEADING - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _body(item: Item, limit: int) -> Iterator[tuple[str, str]]:
    for entry in item.body:
        text = quantity(entry.value) if isinstance(entry.value, Quantity) else entry.value
        yield abridge(entry.label, min(limit, _LABEL)), abridge(text, limit)


def _is_long(text: str) -> bool:
    """Whether a text wants the whole width; short ones stand beside each other, to be compared."""
    return len(text) > _SHORT or text.count("\n") > _SHORT_LINES


def _fits(verdicts: Sequence[Verdict], turns: Sequence[Sequence[int]], limit: int, budget: int) -> bool:
    """Whether all items fit the budget; stops counting once they do not."""
    size = 0
    for verdict, turn in zip(verdicts, turns, strict=True):
        for at in turn:
            size += _size(verdict.items[at], limit)
            if size > budget:
                return False
    return True


def _size(item: Item, limit: int) -> int:
    """About how many bytes an item takes in the page."""
    headings = 2 * sum(_bytes(_heading(text)) for text in (item.title, item.group, item.direction))
    return (
        _ITEM_BYTES + headings + sum(_ENTRY_BYTES + _bytes(label) + _bytes(text) for label, text in _body(item, limit))
    )


def _bytes(text: str) -> int:
    """The size of a text in the page."""
    return len(marked(text).encode())
