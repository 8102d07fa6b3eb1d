"""Whether the fact and the sentence agree on what is denied."""

from collections.abc import Iterable

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.clauses import Clause
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence


def check(alignment: Alignment, reading: Reading) -> str | None:  # noqa: C901 a list of refusals
    """Which denial differs, or None."""
    _ = reading
    fact, said = alignment.fact, alignment.said
    for number, clause in enumerate(fact.clauses):
        places = [place for place in alignment.pairs if fact.words[place].clause == number]
        if not places:
            continue
        both = {place for place in places if fact.words[place].negated and said.words[alignment.pairs[place]].negated}
        if both:
            continue
        whole, places = places, [place for place in places if place not in both]
        if not places:
            places = whole
        carried = [place for place in alignment.context if fact.words[place].clause == number]
        claimed = clause.denied ^ _own(
            fact.words[place].negated
            for place in (*places, *carried)
            if place not in clause.subject or not clause.denied
        )
        main = _main(alignment, places, clause.verb)
        there = said.of(said.words[main])
        own = [
            said.words[at].negated
            for place in places
            if there.start <= (at := alignment.pairs[place]) < there.end or _parts(said, there, at)
        ]
        stated = there.denied ^ _own(own) if not (there.denied and all(own[:1])) else True
        contrasted = any(_parts(said, there, alignment.pairs[place]) for place in places)
        if there.denied and any(own) and not contrasted:
            stated = True
        if stated and there.denied and _beside(alignment, clause, places, there):
            stated = False
        opposed = {
            alignment.pairs[place]
            for place in places
            if place in alignment.against and fact.words[place].lex.form != "er" and not _compass(fact, place)
        }
        turned = len(opposed) % 2 == 1
        failing = _lacks(alignment, clause, there)
        if (clause.copula and any(word.low in {"because_of", "because"} for word in fact.words)) or (
            _graded(fact, clause) and any(word.contrasted for word in said.words)
        ):
            continue
        if claimed and not stated and not turned and not failing and _apart(alignment, clause):
            continue
        if claimed ^ stated ^ turned ^ failing:
            return _reason(claimed, stated, turned, alignment)
        if claimed and stated and not clause.denied and not there.denied:
            reason = _elements(alignment, places)
            if reason:
                return reason
    return _attributed(alignment)


def _attributed(alignment: Alignment) -> str | None:
    """``the ploughed plots`` for ``the plots that were not ploughed``."""
    fact, said = alignment.fact, alignment.said
    for place, at in alignment.pairs.items():
        word, there = fact.words[place], said.of(said.words[at])
        if (
            word.tag == "adjective"
            and there.verb == at
            and there.denied
            and not word.negated
            and not fact.of(word).denied
        ):
            return f"the passage denies that it was {said.words[at].text}"
    return None


def _parts(said: Sentence, there: Clause, at: int) -> bool:
    """``but not the chapel``: what a clause excludes, but not by a clause that hangs on ``unlike the bridge``."""
    return said.words[at].contrasted and not (there.embedded and at < there.start)


def _apart(alignment: Alignment, clause: Clause) -> bool:
    """``a station is something that it never had``: a clause of its own denies it of the subject."""
    fact, said = alignment.fact, alignment.said
    if not clause.denied or (
        clause.verb in alignment.pairs and fact.words[clause.verb].lex.lemma not in {"take", "have"}
    ):
        return False
    for there in said.clauses:
        mine = [place for place in clause.subject if alignment.pairs.get(place, -1) in there.subject]
        same = there.verb >= 0 and said.words[there.verb].lex.lemma == fact.words[clause.verb].lex.lemma
        if there.denied and same and mine:
            return True
    return False


def _beside(alignment: Alignment, clause: Clause, places: list[int], there: Clause) -> bool:
    """``the engineer, Ann Bay, did not live``: what is said in passing before a denied verb is not denied."""
    at = alignment.pairs.get(clause.verb)
    if (at is not None and at == there.verb) or clause.denied or clause.verb < 0:
        return False
    said = [alignment.pairs[place] for place in places if place > clause.verb and place != clause.verb]
    return bool(said) and all(place < there.verb and not alignment.said.words[place].negated for place in said)


def _compass(fact: Sentence, place: int) -> bool:
    """``north of``: a direction between two things, which the comparisons read."""
    following = fact.words[place + 1] if place + 1 < len(fact.words) else None
    return (
        fact.words[place].low in {"north", "south", "east", "west"} and following is not None and following.low == "of"
    )


def _own(flags: Iterable[bool]) -> bool:
    return any(flags)


def _main(alignment: Alignment, places: list[int], verb: int) -> int:
    """The place in the sentence that the predicate stands on."""
    if verb in alignment.pairs:
        return alignment.pairs[verb]
    after = [place for place in places if place > verb]
    chosen = after or places
    return alignment.pairs[chosen[0]]


def _parted(alignment: Alignment, places: list[int], subject: list[int]) -> bool:
    return any(
        alignment.said.words[alignment.pairs[place]].negated and alignment.pairs[place] in subject for place in places
    )


def _lacks(alignment: Alignment, clause: Clause, there: Clause) -> bool:
    """``lacks`` for ``has no``."""
    one = clause.verb >= 0 and alignment.fact.words[clause.verb].lex.lemma == "lack"
    two = there.verb >= 0 and alignment.said.words[there.verb].lex.lemma == "lack"
    return one ^ two


def _graded(fact: Sentence, clause: Clause) -> bool:
    return any(word.lex.form == "er" or word.low in {"more", "less"} for word in fact.words[clause.start : clause.end])


def _elements(alignment: Alignment, places: list[int]) -> str | None:
    """Both deny a part; it has to be the same part."""
    for place in places:
        word, other = alignment.fact.words[place], alignment.said.words[alignment.pairs[place]]
        if word.negated != other.negated:
            return f"the passage {'denies' if other.negated else 'does not deny'} {other.text}, unlike the fact"
    return None


def _reason(claimed: bool, stated: bool, turned: bool, alignment: Alignment) -> str:
    if turned:
        place = min(alignment.against)
        word = alignment.word(place)
        return f"the passage says {word.text if word else ''!r}, the contrary of {alignment.fact.words[place].text!r}"
    if stated and not claimed:
        return "the passage denies it"
    return "the fact denies what the passage says"
