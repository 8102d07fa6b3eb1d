"""Where facts are matched: each passage is prepared once, each fact matched once, whoever wrote it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from twx_accept.claims._passages import Passage
from twx_accept.claims.made_up_facts.elsewhere import Index
from twx_accept.claims.made_up_facts.lines import joined
from twx_accept.claims.made_up_facts.supporting import Match, Matching, Prepare, Support


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
        self._judged: dict[tuple[str, str], Judged] = {}
        self._recalled: dict[tuple[str, tuple[str, ...]], tuple[Support, ...]] = {}

    def judge(self, passage: Passage, fact: str) -> Judged:
        """What a fact of that passage comes to. One that its own passage does not support is tried on others."""
        at = (passage.id, fact)
        if at not in self._judged:
            self._judged[at] = self._judge(passage, fact)
        return self._judged[at]

    def match(self, name: str, fact: str) -> Match:
        """The fact against the passage of that id alone."""
        if name not in self._prepared:
            self._prepared[name] = self._prepare(self._texts[name])
        return self._prepared[name].match(fact)

    def recalled(self, passage: Passage, facts: tuple[str, ...]) -> tuple[Support, ...]:
        """For each planted fact, whether those that were written say it; where none were, none does."""
        at = (passage.id, facts)
        if at not in self._recalled:
            text = self._prepare(joined(facts)) if facts and passage.planted else None
            self._recalled[at] = tuple(
                Support.UNSUPPORTED if text is None else text.match(fact).verdict for fact in passage.planted
            )
        return self._recalled[at]

    def _judge(self, passage: Passage, fact: str) -> Judged:
        own = self.match(passage.id, fact)
        found = Judged(fact=fact, kind=_KINDS[own.verdict], reason=own.reason, sentence=own.sentence)
        if found.kind is not Kind.MADE_UP:
            return found
        return self.elsewhere(passage, found)

    def elsewhere(self, passage: Passage, found: Judged) -> Judged:
        """A made-up fact, tried on the other passages that hold most of what is rare in it."""
        if self._index is None:
            self._index = Index(self._passages)
        for name in self._index.candidates(found.fact, passage.id):
            other = self.match(name, found.fact)
            if other.verdict is Support.SUPPORTED:
                return replace(found, kind=Kind.ELSEWHERE, sentence=other.sentence, elsewhere=name)
        return found
