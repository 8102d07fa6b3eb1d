"""What a fact says of a thing has to be said of that thing: its predicate noun, its verb's object."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment, optional
from twx_accept.claims.made_up_facts.matching.clauses import Clause
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.word import Word

_COMPASS = frozenset({"north", "south", "east", "west"})
_BECOMING = frozenset({"be", "become", "remain", "stay", "call", "name", "appoint", "elect", "make"})


def check(alignment: Alignment, reading: Reading) -> str | None:
    """What is said of another thing, or None."""
    _ = reading
    for clause in alignment.fact.clauses:
        if clause.verb < 0:
            continue
        reason = _is(alignment, clause) if clause.copula else _object(alignment, clause) or _deed(alignment, clause)
        if reason:
            return reason
    return None


def _is(alignment: Alignment, clause: Clause) -> str | None:
    """``Lena Cho was the mast`` for ``the expert, Lena Cho, examined the mast``."""
    fact, said = alignment.fact, alignment.said
    for place in clause.after:
        word, at = fact.words[place], alignment.pairs.get(place)
        if word.tag == "mark" or word.low in _COMPASS:
            break
        phrase = fact.phrases[place]
        if at is None or word.tag != "noun" or word.under or optional(word) or phrase is None or phrase.head != place:
            continue
        there = said.of(said.words[at])
        verb = said.words[there.verb] if there.verb >= 0 else None
        if (
            verb is None
            or verb.tag != "verb"
            or verb.lex.lemma in _BECOMING
            or at <= there.verb
            or said.words[at].under
        ):
            continue
        mine = [alignment.pairs[other] for other in clause.subject if other in alignment.pairs]
        if mine and all(other in there.subject for other in mine):
            return f"the passage says {verb.text} of {said.words[at].text}"
    return None


def _object(alignment: Alignment, clause: Clause) -> str | None:
    """``launched water vapour`` for ``launched in May, it has detected water vapour``: the object of another verb."""
    fact, said = alignment.fact, alignment.said
    at = alignment.pairs.get(clause.verb)
    if at is None or said.words[at].tag != "verb":
        return None
    here, used = said.of(said.words[at]), set(alignment.pairs.values())
    patients = clause.subject if clause.passive else clause.after
    for place in patients:
        other = alignment.pairs.get(place)
        word = fact.words[place]
        if other is None or word.under or not _argument(word) or optional(word) or other in here.subject:
            continue
        there = said.of(said.words[other])
        verb = said.words[there.verb] if there.verb >= 0 else None
        if there is here or verb is None or verb.tag != "verb" or there.verb in used or optional(verb):
            continue
        if verb.lex.lemma == fact.words[clause.verb].lex.lemma or _counted(alignment, place, here):
            continue
        if (
            there.verb < other
            and said.words[other].under in {"", "as"}
            and not there.passive
            and not _spoken(said, here)
        ):
            return f"the passage says {verb.text} of {said.words[other].text}"
    return None


def _deed(alignment: Alignment, clause: Clause) -> str | None:
    """``was sold`` for ``was withdrawn before the sale``: a deed that the passage names in passing."""
    fact, said = alignment.fact, alignment.said
    at = alignment.pairs.get(clause.verb)
    if at is None or said.words[at].tag != "noun" or not said.words[at].under or optional(fact.words[clause.verb]):
        return None
    there = said.of(said.words[at])
    verb = said.words[there.verb] if there.verb >= 0 else None
    if verb is None or verb.tag != "verb" or optional(verb) or there.verb in alignment.pairs.values():
        return None
    if any(fact.words[place].value is not None and place in alignment.pairs for place in clause.after):
        return None
    mine = [alignment.pairs[place] for place in clause.subject if place in alignment.pairs]
    if mine and all(place in there.subject for place in mine):
        return f"the passage says {verb.text} of {said.words[mine[0]].text}"
    return None


def _argument(word: Word) -> bool:
    return word.tag in {"noun", "name"} or (word.value is not None and word.value.kind == "number")


def _counted(alignment: Alignment, place: int, here: Clause) -> bool:
    """``His rival made 35 clocks; Zelan 38``: the count of the noun stands in the clause, the noun before it."""
    fact, phrase = alignment.fact, alignment.fact.phrases[place]
    return phrase is not None and any(
        fact.words[other].value is not None and here.start <= alignment.pairs.get(other, -1) < here.end
        for other in phrase.places
    )


def _spoken(said: Sentence, clause: Clause) -> bool:
    """Whether a pronoun stands for the object."""
    objects = [said.words[clause.start], *(said.words[place] for place in clause.after)]
    return objects[0].tag == "relative" or any(word.tag in {"pronoun", "relative"} for word in objects[1:])
