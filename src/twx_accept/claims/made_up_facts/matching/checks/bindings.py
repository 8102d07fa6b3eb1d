"""Values and names stand beside what they belong to: what belongs to one thing may not be given to another."""

from collections.abc import Iterator, Sequence

from twx_accept.claims.made_up_facts.matching.alignment import Alignment, optional
from twx_accept.claims.made_up_facts.matching.clauses import Clause
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.units import same_unit
from twx_accept.claims.made_up_facts.matching.values import agree
from twx_accept.claims.made_up_facts.matching.word import Word
from twx_accept.claims.made_up_facts.matching.words import contrary

_SLOTS = frozenset(
    {
        "in",
        "at",
        "on",
        "for",
        "from",
        "to",
        "by",
        "of",
        "with",
        "into",
        "as",
        "against",
        "under",
        "near",
        "through",
        "because_of",
        "after",
    }
)


_REACH = 6


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Which value or name belongs to something else, or None."""
    _ = reading
    for place, at in alignment.pairs.items():
        word, other = alignment.fact.words[place], alignment.said.words[at]
        if word.value is not None and other.value is not None and not word.value.weak and not _named(alignment, other):
            reason = _dated(alignment, word, other) or _labelled(alignment, other) or _beside(alignment, place, other)
            if reason:
                return reason
    return _opposed(alignment) or _slot(alignment)


def _named(alignment: Alignment, other: Word) -> bool:
    """``ahead of B, which has 31``: the name nearest before a value is the one that the fact gives it to."""
    fact, said = alignment.fact, alignment.said.words
    for at in range(other.place - 1, max(-1, other.place - _REACH), -1):
        word = said[at]
        if word.value is not None or word.low in {";", "and", "but", "while", "whereas"}:
            return False
        if word.name or word.label:
            return any(
                here == at and place in fact.of(fact.words[place]).subject and not fact.words[place].under
                for place, here in alignment.pairs.items()
            )
    return False


def _bare(said: Sentence, rival: Word, other: Word) -> bool:
    """``the starter for one``: a number whose unit the text has just said."""
    a, b = rival.value, other.value
    following = said.words[rival.place + 1] if rival.place + 1 < len(said.words) else None
    ends = following is None or following.tag in {"mark", "conjunction", "preposition"}
    return (
        a is not None
        and b is not None
        and a.kind == b.kind == "number"
        and not a.unit
        and bool(b.unit)
        and not a.share
        and ends
    )


def _dated(alignment: Alignment, word: Word, other: Word) -> str | None:
    """A figure that stands with one day of the passage and with another of the fact."""
    if word.value is None or word.value.kind != "number":
        return None
    said, used = alignment.said, set(alignment.pairs.values())
    days = [
        date
        for date in said.values
        if date.value is not None and date.value.kind == "date" and date.clause == other.clause
    ]
    mine = [date for date in days if date.place in used]
    near = [date for date in days if date.segment == other.segment and date.place not in used]
    if (
        mine
        and near
        and not any(date.segment == other.segment for date in mine)
        and all(other.place < date.place for date in near)
    ):
        return f"the passage says {near[0].text} of {other.text}, not {mine[0].text}"
    return None


def _labelled(alignment: Alignment, other: Word) -> str | None:
    """A label of the fact whose own segment has another value of the same sort."""
    said, used = alignment.said, set(alignment.pairs.values())
    rivals = [
        value
        for value in said.values
        if value is not other
        and (_alike(other, value) or _bare(said, value, other) or _bare(said, other, value))
        and value.place not in used
    ]
    for label in alignment.pairs:
        here = said.words[alignment.pairs[label]]
        if not _labels(alignment.fact.words[label]) or here.segment == other.segment:
            continue
        for rival in rivals:
            if here.segment == rival.segment and _own_label(alignment, other):
                return f"the passage gives {rival.text} for {here.text}, not {other.text}"
    return None


def _beside(alignment: Alignment, place: int, other: Word) -> str | None:
    """The noun right after (or the owner right before) a value has another value beside it in the passage."""
    said = alignment.said
    value = alignment.fact.words[place].value
    for label in _near(alignment, place):
        at = alignment.pairs.get(label)
        if (
            at is None
            or said.words[at].tag not in {"noun", "name"}
            or (abs(at - other.place) <= 2 and not said.words[at].owner)
        ):
            continue
        for rival in said.values:
            direct = (
                0 < at - rival.place <= 2 and rival.under != "of"
                if label > place
                else rival.place - at == 1 and rival.place not in alignment.pairs.values()
            )
            if rival is other or not direct or not _alike(other, rival) or rival.value is None or value is None:
                continue
            following = said.words[other.place + 1] if other.place + 1 < len(said.words) else None
            gapped = following is None or following.tag in {"mark", "conjunction"}
            if gapped and any(
                said.words[here].segment == other.segment and (said.words[here].name or said.words[here].label)
                for here in alignment.pairs.values()
            ):
                continue
            alone = not any(
                word.segment == other.segment and (word.content or word.tag == "pronoun") and word.value is None
                for word in said.words
            )
            if value.kind == "ordinal" and following is not None and following.tag != "noun" and alone:
                continue
            if rival.segment == said.words[at].segment and not agree(value, rival.value):
                return f"the passage gives {rival.text} for {said.words[at].text}, not {other.text}"
    return None


def _near(alignment: Alignment, place: int) -> Iterator[int]:
    words = alignment.fact.words
    for ahead in (1, 2):
        if (
            place + ahead < len(words)
            and _labels(words[place + ahead])
            and words[place + ahead].tag in {"noun", "name"}
        ):
            yield place + ahead
            break
    for label in alignment.pairs:
        if (
            label < place
            and _labels(words[label])
            and words[label].tag in {"noun", "name"}
            and words[label].clause == words[place].clause
        ):
            yield label


def _opposed(alignment: Alignment) -> str | None:
    """``on for one but off for the other``: a word of the fact stands with one side, its label with the other."""
    said, used = alignment.said, set(alignment.pairs.values())
    for place, at in alignment.pairs.items():
        word = said.words[at]
        if word.value is not None or word.name or place in alignment.against or not word.lex.poles:
            continue
        for rival in said.words:
            if (
                rival.segment == word.segment
                or not rival.content
                or rival.place in used
                or rival.value is not None
                or not contrary(word.lex, rival.lex)
            ):
                continue
            for label, here in alignment.pairs.items():
                other = said.words[here]
                moved = (
                    other.segment == rival.segment
                    and other.segment != word.segment
                    and (other.name or other.label or other.value is not None or other.tag == "noun")
                )
                if (
                    moved
                    and _own_label(alignment, word)
                    and alignment.fact.words[label].clause == alignment.fact.words[place].clause
                    and other.clause == rival.clause
                ):
                    return f"the passage says {rival.text!r} of {other.text}, not {word.text!r}"
    return None


def _slot(alignment: Alignment) -> str | None:
    """Where the fact's clause is told, another word fills the place that the fact gives to one from elsewhere."""
    for number, clause in enumerate(alignment.fact.clauses):
        at = alignment.pairs.get(clause.verb)
        if at is not None and clause.verb not in alignment.against:
            there = alignment.said.of(alignment.said.words[at])
            reason = _filled(alignment, range(clause.verb + 1, clause.end), there, range(at + 1, there.end))
            if reason:
                return reason
        elif number in alignment.anchors:
            there = alignment.said.clauses[alignment.anchors[number]]
        else:
            continue
        reason = _filled(alignment, [place for place in clause.subject if place < clause.verb], there, there.subject)
        if reason:
            return reason
    return None


def _filled(alignment: Alignment, places: Sequence[int], there: Clause, slots: Sequence[int]) -> str | None:
    fact, said = alignment.fact, alignment.said
    used = set(alignment.pairs.values())
    for place in places:
        word = fact.words[place]
        here = alignment.pairs.get(place)
        if (
            word.under not in _SLOTS
            or not (word.name or word.label or word.tag == "noun")
            or (optional(word) and word.under != "because_of")
        ):
            continue
        if here is not None and (there.start <= here < there.end or here in there.subject or word.value is not None):
            continue
        if here is None and place not in alignment.context:
            continue
        for at in slots:
            rival = said.words[at]
            filled = rival.under == word.under and at not in used and rival.value is None
            if (
                filled
                and (rival.name or rival.label or rival.tag == "noun")
                and (here is not None or bool(rival.name or rival.label) == bool(word.name or word.label))
            ):
                return f"the passage says {rival.under} {rival.text} there, not {word.text}"
    return None


def _alike(one: Word, other: Word) -> bool:
    a, b = one.value, other.value
    if a is not None and b is not None and bool(a.unit) != bool(b.unit) and not a.share and not b.share:
        return False
    return (
        a is not None
        and b is not None
        and a.kind == b.kind
        and a.share == b.share
        and (same_unit(a.unit, b.unit) or not a.unit or not b.unit)
    )


def _labels(word: Word) -> bool:
    return word.value is None and (
        word.name or bool(word.label) or (word.tag in {"noun", "adjective"} and not optional(word))
    )


def _own_label(alignment: Alignment, value: Word) -> bool:
    """Whether the value's segment has a label of its own that the fact does not speak of."""
    used = set(alignment.pairs.values())
    return any(
        word.segment == value.segment
        and word.content
        and word.value is None
        and word.place not in used
        and word.tag in {"noun", "name", "adjective"}
        for word in alignment.said.words
    )
