"""Every name of a fact has to be in the sentence, or be what the sentence refers back to."""

from twx_accept.claims._matching.aligning import Alignment
from twx_accept.claims._matching.reading import Reading, anaphoric
from twx_accept.claims._matching.lexicon import closed


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Which name is not bound, or None."""
    fact, said = alignment.fact, alignment.said
    for place in alignment.missing:
        word = fact.words[place]
        if word.name or word.label:
            return f"the passage does not name {word.text} there"
    outside = [place for place in alignment.context if fact.words[place].name or fact.words[place].label]
    if not outside:
        return None
    if not anaphoric(said) and not _short_form(alignment, outside):
        return f"the sentence does not speak of {fact.words[outside[0]].text}"
    for place in outside:
        rival = _rival(alignment, place)
        if rival:
            return f"the passage says it of {rival}, not of {fact.words[place].text}"
    _ = reading
    return None


def _short_form(alignment: Alignment, outside: list[int]) -> bool:
    """``Samm`` for ``Ulrich Samm``: a neighbour of the name is there."""
    words = alignment.fact.words
    for place in outside:
        near = [other for other in (place - 2, place - 1, place + 1, place + 2) if 0 <= other < len(words)]
        if not any(words[other].name and other in alignment.pairs for other in near):
            return False
    return True


def _rival(alignment: Alignment, place: int) -> str | None:
    """Another label of the same head, or another forename before the same surname, that the sentence has instead."""
    word = alignment.fact.words[place]
    said = alignment.said
    if word.label:
        head = word.label.rsplit(" ", 1)[0]
        for other in said.words:
            if other.label and other.label != word.label and other.label.rsplit(" ", 1)[0] == head and other.value is None:
                return other.text
        return None
    words = alignment.fact.words
    following = alignment.pairs.get(place + 1)
    if place + 1 < len(words) and words[place + 1].name and following is not None and following > 0:
        before = said.words[following - 1]
        if before.name and before.low not in closed.TITLES and len(before.low) > 1 and len(word.low) > 1:
            return before.text
    return None
