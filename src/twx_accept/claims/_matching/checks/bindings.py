"""Values and names stand beside what they belong to: the value of one thing may not be given to another."""

from twx_accept.claims._matching.aligning import Alignment, optional
from twx_accept.claims._matching.reading import Reading
from twx_accept.claims._matching.tagging import Word
from twx_accept.claims._matching.units import same_unit


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Which value belongs to something else, or None."""
    _ = reading
    fact, said = alignment.fact, alignment.said
    for place, at in alignment.pairs.items():
        word, other = fact.words[place], said.words[at]
        if word.value is None or other.value is None or word.value.weak:
            continue
        rivals = [value for value in said.values if value is not other and _alike(other, value) and value.place not in alignment.pairs.values()]
        for label in alignment.pairs:
            here = alignment.pairs[label]
            if not _labels(fact.words[label]) or said.words[here].segment == other.segment:
                continue
            for rival in rivals:
                if said.words[here].segment == rival.segment and _own_label(alignment, other):
                    return f"the passage gives {rival.text} for {said.words[here].text}, not {other.text}"
    return None


def _alike(one: Word, other: Word) -> bool:
    a, b = one.value, other.value
    return a is not None and b is not None and a.kind == b.kind and a.share == b.share and (same_unit(a.unit, b.unit) or not a.unit or not b.unit)


def _labels(word: Word) -> bool:
    return word.value is None and (word.name or bool(word.label) or (word.tag in {"noun", "adjective"} and not optional(word)))


def _own_label(alignment: Alignment, value: Word) -> bool:
    """Whether the value's segment has a label of its own that the fact does not speak of."""
    used = set(alignment.pairs.values())
    return any(
        word.segment == value.segment and word.content and word.value is None and word.place not in used and word.tag in {"noun", "name", "adjective"}
        for word in alignment.said.words
    )
