"""Draws by number: a part of a trial is drawn alike whatever is drawn before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from twx_accept import uniform

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """A stream of draws, told apart from every other by its path. It keeps no state: a draw is asked for by number."""

    path: tuple[str | int, ...]

    def of(self, *path: str | int) -> "Chance":
        """The stream of a part, independent of this one and of every other part's."""
        return Chance(path=(*self.path, *path))

    def below(self, limit: int, number: int = 0) -> int:
        """Draw ``number``: a whole number from 0 to ``limit`` - 1, each as likely as the next."""
        return uniform.below(limit, (repr((*self.path, number, attempt)).encode() for attempt in count()))

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
