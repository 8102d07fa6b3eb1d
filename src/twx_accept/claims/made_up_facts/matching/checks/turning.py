"""The right way round: what stands under a preposition, and what before the verb, does so in the passage too."""

import itertools

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.clauses import Clause
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.word import Word

_EVEN = frozenset({"with", "and", "between", "like", "near", "as", "than", "versus"})


def check(alignment: Alignment, reading: Reading) -> str | None:
    """What has been turned round, or None."""
    _ = reading
    return _phrases(alignment) or _verbs(alignment) or _purposes(alignment) or _priced(alignment)


def _phrases(alignment: Alignment) -> str | None:
    """``the clock of the dial`` for ``the dial of the clock``."""
    fact, said = alignment.fact, alignment.said
    for place, at in alignment.pairs.items():
        over = _governor(fact, fact.words[place])
        there = None if over is None else alignment.pairs.get(over)
        if there is None or over is None:
            continue
        back = _governor(said, said.words[there])
        if back is not None and said.phrases[back] is said.phrases[at]:
            return f"the passage has it the other way round: {said.words[at].text} {said.words[there].under}"
    return None


def _purposes(alignment: Alignment) -> str | None:
    """``learns to swim``: an infinitive hangs on the same verb in the passage."""
    fact, said = alignment.fact, alignment.said
    for before, clause in itertools.pairwise(fact.clauses):
        one, two = alignment.pairs.get(before.verb), alignment.pairs.get(clause.verb)
        if fact.words[clause.start].low != "to" or one is None or two is None or said.words[one].tag != "verb":
            continue
        there = said.of(said.words[two])
        over = said.clauses[there.inherits].verb if there.inherits >= 0 else one
        if said.words[there.start].low == "to" and over != one:
            return f"the passage says {said.words[over].text} to {said.words[two].text}"
    return None


def _priced(alignment: Alignment) -> str | None:
    """``2 francs for adults and 1 for children``: the value that a phrase stands right behind is its own."""
    fact, said = alignment.fact, alignment.said
    used = set(alignment.pairs.values())
    for place, at in alignment.pairs.items():
        mine, theirs = _value_before(fact, fact.words[place]), _value_before(said, said.words[at])
        if mine is None or theirs is None or mine.place not in alignment.pairs or theirs.place in used:
            continue
        other = said.words[alignment.pairs[mine.place]]
        own = other.place + 1 < len(said.words) and said.words[other.place + 1].low == said.words[at].under
        if own and mine.value and theirs.value and mine.value.kind == theirs.value.kind:
            return f"the passage gives {theirs.text} {said.words[at].under} {said.words[at].text}, not {mine.text}"
    return None


def _value_before(sentence: Sentence, word: Word) -> Word | None:
    """The value that a word's preposition stands right behind."""
    phrase = sentence.phrases[word.place]
    at = phrase.places[0] - 1 if phrase is not None and word.under and word.tag in {"noun", "name"} else 0
    while at > 0 and sentence.words[at].tag in {"determiner", "pronoun"}:
        at -= 1
    before = sentence.words[at - 1] if at > 0 and sentence.words[at].tag == "preposition" else None
    return before if before is not None and before.value is not None else None


def _governor(sentence: Sentence, word: Word) -> int | None:
    """The head of the phrase that a word's preposition stands right behind."""
    phrase = sentence.phrases[word.place]
    if not word.under or word.under in _EVEN or phrase is None or word.tag not in {"noun", "name"}:
        return None
    at = phrase.places[0] - 1
    while at > 0 and sentence.words[at].tag in {"determiner", "pronoun"}:
        at -= 1
    before = sentence.phrases[at - 1] if at > 0 and sentence.words[at].tag == "preposition" else None
    return before.head if before is not None and before.head >= 0 else None


def _verbs(alignment: Alignment) -> str | None:
    """``Japan trained in Vohl``: the subject of the fact stands under a preposition of the same verb."""
    fact, said, used = alignment.fact, alignment.said, set(alignment.pairs.values())
    for clause in fact.clauses:
        at = alignment.pairs.get(clause.verb)
        if clause.verb < 0 or at is None or said.words[at].tag != "verb" or clause.verb in alignment.against:
            continue
        there = said.of(said.words[at])
        if (
            there.verb != at
            or clause.passive != there.passive
            or fact.words[clause.verb].lex.lemma != said.words[at].lex.lemma
        ):
            continue
        mine = _aligned(
            alignment, [place for place in clause.subject if place < clause.verb and not fact.words[place].under]
        )
        ours = _aligned(alignment, [place for place in clause.after if _ruled(fact.words[place])])
        low = [place for place in mine if place in there.after and _ruled(said.words[place])]
        high = [place for place in ours if _stands_before(there, place) and not said.words[place].under]
        objects = _aligned(
            alignment, [place for place in clause.after if not fact.words[place].under and not _rate(fact, place)]
        )
        done = [place for place in objects if _stands_before(there, place) and not said.words[place].under]
        spare = [place for place in there.after if said.words[place].tag in {"noun", "name"} and place not in used]
        if done and spare and not clause.passive and not there.passive:
            return f"in the passage {said.words[done[0]].text} has the other part"
        if low and high:
            return f"in the passage {said.words[low[0]].text} has the other part"
    return None


def _rate(sentence: Sentence, place: int) -> bool:
    """``8 francs a kilogram``: what a rate is told by."""
    return (
        place > 1
        and sentence.words[place - 1].low in {"a", "an", "per"}
        and sentence.words[place - 2].value is not None
    )


def _ruled(word: Word) -> bool:
    return bool(word.under) and word.under not in _EVEN


def _aligned(alignment: Alignment, places: list[int]) -> list[int]:
    words = alignment.fact.words
    return [
        alignment.pairs[place] for place in places if place in alignment.pairs and words[place].tag in {"noun", "name"}
    ]


def _stands_before(clause: Clause, place: int) -> bool:
    return place in clause.subject and place < clause.verb
