"""Agreement and drift: the build reads what the original reads, and picks the original's next token almost always.

At every position of the same passages: is the build's top next token the original's, and how far do the two
distributions lie apart? Agreement can be gated by its lower bound; drift is a lower bound itself, so that only the
upper bound of the total variation distance can be gated in its place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from twx_accept.claims import NO_MARK, _between, _spoilt, certain
from twx_accept.claims._cures import cure
from twx_accept.claims._exact import decimal, fixed
from twx_accept.claims._lines import count
from twx_accept.claims._pairing import by_key
from twx_accept.claims._passages import FEWEST
from twx_accept.claims._same import require_served_the_same
from twx_accept.claims._words import at_rate, percent
from twx_accept.claims.agreement import full, views, ways, words
from twx_accept.claims.agreement.asking import Plan
from twx_accept.claims.agreement.comparing import Reading, read
from twx_accept.claims.agreement.departures import departures
from twx_accept.claims.agreement.full import FullCheck
from twx_accept.claims.agreement.keys import COURTESY, TOKENS, tokens_of
from twx_accept.claims.agreement.passages import PassageSet, load
from twx_accept.claims.agreement.probing import Probe, probe
from twx_accept.claims.agreement.reading import rows_of
from twx_accept.claims.agreement.settings import CLAIM, AgreementSettings
from twx_accept.claims.agreement.summary import Summary, summarise
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Request, digest
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.domain.scope import Scope
from twx_accept.domain.source import Sources
from twx_accept.domain.suite import Suite
from twx_accept.domain.verdict import Count, Outcome, Unit, Verdict
from twx_accept.errors import InvalidClaim, SuiteError
from twx_accept.statistics.clustered import ratio_difference

PROBES = 3
"""Requests that find out how the server can be asked; a text of its tokens for each passage may follow."""

DISTRIBUTIONS_COST = 2.5
"""What a token costs with the distribution at its position, in tokens without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The claim for one suite and one set of passages."""

    settings: AgreementSettings
    passages: PassageSet
    may_differ: tuple[str, ...]
    name: str = CLAIM
    anchored: bool = True

    @property
    def title(self) -> str:
        """What a reader calls it."""
        return self.settings.title

    @property
    def sensitive(self) -> bool:
        """Whether anything is gated, and a damaged build must therefore not pass."""
        return bool(self.settings.mark or self.settings.total_variation_mark)

    @property
    def cost(self) -> float:
        """What is read, dearer by what is computed at every position."""
        return sum(DISTRIBUTIONS_COST * _between.TOKENS * len(passage.text) for passage in self.passages.passages)

    @property
    def plan(self) -> Plan:
        """What is asked."""
        return Plan(settings=self.settings, passages=self.passages.passages)

    def specification(self) -> Mapping[str, Any]:
        """Statistic, direction, marks, and everything that is asked."""
        settings = self.settings
        return {
            "statistic": "share of positions at which the build's top next token is the original's, lowest id of a tie",
            "decision": (
                "lower bound clustered by passage (CR1, t; not above Clopper-Pearson's), at least the mark; "
                "upper bound of the mean upper bound of the total variation distance, at most its mark"
            ),
            "marks": {name: fixed(mark, 6) for name, mark in sorted(settings.mark.items())},
            "total_variation_marks": {
                name: fixed(mark, 6) for name, mark in sorted(settings.total_variation_mark.items())
            },
            "alpha": {"value": fixed(settings.alpha, 4), "unit": "one-sided"},
            "planned_passages": len(self.passages.passages),
            "passages": {"sha256": self.passages.digest, "tokens_at_most": settings.max_tokens_per_passage},
            "prompts_sha256": digest([[each.key.item, each.key.arm, each.digest] for each in self.opening()]),
            "top_k": settings.top_k,
            "full_vocabulary": {"prefixes": settings.full_vocabulary_prefixes, "tokens": settings.prefix_tokens},
            "reversed_probe": settings.reversed_probe,
            "first_positions": settings.first_positions,
            "sampling": "none (temperature 0, one step)",
            "unscored_share_at_most": fixed(settings.unscored_share, 6),
        }

    def mark(self, build: str) -> str:
        """The marks in words."""
        mark, variation = self.settings.mark.get(build), self.settings.total_variation_mark.get(build)
        told = [] if mark is None else [f"at least {percent(mark)} of next tokens agree"]
        told += [] if variation is None else [f"total variation distance at most {variation:.4f}"]
        return at_rate(", ".join(told), self.settings.alpha)

    def opening(self) -> Sequence[Request]:
        """The tokens of each passage."""
        return self.plan.opening()

    def follow_up(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:
        """The passages, some again in reverse order, and a few beginnings over the whole vocabulary."""
        return self.plan.follow_up({exchange.request.key: exchange for exchange in exchanges})

    def unusable(self, exchanges: Sequence[Exchange]) -> Sequence[Key]:
        """Answers without tokens, and those whose rows cannot be trusted. The whole vocabulary is a courtesy."""
        return [
            exchange.request.key
            for exchange in exchanges
            if exchange.answer is not None and self._is_unusable(exchange)
        ]

    def _is_unusable(self, exchange: Exchange) -> bool:
        arm = exchange.request.key.arm
        if arm == TOKENS:
            return tokens_of(exchange) is None
        ids = ways.ids_of(exchange.request)
        return arm not in COURTESY and isinstance(rows_of(exchange, ids, self.settings.top_k), str)

    def assume(self, original: BuildEvidence, build: BuildEvidence) -> Assumption | None:  # noqa: ARG002 - protocol
        """No power is computed: the spread between passages is not known before they are read."""
        return None

    def prospect(self, build: str, assumption: Assumption | None) -> Prospect:  # noqa: ARG002 - part of the protocol
        """What it takes to ask; what can be shown depends on how much passages differ."""
        passages, settings = self.passages.passages, self.settings
        again = min(settings.reversed_probe, len(passages))
        beginnings = min(settings.full_vocabulary_prefixes, len(passages))
        return replace(
            certain(self, build, () if self.mark(build) else (NO_MARK,)),
            planned_n=len(passages),
            requests=2 * len(passages) + again + beginnings + PROBES,
            prompt_characters=sum(len(passage.text) for passage in passages),
        )

    def decide(self, original: BuildEvidence, build: BuildEvidence) -> Verdict:
        """The registered marks against the bounds; without a mark everything is reported."""
        require_served_the_same(original, build, self.may_differ)
        readings = read(self.plan, original, build)
        self._require_answers(readings)
        summary = summarise(readings, self.settings.alpha)
        self._require_sensitivity(build.build, summary)
        names = self.plan.full({reading.passage.id: reading.ids for reading in readings})
        check = full.check(names, by_key(original, CLAIM), by_key(build, CLAIM), self.settings.top_k)
        probes = [probe(self.plan, side) for side in (original, build)]
        verdict = self._verdict(build, readings, summary, check, probes)
        spoilt = _spoilt.items(self.name, original, build)
        clean = [reading for reading in readings if reading.passage.id not in spoilt]
        return _spoilt.held(
            verdict, len(readings) - len(clean), len(readings), "passages", lambda: self._without(build.build, clean)
        )

    def _without(self, build: str, clean: Sequence[Reading]) -> Outcome:
        """What the passages come to that no partial run has touched."""
        if sum(reading.positions > 0 for reading in clean) < FEWEST:
            return Outcome.NOT_SHOWN
        return self._outcome(build, summarise(clean, self.settings.alpha))

    def between(self, original: BuildEvidence, one: BuildEvidence, other: BuildEvidence) -> Sequence[Contrast]:
        """How much more often the other picks the original's next token than the one, passage by passage.

        How often the two pick each other's stands among the counts: it is no difference between them.
        """
        require_served_the_same(one, other, self.may_differ)
        readings = [
            read(self.plan, first, second) for first, second in ((original, one), (original, other), (one, other))
        ]
        for each in readings:
            self._require_answers(each)
        left, right, mutual = readings
        found = ratio_difference(
            [reading.agreed for reading in left],
            [reading.positions for reading in left],
            [reading.agreed for reading in right],
            [reading.positions for reading in right],
            self.settings.alpha,
        )
        return (
            Contrast(
                claim=self.name,
                title=self.title,
                one=one.build,
                other=other.build,
                difference=found.difference * 100,
                lower=found.lower * 100,
                upper=found.upper * 100,
                unit=Unit.POINTS,
                p=found.p_equal,
                alpha=self.settings.alpha,
                counts=(
                    count("positions", sum(reading.positions for reading in mutual)),
                    count("at which they pick each other's next token", sum(reading.agreed for reading in mutual)),
                ),
            ),
        )

    def _require_answers(self, readings: Sequence[Reading]) -> None:
        """Enough passages, and no more without an answer than is registered."""
        whole = [reading for reading in readings if reading.positions]
        if len(whole) < 2:
            raise InvalidClaim(
                f"{len(whole)} passages have a position to compare; two or more are needed: register longer passages"
            )
        missing = [reading for reading in whole if reading.answers is None]
        lost, n = sum(reading.positions for reading in missing), sum(reading.positions for reading in whole)
        if missing and Fraction(lost, n) > decimal(self.settings.unscored_share):
            raise InvalidClaim(
                f"{lost:,} of {n:,} positions have no answer ({len(missing)} passages), more than the registered share "
                f"of {self.settings.unscored_share:.2%} (first: {missing[0].passage.id}, {missing[0].why}); "
                f"{cure(missing[0].why)}"
            )

    def _require_sensitivity(self, build: str, summary: Summary) -> None:
        """A mark that a build meets which reads nothing shows nothing."""
        mark = self.settings.mark.get(build)
        if mark is not None and decimal(mark) <= Fraction(summary.commonest, summary.n):
            raise InvalidClaim(
                f"assay sensitivity: the original's commonest next token is its top one at "
                f"{percent(summary.commonest / summary.n)} of the positions, so that a build which always says "
                f"it meets the mark of {percent(mark)}; register more varied passages or a higher mark"
            )

    def _outcome(self, build: str, summary: Summary) -> Outcome:
        """The worse of what the two marks come to."""
        outcomes = [Outcome.REPORTED]
        if (mark := self.settings.mark.get(build)) is not None:
            found = summary.agreement
            passes, fails = Fraction(found.lower) >= decimal(mark), Fraction(found.upper) < decimal(mark)
            outcomes.append(_of(passes=passes, fails=fails))
        if (most := self.settings.total_variation_mark.get(build)) is not None:
            passes = Fraction(summary.variation_upper.upper) <= decimal(most)
            outcomes.append(_of(passes=passes, fails=Fraction(summary.variation_lower.lower) > decimal(most)))
        worst_first = (Outcome.FAILED, Outcome.NOT_SHOWN, Outcome.SHOWN, Outcome.REPORTED)
        return next(outcome for outcome in worst_first if outcome in outcomes)

    def _verdict(
        self,
        evidence: BuildEvidence,
        readings: Sequence[Reading],
        summary: Summary,
        check: FullCheck,
        probes: Sequence[Probe],
    ) -> Verdict:
        build, settings = evidence.build, self.settings
        mark, variation = settings.mark.get(build), settings.total_variation_mark.get(build)
        outcome = self._outcome(build, summary)
        items, total = departures(readings)
        return Verdict(
            claim=self.name,
            title=self.title,
            build=build,
            outcome=outcome,
            sentence=words.sentence(build, summary, mark, variation, outcome),
            mark=self.mark(build),
            warnings=(*(each.warning for each in probes if each.warning), *_above(check)),
            gates=outcome is not Outcome.REPORTED,
            figures=views.figures(summary, check, readings, settings.first_positions, _probed(probes)),
            effects=views.effects(self.title, evidence, readings, summary, mark, settings.alpha),
            items=items,
            items_total=total,
            folds=views.folds(readings, settings.first_positions),
            statistics=_statistics(summary, check, mark, variation),
        )


def _of(*, passes: bool, fails: bool) -> Outcome:
    if passes:
        return Outcome.SHOWN
    return Outcome.FAILED if fails else Outcome.NOT_SHOWN


def _above(check: FullCheck) -> tuple[str, ...]:
    if not check.above:
        return ()
    return (
        (
            f"after {check.above} of {check.prefixes} beginnings the drift's lower bound lies above the whole "
            "divergence, which cannot be: do not trust the drift of this run, and report this as an error"
        ),
    )


def _probed(probes: Sequence[Probe]) -> tuple[Count, ...]:
    return tuple(
        Count(
            label=f"asked again in reverse order, {name}",
            value=f"{each.changed} of {each.passages} passages changed" if each.passages else "not asked",
        )
        for name, each in zip(("the original", "the build"), probes, strict=True)
    )


def _statistics(
    summary: Summary, check: FullCheck, mark: float | None, variation: float | None
) -> Mapping[str, float | int | str]:
    found = {
        "n": summary.n,
        "passages": summary.passages,
        "missing": summary.missing,
        "agreed": summary.agreed,
        "agreed_tolerant": summary.tolerated,
        "ties": summary.tied,
        "agreement": summary.agreement.value,
        "lower": summary.agreement.lower,
        "upper": summary.agreement.upper,
        "drift_at_least": summary.drift.value,
        "unresolved": summary.unresolved,
        "variation_at_least": summary.variation_lower.value,
        "variation_at_most": summary.variation_upper.value,
        "variation_upper": summary.variation_upper.upper,
        "perplexity_original": summary.perplexity_original,
        "perplexity": summary.perplexity_build,
        "full_prefixes": check.prefixes,
    }
    more = {"full_ratio": check.ratio, "mark": mark, "variation_mark": variation}
    return found | {name: value for name, value in more.items() if value is not None}


def make(suite: Suite, sources: Sources, scope: Scope) -> Agreement:
    """The claim as that suite registers it; ``scope`` may leave passages of each kind out.

    Raises:
        SuiteError: its settings are wrong, or a mark is for a build that the suite does not have.
        DatasetError: its passages are missing or malformed.
    """
    settings = AgreementSettings.of(suite, CLAIM)
    builds = [build.name for build in suite.builds]
    for table in ("mark", "total_variation_mark"):
        for name in getattr(settings, table):
            if name not in builds:
                known = ", ".join(builds)
                raise SuiteError(f"{suite.file}: claims.{CLAIM}.{table}: no build {name!r:.80}; it has: {known}")
    passages = load(
        sources, settings.source, settings.split, limit=settings.passages, per_kind=scope.questions_per_group
    )
    return Agreement(settings=settings, passages=passages, may_differ=suite.may_differ)
