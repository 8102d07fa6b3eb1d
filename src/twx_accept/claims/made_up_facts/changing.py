"""A fact made false on purpose, always in the same way: another number, another name, or the opposite."""

import re
from collections.abc import Callable, Iterator, Sequence

NUMBER, NAME, NEGATION = "another number", "another name", "the opposite"
CHANGES = (NUMBER, NAME, NEGATION)

_NUMBER = re.compile(r"(?<![\w.,])\d+")
_NAME = re.compile(r"(?<=[^\W\d_][ ,])[A-Z][^\W\d_]{2,}")
_VERB = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|must|may|should|does|did|do)\b(?! not\b)")
_NOT = re.compile(r"\b(not|never) ")
_CALENDAR = frozenset(
    day
    for line in (
        "January February March April May June July August September October November December",
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    )
    for day in line.split()
)


def changed(fact: str, how: str, names: Sequence[str]) -> str | None:
    """The fact with that change, or None where there is nothing to change.

    Args:
        fact: a fact that is true of its passage.
        how: one of :data:`CHANGES`.
        names: names that are not of its passage; the first is put in.
    """
    if how == NUMBER:
        return _once(_NUMBER, fact, lambda found: _other(found.group()))
    if how == NAME:
        place = next(_places(fact), None)
        return None if place is None or not names else f"{fact[: place.start()]}{names[0]}{fact[place.end() :]}"
    return _once(_NOT, fact, lambda _: "") or _once(_VERB, fact, lambda found: f"{found.group()} not")


def names(text: str) -> list[str]:
    """Words with a capital that do not begin a sentence, each once."""
    return list(dict.fromkeys(found.group() for found in _places(text)))


def _places(text: str) -> Iterator[re.Match[str]]:
    return (found for found in _NAME.finditer(text) if found.group() not in _CALENDAR)


def _other(number: str) -> str:
    """The number with another first digit, which is no rounding of it."""
    digit = int(number[0])
    return f"{digit - 1 if digit > 1 else digit + 1}{number[1:]}"


def _once(pattern: re.Pattern[str], fact: str, put: Callable[[re.Match[str]], str]) -> str | None:
    made = pattern.sub(put, fact, count=1)
    return None if made == fact else made
