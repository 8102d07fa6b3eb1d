"""How values are worded: plainly in a fact, in the writer's own manner in a passage.

``str(value)`` is the plain form; ``value.said`` is how the writer of this passage puts it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

# After the year of "May 4, 1931" a comma is due unless another mark follows; ``finished`` decides which.
_PENDING = "\x01"
_LIKE_VOWEL = re.compile(r"(?:[aeio]|u(?!ni|s[eu])|8|11\b|18\b|hour|hono|heir)", re.IGNORECASE)
_LIKE_CONSONANT = re.compile(r"one\b|one-|eu|ewe", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """The habits of one writer, kept throughout a passage."""

    dates: int
    percent: str
    spells: bool
    last_comma: bool


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the calendar."""

    value: date
    manner: Manner

    def __str__(self) -> str:
        """``4 May 1931``."""
        return f"{self.value.day} {self.month} {self.value.year}"

    @property
    def said(self) -> str:
        """``4 May 1931``, ``May 4, 1931``, ``the 4th of May 1931`` or ``4th May 1931``."""
        day, year = self.value.day, self.value.year
        styles = (
            f"{day} {self.month} {year}",
            f"{self.month} {day}, {year}{_PENDING}",
            f"the {nth(day)} of {self.month} {year}",
            f"{nth(day)} {self.month} {year}",
        )
        return styles[self.manner.dates]

    @property
    def month(self) -> str:
        """``May``."""
        return MONTHS[self.value.month - 1]

    @property
    def weekday(self) -> str:
        """``Monday``."""
        return WEEKDAYS[self.value.weekday()]

    @property
    def year(self) -> int:
        """The year alone."""
        return self.value.year

    def plus(self, days: int) -> "Day":
        """The day so many days later."""
        return Day(self.value + timedelta(days=days), self.manner)


@dataclass(frozen=True, slots=True)
class Percent:
    """A share of a hundred."""

    value: int
    manner: Manner

    def __str__(self) -> str:
        """``12%``."""
        return f"{self.value}%"

    @property
    def said(self) -> str:
        """``12%``, ``12 per cent`` or ``12 percent``."""
        return f"{self.value}{self.manner.percent}"


@dataclass(frozen=True, slots=True)
class Count:
    """How many things there are."""

    value: int
    manner: Manner

    def __str__(self) -> str:
        """``7`` or ``1,200``."""
        return f"{self.value:,}"

    @property
    def said(self) -> str:
        """``seven``, for a writer who spells small numbers; ``7`` for one who does not."""
        return NUMBERS[self.value] if self.manner.spells and self.value < len(NUMBERS) else str(self)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day, in minutes after midnight."""

    minutes: int

    def __str__(self) -> str:
        """``14:05``."""
        return f"{self.minutes // 60:02}:{self.minutes % 60:02}"

    def plus(self, minutes: int) -> "Clock":
        """The time so many minutes later, on the same day."""
        return Clock(self.minutes + minutes)


def nth(number: int) -> str:
    """``1st``, ``2nd``, ``11th``."""
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def fold(number: int) -> str:
    """``twice``, ``three times`` and so on, up to twelve."""
    return "twice" if number == 2 else f"{NUMBERS[number]} times"


def plural(noun: str) -> str:
    """``pitches``, ``stands``."""
    return f"{noun}es" if noun.endswith(("ch", "sh", "s", "x")) else f"{noun}s"


def tenths(value: int) -> str:
    """So many tenths as a decimal: 123 is ``12.3``."""
    return f"{value // 10:,}.{value % 10}"


def both(items: Sequence[str], *, last_comma: bool = False) -> str:
    """``a, b and c``, or ``a, b, and c``."""
    if len(items) < 3:
        return " and ".join(items)
    return f"{', '.join(items[:-1])}{',' if last_comma else ''} and {items[-1]}"


def article(following: str) -> str:
    """``a`` or ``an``, by the word that follows."""
    return "an" if _LIKE_VOWEL.match(following) and not _LIKE_CONSONANT.match(following) else "a"


def spelled_starts(text: str) -> str:
    """Spell a small number that begins a sentence, unless it belongs to a date or a unit."""
    return re.sub(r"(?:\A|(?<=[.!?] )|(?<=\n))(?:[1-9]|1[0-2])(?= (?:of\b|(?!per\b)[a-z]{3}))", _number, text)


def _number(found: re.Match[str]) -> str:
    return NUMBERS[int(found[0])].capitalize()


def finished(text: str) -> str:
    """Settle what depends on the neighbours: ``a(n)``, commas after years, and capitals at starts of sentences."""
    text = re.sub(rf"{_PENDING}(?=[.,;:)])", "", text)
    text = re.sub(rf"{_PENDING}(?= (?:and|or|to)\b)|{_PENDING}$", "", text).replace(_PENDING, ",")
    text = re.sub(r"\ba\(n\) (?=(\w+(?:-\w*)?))", lambda found: f"{article(found[1])} ", text)
    return re.sub(r"(?:\A|(?<=[.!?] )|(?<=\n))\w", lambda found: found[0].upper(), text)
