"""Who does it and to whom: the subject of a fact has to be the subject of what the sentence says."""

from twx_accept.claims._matching.aligning import Alignment, optional
from twx_accept.claims._matching.clauses import Clause
from twx_accept.claims._matching.lexicon import closed
from twx_accept.claims._matching.reading import Reading, Sentence


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Why the parts are cast otherwise, or None."""
    fact = alignment.fact
    for number, clause in enumerate(fact.clauses):
        if clause.verb < 0:
            continue
        reason = _clause(alignment, clause, number, reading)
        if reason:
            return reason
    return None


def heads(sentence: Sentence, places: list[int]) -> list[int]:
    """The places that name what a phrase is about: not under a preposition, not an owner."""
    words = sentence.words
    loose = [place for place in places if words[place].content and words[place].tag not in {"verb", "adverb"} and not words[place].owner]
    first = words[places[0]].under if places else ""
    return [place for place in loose if not words[place].under or (first and words[place].under == first)] or loose


def _clause(alignment: Alignment, clause: Clause, number: int, reading: Reading) -> str | None:
    fact, said = alignment.fact, alignment.said
    subject = heads(fact, [place for place in clause.subject if place < clause.verb])
    bound = [place for place in subject if place in alignment.pairs]
    there = _their_clause(alignment, clause, number)
    if there is None or there.verb < 0 or not subject:
        return None
    swapped = _swapped(alignment, clause, there)
    if swapped is None:
        return _subject(alignment, clause, there, subject, bound, reading)
    doer = set(heads(said, there.subject))
    done = set(there.agent) if there.passive and swapped else {place for place in there.after if place in range(there.start, there.end)}
    for place in bound:
        at = alignment.pairs[place]
        word = said.words[at]
        if not (word.name or word.label or word.tag == "noun"):
            continue
        if not swapped and at in done and at not in doer and not _shared(alignment, subject, doer):
            return f"in the passage {word.text} has the other part"
        if swapped and at in doer and at not in done:
            return f"in the passage {word.text} has the other part"
    if not swapped:
        return _subject(alignment, clause, there, subject, bound, reading)
    return None


def _shared(alignment: Alignment, subject: list[int], doer: set[int]) -> bool:
    return any(alignment.pairs.get(place) in doer for place in subject)


def _their_clause(alignment: Alignment, clause: Clause, number: int) -> Clause | None:
    said = alignment.said
    at = alignment.pairs.get(clause.verb)
    if at is not None and said.words[at].tag == "verb":
        return said.of(said.words[at])
    anchor = alignment.anchors.get(number)
    return None if anchor is None else said.clauses[anchor]


def _swapped(alignment: Alignment, clause: Clause, there: Clause) -> bool | None:
    """Whether subject and object have changed places; None where the verbs are not the same event."""
    at = alignment.pairs.get(clause.verb)
    if at is None or at != there.verb or clause.copula:
        return None
    one, two = alignment.fact.words[clause.verb].lex.role, alignment.said.words[at].lex.role
    converse = any(mark[1:] == other[1:] and mark[0] != other[0] for mark in one for other in two)
    return (clause.passive != there.passive) ^ converse


def _subject(
    alignment: Alignment, clause: Clause, there: Clause, subject: list[int], bound: list[int], reading: Reading
) -> str | None:
    """The subject of the fact may not be another than that of the sentence's clause."""
    said, fact = alignment.said, alignment.fact
    doers = heads(said, there.subject)
    if not doers or any(alignment.pairs.get(place) in there.subject for place in subject):
        return None
    named = [place for place in subject if fact.words[place].name or fact.words[place].label or not optional(fact.words[place])]
    if not named:
        return None
    if any(alignment.pairs.get(place) is not None and there.start <= alignment.pairs[place] < there.end for place in named):
        return _rival_subject(alignment, named, doers, there)
    others = [said.words[place] for place in doers if place not in alignment.pairs.values() and (said.words[place].name or said.words[place].label)]
    if others and all(fact.words[place].name or fact.words[place].label for place in named) and not _pronoun(said, there):
        return f"the passage says it of {others[0].text}"
    _ = clause, bound, reading
    return None


def _rival_subject(alignment: Alignment, named: list[int], doers: list[int], there: Clause) -> str | None:
    _ = alignment, named, doers, there
    return None


def _pronoun(said: Sentence, clause: Clause) -> bool:
    return any(said.words[place].low in closed.ANAPHORS for place in clause.subject)
