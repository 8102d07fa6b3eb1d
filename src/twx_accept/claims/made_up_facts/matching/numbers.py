"""Numbers in figures and words, with scale, sign, unit and hedge."""

from twx_accept.claims.made_up_facts.matching.lexicon import several
from twx_accept.claims.made_up_facts.matching.text import Token
from twx_accept.claims.made_up_facts.matching.units import CURRENCIES, MONEY, unit_of
from twx_accept.claims.made_up_facts.matching.values import Value

_ONES = dict(
    zip(
        several(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen"
        ),
        range(20),
        strict=True,
    )
)
_TENS = dict(zip(several("twenty thirty forty fifty sixty seventy eighty ninety"), range(20, 100, 10), strict=True))
SMALL = {**_ONES, **_TENS}
_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "dozen": 12.0,
    "score": 20.0,
}
_GLUED = {"k": 1e3, "m": 1e6, "bn": 1e9, "mn": 1e6, "tn": 1e12}
_ORDINALS = dict(
    zip(
        several(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
            "fifteenth sixteenth seventeenth eighteenth nineteenth"
        ),
        range(1, 20),
        strict=True,
    )
) | dict(
    zip(
        several("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"),
        range(20, 100, 10),
        strict=True,
    )
)
_ORDINALS["hundredth"] = 100
_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4, "third": 3, "thirds": 3} | {
    word + end: number for word, number in _ORDINALS.items() if number > 3 for end in ("", "s")
}
_SHARED = {
    "of",
    "as",
    "less",
    "more",
    "the",
    "that",
    "larger",
    "smaller",
    "higher",
    "lower",
    "full",
    "its",
    "their",
    "his",
    "her",
    "our",
    "last",
    "fewer",
}
STARTERS = frozenset(
    {"half-hour", *SMALL, *_SCALES, *_ORDINALS, *_PARTS, "half", "a", "an", "minus", "plus", "per"} - {"score", "per"}
)
_SIGN_AFTER = {"below", "above"}


class _Reader:
    """Reads one number from a list of tokens."""

    def __init__(self, parts: list[Token], low: list[str], at: int) -> None:
        self.parts, self.low, self.at, self.start = parts, low, at, at

    def word(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.low[place] if 0 <= place < len(self.low) else ""

    def glued(self, ahead: int = 0) -> bool:
        place = self.at + ahead
        return 0 < place < len(self.parts) and not self.parts[place].spaced


def number(parts: list[Token], low: list[str], at: int) -> tuple[Value, int] | None:
    """The number that begins at a token, and the token after it."""
    read = _Reader(parts, low, at)
    sign = _sign(read)
    currency = _currency(read)
    found = _ordinal(read) if not currency and sign > 0 else None
    if found:
        return found
    plain = _fraction(read) or _plain(read)
    if plain is None:
        return None
    plain.amount *= sign
    _units(read, plain, currency)
    plain.text = " ".join(part.text for part in parts[at : read.at])
    return plain, read.at


def _sign(read: _Reader) -> float:
    word, following = read.word(), read.parts[read.at + 1] if read.at + 1 < len(read.parts) else None
    if word in {"minus", "plus"} and following and following.kind == "number":
        read.at += 1
        return -1.0 if word == "minus" else 1.0
    if word in {"-", "+", "\u00b1"} and following and not following.spaced and following.kind in {"number", "mark"}:
        before = read.parts[read.at - 1] if read.at else None
        if following.kind == "mark" and following.text not in CURRENCIES:
            return 1.0
        if before is None or read.parts[read.at].spaced or before.text in {"(", '"'}:
            read.at += 1
            return -1.0 if word == "-" else 1.0
    return 1.0


def _currency(read: _Reader) -> str:
    here = read.parts[read.at] if read.at < len(read.parts) else None
    if here is None:
        return ""
    following = read.parts[read.at + 1] if read.at + 1 < len(read.parts) else None
    if here.text in CURRENCIES and following and following.kind == "number":
        read.at += 1
        return CURRENCIES[here.text]
    if following and here.text + following.text in CURRENCIES and not following.spaced:
        read.at += 2
        return CURRENCIES[here.text + following.text]
    return ""


def _ordinal(read: _Reader) -> tuple[Value, int] | None:
    word, tens = read.word(), 0
    if "-" in word and word.split("-", 1)[0] in _TENS and word.split("-", 1)[1] in _ORDINALS:
        return Value("ordinal", _TENS[word.split("-", 1)[0]] + _ORDINALS[word.split("-", 1)[1]], text=word), read.at + 1
    if word.isdigit() and read.word(1) in {"st", "nd", "rd", "th"} and read.glued(1):
        return Value("ordinal", float(word), text=word + read.word(1)), read.at + 2
    if word in _TENS and read.word(1) in _ORDINALS and _ORDINALS[read.word(1)] < 10:
        tens, word = _TENS[word], read.word(1)
    if word not in _ORDINALS or (word == "second" and _of_time(read)):
        return None
    before = read.word(-1)
    share = word != "second" and (
        (before in {"a", "one"} and read.word(1) in _SHARED) or (read.word(1) == "of" and before in {"a", "one"})
    )
    if share or (before in SMALL and SMALL[before] > 1 and word.endswith("s")):
        return None
    end = read.at + (2 if tens else 1)
    return Value("ordinal", tens + _ORDINALS[word], text=word), end


def _of_time(read: _Reader) -> bool:
    """``litres a second``: a unit of time, not a rank."""
    after = read.word(1)
    return read.word(-1) in {"a", "per", "each", "every", "/"} and (
        not after.isalpha() or after in {"at", "in", "on", "and", "by", "for", "to"}
    )


def _fraction(read: _Reader) -> Value | None:
    word = read.word()
    count, skip = 1.0, 0
    if "-" in word and word.split("-")[0] in SMALL and word.split("-")[-1] in _PARTS:
        read.at += 1
        return Value("number", SMALL[word.split("-")[0]] / _PARTS[word.split("-")[-1]], share=True)
    if word in {"a", "an", "one"} or word in SMALL:
        if read.word(1) not in _PARTS:
            return _ratio(read, word)
        part = read.word(1)
        count, skip = float(SMALL.get(word, 1)), 1
        after = read.word(2)
        alone = part in {"third", "quarter"} and (
            not after.isalpha() or after in {"and", "in", "from", "by", "was", "were", "to", "for"}
        )
        if (count > 1 and not part.endswith("s")) or (
            count == 1 and after not in _SHARED and part != "half" and not alone
        ):
            return None
    elif word != "half":
        return _ratio(read, word)
    part = read.word(skip)
    if read.word(skip + 1) in {"past", "to"} or part == "second":
        return None
    read.at += skip + 1
    if (
        read.word() == "of"
        and read.word(1) in {"an", "a"}
        and read.word(2)
        in {"hour", "mile", "kilometre", "year", "minute", "day", "million", "litre", "metre", "degree"}
    ):
        read.at += 2
        return Value("number", count / _PARTS[part])
    share = not (word == "half" and read.word() in {"a", "an"} and read.word(1) not in {"million", "dozen"})
    if not share:
        read.at += 1
    return Value("number", count / _PARTS[part], share=share)


def _ratio(read: _Reader, word: str) -> Value | None:
    """``one patient in six``, ``two in five``: a share."""
    if word not in SMALL or not 1 <= SMALL[word] < 20:
        return None
    for gap in (1, 2, 3):
        if read.word(gap) in {"in", "out"}:
            other = read.word(gap + 1) if read.word(gap) == "in" else read.word(gap + 2)
            after = read.word(gap + 2) if read.word(gap) == "in" else ""
            whole = SMALL.get(other, 0) or (int(other) if other.isdigit() and len(other) < 4 else 0)
            if whole > SMALL[word] and (
                not after
                or not after.isalpha()
                or after.endswith("ed")
                or after in {"of", "won", "lost", "fell", "has", "have", "is", "was", "were", "are", "had"}
            ):
                share = SMALL[word] / whole
                read.at += 1
                return Value("number", share, share=True, either=True)
            return None
    return None


def _plain(read: _Reader) -> Value | None:
    word = read.word()
    if word in {"half-hour", "half-hourly"}:
        read.at += 1
        return Value("number", 1800.0, unit="s")
    if word in {"a", "an"} and read.word(2) == "and" and read.word(3) == "a" and read.word(4) in {"half", "quarter"}:
        unit = unit_of(read.word(1), False)
        if unit:
            read.at += 5
            return Value("number", (1.5 if read.word(-1) == "half" else 1.25) * unit[1], unit=unit[0])
    if (
        word in {"a", "an"}
        and read.word(-1)
        in {"about", "over", "under", "nearly", "almost", "than", "least", "most", "around", "roughly"}
        and read.word(1)
        in {
            "hour",
            "minute",
            "year",
            "week",
            "month",
            "mile",
            "kilometre",
            "day",
            "century",
            "decade",
            "metre",
            "litre",
            "tonne",
            "kilogram",
            "kilo",
        }
    ):
        read.at += 1
        return Value("number", 1.0)
    part = read.parts[read.at] if read.at < len(read.parts) else None
    if part is None:
        return None
    if part.kind == "number":
        return _figures(read, part.text)
    total = _spelled(read)
    if total is None:
        return None
    weak = read.at == read.start + 1 and word == "one"
    return Value("number", total, weak=weak)


def _figures(read: _Reader, text: str) -> Value | None:
    digits = text.replace(",", "")
    if digits.count(".") > 1 or len(digits) > 30:
        return None
    amount = float(digits)
    read.at += 1
    scale = read.word()
    if scale == "-" and read.word(1) in _SCALES:
        read.at += 1
        scale = read.word()
    if scale in _SCALES and scale != "score":
        amount *= _SCALES[scale]
        read.at += 1
    elif (
        scale in _GLUED
        and read.glued()
        and (scale != "m" or read.parts[read.at].text == "M" or read.word(-2) in CURRENCIES or read.word(-2) == "$")
    ):
        amount *= _GLUED[scale]
        read.at += 1
    return Value("number", amount)


def _spelled(read: _Reader) -> float | None:
    """A number in words: ``four and a half``, ``two hundred and six thousand``."""
    total, current, seen = 0.0, 0.0, False
    if read.word() in {"a", "an"} and not (read.word(1) in _SCALES and read.word(1) != "score"):
        return None
    while read.at < len(read.low):
        word = read.word()
        pieces = word.split("-")
        if word in {"a", "an"} and not seen and read.word(1) in _SCALES:
            current = 1.0
        elif all(piece in SMALL for piece in pieces) and (
            not current
            or current % 100 == 0
            or (current % 10 == 0 and current >= 20 and SMALL[word.split("-")[0]] < 10)
        ):
            if current and current % 100 and "-" in word:
                break
            current += sum(SMALL[piece] for piece in pieces)
        elif word in _SCALES and word != "score" and (seen or word == "dozen"):
            if word == "hundred" or word == "dozen":
                current = (current or 1.0) * _SCALES[word]
            else:
                total, current = total + (current or 1.0) * _SCALES[word], 0.0
        elif (
            word == "and"
            and seen
            and (current >= 100 or (total and not current))
            and read.word(1).split("-")[0] in SMALL
        ):
            pass
        elif word == "and" and seen and read.word(1) == "a" and read.word(2) == "half":
            read.at += 3
            current += 0.5
            break
        else:
            break
        seen = True
        read.at += 1
    return total + current if seen else None


def _units(read: _Reader, value: Value, currency: str) -> None:  # noqa: C901 a table of what may follow a number
    if currency:
        value.unit = currency
        return
    if value.share:
        return
    skip = 0
    if (
        read.word() in {"more", "further", "additional", "extra", "full", "whole", "consecutive"}
        and read.at + 1 < len(read.parts)
        and unit_of(read.parts[read.at + 1].text, False)
    ) or (read.word() == "-" and read.glued(0) is not False and read.word(1).isalpha()):
        skip = 1
    place = read.at + skip
    if place >= len(read.parts):
        return
    text, following = read.parts[place].text, read.low[place + 1] if place + 1 < len(read.low) else ""
    glued = not read.parts[place].spaced
    if text.lower() in {"square", "cubic", "sq", "cu"} and unit_of(following, False):
        base, size = unit_of(following, False) or ("", 1.0)
        power = 2 if text.lower().startswith("sq") else 3
        _set(read, value, base + str(power), size**power, skip + 2)
    elif text.lower() in {
        "swiss",
        "czech",
        "danish",
        "norwegian",
        "swedish",
        "us",
        "american",
        "gold",
        "silver",
        "australian",
        "canadian",
    } and (unit := unit_of(following, False)):
        if unit[0] in MONEY:
            _set(read, value, unit[0], unit[1], skip + 1)
            read.at += 1
    elif text.lower() in {"degree", "degrees", "\u00b0"}:
        scale = unit_of(following.upper() if len(following) == 1 else following, False)
        named = {"c": "C", "f": "F", "k": "K"}.get(following) or (
            scale[0] if scale and scale[0] in {"C", "F", "K"} else ""
        )
        _set(read, value, named or "deg", 1.0, skip + (2 if named else 1))
    elif text.lower() == "per" and following == "cent":
        _set(read, value, "%", 1.0, skip + 2)
    elif (
        text.lower() in {"revolutions", "turns", "rotations"} and following == "per" and read.word(skip + 2) == "minute"
    ):
        _set(read, value, "rpm", 1.0, skip + 3)
    elif text == "/":
        return
    elif text.isupper() and text in CURRENCIES:
        _set(read, value, CURRENCIES[text], 1.0, skip + 1)
    elif unit := unit_of(text, glued):
        if text.lower() in {"a", "in"}:
            return
        _speed(read, value, unit, skip)


def _speed(read: _Reader, value: Value, unit: tuple[str, float], skip: int) -> None:
    rest = [read.word(skip + ahead) for ahead in (1, 2)]
    hours = {"hour", "h", "hr"}
    if unit[0] in {"mile", "m"} and rest[0] in {"per", "an", "/", "a"} and rest[1] in hours:
        _set(
            read,
            value,
            "mile/h" if unit[0] == "mile" else "km/h",
            1.0 if unit[0] == "mile" else unit[1] / 1000,
            skip + 3,
        )
    elif not unit[0]:
        value.amount *= 12
        read.at += skip + 1
    else:
        _set(read, value, unit[0], unit[1], skip + 1)


def _set(read: _Reader, value: Value, unit: str, size: float, taken: int) -> None:
    value.unit, value.size = unit, size
    value.amount = float(f"{value.amount * size:.12g}")
    read.at += taken
