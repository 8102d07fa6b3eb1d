"""Comparisons: the same dimension in the same direction between the same two sides."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.lexicon import closed
from twx_accept.claims.made_up_facts.matching.lexicon.degrees import DEGREES
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.word import Word

_COMPASS = {"north": ("north", 1), "south": ("north", -1), "east": ("east", 1), "west": ("east", -1)}
_FURTHER = frozenset({"further", "more", "additional", "another", "extra"})


class Comparison:
    """``dimensions`` that are compared, the direction (1 or -1), and the place of the word."""

    __slots__ = ("dimensions", "direction", "form", "place")

    def __init__(self, place: int, dimensions: frozenset[str], direction: int, form: str) -> None:
        self.place, self.dimensions, self.direction, self.form = place, dimensions, direction, form


def comparisons(sentence: Sentence) -> list[Comparison]:
    """The comparatives and superlatives of a sentence."""
    found = []
    words = sentence.words
    for place, word in enumerate(words):
        if word.value is not None or word.name:
            continue
        ahead = words[place + 1] if place + 1 < len(words) else None
        if word.low in _COMPASS and ahead is not None and ahead.low == "of":
            found.append(Comparison(place, frozenset({_COMPASS[word.low][0]}), _COMPASS[word.low][1], "er"))
            continue
        degree = DEGREES.get(word.low)
        if degree is None or not degree[2]:
            continue
        following = words[place + 1] if place + 1 < len(words) else None
        if word.low in {"later", "earlier", "longer", "further", "no_longer"} and not any(
            other.low == "than" for other in words[place:]
        ):
            continue
        if word.low in {"more", "less", "most", "least", "fewer"} and following is not None and following.value is None:
            if (
                word.low in {"more", "less", "fewer"}
                and following.low == "than"
                and place + 2 < len(words)
                and words[place + 2].value is not None
            ):
                continue
            base = DEGREES.get(following.lex.lemma) or DEGREES.get(following.low)
            if following.tag in {"adjective", "adverb", "verb"} or (base and not base[2]) or following.low == "often":
                dimensions = {base[0]} if base else set(following.keys)
                sign = base[1] if base else 1
                found.append(Comparison(place, frozenset(dimensions), degree[1] * sign, degree[2]))
                continue
        level = {"height", "number"} if word.low in {"higher", "lower"} else {degree[0]}
        found.append(Comparison(place, frozenset(level), degree[1], degree[2]))
    return found


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Why a comparison of the fact is not that of the sentence, or None."""
    _ = reading
    claimed = [comparison for comparison in comparisons(alignment.fact) if comparison.form == "er"]
    if claimed:
        return _comparatives(alignment, claimed)
    return _superlatives(alignment)


def _superlatives(alignment: Alignment) -> str | None:
    claimed = [comparison for comparison in comparisons(alignment.fact) if comparison.form == "est"]
    stated = [comparison for comparison in comparisons(alignment.said) if comparison.form == "est"]
    for one in claimed:
        word = alignment.fact.words[one.place]
        if word.low in {"most", "least", "maximum", "minimum"}:
            continue
        if _ranked(alignment.said, stated, one) and not _ranked(alignment.fact, claimed, one):
            return f"the passage does not say {word.text} without a rank"
        if not any(
            one.dimensions & other.dimensions and one.direction == other.direction for other in stated
        ) and word.low not in {"best", "highest", "latest", "greatest", "largest"}:
            return f"the passage does not say {word.text}"
    return None


def _ranked(sentence: Sentence, found: list[Comparison], one: Comparison) -> bool:
    """``the second longest``."""
    places = [other.place for other in found if other.dimensions & one.dimensions]
    return bool(places) and all(
        place > 0
        and (value := sentence.words[place - 1].value) is not None
        and value.kind == "ordinal"
        and value.amount > 1
        for place in places
    )


def _comparatives(alignment: Alignment, claimed: list[Comparison]) -> str | None:
    fact, said = alignment.fact, alignment.said
    stated = comparisons(said)
    for one in claimed:
        before = fact.words[one.place - 1] if one.place else None
        counted = before is not None and before.value is not None and fact.words[one.place].low == "more"
        if counted and any(word.low in _FURTHER for word in said.words):
            continue
        same = [
            other
            for other in stated
            if other.dimensions & one.dimensions or (other.dimensions == {"quality"} and _shares(alignment, one.place))
        ]
        if not same:
            verdict = _by_values(alignment, one)
            if verdict is None and not _by_place(alignment, one):
                return f"the passage does not compare by {fact.words[one.place].text!r}"
            if verdict is False:
                return f"the values of the passage say the contrary of {fact.words[one.place].text!r}"
            alignment.missing = [
                missing
                for missing in alignment.missing
                if missing not in {one.place, one.place + 1} or fact.words[missing].tag in {"noun", "name", "value"}
            ]
            continue
        other = min(same, key=lambda comparison: abs(_clause(said, comparison.place) - _anchor(alignment, one.place)))
        reversed_ = _reversed(alignment, one, other)
        if (one.direction == other.direction) == reversed_:
            return f"the passage says {said.words[other.place].text!r} of the other side"
        place = one.place
        alignment.missing = [
            missing
            for missing in alignment.missing
            if missing not in {place, place + 1} or fact.words[missing].tag in {"noun", "name", "value"}
        ]
    return None


def _shares(alignment: Alignment, place: int) -> bool:
    """Whether what is graded is a verb of the sentence: ``more resistant``, ``resists better``."""
    return place + 1 in alignment.pairs or any(at in alignment.pairs for at in (place - 1, place + 2))


def _clause(sentence: Sentence, place: int) -> int:
    return sentence.words[place].clause


def _anchor(alignment: Alignment, place: int) -> int:
    return alignment.anchors.get(alignment.fact.words[place].clause, 0)


def _than(sentence: Sentence, place: int) -> tuple[set[int], set[int]]:
    """The places of what is compared, before the comparative and after ``than``."""
    words = sentence.words
    before, after = set(), set()
    than = next(
        (at for at in range(place + 1, len(words)) if words[at].low == "than"),
        None,
    )
    if than is None and words[place].low in _COMPASS:
        than = place + 1
    if than is None:
        than = next((at for at in range(place + 1, len(words)) if words[at].low in {"with", "against"}), None)
    for at, word in enumerate(words):
        if not word.content and word.tag != "pronoun":
            continue
        if than is not None and at > than:
            if not any(
                words[between].low in {",", ";"}
                or words[between].tag in {"verb", "relative"}
                or words[between].low in {"among", "of"}
                for between in range(than + 1, at)
            ):
                after.add(at)
        elif at < place or than is None or at > place:
            before.add(at)
    return before, after


def _reversed(alignment: Alignment, one: Comparison, other: Comparison) -> bool:
    """Whether the fact compares the other way round than the sentence."""
    left, right = _than(alignment.fact, one.place)
    _, said_right = _than(alignment.said, other.place)
    than = {alignment.fact.words[place].under for place in right} - {""}
    subject = [
        place
        for place in left
        if place in alignment.pairs and (place < one.place or alignment.fact.words[place].under in than)
    ]
    there = {alignment.pairs[place] for place in subject}
    object_ = {alignment.pairs[place] for place in right if place in alignment.pairs}
    shared = there & object_
    there, object_ = there - shared, object_ - shared
    clause = alignment.said.of(alignment.said.words[other.place])
    strong = [place for place in there if _strong(alignment, place)]
    if any(place in said_right for place in strong) and not object_ & said_right:
        return True
    if (
        object_
        and any(place in clause.subject and _strong(alignment, place) for place in object_)
        and not any(place in clause.subject for place in strong)
    ):
        return True
    if object_ and strong and not said_right and not any(place in clause.subject for place in strong):
        return min(abs(place - other.place) for place in object_) < min(abs(place - other.place) for place in strong)
    return bool(object_) and not said_right and all(place in clause.subject for place in object_)


def _strong(alignment: Alignment, place: int) -> bool:
    word = alignment.said.words[place]
    return word.lex.lemma not in closed.LIGHT or word.name or bool(word.label)


def _by_values(alignment: Alignment, one: Comparison) -> bool | None:
    """Whether two values, each beside its own side, compare as the fact says; None where they are not found."""
    left, right = _than(alignment.fact, one.place)
    said = alignment.said
    words = alignment.fact.words
    ruled = {words[place].under for place in right} - {"", "than"}
    left = {place for place in left if words[place].under in ruled} or left
    left = {place for place in left if _side(words[place])}
    left = left - {one.place + 1} or left
    left = (left if ruled else {place for place in left if place < one.place}) or left
    right = {place for place in right if _side(words[place])}
    there = {at for place in left for at in alignment.options.get(place, ())}
    object_ = {at for place in right for at in alignment.options.get(place, ())}
    there, object_ = there - object_, object_ - there
    there = {place for place in there if not any(_one_phrase(said, place, other) for other in object_)}
    if not there or not object_:
        return None
    first, second = _beside(said, there, object_), _beside(said, object_, there)
    if first is None or second is None or first == second:
        return None
    return (first > second) == (one.direction > 0)


def _one_phrase(said: Sentence, one: int, two: int) -> bool:
    return said.phrases[one] is not None and said.phrases[one] is said.phrases[two]


def _side(word: Word) -> bool:
    """Whether a word may name one side: ``reds``, ``Calder``, ``January``."""
    return word.tag in {"noun", "name", "adjective"} or (word.value is not None and word.value.kind == "date")


def _beside(said: Sentence, places: set[int], others: set[int]) -> float | None:
    """The amount in the segment of one side."""
    best = None
    for word in said.values:
        if word.value is None or word.value.kind != "number":
            continue
        if any(said.words[place].segment == word.segment for place in places) and not any(
            said.words[place].segment == word.segment for place in others
        ):
            return word.value.amount
        near = min((abs(word.place - place) for place in places), default=99)
        far = min((abs(word.place - place) for place in others), default=99)
        if near < far and (best is None or near < best[0]):
            best = (near, word.value.amount)
    return best[1] if best else None


def _by_place(alignment: Alignment, one: Comparison) -> bool:
    """A rise or fall that a comparative retells: ``lower`` for ``fell``."""
    word = alignment.fact.words[one.place]
    return (
        one.place in alignment.pairs
        and one.place not in alignment.against
        and word.low not in {"more", "less", "fewer"}
    )
