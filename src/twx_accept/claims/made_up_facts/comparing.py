"""From two builds' exchanges to counts, passage by passage. Every planned passage is in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from twx_accept.claims._memo import Memo
from twx_accept.claims._pairing import Found, by_key, require_planned
from twx_accept.claims._passages import Passage
from twx_accept.claims.made_up_facts import recalling
from twx_accept.claims.made_up_facts.asking import Plan, key
from twx_accept.claims.made_up_facts.desk import Desk, Judged, Kind
from twx_accept.claims.made_up_facts.reading import Answer, State, read
from twx_accept.claims.made_up_facts.recalling import NONE, Recalled
from twx_accept.claims.made_up_facts.second_stage import Doubt, Referee, about, reads, ruled
from twx_accept.claims.made_up_facts.settings import CLAIM
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Request


class Cell(NamedTuple):
    """Counts of one passage on both sides: ``x`` of ``m``."""

    x_original: int
    m_original: int
    x_build: int
    m_build: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What one build made of a passage: its lines, judged, and how many of the planted facts they say.

    Both are empty where the answer does not count.
    """

    answer: Answer
    judged: tuple[Judged, ...] = ()
    recalled: Recalled = NONE

    def count(self, *kinds: Kind) -> int:
        """Lines of these kinds."""
        return sum(each.kind in kinds for each in self.judged)

    @property
    def facts(self) -> int:
        """Lines that are facts, whatever they come to; of an answer that is cut short all that are there."""
        if self.answer.state is State.TRUNCATED:
            return len(self.answer.facts)
        return len(self.judged) - self.count(Kind.NOT_A_FACT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One passage and what both sides wrote about it."""

    passage: Passage
    original: Side
    build: Side

    def rate(self, *, undecided_is_made_up: bool) -> Cell:
        """Made-up facts of all facts on both sides.

        An answer that does not count stands for as many facts as it holds, as the other side wrote or as are planted,
        whichever is most: all made up for the build, none for the original.
        """
        kinds = (Kind.MADE_UP, Kind.UNDECIDED) if undecided_is_made_up else (Kind.MADE_UP,)
        most = max(self.original.facts, self.build.facts, len(self.passage.planted), 1)
        original, build = self.original, self.build
        left = (original.count(*kinds), original.facts) if original.answer.counts else (0, most)
        right = (build.count(*kinds), build.facts) if build.answer.counts else (most, most)
        return Cell(*left, *right)

    def alike(self, *, undecided_is_made_up: bool) -> Cell:
        """Made-up facts of all facts with both sides counted by one rule: an answer that does not count is made up.

        For two builds against each other, where neither is the one whose loss is to be ruled out.
        """
        counted = self.rate(undecided_is_made_up=undecided_is_made_up)
        return counted if self.original.answer.counts else counted._replace(x_original=counted.m_original)

    def recall_alike(self) -> Cell:
        """Planted facts that each side says, none where its answer does not count."""
        counted = self.recall()
        return counted if self.original.answer.counts else counted._replace(x_original=0)

    def recall(self) -> Cell:
        """Planted facts that each side says: all where the original's answer does not count, none for the build.

        Nor does the build say those which a referee should have read and has not, while the original says them.
        """
        planted = len(self.passage.planted)
        own = self.original.recalled
        left = own.said + own.unheard if self.original.answer.counts else planted
        right = self.build.recalled.said if self.build.answer.counts else 0
        return Cell(left, planted, right, planted)


def compare(
    plan: Plan, desk: Desk, referee: Referee | None, original: BuildEvidence, build: BuildEvidence
) -> tuple[Reading, ...]:
    """Every planned passage on both sides.

    Raises:
        PairingError: a side was asked something else than is planned, or something twice, naming the passages.
    """
    found = [by_key(evidence, CLAIM) for evidence in (original, build)]
    planned = _PLANNED.of(plan.settings, plan.passages, make=plan.requests)
    for evidence, exchanges in zip((original, build), found, strict=True):
        require_planned(evidence.build, planned, exchanges, "other passages, prompts or sampling")
    return beside(plan, *(sides(plan, desk, referee, exchanges) for exchanges in found))


_PLANNED: Memo[Sequence[Request]] = Memo()
_SIDES: Memo[Sequence[Side]] = Memo()


def beside(plan: Plan, original: Sequence[Side], build: Sequence[Side]) -> tuple[Reading, ...]:
    """Two sides, passage by passage."""
    return tuple(
        Reading(passage=passage, original=left, build=right)
        for passage, left, right in zip(plan.passages, original, build, strict=True)
    )


def sides(plan: Plan, desk: Desk, referee: Referee | None, found: Found) -> Sequence[Side]:
    """What one build made of each passage, looked through once for all that it is compared with.

    Raises:
        PairingError: the referee was asked something else than is planned.
    """

    def make() -> Sequence[Side]:
        return [side(plan, desk, referee, passage, found) for passage in plan.passages]

    return _SIDES.of(found, desk, referee, plan.settings, plan.passages, make=make)


def side(plan: Plan, desk: Desk, referee: Referee | None, passage: Passage, found: Found) -> Side:
    """What one build made of a passage."""
    answer = read(found.get(key(passage.id)), plan.settings)
    if not answer.counts:
        return Side(answer=answer)
    judged = [desk.judge(passage, fact) for fact in answer.facts]
    if referee is not None:
        judged = ruled(referee, desk, passage, judged, found)
    return Side(
        answer=answer, judged=tuple(judged), recalled=recalling.counted(desk, referee, passage, written(judged), found)
    )


def written(judged: Sequence[Judged]) -> tuple[str, ...]:
    """The lines that are facts."""
    return tuple(each.fact for each in judged if each.kind is not Kind.NOT_A_FACT)


def doubts(plan: Plan, desk: Desk, referee: Referee, found: Found) -> Sequence[Doubt]:
    """What the referee reads of one build's answers: facts, then planted facts that must be among them."""
    sides = [(passage, side(plan, desk, None, passage, found).judged) for passage in plan.passages]
    facts = [about(passage, each) for passage, judged in sides for each in judged if reads(referee, each)]
    planted = [each for passage, own in sides for each in recalling.doubts(desk, referee, passage, written(own))]
    return [*facts, *planted]
