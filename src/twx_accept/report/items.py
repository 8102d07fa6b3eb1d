"""Which evidence goes into the page, and how much of each text, so that the page stays under its size.

All evidence is in the evidence file; the page says how much of it is shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Item, Quantity, Verdict
from twx_accept.report.format import quantity
from twx_accept.report.hostile import marked, shorten
from twx_accept.report.ids import Ids

INLINE: Final = 300
"""Items of one claim and build that a page holds at most."""

BUDGET: Final = 1_500_000
"""Bytes that all items of a page take at most."""

_ITEM_BYTES: Final = 700  # the markup around one item's texts
_ENTRY_BYTES: Final = 60  # the markup around one text
_SHORT, _SHORT_LINES = 100, 2  # characters and line breaks of a short text
_HEADING: Final = 160  # characters of a title, a group or a direction: the texts have it whole
_LABEL: Final = 1000  # characters of a text's label, which may be a choice of the question
# From generous to terse: first texts are cut, then items are left out.
_LADDER: Final = ((8000, INLINE), (4000, INLINE), (2000, INLINE), (1000, INLINE), (500, INLINE), (500, 100), (200, 30))
_LAST_RESORT: Final = (200, 5)


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


def select(run: RunRecord, ids: Ids) -> list[Block]:
    """The most that fits: every item with long texts if possible, else shorter texts, else fewer items."""
    verdicts = [verdict for verdict in run.verdicts if verdict.items or verdict.items_total]
    limit, count = next((rung for rung in _LADDER if _fits(verdicts, *rung)), _LAST_RESORT)
    return [
        Block(
            claim=verdict.title,
            build=verdict.build,
            total=max(verdict.items_total, len(verdict.items)),
            items=tuple(_shown(item, limit, ids, verdict.build) for item in verdict.items[:count]),
        )
        for verdict in verdicts
    ]


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
    """A text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _HEADING else line[: _HEADING - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _body(item: Item, limit: int) -> Iterator[tuple[str, str]]:
    for entry in item.body:
        text = quantity(entry.value) if isinstance(entry.value, Quantity) else entry.value
        yield shorten(entry.label, min(limit, _LABEL)), shorten(text, limit)


def _is_long(text: str) -> bool:
    """Whether a text wants the whole width; short ones stand beside each other, to be compared."""
    return len(text) > _SHORT or text.count("\n") > _SHORT_LINES


def _fits(verdicts: list[Verdict], limit: int, count: int) -> bool:
    """Whether the items fit the budget; stops counting once they do not."""
    size = 0
    for verdict in verdicts:
        for item in verdict.items[:count]:
            size += _ITEM_BYTES + 2 * sum(_bytes(_heading(text)) for text in (item.title, item.group, item.direction))
            size += sum(_ENTRY_BYTES + _bytes(label) + _bytes(text) for label, text in _body(item, limit))
            if size > BUDGET:
                return False
    return True


def _bytes(text: str) -> int:
    """The size of a text in the page."""
    return len(marked(text).encode())
