"""What stands at a noun has to stand at the same noun in the passage, not at another of its kind."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment, optional
from twx_accept.claims.made_up_facts.matching.lexicon import closed
from twx_accept.claims.made_up_facts.matching.phrases import Phrase
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.word import Word


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Which noun has another modifier in the passage, or None."""
    _ = reading
    fact, said = alignment.fact, alignment.said
    used = {at: place for place, at in alignment.pairs.items()}
    for place, at in alignment.pairs.items():
        phrase = fact.phrases[place]
        if phrase is None or place >= phrase.head or phrase.head not in alignment.pairs or not _modifies(fact, place):
            continue
        head = alignment.pairs[phrase.head]
        one, two = said.phrases[at], said.phrases[head]
        if one is None or two is None or one is two:
            continue
        joined = _joined(said, one, two)
        if joined and not (fact.words[place].tag == "noun" and fact.words[phrase.head].name):
            continue
        other = used.get(one.head, phrase.head)
        moved = one.head > at and other not in phrase.places and fact.words[other].low != fact.words[phrase.head].low
        if moved and not joined:
            return f"the passage says {said.words[at].text} of {said.words[one.head].text}"
        rival = _rival(alignment, fact.words[place], two)
        if rival is not None and not _nearer(alignment, phrase, said.words[at], said.words[head]):
            return f"the passage says {rival.text} {said.words[head].text}, not {fact.words[place].text}"
    return None


def _nearer(alignment: Alignment, phrase: Phrase, modifier: Word, head: Word) -> bool:
    """``the tallest tree is an oak, the oldest a yew``: whether the rest of the fact stands by the modifier alone."""
    if modifier.segment == head.segment:
        return True
    rest = [alignment.said.words[at] for place, at in alignment.pairs.items() if place not in phrase.places]
    by_modifier = sum(word.clause == modifier.clause and word.segment >= modifier.segment for word in rest)
    by_head = sum(word.segment < modifier.segment for word in rest)
    return modifier.place > head.place and by_modifier > by_head


def _modifies(fact: Sentence, place: int) -> bool:
    word = fact.words[place]
    if place and fact.words[place - 1].low in closed.BE:
        return False
    return not optional(word) and (
        word.tag in {"adjective", "noun", "name"} or (word.value is not None and word.value.kind == "ordinal")
    )


def _sort(word: Word) -> str:
    """Names vie with names; whatever describes vies with whatever describes."""
    return "name" if word.name or word.label else "value" if word.value and word.value.kind != "ordinal" else ""


def _rival(alignment: Alignment, word: Word, phrase: Phrase) -> Word | None:
    used = set(alignment.pairs.values())
    for place in phrase.places:
        other = alignment.said.words[place]
        if place < phrase.head and place not in used and other.tag != "adverb" and _sort(other) == _sort(word):
            return other
    return None


def _joined(said: Sentence, one: Phrase, two: Phrase) -> bool:
    """Whether one phrase is told of the other: by a preposition, beside it between commas, or by ``is``."""
    first, second = (one, two) if one.number < two.number else (two, one)
    between = said.words[first.places[-1] + 1 : second.places[0]]
    if first.number + 1 == second.number and all(
        word.tag in {"determiner", "preposition"} or word.low == "," for word in between
    ):
        return True
    clause = said.clauses[said.words[second.places[0]].clause]
    return clause.copula and first.head in clause.subject and second.places[0] in clause.after
