"""A fact laid over a sentence of a passage: which word stands on which."""

from dataclasses import dataclass, field

from twx_accept.claims.made_up_facts.matching.lexicon import closed
from twx_accept.claims.made_up_facts.matching.reading import Sentence
from twx_accept.claims.made_up_facts.matching.word import Word


@dataclass(slots=True, eq=False)
class Alignment:
    """``pairs``: place in the fact -> place in the sentence; ``against``: those that match by contraries.

    ``context``: places in the fact that only the sentences before cover; ``missing``: places that nothing covers.
    """

    fact: Sentence
    said: Sentence
    pairs: dict[int, int] = field(default_factory=dict)
    against: set[int] = field(default_factory=set)
    context: set[int] = field(default_factory=set)
    missing: list[int] = field(default_factory=list)
    anchors: dict[int, int] = field(default_factory=dict)
    options: dict[int, list[int]] = field(default_factory=dict)

    def word(self, place: int) -> Word | None:
        """The word of the sentence that a word of the fact stands on."""
        at = self.pairs.get(place)
        return None if at is None else self.said.words[at]


def optional(word: Word) -> bool:
    """Whether a restatement may add the word without saying anything new."""
    if word.value is not None:
        return word.value.weak
    if word.name or word.label:
        return False
    if word.tag == "adverb":
        return word.low in closed.ADVERBS or (word.low != "never" and word.lex.lemma in closed.LIGHT)
    if word.tag == "noun" and (word.lex.lemma in closed.GENERIC or word.low in closed.GENERIC):
        return True
    return word.lex.lemma in closed.LIGHT or word.low in closed.LIGHT
