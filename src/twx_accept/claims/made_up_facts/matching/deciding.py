"""From a fact and the sentences that come near it to a verdict."""

from collections.abc import Callable, Sequence

from twx_accept.claims.made_up_facts.matching.aligning import align
from twx_accept.claims.made_up_facts.matching.alignment import Alignment, optional
from twx_accept.claims.made_up_facts.matching.checks import (
    attaching,
    bindings,
    comparing,
    crossing,
    directions,
    intending,
    modifying,
    naming,
    negating,
    ordering,
    predicating,
    quantifying,
    quantities,
    roles,
    scoping,
    turning,
)
from twx_accept.claims.made_up_facts.matching.match import Match, Support
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence

CHECKS: Sequence[Callable[[Alignment, Reading], str | None]] = (
    quantities.check,
    naming.check,
    negating.check,
    comparing.check,
    directions.check,
    ordering.check,
    quantifying.check,
    roles.check,
    bindings.check,
    attaching.check,
    intending.check,
    scoping.check,
    modifying.check,
    crossing.check,
    predicating.check,
    turning.check,
)
_TRIED = 6
_CLOSE = 0.75
_SHARE = 0.35


def decide(fact: Sentence, reading: Reading) -> Match:
    """Whether a passage supports one sentence."""
    best: tuple[float, Match] | None = None
    for number in _near(fact, reading):
        match, score = _judge(align(fact, reading.sentences[number], reading), reading)
        if match.verdict is not Support.SUPPORTED and match.reason.startswith(
            ("the fact denies", "the passage denies")
        ):
            turned = align(fact, reading.sentences[number], reading, contraries=True)
            other, _ = _judge(turned, reading)
            match = other if other.verdict is Support.SUPPORTED and _near_contrary(turned) else match
        if match.verdict is Support.SUPPORTED:
            return match
        if best is None or score > best[0]:
            best = (score, match)
    if best is None:
        return Match(verdict=Support.UNSUPPORTED, reason="the passage has no sentence about it", sentence="")
    return best[1]


def _told(alignment: Alignment, covered: list[int]) -> bool:
    """Whether something that the fact says of its subject, and not the subject alone, is in the sentence."""
    fact = alignment.fact
    subject = {place for clause in fact.clauses for place in clause.subject if place < clause.verb}
    rest = [place for place in alignment.options if place not in subject and fact.words[place].tag != "adverb"]
    named = [place for place in subject if place in alignment.options and not optional(fact.words[place])]
    if named and all(place in alignment.context for place in named) and _only_nouns(alignment, rest):
        return False
    values = any(fact.words[place].value is not None for place in covered)
    return (
        not rest
        or values
        or (len(covered) > 2 and not any(place in alignment.context for place in rest))
        or any(place not in subject for place in covered)
        or any(place in alignment.pairs for place in rest)
    )


def _soft(fact: Sentence, place: int) -> bool:
    """Whether a word may be a synonym that the matcher does not know: no name, no value, no predicate."""
    word = fact.words[place]
    return word.value is None and not word.name and not word.label and word.tag in {"noun", "adjective", "adverb"}


def _near_contrary(alignment: Alignment) -> bool:
    """Whether what is contrary to a word of the fact has another of its words in the same clause."""
    said = alignment.said.words
    return all(
        any(
            said[at].clause == said[alignment.pairs[place]].clause
            for other, at in alignment.pairs.items()
            if other != place
        )
        for place in alignment.against
    )


def _only_nouns(alignment: Alignment, rest: list[int]) -> bool:
    """Whether the predicate is told by a noun alone, while its subject is told elsewhere."""
    covered = [place for place in rest if place in alignment.pairs and not optional(alignment.fact.words[place])]
    return (
        len(covered) == 1
        and alignment.fact.words[covered[0]].tag == "verb"
        and alignment.said.words[alignment.pairs[covered[0]]].tag != "verb"
    )


def _near(fact: Sentence, reading: Reading) -> list[int]:
    """The numbers of the sentences that share most with a fact, the likeliest first."""
    scores: dict[int, float] = {}
    total = len(reading.sentences)
    for word in fact.words:
        if not word.content or word.value is not None:
            continue
        hits: set[int] = set()
        for key in word.keys:
            hits |= reading.index.get(key, set())
        if not hits:
            continue
        weight = (1.0 + total / len(hits)) * (0.3 if optional(word) else 1.0)
        for number in hits:
            scores[number] = scores.get(number, 0.0) + weight
    for word in fact.words:
        if word.value is not None:
            for sentence in reading.sentences:
                if any(
                    other.value is not None
                    and other.value.amount == word.value.amount
                    and other.value.year == word.value.year
                    for other in sentence.values
                ):
                    scores[sentence.number] = scores.get(sentence.number, 0.0) + 5.0
    least = _SHARE * max(scores.values(), default=0.0)
    near = [number for number, score in scores.items() if score >= least]
    return sorted(near, key=lambda number: (-scores[number], number))[:_TRIED]


def _judge(alignment: Alignment, reading: Reading) -> tuple[Match, float]:
    fact = alignment.fact
    needed = [place for place in alignment.options if not optional(fact.words[place])]
    covered = [place for place in needed if place in alignment.pairs]
    carried = {place for place in alignment.context if place in fact.of(fact.words[place]).subject}
    share = len(covered) / max(1, len([place for place in needed if place not in carried]))
    score = share + 0.3 * len(alignment.context) / max(1, len(needed))

    def answer(verdict: Support, reason: str) -> tuple[Match, float]:
        return Match(verdict=verdict, reason=reason, sentence=alignment.said.text), score

    for check in CHECKS:
        reason = check(alignment, reading)
        if reason:
            return answer(Support.UNSUPPORTED, reason)
    if len(alignment.missing) == 1 and len(covered) > 2 and _soft(fact, alignment.missing[0]) and share >= _CLOSE:
        return answer(Support.UNDECIDED, f"only {fact.words[alignment.missing[0]].text!r} is not in the sentence")
    if alignment.missing:
        words = ", ".join(repr(fact.words[place].text) for place in alignment.missing[:3])
        return answer(Support.UNSUPPORTED, f"nothing in the passage says {words}")
    if not _told(alignment, covered):
        return answer(Support.UNSUPPORTED, "the passage does not say this of it")
    bare = [place for place in alignment.options if optional(fact.words[place]) and place not in alignment.pairs]
    if not covered or share < 0.34 or (len(covered) == 1 and len(bare) > 1):
        return answer(Support.UNSUPPORTED, "too little of it is in one sentence of the passage")
    return answer(Support.SUPPORTED, "the sentence says so")
