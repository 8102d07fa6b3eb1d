"""Where facts are matched: each passage is prepared once, each fact matched once, whoever wrote it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from twx_accept.claims import Spread
from twx_accept.claims._passages import Passage
from twx_accept.claims.made_up_facts.elsewhere import Index
from twx_accept.claims.made_up_facts.lines import joined
from twx_accept.claims.made_up_facts.supporting import Match, Matching, Part, Prepare, Support, matched


class Kind(StrEnum):
    """What a line that a build wrote comes to."""

    SUPPORTED = "supported"
    ELSEWHERE = "supported by another passage only"
    MADE_UP = "made up"
    UNDECIDED = "undecided"
    NOT_A_FACT = "not a fact"


_KINDS = {
    Support.SUPPORTED: Kind.SUPPORTED,
    Support.UNSUPPORTED: Kind.MADE_UP,
    Support.UNDECIDED: Kind.UNDECIDED,
    Support.NOT_A_FACT: Kind.NOT_A_FACT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One line and what it comes to.

    ``reason`` and ``sentence`` are the matcher's; ``elsewhere`` is the id of another passage that supports it, whose
    sentence it then is; ``judge``: a referee has ruled; ``unheard``: one should have, and has not answered.
    """

    fact: str
    kind: Kind
    reason: str
    sentence: str
    elsewhere: str = ""
    judge: bool = False
    unheard: bool = False


class Desk:
    """Matches facts against a set of passages. What it has found it keeps: one fact, one verdict."""

    def __init__(self, passages: Sequence[Passage], prepare: Prepare) -> None:
        self._prepare = prepare
        self._texts = {passage.id: passage.text for passage in passages}
        self._prepared: dict[str, Matching] = {}
        self._index: Index | None = None
        self._passages = passages
        self._matched: dict[tuple[str, str], Match] = {}
        self._judged: dict[tuple[str, str], Judged] = {}

    def judge(self, passage: Passage, fact: str) -> Judged:
        """What a fact of that passage comes to. One that its own passage does not support is tried on others."""
        at = (passage.id, fact)
        if at not in self._judged:
            self._judged[at] = self._judge(passage, fact)
        return self._judged[at]

    def match(self, name: str, fact: str) -> Match:
        """The fact against the passage of that id alone."""
        text = self._texts[name]
        if (text, fact) not in self._matched:
            if name not in self._prepared:
                self._prepared[name] = self._prepare(text)
            self._matched[text, fact] = self._prepared[name].match(fact)
        return self._matched[text, fact]

    def text(self, name: str) -> str:
        """The passage of that id."""
        return self._texts[name]

    def recalled(self, passage: Passage, facts: tuple[str, ...]) -> tuple[Support, ...]:
        """For each planted fact, whether those that were written say it; where none were, none does."""
        if not facts:
            return (Support.UNSUPPORTED,) * len(passage.planted)
        text = joined(facts)
        open_ = tuple(fact for fact in passage.planted if (text, fact) not in self._matched)
        self._keep([Part(self._prepare, text, open_)] if open_ else [], map)
        return tuple(self._matched[text, fact].verdict for fact in passage.planted)

    def ahead(self, wanted: Iterable[tuple[str, str]], spread: Spread) -> None:
        """Match facts against texts now and all at once, (text, fact) each: whoever asks later finds them."""
        open_: dict[str, list[str]] = {}
        for text, fact in dict.fromkeys(wanted):
            if (text, fact) not in self._matched:
                open_.setdefault(text, []).append(fact)
        self._keep([Part(self._prepare, text, tuple(facts)) for text, facts in open_.items()], spread)

    def _keep(self, parts: Sequence[Part], spread: Spread) -> None:
        for part, found in zip(parts, spread(matched, parts), strict=True):
            self._matched |= {(part.text, fact): match for fact, match in zip(part.facts, found, strict=True)}

    def _judge(self, passage: Passage, fact: str) -> Judged:
        own = self.match(passage.id, fact)
        found = Judged(fact=fact, kind=_KINDS[own.verdict], reason=own.reason, sentence=own.sentence)
        if found.kind is not Kind.MADE_UP:
            return found
        return self.elsewhere(passage, found)

    def elsewhere(self, passage: Passage, found: Judged) -> Judged:
        """A made-up fact, tried on the other passages that hold most of what is rare in it."""
        for name in self.others(passage, found.fact):
            other = self.match(name, found.fact)
            if other.verdict is Support.SUPPORTED:
                return replace(found, kind=Kind.ELSEWHERE, sentence=other.sentence, elsewhere=name)
        return found

    def others(self, passage: Passage, fact: str) -> list[str]:
        """The ids of the other passages that a fact is tried on, the likeliest first."""
        if self._index is None:
            self._index = Index(self._passages)
        return self._index.candidates(fact, passage.id)
