"""Every number, date and time of a fact has to stand in the sentence, with its sign, scale, unit and hedge."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.reading import Reading
from twx_accept.claims.made_up_facts.matching.units import same_unit
from twx_accept.claims.made_up_facts.matching.values import agree
from twx_accept.claims.made_up_facts.matching.word import Word


def check(alignment: Alignment, reading: Reading) -> str | None:  # noqa: C901 a list of refusals
    """Why the values do not agree, or None."""
    for place in alignment.options:
        word = alignment.fact.words[place]
        value = word.value
        if value is None:
            continue
        at = alignment.pairs.get(place)
        if at is None:
            if value.weak and (rival := _counted(place, alignment)):
                return f"the passage says {rival}, the fact {word.text}"
            if value.weak or _elsewhere(word, alignment) or _dated(word, alignment, reading):
                if place in alignment.missing:
                    alignment.missing.remove(place)
                continue
            return _reason(word, alignment)
        said = alignment.said.words[at].value
        if said is None:
            continue
        aged = value.unit == "month" and any(other.low in {"old", "age", "aged"} for other in alignment.fact.words)
        if (
            value.unit
            and not aged
            and not said.unit
            and value.share == said.share
            and value.kind == "number"
            and not _gapped(value.unit, alignment, reading)
        ):
            return f"the passage does not give {word.text} in that unit"
        if (
            value.kind == said.kind == "date"
            and value.year
            and not said.year
            and not _year(value.year, alignment, reading)
        ):
            return f"the passage does not say the year {value.year} of it"
        if (
            value.kind == said.kind == "date"
            and value.month
            and not said.month
            and not _month(value.month, alignment, reading)
        ):
            return f"the passage does not say the month of {word.text}"
        if not value.ranged and said.ranged and not value.bound and value.kind == "number":
            return f"the passage gives a range, not {word.text}"
    return None


def _counted(place: int, alignment: Alignment) -> str:
    """The number that stands in the passage where the fact has ``one``, or nothing."""
    at = alignment.pairs.get(place + 1)
    phrase = None if at is None else alignment.said.phrases[at]
    if phrase is None:
        return ""
    for other in phrase.places:
        said = alignment.said.words[other]
        if other < phrase.head and said.value is not None and said.value.kind == "number" and not said.value.weak:
            return "" if said.value.unit else said.text
    return ""


def _reason(word: Word, alignment: Alignment) -> str:
    value = word.value
    alike = [
        other.text
        for other in alignment.said.values
        if other.value is not None and value is not None and other.value.kind == value.kind
    ]
    if alike:
        return f"the passage says {', '.join(alike[:3])}, the fact {word.text}"
    return f"the passage does not say {word.text}"


def _gapped(unit: str, alignment: Alignment, reading: Reading) -> bool:
    """``Mill A 40 tonnes, Mill B 65``: the unit stands at another value near by."""
    near = alignment.said.values
    if any(other.value is not None and other.value.unit and same_unit(other.value.unit, unit) for other in near):
        return True
    number = alignment.said.number
    return (
        number > 0
        and not any(other.value is not None and other.value.unit for other in near)
        and any(
            other.value is not None and other.value.unit and same_unit(other.value.unit, unit)
            for other in reading.sentences[number - 1].values
        )
    )


def _month(month: int, alignment: Alignment, reading: Reading) -> bool:
    """Whether a month is the last one that the passage has named by then."""
    for number in range(alignment.said.number, -1, -1):
        months = {
            other.value.month
            for other in reading.sentences[number].values
            if other.value is not None and other.value.month
        }
        if months:
            return month in months
    return False


def _year(year: int, alignment: Alignment, reading: Reading) -> bool:
    """The last year that the passage has named by then."""
    for number in range(alignment.said.number, -1, -1):
        years = {
            other.value.year
            for other in reading.sentences[number].values
            if other.value is not None and other.value.year
        }
        if years:
            return year in years
    return False


def _dated(word: Word, alignment: Alignment, reading: Reading) -> bool:
    """A date that the sentences before have set, where the sentence has no other."""
    used = set(alignment.pairs.values())
    rival = any(
        other.value is not None and other.value.kind == "date" and other.place not in used
        for other in alignment.said.values
    )
    if (
        word.value is None
        or word.value.kind != "date"
        or rival
        or word.under not in {"in", "on", "during", "of", "for"}
    ):
        return False
    for number in range(alignment.said.number - 1, -1, -1):
        dates = [
            other.value
            for other in reading.sentences[number].values
            if other.value is not None and other.value.kind == "date"
        ]
        if dates:
            return all(agree(word.value, date) and (date.year or not word.value.year) for date in dates)
    return False


def _elsewhere(word: Word, alignment: Alignment) -> bool:
    """A count that the passage spells as a list or as ``both``."""
    value = word.value
    return (
        value is not None
        and value.kind == "number"
        and value.amount == 2
        and not value.unit
        and any(other.low in {"both", "twice", "pair"} for other in alignment.said.words)
    )
