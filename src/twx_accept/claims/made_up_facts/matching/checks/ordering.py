"""What happened first: before and after between two events."""

from twx_accept.claims.made_up_facts.matching.alignment import Alignment
from twx_accept.claims.made_up_facts.matching.reading import Reading, Sentence
from twx_accept.claims.made_up_facts.matching.word import Word

_JOINTS = {"before": 1, "after": -1, "until": 1, "till": 1}


def check(alignment: Alignment, reading: Reading) -> str | None:
    """Why the order is another, or None."""
    _ = reading
    fact, said = alignment.fact, alignment.said
    joint = _joint(fact)
    if joint is None or joint.low in {"until", "till"}:
        return None
    left, right = _sides(alignment, joint)
    if not left or not right:
        return None
    there = _joint(said)
    if there is not None:
        return _against(joint, there, left, right)
    first, last = _moment(said, left), _moment(said, right)
    if first is not None and last is not None and first != last:
        return (
            None
            if (first < last) == (joint.low == "before")
            else f"the passage puts it {'after' if joint.low == 'before' else 'before'} that"
        )
    if any(fact.words[place].value is None for place in alignment.options if place > joint.place):
        return f"the passage does not say {joint.text} that"
    return None


def _joint(sentence: Sentence) -> Word | None:
    for word in sentence.words:
        if word.low in _JOINTS:
            following = sentence.words[word.place + 1] if word.place + 1 < len(sentence.words) else None
            if following is not None and (following.value is None or following.value.kind == "ordinal"):
                return word
    return None


def _sides(alignment: Alignment, joint: Word) -> tuple[set[int], set[int]]:
    left: set[int] = set()
    right: set[int] = set()
    words = alignment.fact.words
    end = (
        next((word.place for word in words if word.place > joint.place and word.low == ","), len(words))
        if joint.place == 0
        else len(words)
    )
    for place, at in alignment.pairs.items():
        (right if joint.place < place < end else left).add(at)
    return left - right, right - left


def _against(joint: Word, there: Word, left: set[int], right: set[int]) -> str | None:
    before = {at for at in left if at > there.place}
    after = {at for at in right if at < there.place}
    straight = {at for at in left if at < there.place} and {at for at in right if at > there.place}
    same = _JOINTS[joint.low] == _JOINTS[there.low]
    if same and before and after and not straight:
        return f"the passage has it the other way round: {there.text}"
    if not same and straight and not (before and after):
        return f"the passage says {there.text}"
    return None


def _moment(said: Sentence, places: set[int]) -> float | None:
    """The date or time that stands nearest to some words."""
    best: tuple[int, float] | None = None
    for word in said.values:
        value = word.value
        if value is None or value.kind not in {"date", "time"}:
            continue
        gap = min(abs(word.place - place) for place in places)
        when = value.amount if value.kind == "time" else value.year * 372.0 + value.month * 31 + value.day
        if gap <= 6 and (best is None or gap < best[0]):
            best = (gap, when)
    return best[1] if best else None
