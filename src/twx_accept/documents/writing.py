"""What a kind of text is made of: a writer who draws its values, and a plan of what could be told.

A beat is one thing to tell: its facts, and several wordings that each state all of them. A wording may hold choices,
``[opened|began]``, and ``a(n)`` where the article depends on the next word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from twx_accept.documents.drawing import Draw, T
from twx_accept.documents.naming import Names, Person
from twx_accept.documents.wording import Clock, Count, Day, Manner, Percent, both


@dataclass(frozen=True, slots=True)
class Beat:
    """Something to tell. Each of ``wordings`` states every one of ``facts``; an aside has none.

    A beat that ``leads`` is always told, before the others of its group, which may build on it.
    """

    facts: tuple[str, ...]
    wordings: tuple[str, ...]
    leads: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that a passage could tell.

    ``opening`` comes first and introduces the subject, so that every other beat can be told after it. ``body`` holds
    groups of beats and asides: the groups keep their order, the beats of a group do not. ``between`` parts the groups.
    """

    opening: Beat
    body: tuple[tuple[Beat, ...], ...]
    between: str = " "


def told(facts: str | tuple[str, ...], *wordings: str) -> Beat:
    """A beat with its fact, or its facts, and its wordings."""
    return Beat((facts,) if isinstance(facts, str) else facts, wordings)


def lead(facts: str | tuple[str, ...], *wordings: str) -> Beat:
    """A beat that the others of its group build on."""
    return Beat((facts,) if isinstance(facts, str) else facts, wordings, leads=True)


def aside(*wordings: str) -> Beat:
    """A beat that plants no fact."""
    return Beat((), wordings)


class Writer:
    """One writer: draws the values of a passage and words them in one manner."""

    def __init__(self, draw: Draw, names: Names) -> None:
        self.draw = draw
        self._names = names
        self._manner = Manner(
            dates=draw.below(4),
            percent=draw.one((" per cent", " percent", "%")),
            spells=draw.chance(60),
            last_comma=draw.chance(40),
        )

    def person(self, role: str = "") -> Person:
        """Somebody new; the role, such as ``inspector``, is told with a first mention in passing."""
        return self._names.person(self.draw, role)

    def place(self) -> str:
        """A new place: ``Tarnemere``."""
        return self._names.place(self.draw)

    def river(self) -> str:
        """A new river, lake or mountain: ``Velorne``."""
        return self._names.river(self.draw)

    def thing(self) -> str:
        """A new make, firm or ship: ``Velodyne``."""
        return self._names.thing(self.draw)

    def code(self) -> str:
        """A new number on a plate: ``TK-417``."""
        return self._names.code(self.draw)

    def n(self, low: int, high: int, step: int = 1) -> int:
        """A whole number, both ends included."""
        return self.draw.number(low, high, step)

    def two(self, low: int, high: int, step: int = 1) -> tuple[int, int]:
        """Two different whole numbers, the smaller first."""
        first, second = sorted(self.draw.some(range(low, high + 1, step), 2))
        return first, second

    def count(self, low: int, high: int) -> Count:
        """How many things there are."""
        return Count(self.n(low, high), self._manner)

    def percent(self, low: int, high: int) -> Percent:
        """A share of a hundred."""
        return Percent(self.n(low, high), self._manner)

    def day(self, first: int, last: int, months: tuple[int, int] = (1, 12)) -> Day:
        """A day of the years ``first`` to ``last``, in the months given."""
        start = date(self.n(first, last), self.n(*months), 1)
        return Day(start + timedelta(days=self.n(0, 27)), self._manner)

    def clock(self, first: int, last: int, step: int = 1) -> Clock:
        """A time of day between two hours."""
        return Clock(self.n(first * 60, last * 60, step))

    def one(self, *options: T) -> T:
        """One of the options."""
        return self.draw.one(options)

    def some(self, count: int, *options: T) -> list[T]:
        """Several different options."""
        return self.draw.some(options, count)

    def both(self, items: Sequence[str]) -> str:
        """A list in the writer's manner; ``wording.both`` is the plain one."""
        return both(items, last_comma=self._manner.last_comma)
