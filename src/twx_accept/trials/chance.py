"""Chance from a seed: the same draws on every Python and every machine."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

SPAN = 1 << 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """One stream of draws, told apart from every other by its path. It keeps no state: a draw is asked for by number.

    SHA-256 of path and number is the draw. ``random`` promises the same floats for a seed, but not the same choices.
    """

    path: tuple[str | int, ...]

    def of(self, *path: str | int) -> "Chance":
        """The stream of a part, independent of this one and of every other part's."""
        return Chance(path=(*self.path, *path))

    def below(self, limit: int, number: int = 0) -> int:
        """Draw ``number``: a whole number from 0 to ``limit`` - 1, each as likely as the next."""
        fair = SPAN - SPAN % limit
        attempt = 0
        while True:
            text = repr((*self.path, number, attempt))
            drawn = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
            if drawn < fair:
                return drawn % limit
            attempt += 1

    def pick(self, items: Sequence[T], number: int = 0) -> T:
        """One of the items."""
        return items[self.below(len(items), number)]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """All items in an order of chance (Fisher and Yates)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1, last)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def dealt(self, items: Sequence[T], turn: int) -> T:
        """The card of that turn: every item comes once before one comes again, then the deck is shuffled anew."""
        past, place = divmod(turn, len(items))
        return self.of("round", past).shuffled(items)[place]
