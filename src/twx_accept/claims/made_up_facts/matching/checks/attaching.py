"""What stands right at a thing: its owner, its modifier, its count, its rank, its own value of several."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment, optional
from twx_accept.claims.made_up_facts.matching.clauses import Clause
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.units import same_unit
from twx_accept.claims.made_up_facts.matching.values import agree
from twx_accept.claims.made_up_facts.matching.word import Word

_SPANS = frozenset({"year", "day", "week", "month", "season", "hour", "century"})
_ONE_WAY = frozenset({"behind", "ahead_of", "above", "below", "beneath"})


def check(alignment: Alignment, reading: Reading) -> str | None:
    """What belongs to something else, or None."""
    _ = reading
    return _modified(alignment) or _counted(alignment) or _one_way(alignment) or _crossed(alignment)


def _modified(alignment: Alignment) -> str | None:
    """``the morning milk`` is not the evening milk: another word stands where the fact has its modifier."""
    fact, said = alignment.fact.words, alignment.said.words
    used = set(alignment.pairs.values())
    for place in range(len(fact) - 1):
        word, head = fact[place], fact[place + 1]
        if not _modifies(word, head):
            continue
        at, here = alignment.pairs.get(place + 1, -1), alignment.pairs.get(place)
        if at < 1 or said[at].tag != "noun" or said[at].lex.lemma != head.lex.lemma:
            continue
        if place in alignment.against or (here is not None and abs(here - at) <= 3):
            continue
        rival = said[at - 1]
        if rival.tag == "noun" and not rival.owner and at - 1 not in used and rival.lex.degree is None:
            return f"the passage says {rival.text} {said[at].text}, not {word.text} {head.text}"
    return None


def _modifies(word: Word, head: Word) -> bool:
    plain = word.value is None and not word.owner and not word.label and not word.name
    return plain and word.tag == "noun" and head.tag == "noun" and not head.name and not optional(word)


def _counted(alignment: Alignment) -> str | None:
    """``sixteen men were drowned``: the clause that tells it has another count, or another rank, of its subject."""
    fact, said = alignment.fact, alignment.said
    for clause in fact.clauses:
        at = alignment.pairs.get(clause.verb)
        if clause.verb < 0 or at is None or said.words[at].tag != "verb":
            continue
        there = said.of(said.words[at])
        mine = _counts(fact, clause)
        theirs = _counts(said, there)
        for word in mine:
            for other in theirs:
                if (
                    word.value is not None
                    and other.value is not None
                    and word.value.kind == other.value.kind
                    and not word.value.weak
                    and not agree(word.value, other.value)
                    and not any(agree(word.value, also.value) for also in theirs if also.value is not None)
                ):
                    return f"the passage says it of {other.text}, not of {word.text}"
    return None


def _counts(sentence: Sentence, clause: Clause) -> list[Word]:
    words = sentence.words
    found = [
        words[place]
        for place in clause.subject
        if (value := words[place].value) is not None
        and value.kind in {"number", "ordinal"}
        and not value.unit
        and not value.share
        and words[place].under in {"", "of"}
        and place < clause.verb
    ]
    return [word for word in found if not word.under] or found


def _one_way(alignment: Alignment) -> str | None:
    """``behind A`` is not ``A behind``."""
    fact, said = alignment.fact.words, alignment.said.words
    for place, at in alignment.pairs.items():
        word, other = fact[place], said[at]
        if (
            word.under not in _ONE_WAY
            or other.under == word.under
            or not (word.name or word.label or word.tag == "noun")
        ):
            continue
        for also, there in alignment.pairs.items():
            if said[there].under == word.under and fact[also].under != word.under and fact[also].value is None:
                return f"the passage has it the other way round: {word.under} {said[there].text}"
    return None


def _crossed(alignment: Alignment) -> str | None:
    """Two things and two values of one sort: each value stands in the segment of the other thing."""
    fact, said = alignment.fact.words, alignment.said.words
    laid = [place for place in alignment.pairs if fact[place].value is not None]
    for one in laid:
        for two in laid:
            a, b = said[alignment.pairs[one]], said[alignment.pairs[two]]
            if one >= two or a is b or not _alike(a, b):
                continue
            first, second = _label(alignment, one, two), _label(alignment, two, one)
            if first is None or second is None or first is second:
                continue
            if _closer(said, first, b, a) and _closer(said, second, a, b):
                return f"the passage gives {b.text} for {first.text}, not {a.text}"
    return None


def _alike(one: Word, other: Word) -> bool:
    a, b = one.value, other.value
    return (
        a is not None
        and b is not None
        and a.kind == b.kind == "number"
        and a.share == b.share
        and (same_unit(a.unit, b.unit) or not a.unit or not b.unit)
    )


def _label(alignment: Alignment, place: int, other: int) -> Word | None:
    """The word of the passage that the fact puts a value to: right behind it, or the nearest before it."""
    fact = alignment.fact.words
    behind = place + 1
    if (
        behind in alignment.pairs
        and fact[behind].tag == "adjective"
        and fact[behind].value is None
        and fact[place].segment == fact[behind].segment
    ):
        return alignment.word(behind)
    for at in range(place - 1, -1, -1):
        word = fact[at]
        if at == other or (word.value is not None and word.value.kind == "number"):
            return None
        if at in alignment.pairs and word.tag in {"noun", "name"} and not optional(word):
            return alignment.word(at)
    return None


def _closer(words: list[Word], label: Word, near: Word, far: Word) -> bool:
    """Whether a value stands by a word, and another does not: in its segment, or right before an adjective."""
    if label.tag == "adjective":
        return near.place == label.place - 1
    _ = words
    return near.segment == label.segment != far.segment and abs(near.place - label.place) <= 4
