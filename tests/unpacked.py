"""The evidence of a page, as the page's script reads it: what is packed, with what stands there as markup left out."""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from twx_accept.report.hostile import ENCLOSING
from twx_accept.report.packing import BREAK


@dataclass(frozen=True, kw_only=True)
class Packed:
    """One packed item; ``body`` holds (label, text, where it stands)."""

    id: str
    group: str
    direction: str
    title: str
    body: tuple[tuple[str, str, int], ...]

    @property
    def text(self) -> str:
        """All its texts."""
        return "\n".join(
            [self.title, self.group, self.direction, *(f"{label}\n{text}" for label, text, _ in self.body)]
        )


def blocks(page: str) -> list[list[Packed | None]]:
    """The items of each block; None is one that the page has as markup. Empty where nothing is packed."""
    found = re.search(r'<template id="packed~">([^<]*)</template>', page)
    if not found:
        return []
    document = json.loads(zlib.decompress(base64.b64decode(found[1])))

    def text(place: Any) -> str:
        places = place if isinstance(place, list) else [place]
        return BREAK.join(document["texts"][each] for each in places).replace(ENCLOSING, "")

    def item(row: Any) -> Packed:
        name, group, direction, title, body = row
        entries = tuple((text(label), text(value), place) for label, value, place in body)
        return Packed(id=name, group=text(group), direction=text(direction), title=text(title), body=entries)

    return [[item(row) if row else None for row in block] for block in document["blocks"]]


def items(page: str) -> Iterator[Packed]:
    """Every packed item."""
    for block in blocks(page):
        yield from filter(None, block)


def count(page: str) -> int:
    """How many items a page holds, packed or as markup."""
    return page.count('<details class="item"') + sum(1 for _ in items(page))
