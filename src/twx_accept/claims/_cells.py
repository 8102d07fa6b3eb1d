"""What the cells of a source's rows may hold, and how they are told in an error."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TypeGuard

from twx_accept.errors import DatasetError

HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
"""Lone surrogates: JSON can spell them, and they have no UTF-8."""


def is_text(value: object) -> TypeGuard[str]:
    """Whether it is a text that can be sent, which half a character cannot."""
    return isinstance(value, str) and bool(value.strip()) and HALF_A_CHARACTER.search(value) is None


def is_line(value: object) -> TypeGuard[str]:
    """Whether it is a text of one line, that can name something in messages and permalinks."""
    return is_text(value) and value.splitlines() == [value] and "\0" not in value


def shown(value: object) -> str:
    """The value in a message, on one line."""
    return " ".join(repr(value).split())[:60]


def folded(text: str) -> str:
    """A text without case and spacing: two of which this is the same say the same."""
    return " ".join(text.casefold().split())


def once(where: str, names: Sequence[str]) -> None:
    """Refuse ids that stand twice.

    Raises:
        DatasetError: naming some of them.
    """
    double = [name for name, times in Counter(names).items() if times > 1]
    if double:
        some = ", ".join(f"{name!r:.60}" for name in double[:5])
        raise DatasetError(f"{where}: {len(double)} ids stand twice: {some}; every row needs its own")
