"""Evidence as one compressed block, which the page's script unpacks: as markup it would take five times the room.

Each text is kept once, in however many items it stands: a prompt that every build was asked, the examples with which
every question of a subject begins.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Final

from twx_accept.report.hostile import enclosed
from twx_accept.report.items import ShownItem

MOST: Final = 12_000_000
"""Characters of different texts that a page holds at most, unpacked: a browser has them all in memory."""

BREAK: Final = "\n\n"
"""Where a text is parted, so that what several texts share is kept once."""

_LEVEL: Final = 9

Reference = int | list[int]


class _Texts:
    """Texts by their places; a text of several parts is a list of places."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.length = 0
        self._taken: dict[str, Reference] = {}

    def take(self, text: str) -> Reference:
        """Where a text is kept."""
        if text not in self._taken:
            parts = [self._place(part) for part in enclosed(text).split(BREAK)]
            self._taken[text] = parts if len(parts) > 1 else parts[0]
        return self._taken[text]

    def _place(self, part: str) -> int:
        if part not in self.places:
            self.length += len(part)
            self.places[part] = len(self.places)
        return self.places[part]


def pack(blocks: Iterable[Sequence[ShownItem | None]]) -> str | None:
    """The items of each block, compressed and in base64; None is an item that the page has as markup.

    None where they have more than :data:`MOST` characters. The bytes are zlib's: the same from the same version of it.
    """
    texts = _Texts()
    rows = []
    for block in blocks:
        rows.append([_row(item, texts) if item else 0 for item in block])
        if texts.length > MOST:
            return None
    document = json.dumps({"texts": list(texts.places), "blocks": rows}, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(document.encode(), _LEVEL)).decode()


def _row(item: ShownItem, texts: _Texts) -> list[object]:
    body = [[texts.take(label), texts.take(text), place] for label, text, place in item.body]
    return [item.id, texts.take(item.group), texts.take(item.direction), texts.take(item.title), body]
