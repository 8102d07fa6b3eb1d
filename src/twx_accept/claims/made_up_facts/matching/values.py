"""Typed values: what a number in a text is, and whether two of them agree."""

from dataclasses import dataclass

from twx_accept.claims.made_up_facts.matching.units import same_unit


@dataclass(slots=True)
class Value:
    """A number, ordinal, date or time of day.

    ``kind`` is ``number``, ``ordinal``, ``date`` or ``time``. ``amount`` is in the base of ``unit`` (dates: unused;
    times: minutes since midnight). ``bound`` is how the text hedges: ``at least``, ``over``, ``at most``, ``under``,
    ``about``, ``just over``, ``just under``, or nothing. ``day``, ``month``, ``year``: 0 where a date does not say.
    ``size``: what one of the unit as written is in the base. ``share``: a part of a whole; ``either``: a time that may
    be before or after noon; ``ranged``: one end of a range; ``weak``: ``one``, which may be a mere article.
    """

    kind: str
    amount: float = 0.0
    unit: str = ""
    bound: str = ""
    text: str = ""
    day: int = 0
    month: int = 0
    year: int = 0
    either: bool = False
    ranged: bool = False
    share: bool = False
    weak: bool = False
    size: float = 1.0


_OVER = {"over", "at least", "just over"}
_UNDER = {"under", "at most", "just under"}


def agree(fact: Value, said: Value) -> bool:
    """Whether the value of a passage says the value of a fact."""
    if fact.kind == "date" or said.kind == "date":
        return _dates(fact, said)
    if fact.kind == "time" or said.kind == "time":
        return fact.kind == said.kind and _times(fact, said)
    if fact.kind != said.kind:
        return False
    if fact.share != said.share:
        return _share(fact, said)
    if fact.unit and said.unit and not same_unit(fact.unit, said.unit):
        return False
    if bool(fact.unit) != bool(said.unit):
        return _amounts(fact, said, fact.amount / fact.size, said.amount / said.size)
    return _amounts(fact, said, fact.amount, said.amount)


def _share(fact: Value, said: Value) -> bool:
    """A fraction against a percentage."""
    one, other = (fact.amount * 100, said.amount) if fact.share else (fact.amount, said.amount * 100)
    unit = said.unit if fact.share else fact.unit
    if unit != "%":
        return False
    if abs(one - other) < 1 and (fact.share or round(other) != round(other, 6) or fact.bound):
        return True
    return _amounts(fact, said, one, other)


def _amounts(fact: Value, said: Value, claimed: float, stated: float) -> bool:
    equal = abs(claimed - stated) <= 1e-9 * max(abs(claimed), abs(stated))
    gap = (claimed - stated) / abs(stated) if stated else claimed - stated
    match fact.bound:
        case "":
            return (
                equal
                and said.bound not in {"over", "at least", "at most", "under"}
                and (fact.ranged or not said.ranged)
            )
        case "about":
            return (
                abs(gap) <= 0.051
                and said.bound not in {"at least", "at most", "under", "over"}
                and (equal or _rounder(claimed, stated))
            )
        case "just over":
            return -0.1 <= gap < 0 or (equal and said.bound in {"just over", "over"})
        case "just under":
            return 0 < gap <= 0.1 or (equal and said.bound in {"just under", "under"})
        case "over":
            return (-0.34 <= gap < 0 and said.bound not in _UNDER) or (equal and said.bound in {"over", "just over"})
        case "under":
            return (0 < gap <= 0.5 and said.bound not in _OVER) or (equal and said.bound in {"under", "just under"})
        case "at least":
            return equal and said.bound in {"at least", ""} and not said.weak
        case _:
            return equal and said.bound in {"at most", ""}


def _rounder(claimed: float, stated: float) -> bool:
    """A rounded number has fewer figures than the exact one."""
    return len(f"{claimed:.6g}".replace(".", "").strip("0")) <= len(f"{stated:.6g}".replace(".", "").strip("0"))


def _times(fact: Value, said: Value) -> bool:
    gap = abs(fact.amount - said.amount)
    if fact.either or said.either:
        gap = min(gap % 720, 720 - gap % 720)
    if fact.bound == "about":
        return gap <= 10
    return gap == 0


def _dates(fact: Value, said: Value) -> bool:
    if fact.kind != said.kind:
        return _bare_year(fact, said)
    if fact.day and fact.day != said.day:
        return False
    if fact.month and fact.month != said.month and (said.month or not said.day or not fact.day):
        return False
    if fact.year and said.year and fact.year != said.year:
        close = fact.bound == "about" and abs(fact.year - said.year) <= 3 and fact.year % 5 == 0
        return close and not fact.month
    if fact.month and not fact.day and said.day and not said.month:
        return False
    return bool(said.year or fact.day or fact.month)


def _bare_year(fact: Value, said: Value) -> bool:
    date, number = (fact, said) if fact.kind == "date" else (said, fact)
    if number.kind != "number" or number.unit:
        return False
    return number.amount == date.year and not date.month and not date.day
