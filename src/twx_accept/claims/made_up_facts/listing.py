"""The facts that a sceptic reads: each made-up one with its passage, why it counts as made up, and the sentence."""

from collections.abc import Iterator, Sequence

from twx_accept.claims.made_up_facts.comparing import Reading, Side
from twx_accept.claims.made_up_facts.desk import Judged, Kind
from twx_accept.claims.made_up_facts.reading import State
from twx_accept.domain.verdict import Count, Item

MOST = 300
"""Items of one verdict; the report shows no more of them."""

DIRECTIONS = (
    ("build", Kind.MADE_UP, "made up by the build"),
    ("original", Kind.MADE_UP, "made up by the original"),
    ("build", Kind.UNDECIDED, "undecided"),
    ("original", Kind.UNDECIDED, "undecided"),
    ("build", Kind.ELSEWHERE, "supported by another passage"),
    ("original", Kind.ELSEWHERE, "supported by another passage"),
)
"""Whose facts, of which kind, and what a reader filters by."""

_STATES = {
    State.TRUNCATED: "cut short",
    State.MISSING: "without an answer",
    State.REFUSED: "refused",
}


def items(short: str, readings: Sequence[Reading]) -> tuple[tuple[Item, ...], int]:
    """The items, and how many there are in all.

    Where they are more than :data:`MOST`, every direction keeps a part of the room; what one does not need goes to
    the others, the build's own made-up facts first.
    """
    groups = [[_fact(short, who, what, *each) for each in _of(readings, who, kind)] for who, kind, what in DIRECTIONS]
    groups.insert(1, [*_without(short, readings)])
    total = sum(map(len, groups))
    fair = MOST // len(groups)
    taken = [min(len(group), fair) for group in groups]
    for place, group in enumerate(groups):
        taken[place] += min(len(group) - taken[place], MOST - sum(taken))
    return tuple(item for group, n in zip(groups, taken, strict=True) for item in group[:n]), total


def _of(readings: Sequence[Reading], who: str, kind: Kind) -> Iterator[tuple[Reading, int, Judged]]:
    for reading in readings:
        for number, each in enumerate(_side(reading, who).judged, start=1):
            if each.kind is kind:
                yield reading, number, each


def _side(reading: Reading, who: str) -> Side:
    return reading.original if who == "original" else reading.build


def _fact(short: str, who: str, what: str, reading: Reading, number: int, judged: Judged) -> Item:
    passage = reading.passage
    sentence = "sentence of the other passage" if judged.elsewhere else "nearest sentence"
    return Item(
        id=f"{short}-{passage.id}-{'o' if who == 'original' else 'b'}{number}",
        group=passage.kind,
        direction=what,
        title=judged.fact,
        body=(
            Count(label="fact", value=judged.fact),
            Count(label="written by", value=f"the {who}"),
            Count(label="why", value=judged.reason),
            *((Count(label="supported by passage", value=judged.elsewhere),) if judged.elsewhere else ()),
            Count(label=sentence, value=judged.sentence or "none"),
            Count(label=f"passage {passage.id}", value=passage.text),
        ),
    )


def _without(short: str, readings: Sequence[Reading]) -> Iterator[Item]:
    """Answers of which no fact was read: cut short, refused or absent."""
    for reading in readings:
        for who in ("build", "original"):
            answer = _side(reading, who).answer
            if answer.state in _STATES:
                passage = reading.passage
                yield Item(
                    id=f"{short}-{passage.id}-{'o' if who == 'original' else 'b'}",
                    group=passage.kind,
                    direction=_STATES[answer.state],
                    title=f"{passage.id}: {_STATES[answer.state]} by the {who}",
                    body=(
                        Count(label="why", value=answer.why),
                        Count(label="written", value="\n".join(answer.facts) or "nothing"),
                        Count(label=f"passage {passage.id}", value=passage.text),
                    ),
                )
