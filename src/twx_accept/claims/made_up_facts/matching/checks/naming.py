"""Every name of a fact has to be in the sentence, or be what the sentence refers back to."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.lexicon import closed
from twx_accept.claims.made_up_facts.matching.reading import Reading, anaphoric

_BACK = closed.ANAPHORS - {"there", "this", "that", "these", "those", "one", "ones", "such"}

_TITLED = closed.TITLES


def check(alignment: Alignment, reading: Reading) -> str | None:  # noqa: C901 a list of refusals
    """Which name is not bound, or None."""
    fact, said = alignment.fact, alignment.said
    for place in alignment.missing:
        word = fact.words[place]
        if word.name or word.label:
            return f"the passage does not name {word.text} there"
    reason = _never_so_called(alignment, reading)
    if reason:
        return reason
    outside = [place for place in alignment.context if fact.words[place].name or fact.words[place].label]
    if not outside or _short_form(alignment, outside, reading):
        return None
    used = set(alignment.pairs.values())
    topical = all(fact.words[place].low in reading.topics for place in outside)
    alone = topical and not any((word.name or word.label) and word.place not in used for word in said.words)
    if alone:
        return None
    if all(_setting(alignment, place, reading) for place in outside):
        return None
    if not anaphoric(said):
        return f"the sentence does not speak of {fact.words[outside[0]].text}"
    for place in outside:
        rival = _rival(alignment, place)
        if rival:
            return f"the passage says it of {rival}, not of {fact.words[place].text}"
        if not _may_be_carried(alignment, place, reading):
            return f"the sentence does not speak of {fact.words[place].text}"
    return None


def _never_so_called(alignment: Alignment, reading: Reading) -> str | None:
    """Two words that make one name in the fact have to stand together somewhere in the passage."""
    words = alignment.fact.words
    for place in range(len(words) - 1):
        one, two = words[place], words[place + 1]
        if not one.tag == two.tag == "name" or one.owner or one.label or two.label or _TITLED & {one.low, two.low}:
            continue
        if any(letter.isdigit() for letter in one.low + two.low):
            continue
        if one.low in reading.names and two.low in reading.names and (one.low, two.low) not in reading.joined:
            return f"the passage has no {one.text} {two.text}"
    return None


def _setting(alignment: Alignment, place: int, reading: Reading) -> bool:
    """The place or thing that a whole text is about, as the setting of a fact whose sentence has no other."""
    fact, said = alignment.fact, alignment.said
    word = fact.words[place]
    if word.low not in reading.topics or word.under not in {"in", "at", "of", "for"}:
        return False
    if any(
        other in alignment.pairs
        for other in (place - 1, place + 1)
        if 0 <= other < len(fact.words) and fact.words[other].name
    ):
        return False
    used = set(alignment.pairs.values())
    return not any(
        (other.name or other.label)
        and other.place not in used
        and other.under in {"in", "at", "of", "for", "from", "to"}
        for other in said.words
    )


def _may_be_carried(alignment: Alignment, place: int, reading: Reading) -> bool:
    """The subject of a fact is carried forward easily; any other name only by a pronoun, or as the text's own topic."""
    fact, said = alignment.fact, alignment.said
    word = fact.words[place]
    clause = fact.of(word)
    verbless = all(there.verb < 0 for there in said.clauses)
    opening = reading.topics
    if verbless:
        return word.low in opening or (bool(word.label) and place in clause.subject)
    if place in clause.subject or word.owner:
        return True
    part = word.under in {"", "to", "by", "from", "for", "with", "of", "against", "as"}
    return (part and any(other.low in _BACK for other in said.words)) or (
        word.low in opening and word.under not in {"between", "from", "into"}
    )


def _short_form(alignment: Alignment, outside: list[int], reading: Reading) -> bool:
    """``Samm`` for ``Ulrich Samm``: the rest of a whole name of the passage is in the sentence."""
    words = alignment.fact.words
    for place in outside:
        if words[place].label:
            return False
        near = [
            other
            for other in (place - 2, place - 1, place + 1, place + 2)
            if 0 <= other < len(words) and words[other].name and other in alignment.pairs
        ]
        if not any(
            _together(words[place].low, words[other].low, abs(place - other), reading) for other in near
        ) or _rival(alignment, place):
            return False
    return True


def _together(one: str, other: str, gap: int, reading: Reading) -> bool:
    for sentence in reading.sentences:
        for at, word in enumerate(sentence.words):
            if word.low == one and word.name:
                near = sentence.words[max(0, at - gap - 1) : at + gap + 2]
                if any(also.low == other for also in near):
                    return True
    return False


def _rival(alignment: Alignment, place: int) -> str | None:
    """Another label of the same head, or another forename before the same surname, that the sentence has instead."""
    word = alignment.fact.words[place]
    said = alignment.said
    if word.label:
        head = word.label.rsplit(" ", 1)[0]
        for other in said.words:
            if any(also.label == other.label for also in alignment.fact.words):
                continue
            if (
                other.label
                and other.label != word.label
                and other.label.rsplit(" ", 1)[0] == head
                and other.value is None
            ):
                return other.text
        return None
    return _other_neighbour(alignment, place)


def _other_neighbour(alignment: Alignment, place: int) -> str | None:
    """Another name beside the part of a name that the sentence has."""
    words, said, word = alignment.fact.words, alignment.said, alignment.fact.words[place]
    before_at = alignment.pairs.get(place - 1)
    if place and words[place - 1].name and not words[place - 1].owner and before_at is not None:
        after = said.words[before_at + 1] if before_at + 1 < len(said.words) else None
        if after is not None and after.name and not said.words[before_at].owner:
            return after.text
    following = alignment.pairs.get(place + 1)
    if place + 1 < len(words) and words[place + 1].name and following is not None and following > 0:
        before = said.words[following - 1]
        if before.name and before.low not in closed.TITLES and len(before.low) > 1 and len(word.low) > 1:
            return before.text
    return None
