"""Hedges before and after a value, ranges, and the unit or month that one end of a range lends the other."""

from twx_accept.claims.made_up_facts.matching.lexicon import several
from twx_accept.claims.made_up_facts.matching.values import Value
from twx_accept.claims.made_up_facts.matching.word import Word

_BEFORE = {
    "at least": "at least", "no fewer than": "at least", "no less than": "at least", "not less than": "at least",
    "not fewer than": "at least",
    "a minimum of": "at least", "minimum": "at least", "minimum of": "at least", "minimum dose of": "at least",
    "at most": "at most", "no more than": "at most", "not more than": "at most", "up to": "at most",
    "a maximum of": "at most",
    "maximum": "at most", "maximum of": "at most", "as many as": "at most", "as much as": "at most",
    "not over": "at most", "at the most": "at most",
    "more than": "over", "over": "over", "above": "over", "greater than": "over", "upwards of": "over",
    "well over": "over", "in excess of": "over", "exceeding": "over",
    "less than": "under", "fewer than": "under", "under": "under", "below": "under", "well under": "under",
    "smaller than": "under",
    "about": "about", "around": "about", "roughly": "about", "approximately": "about", "some": "about",
    "circa": "about", "c": "about", "ca": "about",
    "close to": "about", "an estimated": "about", "in the region of": "about", "something like": "about",
    "approx": "about", "on or about": "about", "near": "about",
    "nearly": "just under", "almost": "just under", "just under": "just under", "a little under": "just under",
    "slightly under": "just under",
    "just below": "just under", "just less than": "just under", "slightly less than": "just under",
    "a little less than": "just under", "slightly below": "just under",
    "a bit less than": "just under", "a bit under": "just under", "not quite": "just under",
    "just short of": "just under", "barely": "about", "a little below": "just under",
    "just over": "just over", "just above": "just over", "a little over": "just over", "slightly over": "just over",
    "just more than": "just over",
    "slightly more than": "just over", "a little more than": "just over", "slightly above": "just over",
    "a bit over": "just over", "a bit more than": "just over", "a little above": "just over",
    "little more than": "just over", "little over": "just over",
}  # fmt: skip
_AFTER = {
    "or more": "at least",
    "or so": "about",
    "at least": "at least",
    "or less": "at most",
    "at most": "at most",
    "or thereabouts": "about",
    "or fewer": "at most",
    "at the most": "at most",
    "or over": "at least",
}
_BEFORE.update(
    {
        f"not be {more} than": "at most"
        for more in ("longer", "more", "higher", "larger", "heavier", "older", "taller", "wider", "greater")
    }
)
_BEFORE.update(
    {
        f"{no} {more} than": "at most"
        for no in ("no", "not")
        for more in ("longer", "higher", "larger", "heavier", "older", "taller", "wider", "greater")
    }
)
_BEFORE.update(
    {f"{more} than": "over" for more in ("longer", "higher", "larger", "heavier", "older", "taller", "wider")}
)
_PHRASES = {tuple(key.split()): bound for key, bound in _BEFORE.items()}
_ENDS = {tuple(key.split()): bound for key, bound in _AFTER.items()}
_WEEKDAYS = frozenset(several("monday tuesday wednesday thursday friday saturday sunday"))
_PLACES = {"above", "below", "over", "under", "around", "about", "near"}


def hedge(words: list[Word]) -> list[Word]:
    """Give each value its hedge and its range, and take the words that said so out of the sentence."""
    gone: set[int] = set()
    for at, word in enumerate(words):
        value = word.value
        if value is None or value.kind == "ordinal":
            continue
        bound, start = _before(words, at)
        if bound and not (value.kind == "time" and bound in {"over", "under"}):
            value.bound = bound
            if words[start].low not in _PLACES or at - start > 1:
                gone.update(range(start, at))
        else:
            for length in (2, 3):
                key = tuple(other.low for other in words[at + 1 : at + 1 + length])
                if key in _ENDS:
                    value.bound = _ENDS[key]
                    gone.update(range(at + 1, at + 1 + length))
    _ranges(words)
    return [word for at, word in enumerate(words) if at not in gone]


def _before(words: list[Word], at: int) -> tuple[str, int]:
    for length in (4, 3, 2, 1):
        start = at - length
        if start < 0:
            continue
        key = tuple(other.low for other in words[start:at])
        if key in _PHRASES:
            if key == ("to",) or (key == ("some",) and words[at].value is None):
                continue
            return _PHRASES[key], start
    return "", at


def _ranges(words: list[Word]) -> None:
    for at in range(len(words) - 2):
        far = at + 3 if words[at + 2].low in _WEEKDAYS and at + 3 < len(words) else at + 2
        first, last = words[at].value, words[far].value
        joint, before = words[at + 1].low, words[at - 1].low if at else ""
        if first is None or last is None or joint not in {"-", "to", "and", "until", "till"}:
            continue
        if first.unit and last.unit and first.unit != last.unit:
            continue
        if joint == "and" and before not in {"between", "from"}:
            continue
        if (first.kind == "time" and last.kind == "number") or (first.kind == "ordinal" or last.kind == "ordinal"):
            continue
        _lend(first, last)
        if first.kind != last.kind:
            continue
        if first.kind == "number" and before != "from" and first.amount < last.amount and joint in {"-", "to", "and"}:
            first.ranged = last.ranged = True
        words[at].ends, words[far].ends = "from", "to"


def _lend(first: Value, last: Value) -> None:
    if (
        last.kind == "date"
        and first.kind == "number"
        and last.day
        and 1 <= first.amount <= 31
        and not first.unit
        and first.amount == int(first.amount)
    ):
        first.kind, first.day, first.month, first.year = "date", int(first.amount), last.month, last.year
    elif last.kind == "time" and first.kind == "number" and 0 < first.amount <= 12 and not first.unit:
        half = 720 if last.amount >= 720 and first.amount * 60 + 720 <= last.amount and first.amount < 12 else 0
        first.kind, first.amount = "time", first.amount * 60 + half
    elif first.kind == last.kind == "number":
        if last.unit and not first.unit:
            first.unit, first.amount = last.unit, first.amount * last.size
        elif first.unit and not last.unit:
            last.unit, last.amount = first.unit, last.amount * first.size
    elif first.kind == last.kind == "date" and last.year and not first.year and first.month:
        first.year = last.year
