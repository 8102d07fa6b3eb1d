"""Checks of the matcher on the run's own facts that need no labels: what is surely false must not be supported."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from twx_accept.claims._passages import Passage
from twx_accept.claims.made_up_facts.changing import CHANGES, changed, names
from twx_accept.claims.made_up_facts.comparing import Reading
from twx_accept.claims.made_up_facts.desk import Desk, Kind
from twx_accept.claims.made_up_facts.supporting import Support

MOST = 600
"""Facts that each check takes, at even distances: enough for a share, and soon done."""

SUSPICIOUS = 0.05
"""Share of surely false facts above which a reader is warned."""

SHUFFLED = "against the next passage"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check: of ``tried`` facts that are surely false, how many the matcher supports."""

    name: str
    tried: int
    supported: int

    @property
    def share(self) -> float | None:
        """None where nothing was tried."""
        return self.supported / self.tried if self.tried else None


def checks(readings: Sequence[Reading], desk: Desk) -> tuple[Check, ...]:
    """The build's facts against the next passage, and its supported facts with one thing changed."""
    tried: dict[str, list[Support]] = {SHUFFLED: [], **{how: [] for how in CHANGES}}
    for how, passage, fact in false_facts(readings):
        tried[how].append(desk.match(passage.id, fact).verdict)
    return tuple(
        Check(name=how, tried=len(verdicts), supported=verdicts.count(Support.SUPPORTED))
        for how, verdicts in tried.items()
    )


def false_facts(readings: Sequence[Reading]) -> Iterator[tuple[str, Passage, str]]:
    """Facts that surely do not hold for a passage: which check they are of, the passage, and the fact."""
    yield from _shuffled(readings)
    yield from _changed(readings)


def warnings(found: Sequence[Check]) -> tuple[str, ...]:
    """What a reader must know before trusting the matcher."""
    return tuple(
        f"the matcher supports {each.supported:,} of {each.tried:,} facts that are surely false ({each.name}): "
        "do not trust the rate of made-up facts before its reasons are looked into"
        for each in found
        if each.share is not None and each.share > SUSPICIOUS
    )


def _shuffled(readings: Sequence[Reading]) -> Iterator[tuple[str, Passage, str]]:
    """A passage that is read beside itself says nothing; a fact that happens to hold for both counts as supported."""
    pairs = [
        (readings[(place + 1) % len(readings)].passage, each.fact)
        for place, reading in enumerate(readings)
        for each in reading.build.judged
        if each.kind in (Kind.SUPPORTED, Kind.MADE_UP)
    ]
    yield from ((SHUFFLED, passage, fact) for passage, fact in spread(pairs))


def _changed(readings: Sequence[Reading]) -> Iterator[tuple[str, Passage, str]]:
    """Each fact is changed in one way, the ways by turns; one that has nothing of the kind is changed in the next."""
    facts = [
        (reading.passage, readings[(place + 1) % len(readings)].passage, each.fact)
        for place, reading in enumerate(readings)
        for each in reading.build.judged
        if each.kind is Kind.SUPPORTED and not each.judge
    ]
    for turn, (own, other, fact) in enumerate(spread(facts)):
        made = _first_change(turn, own, other, fact)
        if made is not None:
            how, false = made
            yield how, own, false


def _first_change(turn: int, own: Passage, other: Passage, fact: str) -> tuple[str, str] | None:
    foreign = [name for name in names(other.text) if name not in own.text]
    for step in range(len(CHANGES)):
        how = CHANGES[(turn + step) % len(CHANGES)]
        if (false := changed(fact, how, foreign)) is not None:
            return how, false
    return None


def spread(items: Sequence[T]) -> list[T]:
    """So many of them as are taken, at even distances."""
    taken = min(MOST, len(items))
    return [items[place * len(items) // taken] for place in range(taken)]
