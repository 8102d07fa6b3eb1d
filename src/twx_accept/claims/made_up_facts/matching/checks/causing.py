"""What is cause and what is effect."""

from twx_accept.claims.made_up_facts.matching.aligning import CAUSAL
from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence

_MARKS = frozenset({"because", "because_of"})


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Why cause and effect have changed places, or None."""
    _ = reading
    causes = _told(alignment.fact) or _claimed(alignment.fact)
    stated = _told(alignment.said)
    if not causes or not stated:
        return None
    inside = [at in stated for place, at in alignment.pairs.items() if place in causes]
    outside = [at in stated for place, at in alignment.pairs.items() if place not in causes]
    if inside and outside and not any(inside) and all(outside):
        return "the passage says it the other way round: what the fact calls the cause is the effect"
    return None


def _told(sentence: Sentence) -> set[int]:
    """The places of what stands behind ``because``."""
    mark = next((word for word in sentence.words if word.low in _MARKS), None)
    if mark is None:
        return set()
    if mark.text.lower() == "the" and sentence.clauses[0].copula:
        return {place for place in sentence.clauses[0].subject if place < mark.place}
    places = set()
    for word in sentence.words[mark.place + 1 :]:
        if word.low in {",", ";"}:
            break
        places.add(word.place)
    return places


def _claimed(fact: Sentence) -> set[int]:
    """The subject of a verb that causes."""
    for clause in fact.clauses:
        if clause.verb >= 0 and fact.words[clause.verb].lex.lemma in CAUSAL:
            if clause.passive:
                return set(clause.agent)
            return {place for place in clause.subject if place < clause.verb}
    return set()
