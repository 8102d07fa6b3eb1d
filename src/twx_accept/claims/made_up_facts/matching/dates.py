"""Dates in every style, times of day by both clocks."""

from twx_accept.claims.made_up_facts.matching.lexicon import several
from twx_accept.claims.made_up_facts.matching.numbers import SMALL
from twx_accept.claims.made_up_facts.matching.text import Token
from twx_accept.claims.made_up_facts.matching.units import unit_of
from twx_accept.claims.made_up_facts.matching.values import Value

MONTHS = {
    name: place
    for place, names in enumerate(
        [
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ],
        start=1,
    )
    for name in names.split()
}
_SHORT = {"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sept", "sep", "oct", "nov", "dec"}
_ENDINGS = {"st", "nd", "rd", "th"}
_YEAR_WORDS = frozenset(
    several(
        "in of since by from until till to circa around about before after during and year between early late mid - ( "
        ", c for about or than"
    )
)
_AFTER_DAY = frozenset(
    several(
        "and because on with at in the a of by from to we it he she they was were after before but until she when who "
        "which"
    )
)
_SLOTS = {"morning": 0, "afternoon": 720, "evening": 720, "night": 720}
_ORDINAL_DAYS = {
    word: place
    for place, word in enumerate(
        several(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
            "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        ),
        start=1,
    )
}


def _day(text: str) -> int:
    return int(text) if text.isdigit() and len(text) <= 2 and 1 <= int(text) <= 31 else 0


def _year(text: str) -> int:
    return int(text) if text.isdigit() and len(text) == 4 and 1000 <= int(text) <= 2199 else 0


def date(parts: list[Token], low: list[str], at: int) -> tuple[Value, int] | None:
    """The date that begins at a token, and the token after it."""
    word = low[at]
    if parts[at].kind == "number":
        return _numeric(parts, low, at) or _day_first(parts, low, at) or _plain_year(parts, low, at)
    if word == "the" or word in _ORDINAL_DAYS:
        return _spelled_day(parts, low, at)
    if word in MONTHS and parts[at].text[0].isupper():
        return _month_first(parts, low, at)
    return None


def _at(low: list[str], place: int) -> str:
    return low[place] if 0 <= place < len(low) else ""


def _trailing_year(parts: list[Token], low: list[str], place: int) -> tuple[int, int]:
    """The year from a place on, and the place after it."""
    if _at(low, place) in {",", "of"} and _year(_at(low, place + 1)):
        return _year(low[place + 1]), place + 2
    if _year(_at(low, place)) and (place == 0 or parts[place].spaced):
        return _year(low[place]), place + 1
    return 0, place


def _numeric(parts: list[Token], low: list[str], at: int) -> tuple[Value, int] | None:
    pieces = low[at].split(".")
    if len(pieces) == 3 and all(piece.isdigit() for piece in pieces):
        numbers, end = [int(piece) for piece in pieces if len(piece) < 5], at + 1
    elif _at(low, at + 1) in {"-", "/"} and _at(low, at + 3) == low[at + 1] and not parts[at + 1].spaced:
        trio = [low[at], _at(low, at + 2), _at(low, at + 4)]
        if not all(piece.isdigit() and len(piece) < 5 for piece in trio):
            return None
        numbers, end = [int(piece) for piece in trio], at + 5
    else:
        return None
    if len(numbers) != 3:
        return None
    first, second, third = numbers
    if first > 31:
        year, month, day = first, second, third
    elif second > 12:
        year, month, day = third, first, second
    else:
        year, month, day = third, second, first
    if not (1 <= month <= 12 and 1 <= day <= 31 and 1000 <= year <= 2199):
        return None
    return Value("date", day=day, month=month, year=year, text=" ".join(low[at:end])), end


def _day_first(parts: list[Token], low: list[str], at: int) -> tuple[Value, int] | None:
    day, place = _day(low[at]), at + 1
    if not day:
        return None
    if _at(low, place) in _ENDINGS and not parts[place].spaced:
        place += 1
    if _at(low, place) == "of":
        place += 1
    month = MONTHS.get(_at(low, place), 0)
    if not month or not parts[place].text[0].isupper():
        return None
    place += 1
    if _at(low, place) == "." and low[place - 1] in _SHORT:
        place += 1
    year, end = _trailing_year(parts, low, place)
    if not year:
        end = place
    return Value("date", day=day, month=month, year=year, text=" ".join(low[at:end])), end


def _spelled_day(parts: list[Token], low: list[str], at: int) -> tuple[Value, int] | None:
    start = at
    if low[at] == "the":
        at += 1
    day = _ORDINAL_DAYS.get(_at(low, at), 0)
    number = _day(_at(low, at)) if not day and _at(low, at + 1) in _ENDINGS else 0
    place = at + (2 if number else 1)
    if not day and not number:
        return None
    if (
        number
        and start != at
        and _at(low, at - 2) in {"on", "to", "until", "by", "from", "till", "since"}
        and (not _at(low, place).isalpha() or _at(low, place) in _AFTER_DAY)
    ):
        return Value("date", day=number, text=low[at]), place
    if _at(low, place) != "of" or _at(low, place + 1) not in MONTHS:
        return None
    year, end = _trailing_year(parts, low, place + 2)
    return Value("date", day=day or number, month=MONTHS[low[place + 1]], year=year, text=" ".join(low[start:end])), end


def _month_first(parts: list[Token], low: list[str], at: int) -> tuple[Value, int] | None:
    month, place = MONTHS[low[at]], at + 1
    if low[at] in {"may", "march", "mar", "jan"} and at == 0 and not _day(_at(low, 1)):
        return None
    if _at(low, place) == "." and low[at] in _SHORT:
        place += 1
    day = _day(_at(low, place))
    if day:
        place += 1
        if _at(low, place) in _ENDINGS and not parts[place].spaced:
            place += 1
    elif _at(low, place) == "the" and _day(_at(low, place + 1)):
        day, place = _day(low[place + 1]), place + 3
    year, end = _trailing_year(parts, low, place)
    return Value("date", day=day, month=month, year=year, text=" ".join(low[at:end])), end


def _plain_year(parts: list[Token], low: list[str], at: int) -> tuple[Value, int] | None:
    year, before = _year(low[at]), _at(low, at - 1)
    after = _at(low, at + 1)
    if after in {"bc", "bce"} and low[at].isdigit() and len(low[at]) <= 5:
        return Value("date", year=-int(low[at]), text=low[at] + " BC"), at + 2
    if after in {"ad", "ce"} and low[at].isdigit() and len(low[at]) <= 4:
        return Value("date", year=int(low[at]), text=low[at] + " AD"), at + 2
    if before == "ad" and low[at].isdigit():
        return Value("date", year=int(low[at]), text=low[at]), at + 1
    if not year:
        return None
    if after == "s" and not parts[at + 1].spaced:
        return Value("date", year=year, unit="decade", text=low[at] + "s"), at + 2
    if parts[at].text != low[at] or (at and parts[at - 1].text in {"$", "\u00a3", "\u20ac"}):
        return None
    if before in {"was", "is", "were", "are", "cost", "at", "paid"} and after != "s":
        return None
    if after and unit_of(after, not parts[at + 1].spaced):
        return None
    if (
        before in _YEAR_WORDS
        or not after
        or not after.isalpha()
        or after in {"and", "the", "to", "was", "is", "saw", "by", "when", "with"}
    ):
        return Value("date", year=year, text=low[at]), at + 1
    return None


def time(parts: list[Token], low: list[str], at: int) -> tuple[Value, int] | None:
    """The time of day that begins at a token, and the token after it."""
    word = low[at]
    if word in {"noon", "midday", "midnight"}:
        return Value("time", 0.0 if word == "midnight" else 720.0, text=word), at + 1
    return _clock(parts, low, at) or _spoken(parts, low, at)


def _clock(  # noqa: C901 a table of the two clocks
    parts: list[Token], low: list[str], at: int
) -> tuple[Value, int] | None:
    word = low[at]
    if parts[at].kind != "number":
        hour, minute, place, exact = SMALL.get(word, -1), 0, at + 1, False
    elif (
        word.isdigit()
        and len(word) <= 2
        and _at(low, at + 1) == ":"
        and _at(low, at + 2).isdigit()
        and len(low[at + 2]) == 2
        and not parts[at + 2].spaced
    ):
        hour, minute, place, exact = int(word), int(low[at + 2]), at + 3, True
        if _at(low, place) == ":" and _at(low, place + 1).isdigit():
            place += 2
    elif word.count(".") == 1 and len(word.split(".")[1]) == 2 and len(word.split(".")[0]) in {1, 2}:
        hour, minute, place, exact = int(word.split(".")[0]), int(word.split(".")[1]), at + 1, False
        if not _half(low, place):
            return None
    elif word.isdigit() and len(word) <= 2:
        hour, minute, place, exact = int(word), 0, at + 1, False
    else:
        return None
    if not 0 <= hour <= 24 or minute > 59:
        return None
    half = _half(low, place)
    if half:
        return Value("time", float(_shift(hour, half[0]) * 60 + minute), text=" ".join(low[at : half[1]])), half[1]
    if _at(low, place) in {"o'clock", "hours"} and (low[place] == "o'clock"):
        slot, end = _slot(low, place + 1)
        if slot is not None:
            return Value("time", float(_shift(hour, slot) * 60), text=" ".join(low[at:end])), end
        return Value("time", float(hour * 60), either=True, text=" ".join(low[at : place + 1])), place + 1
    if exact:
        slot, end = _slot(low, place)
        if slot is not None:
            return Value("time", float(_shift(hour, slot) * 60 + minute), text=word), end
        return Value("time", float(hour * 60 + minute), text=" ".join(low[at:place])), place
    slot, end = _slot(low, place)
    if slot is not None and _at(low, at - 1) in {"at", "about", "around", "until", "by", "from", "after", "before"}:
        return Value("time", float(_shift(hour, slot) * 60), text=" ".join(low[at:end])), end
    return None


def _half(low: list[str], place: int) -> tuple[str, int] | None:
    word = _at(low, place)
    if word in {"a.m.", "p.m.", "am", "pm", "a.m", "p.m"}:
        end = place + 1
        return ("p" if word[0] == "p" else "a"), end
    return None


def _slot(low: list[str], place: int) -> tuple[str | None, int]:
    if _at(low, place) == "in" and _at(low, place + 1) == "the" and _at(low, place + 2) in _SLOTS:
        return ("a" if low[place + 2] == "morning" else "p"), place + 3
    if _at(low, place) == "at" and _at(low, place + 1) == "night":
        return "p", place + 2
    return None, place


def _shift(hour: int, half: str) -> int:
    if hour > 12:
        return hour
    return hour % 12 + (12 if half == "p" else 0)


def _spoken(parts: list[Token], low: list[str], at: int) -> tuple[Value, int] | None:
    """``half past three``, ``a quarter to seven in the evening``, ``ten to ten``, ``twenty minutes to six``."""
    place = at + 1 if low[at] == "a" else at
    word = _at(low, place)
    minutes = {"half": 30, "quarter": 15}.get(word) or SMALL.get(word, 0) or (_day(word) if word.isdigit() else 0)
    if not minutes or not 1 <= minutes < 60:
        return None
    place += 1
    if "-" in word:
        return None
    if _at(low, place) in {"minutes", "minute"}:
        place += 1
    turn = _at(low, place)
    if turn == "past" and _at(low, place + 1) in {"midnight", "noon", "midday"}:
        base = 0 if low[place + 1] == "midnight" else 720
        return Value("time", float(base + minutes), text=" ".join(low[at : place + 2])), place + 2
    hour = SMALL.get(_at(low, place + 1), 0) or (_day(_at(low, place + 1)) if parts[at].kind != "number" else 0)
    before = _at(low, at - 1)
    if turn not in {"past", "to"} or not 1 <= hour <= 12:
        return None
    half = _half(low, place + 2)
    slot, end = (half[0], half[1]) if half else _slot(low, place + 2)
    if turn == "to" and slot is None and before not in {"at", "about", "until", "by", "around"}:
        return None
    if turn == "to" and word != "quarter" and minutes % 5:
        return None
    total = hour * 60 + minutes if turn == "past" else hour * 60 - minutes
    if slot is None:
        return Value("time", float(total), either=True, text=" ".join(low[at : place + 2])), place + 2
    base = hour % 12 * 60 + (720 if slot == "p" else 0)
    return Value(
        "time", float((base + (minutes if turn == "past" else -minutes)) % 1440), text=" ".join(low[at:end])
    ), end
