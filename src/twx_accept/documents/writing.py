"""From a plan to a passage: which beats are told, in which order, and in which words.

A beat is one thing to tell: its facts, and several wordings that each state all of them. A wording may hold choices,
``[opened|began]``, and ``a(n)`` where the article depends on the next word.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from twx_accept.documents.drawing import Draw, T
from twx_accept.documents.naming import Names, Person, in_full, introduced
from twx_accept.documents.wording import Clock, Count, Day, Manner, Percent, both, finished, spelled_starts

LEAST_FACTS, MOST_FACTS = 8, 11
FEWEST_WORDS, MOST_WORDS = 112, 205  # what a passage aims at; its last sentence may go beyond
_RUN = 9  # so many words in a row are told in one passage of a set only
_TRIES = 12
_JOINS = (", and ", ", and ", "; ")
_OPENERS = re.compile(r"(?:The|It|Its|In|At|For|On|Of|An?|There|With|By|To|From|Each|Every|No|Under|Above)\b")
_SIMPLE = re.compile(r"[^;:!?\".]*(?:\d\.\d[^;:!?\".]*)*\.")
_CHOICE = re.compile(r"\[([^\[\]]*)\]")


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


@dataclass(frozen=True, slots=True)
class _Told:
    """A beat in its words. ``place`` orders it: its group, and where in the group."""

    place: tuple[int, int]
    facts: tuple[str, ...]
    text: str


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

    def counted(self, value: int) -> Count:
        """A number of things that is known."""
        return Count(value, self._manner)

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


class Shelf:
    """The passages of one set, which have no long run of words in common."""

    def __init__(self) -> None:
        self._runs: set[tuple[str, ...]] = set()

    def write(self, plan: Plan, draw: Draw) -> tuple[str, tuple[str, ...]]:
        """Write one passage.

        Returns:
            Its text, and the facts that it states, in the order in which it states them.
        """
        beats = [_Told((-1, 0), plan.opening.facts, self._worded(plan.opening, draw) or plan.opening.wordings[0])]
        beats += self._facts(plan, draw, draw.number(LEAST_FACTS, MOST_FACTS) - len(plan.opening.facts))
        beats += self._asides(plan, draw, draw.number(FEWEST_WORDS, MOST_WORDS) - _words(beats))
        beats.sort(key=lambda beat: beat.place)
        for beat in beats:
            self._runs.update(_runs(beat.text))
        facts = tuple(finished(in_full(fact)) for beat in beats for fact in beat.facts)
        return spelled_starts(finished(introduced(_laid_out(beats, plan.between, draw)))), facts

    def _facts(self, plan: Plan, draw: Draw, wanted: int) -> Iterator[_Told]:
        """Beats of the body until so many facts are told."""
        order = draw.shuffled([(group, beat) for group, beats in enumerate(plan.body) for beat in beats if beat.facts])
        for group, beat in sorted(order, key=lambda placed: not placed[1].leads):
            if len(beat.facts) <= wanted and (text := self._worded(beat, draw)):
                wanted -= len(beat.facts)
                yield _Told((group, -1 if beat.leads else draw.below(1000)), beat.facts, text)

    def _asides(self, plan: Plan, draw: Draw, wanted: int) -> Iterator[_Told]:
        """Asides until so many words more are told."""
        asides = [(group, beat) for group, beats in enumerate(plan.body) for beat in beats if not beat.facts]
        for group, beat in draw.shuffled(asides):
            if wanted > 0 and (text := self._worded(beat, draw)):
                wanted -= len(text.split())
                yield _Told((group, draw.below(1000)), (), text)

    def _worded(self, beat: Beat, draw: Draw) -> str | None:
        """The beat in words that no passage of the set has used; None where a few tries find none."""
        for _ in range(_TRIES):
            text = chosen(draw.one(beat.wordings), draw)
            if not any(run in self._runs for run in _runs(text)):
                return text
        return None


def chosen(wording: str, draw: Draw) -> str:
    """The wording with each choice made, the inner ones first."""
    while found := _CHOICE.search(wording):
        wording = wording[: found.start()] + draw.one(found[1].split("|")) + wording[found.end() :]
    return wording


def _words(beats: Sequence[_Told]) -> int:
    return sum(len(beat.text.split()) for beat in beats)


def _runs(text: str) -> list[tuple[str, ...]]:
    """Every run of words, and each sentence that is shorter than a run."""
    plain = in_full(text).lower()
    words = re.findall(r"[^\W_]+", plain)
    runs = [tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)]
    return runs + [tuple(sentence.split()) for sentence in re.split(r"(?<=[.!?])\s+", plain)]


def _laid_out(beats: Sequence[_Told], between: str, draw: Draw) -> str:
    """The beats one after the other; here and there two short ones become one sentence."""
    text, joined = beats[0].text, True
    for before, beat in pairwise(beats):
        if before.place[0] != beat.place[0]:
            text, joined = text + between + beat.text, False
        elif not joined and _join(before) and (start := _OPENERS.match(beat.text)) and _join(beat) and draw.chance(60):
            text = text[:-1] + draw.one(_JOINS) + start[0].lower() + beat.text[start.end() :]
            joined = True
        else:
            text, joined = f"{text} {beat.text}", False
    return text


def _join(beat: _Told) -> bool:
    """Whether the beat is one short and simple sentence, which can be joined with another."""
    return bool(beat.facts) and len(beat.text.split()) < 16 and _SIMPLE.fullmatch(beat.text) is not None
