"""Two things told side by side: what the passage says of the one, the fact may not say of the other."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment, optional
from twx_accept.claims.made_up_facts.matching.reading import Reading
from twx_accept.claims.made_up_facts.matching.words import contrary

_FACTORS = frozenset({"twice", "thrice", "double", "triple", "half"})
_HAVING = frozenset({"have", "own", "possess"})


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Which two things have changed places, or None."""
    _ = reading
    return _doubled(alignment) or _dated(alignment) or _contrary(alignment) or _had(alignment) or _counted(alignment)


def _counted(alignment: Alignment) -> str | None:
    """``1,900 people voted`` does not count votes, nor does an age count anything."""
    fact, said = alignment.fact, alignment.said
    for place, at in alignment.pairs.items():
        value, head = fact.words[place].value, fact.phrases[place]
        if value is None or value.kind != "number" or value.unit or value.share or head is None:
            continue
        counted = fact.words[head.head] if head.head > place else None
        if counted is None or counted.tag != "noun" or optional(counted):
            continue
        if at and said.words[at - 1].low in {"aged", "age"}:
            return f"the passage gives {said.words[at].text} as an age"
        phrase = said.phrases[at]
        after = [said.words[other] for other in phrase.places if other > at] if phrase is not None else []
        other = after[-1] if after and after[-1].tag == "noun" else None
        if other is None or "time" in {counted.lex.lemma, other.lex.lemma}:
            continue
        mine = alignment.pairs.get(head.head, -1)
        if not any(word.place == mine or not counted.keys.isdisjoint(word.keys) for word in after):
            return f"the passage counts {other.text}, not {counted.text}"
    return None


def _dated(alignment: Alignment) -> str | None:
    """A date from the clause of another event, where the event itself has a date of its own."""
    fact, said = alignment.fact, alignment.said
    used = set(alignment.pairs.values())
    for place, at in alignment.pairs.items():
        value = fact.words[place].value
        if value is None or value.kind != "date":
            continue
        told = alignment.pairs.get(fact.of(fact.words[place]).verb)
        rest = {
            said.words[other].clause
            for also, other in alignment.pairs.items()
            if fact.words[also].clause == fact.words[place].clause and fact.words[also].value is None
        }
        if told is not None and said.words[told].tag == "verb":
            rest = {said.words[told].clause}
        if said.words[at].clause in rest:
            continue
        for word in said.values:
            outer = word.clause - 1 if said.of(word).embedded else word.clause
            if word.value is None or word.value.kind != "date" or word.place in used:
                continue
            if word.clause in rest or outer in rest:
                return f"the passage says {word.text} of it, not {fact.words[place].text}"
    return None


def _contrary(alignment: Alignment) -> str | None:
    """``gains four seconds and loses two``: what the fact puts to one verb stands at its contrary."""
    fact, said = alignment.fact, alignment.said
    used = set(alignment.pairs.values())
    for clause in fact.clauses:
        at = alignment.pairs.get(clause.verb)
        if clause.verb < 0 or at is None or clause.verb in alignment.against:
            continue
        for place in clause.after:
            other = alignment.pairs.get(place)
            there = None if other is None else said.of(said.words[other])
            if there is None or there.verb < 0 or there.verb in used or there is said.of(said.words[at]):
                continue
            if contrary(fact.words[clause.verb].lex, said.words[there.verb].lex):
                return f"the passage says {said.words[there.verb].text} of {said.words[other or 0].text}"
    return None


def _had(alignment: Alignment) -> str | None:
    """``Calder had the higher content`` for ``Merle's content was higher``."""
    fact, said = alignment.fact, alignment.said
    names = {word.low for word in fact.words if word.name}
    for clause in fact.clauses:
        related = clause.copula and any(
            fact.words[place].name and fact.words[place].under == "of" for place in clause.after
        )
        if clause.verb < 0 or not (related or fact.words[clause.verb].lex.lemma in _HAVING):
            continue
        for place in clause.after:
            at = alignment.pairs.get(place)
            phrase = None if at is None or fact.words[place].under else said.phrases[at]
            owners = [said.words[other] for other in phrase.places if said.words[other].owner] if phrase else []
            if owners and any(word.name and word.low not in names for word in owners):
                return f"the passage says it of {owners[0].text}"
    return None


def _doubled(alignment: Alignment) -> str | None:
    """``twice 6,000``: a factor beside a value has to stand so in the passage."""
    fact, said = alignment.fact.words, alignment.said.words
    for place, at in alignment.pairs.items():
        after = alignment.pairs.get(place + 1)
        if after is None or fact[place].low not in _FACTORS or fact[place + 1].value is None:
            continue
        if said[at].segment != said[after].segment:
            return f"the passage does not say {fact[place].text} {fact[place + 1].text}"
    return None
