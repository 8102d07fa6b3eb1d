"""Made-up facts: the build writes out what passages state, and makes up no more than a margin more than the original.

Every line is matched back to the passages; a fact that none of them supports is made up. The rate is compared passage
by passage, and gates together with the recall of planted facts: who writes nothing makes nothing up.
"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from twx_accept.claims import NO_MARK, Spread, _between, _spoilt, certain
from twx_accept.claims._pairing import by_key
from twx_accept.claims._same import require_served_the_same
from twx_accept.claims.made_up_facts import calibrating, planning, registering, requiring, views, words
from twx_accept.claims.made_up_facts.asking import ANSWER, JUDGE, Plan
from twx_accept.claims.made_up_facts.calibrating import Calibration
from twx_accept.claims.made_up_facts.checking import checks
from twx_accept.claims.made_up_facts.checking import warnings as suspicions
from twx_accept.claims.made_up_facts.comparing import Reading, Side, compare, doubts
from twx_accept.claims.made_up_facts.contrasting import contrasts
from twx_accept.claims.made_up_facts.deciding import Marks, Result, decide
from twx_accept.claims.made_up_facts.desk import Desk, Kind
from twx_accept.claims.made_up_facts.error import MatcherError, Yardstick
from twx_accept.claims.made_up_facts.error import load as load_labelled
from twx_accept.claims.made_up_facts.foreseeing import foresee
from twx_accept.claims.made_up_facts.listing import items
from twx_accept.claims.made_up_facts.matching import match_fact as match_fact
from twx_accept.claims.made_up_facts.passages import PassageSet, load
from twx_accept.claims.made_up_facts.reading import text_of
from twx_accept.claims.made_up_facts.second_stage import Judge, Referee
from twx_accept.claims.made_up_facts.settings import CLAIM, MadeUpFactsSettings
from twx_accept.claims.made_up_facts.summing import statistics
from twx_accept.claims.made_up_facts.supporting import Matcher, Prepare
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.domain.scope import Scope
from twx_accept.domain.source import Sources
from twx_accept.domain.suite import Suite
from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.errors import DatasetError, InvalidClaim, PairingError

WRITTEN = 10
"""What a token that is written costs, in tokens that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeUpFacts:
    """The claim for one suite and one set of passages. ``desk`` keeps what it has matched, ``yardstick`` its error.

    ``calibration`` is what a plan knows of the referee's error; deciding takes it from each build's own evidence.
    """

    settings: MadeUpFactsSettings
    passages: PassageSet
    desk: Desk
    yardstick: Yardstick
    referee: Referee | None
    may_differ: tuple[str, ...]
    partial: str
    calibration: Calibration | None = None
    name: str = CLAIM
    anchored: bool = False

    @property
    def title(self) -> str:
        """What a reader calls it."""
        return self.settings.title

    @property
    def sensitive(self) -> bool:
        """Whether anything is gated, and a damaged build must therefore not pass."""
        return self.settings.gated

    @property
    def cost(self) -> float:
        """What is read, and about as much again that is written, which is far dearer."""
        most, plan = self.settings.max_tokens, self.plan
        return sum(
            _between.TOKENS * len(plan.prompt(passage)) + WRITTEN * min(most, _between.TOKENS * len(passage.text))
            for passage in self.passages.passages
        )

    @property
    def plan(self) -> Plan:
        """What is asked."""
        return Plan(settings=self.settings, passages=self.passages.passages)

    def specification(self) -> Mapping[str, Any]:
        """Statistic, direction, marks, and everything that is asked and matched."""
        return registering.specification(self.plan, self.passages, self.yardstick, self.referee)

    def mark(self, build: str) -> str:  # noqa: ARG002 - one mark for all builds
        """The margins in words."""
        return registering.mark(self.settings)

    def opening(self) -> Sequence[Request]:
        """The facts of each passage."""
        return self.plan.requests()

    def follow_up(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:  # noqa: ARG002 - part of the protocol
        """Nothing: what a referee is asked goes to another server, see :meth:`appeals`."""
        return ()

    def appeals(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:
        """What to ask the referee: first about labelled facts, then about one build's; none without a referee.

        They go to ``referee.address`` under ``referee.model``, and are kept with the build's other exchanges.
        """
        if self.referee is None:
            return ()
        found = {exchange.request.key: exchange for exchange in exchanges}
        open_ones = (
            *calibrating.doubts(self.yardstick, self.referee),
            *doubts(self.plan, self.desk, self.referee, found),
        )
        requests = map(self.referee.request, open_ones)
        return list({request.key: request for request in requests}.values())

    def calibrated(self, exchanges: Sequence[Exchange]) -> "MadeUpFacts":
        """The claim as a plan needs it: knowing of its referee's error what these exchanges tell."""
        if self.referee is None or not self.referee.measured:
            return self
        found = {exchange.request.key: exchange for exchange in exchanges if exchange.answer is not None}
        return replace(self, calibration=calibrating.calibrate(self.yardstick, self.referee, found))

    def foresee(self, original: BuildEvidence, builds: Sequence[BuildEvidence], spread: Spread) -> None:
        """Match every fact that deciding about these builds will ask for."""
        with contextlib.suppress(PairingError):  # told by deciding
            left, *others = (by_key(side, CLAIM) for side in (original, *builds))
            foresee(self.plan, self.desk, left, others, spread)

    def unusable(self, exchanges: Sequence[Exchange]) -> Sequence[Key]:
        """Answers that hold no text that can be read, or that the server broke off."""
        return [
            exchange.request.key
            for exchange in exchanges
            if exchange.answer is not None and exchange.request.key.arm == ANSWER and text_of(exchange) is None
        ]

    def assume(self, original: BuildEvidence, build: BuildEvidence) -> Assumption | None:
        """How much passages differ, and the rise that was seen, from those that both sides have read."""
        return planning.assumption(self._compare(original, build), self.settings.alpha)

    def prospect(self, build: str, assumption: Assumption | None) -> Prospect:
        """The power of the planned comparison, where enough passages have been read to tell how they differ."""
        found = self._prospect(build, assumption)
        besides = planning.besides(self.settings, self.calibration)
        return replace(found, warnings=(*found.warnings, besides)) if besides else found

    def _prospect(self, build: str, assumption: Assumption | None) -> Prospect:
        plan, n = self.plan, len(self.passages.passages)
        base = replace(
            certain(self, build, () if self.settings.gated else (NO_MARK,)),
            planned_n=n,
            requests=n,
            prompt_characters=sum(len(plan.prompt(passage)) for passage in self.passages.passages),
        )
        error = self._planned_error()
        if self.settings.gated and error is None:
            return replace(base, warnings=(*base.warnings, planning.unmeasured(self.settings, self.calibration, n)))
        try:
            marks = self._marks(error)
        except InvalidClaim as broken:
            return replace(base, warnings=(str(broken),))
        if marks.rate is None or error is None:
            return base
        return planning.prospect(base, self.settings, marks, error, assumption)

    def _planned_error(self) -> MatcherError | None:
        """The error that a plan reckons with; None where it is not known yet."""
        if self.referee is None or not self.referee.measured:
            return self.yardstick.error
        known, share = self.calibration, self.settings.unscored_share
        if known is None or calibrating.unmeasured(known, self.referee, share):
            return None
        return known.error

    def decide(self, original: BuildEvidence, build: BuildEvidence) -> Verdict:
        """Both gates with the registered margins after the error of what judges facts; without margins all is reported.

        Where that error is not known, or leaves nothing of a margin, the figures are shown and decide nothing.
        """
        require_served_the_same(original, build, self.may_differ)
        readings = self._compare(original, build)
        requiring.answers(readings, self.settings)
        calibration, blind = self._calibration(original, build)
        try:
            marks = self._marks(None if blind else self._error(calibration))
        except InvalidClaim as nothing_left:
            marks, blind = self._marks(None), str(nothing_left)
        weak, unsure = requiring.weakness(readings, self.settings), requiring.undecided(readings, self.settings)
        told = [each for each in (unsure, self._unasked(original, build, readings), blind) if each]
        found = _Found(result=decide(readings, marks), calibration=calibration, weak=weak, blind=blind, told=told)
        verdict = self._verdict(build, readings, found)
        if self.settings.gated and (blind or (not self.partial and (weak or unsure))):
            raise InvalidClaim(blind or weak or unsure, verdict)
        spoilt = _spoilt.items(self.name, original, build)
        clean = [reading for reading in readings if reading.passage.id not in spoilt]
        return _spoilt.held(
            verdict,
            len(readings) - len(clean),
            len(readings),
            "passages",
            lambda: decide(clean, marks).outcome if clean else Outcome.NOT_SHOWN,
        )

    def between(
        self,
        original: BuildEvidence,  # noqa: ARG002 - the two are compared without it
        one: BuildEvidence,
        other: BuildEvidence,
    ) -> Sequence[Contrast]:
        """Made-up facts and recall of the two; what the other did not answer counts against it."""
        require_served_the_same(one, other, self.may_differ)
        frame = Contrast(claim=self.name, title=self.title, one=one.build, other=other.build, difference=0.0)
        calibration, blind = self._calibration(one, other)
        margins = self.settings.equivalence_points or self.settings.recall_equivalence_points
        if blind and margins:
            raise InvalidClaim(blind)
        return tuple(contrasts(frame, self._compare(one, other), self.settings, self._error(calibration)))

    def _compare(self, original: BuildEvidence, build: BuildEvidence) -> tuple[Reading, ...]:
        return compare(self.plan, self.desk, self.referee, original, build)

    def _marks(self, error: MatcherError | None) -> Marks:
        return requiring.marks(self.settings, error if self.settings.gated else None)

    def _error(self, calibration: Calibration | None) -> MatcherError | None:
        """The error that decides: of matcher and referee where that is measured, else of the matcher."""
        return self.yardstick.error if calibration is None else calibration.error

    def _calibration(self, one: BuildEvidence, other: BuildEvidence) -> tuple[Calibration | None, str]:
        """The referee's error as measured beside two builds, the worse of both, and why it cannot be relied on."""
        if self.referee is None or not self.referee.measured:
            return None, ""
        referee, share = self.referee, self.settings.unscored_share
        made = [calibrating.calibrate(self.yardstick, referee, by_key(side, CLAIM)) for side in (one, other)]
        sides = [each for each in made if each is not None]
        if not sides:
            return None, ""
        reasons = [calibrating.unmeasured(side, referee, share) for side in sides]
        reasons.append(calibrating.turned(sides, referee))
        return min(sides, key=lambda side: side.error.worth), next(filter(None, reasons), "")

    def _unasked(self, original: BuildEvidence, build: BuildEvidence, readings: Sequence[Reading]) -> str:
        """That a registered judge has ruled on nothing although there was something to ask; empty where it has."""
        exchanges = [each for side in (original, build) for each in side.exchanges.get(self.name, ())]
        asked = any(each.request.key.arm == JUDGE for each in exchanges)
        doubts = sum(side.count(Kind.UNDECIDED) for each in readings for side in (each.original, each.build))
        if self.referee is None or self.referee.measured or asked or not doubts:
            return ""
        return f"the registered judge was not asked about {doubts:,} undecided facts; they count both ways"

    def _verdict(self, evidence: BuildEvidence, readings: Sequence[Reading], all_found: "_Found") -> Verdict:
        build, error = evidence.build, self.yardstick.error
        result, calibration, weak = all_found.result, all_found.calibration, all_found.weak
        blind = self.settings.gated and bool(all_found.blind)
        gates = self.settings.gated and not weak
        outcome = result.outcome if gates else Outcome.REPORTED
        sentence = words.uninformative(build, result) if weak else words.sentence(build, result, outcome)
        sentence = words.undecidable(build, result) if blind else sentence
        lost = [sum(not side.answer.counts for side in sides) for sides in _sides(readings)]
        sentence = " ".join(filter(None, [sentence, words.uncounted(build, lost[0], lost[1], len(readings))]))
        found, (shown, total) = checks(readings, self.desk), items(self.settings.short, readings)
        return Verdict(
            claim=self.name,
            title=self.title,
            build=build,
            outcome=outcome,
            sentence=sentence,
            mark=self.mark(build),
            reasons=(weak,) if weak else (),
            warnings=(*all_found.told, *result.warnings, *suspicions(found)),
            labels=("uninformative",) if weak else (),
            gates=gates,
            figures=views.figures(readings, result, error, calibration, self.settings.alpha),
            effects=views.effects(self.title, evidence, result),
            items=shown,
            items_total=total,
            folds=views.folds(readings, found, error, calibration),
            statistics=statistics(readings, result, error, calibration, found),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What a verdict is made of: ``weak`` and ``blind`` say why it decides nothing, ``told`` is for the reader."""

    result: Result
    calibration: Calibration | None
    weak: str
    blind: str
    told: Sequence[str]


def _sides(readings: Sequence[Reading]) -> tuple[list[Side], list[Side]]:
    return [reading.build for reading in readings], [reading.original for reading in readings]


def make(suite: Suite, sources: Sources, scope: Scope) -> MadeUpFacts:
    """The claim as that suite registers it; ``scope`` may leave passages of each kind out.

    Raises:
        SuiteError: its settings are wrong.
        DatasetError: its passages or labelled facts are missing or malformed, or recall is gated without planted facts.
    """
    return assemble(suite, sources, scope, Matcher)


def assemble(suite: Suite, sources: Sources, scope: Scope, prepare: Prepare) -> MadeUpFacts:
    """The claim with that matcher."""
    settings = MadeUpFactsSettings.of(suite, CLAIM)
    limits = {"limit": settings.passages, "per_kind": scope.questions_per_group}
    passages = load(sources, settings.source, settings.split, **limits)
    if settings.gated and not passages.planted:
        raise DatasetError(
            f"{settings.source} ({settings.split}): plants no facts, so that a build which writes nothing would pass; "
            "name passages with facts, or register no marks"
        )
    labelled = None
    if settings.labelled is not None:
        labelled = load_labelled(sources, settings.labelled, settings.labelled_split)
    return MadeUpFacts(
        settings=settings,
        passages=passages,
        desk=Desk(passages.passages, prepare),
        yardstick=Yardstick(labelled, prepare, settings.alpha),
        referee=None if settings.judge is None else Judge(settings=settings.judge),
        may_differ=suite.may_differ,
        partial=scope.partial,
    )
