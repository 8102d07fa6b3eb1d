"""The noun phrases of a sentence: which words stand in one, and which word heads it."""

from dataclasses import dataclass

from twx_accept.claims.made_up_facts.matching.word import Word

_NOMINAL = frozenset({"noun", "name", "adjective", "value", "title", "adverb"})


@dataclass(slots=True, eq=False)
class Phrase:
    """``number``: its turn in the sentence; ``places``: of its words; ``head``: the last noun or name, no owner."""

    number: int
    places: list[int]
    head: int


def phrases_of(words: list[Word]) -> list[Phrase | None]:
    """The phrase that each word is in."""
    found: list[Phrase | None] = [None] * len(words)
    current: Phrase | None = None
    number = 0
    for place, word in enumerate(words):
        if word.tag in _NOMINAL or word.label:
            if current is None:
                current = Phrase(number, [], -1)
                number += 1
            current.places.append(place)
            found[place] = current
            if word.tag in {"noun", "name"} and not word.owner:
                current.head = place
        elif word.low != '"':
            current = None
    return found
