"""Two things told side by side: what the passage says of the one, the fact may not say of the other."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment, optional
from twx_accept.claims.made_up_facts.matching.clauses import Clause
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.words import contrary

_FACTORS = frozenset({"twice", "thrice", "double", "triple", "half"})
_HAVING = frozenset({"have", "own", "possess"})


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Which two things have changed places, or None."""
    _ = reading
    return (
        _crossed(alignment)
        or _doubled(alignment)
        or _elsewhere(alignment)
        or _dated(alignment)
        or _contrary(alignment)
        or _had(alignment)
        or _parallel(alignment)
        or _counted(alignment)
    )


def _parallel(alignment: Alignment) -> str | None:
    """``Anvil was sown on 24 May and Merrow four days later``: a name from the one segment, a value from the other."""
    fact, said = alignment.fact, alignment.said
    used = set(alignment.pairs.values())
    mine = {word.low for word in fact.words if word.name}
    names = [at for place, at in alignment.pairs.items() if fact.words[place].name or fact.words[place].label]
    for place, at in alignment.pairs.items():
        value = said.words[at]
        if fact.words[place].value is None or value.value is None:
            continue
        rival = next(
            (
                word
                for word in reversed(said.words[:at])
                if word.segment == value.segment and (word.name or word.label) and word.low not in mine
            ),
            None,
        )
        if rival is None or any(said.words[name].segment == value.segment for name in names):
            continue
        for name in names:
            segment = said.words[name].segment
            if any(word.segment == segment and word.place > name and word.place not in used for word in said.values):
                return f"the passage says {value.text} of {rival.text}, not of {said.words[name].text}"
    return None


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
        other = said.words[phrase.head] if phrase is not None and phrase.head > at else None
        mine = alignment.pairs.get(head.head)
        if (
            other is not None
            and "time" not in {counted.lex.lemma, other.lex.lemma}
            and mine != other.place
            and counted.keys.isdisjoint(other.keys)
            and not other.name
        ):
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
            if word.value is not None and word.value.kind == "date" and word.place not in used and word.clause in rest:
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
    used = set(alignment.pairs.values())
    for clause in fact.clauses:
        if clause.verb < 0 or fact.words[clause.verb].lex.lemma not in _HAVING:
            continue
        for place in clause.after:
            at = alignment.pairs.get(place)
            phrase = None if at is None or fact.words[place].under else said.phrases[at]
            owners = [said.words[other] for other in phrase.places if said.words[other].owner] if phrase else []
            if owners and any(word.name and word.place not in used for word in owners):
                return f"the passage says it of {owners[0].text}"
    return None


def _crossed(alignment: Alignment) -> str | None:
    """``the disc is hammered and the handle cast``: each clause of the fact has words from the segments of both."""
    fact, said = alignment.fact, alignment.said
    if len(fact.clauses) < 2:
        return None
    parts: dict[int, set[int]] = {}
    for place, at in alignment.pairs.items():
        if not optional(fact.words[place]):
            parts.setdefault(fact.words[place].clause, set()).add(at)
    for one, places in parts.items():
        for two, others in parts.items():
            if one >= two:
                continue
            mine, theirs = places - others, others - places
            left, right = {said.words[at].segment for at in mine}, {said.words[at].segment for at in theirs}
            if len(left) == len(mine) == 2 and left == right and len(theirs) == 2:
                first, second = sorted(mine)
                return f"the passage does not say {said.words[first].text} of {said.words[second].text}"
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


def _elsewhere(alignment: Alignment) -> str | None:
    """``The Courier called it cold, whereas the Post called it dull``: a clause whose subject is another."""
    fact, said = alignment.fact, alignment.said
    used = set(alignment.pairs.values())
    for clause in fact.clauses:
        at = alignment.pairs.get(clause.verb)
        if clause.verb < 0 or at is None or said.words[at].tag != "verb":
            continue
        here = said.of(said.words[at])
        spoken = any(said.words[place].tag == "pronoun" or said.words[place].low == "any" for place in here.after)
        for place in clause.after:
            other = alignment.pairs.get(place)
            if other is None or optional(fact.words[place]) or here.start <= other < here.end:
                continue
            if spoken and fact.words[place].under in {"", "of"} and fact.words[place].tag in {"noun", "name"}:
                continue
            if _count_there(alignment, place, here):
                continue
            there = said.of(said.words[other])
            rival = _own_subject(said, there, used)
            if rival and other > there.verb >= 0 and not _hangs(said, here, there):
                return f"the passage says {said.words[other].text} of {rival}, not there"
    return None


def _count_there(alignment: Alignment, place: int, here: Clause) -> bool:
    """``Zelan made 38``: whether the count of a noun stands in the clause, and the noun before it."""
    fact, phrase = alignment.fact, alignment.fact.phrases[place]
    places = phrase.places if phrase is not None else []
    return any(
        fact.words[other].value is not None and here.start <= alignment.pairs.get(other, -1) < here.end
        for other in places
    )


def _own_subject(said: Sentence, clause: Clause, used: set[int]) -> str:
    """A subject that stands in the clause itself and that the fact does not speak of, or nothing."""
    own = [place for place in clause.subject if clause.start <= place < clause.verb and said.words[place].content]
    nouns = [place for place in own if said.words[place].tag in {"noun", "name"}]
    return said.words[nouns[0]].text if nouns and not used & set(own) else ""


def _hangs(said: Sentence, here: Clause, there: Clause) -> bool:
    """Whether one clause is part of the other: ``announced that the board had resigned``."""
    opener = said.words[there.start]
    if opener.low in {"whereas", "while"}:
        return False
    return there.embedded or here.embedded or opener.tag in {"relative", "subordinator"}
