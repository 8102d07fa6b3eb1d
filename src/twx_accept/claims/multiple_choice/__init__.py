"""Knowledge: the build answers no more than a margin fewer multiple-choice questions right than the original.

Paired, question by question; shown where the lower bound of Tango's interval lies above minus the margin.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from pydantic import Field

from twx_accept.claims import Settings, _between, _spoilt, _words, certain
from twx_accept.claims._cures import cure
from twx_accept.claims._exact import decimal, fixed
from twx_accept.claims._same import require_served_the_same
from twx_accept.claims.multiple_choice import comparing, planning, views
from twx_accept.claims.multiple_choice.comparing import Counts, Pair, pair, right
from twx_accept.claims.multiple_choice.continuation import Continuation
from twx_accept.claims.multiple_choice.letter import Letter
from twx_accept.claims.multiple_choice.questions import QuestionSet, load, repeated
from twx_accept.claims.multiple_choice.scoring import CLAIM, Scoring, key, tokens_of
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Request, Unscored, digest
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.domain.scope import Scope
from twx_accept.domain.source import Sources
from twx_accept.domain.suite import Suite
from twx_accept.domain.verdict import Count, Outcome, Verdict
from twx_accept.errors import InvalidClaim
from twx_accept.statistics.paired import NonInferiority, mcnemar, noninferiority
from twx_accept.statistics.types import Margin

ALIKE = "every log-probability is the original's"
"""A label: two models never agree to the last digit everywhere, so one of them may have answered for both."""

METHODS: Mapping[str, Callable[[QuestionSet], Scoring]] = {"letter": Letter, "continuation": Continuation}


class MultipleChoiceSettings(Settings):
    """The claim's table in a suite file."""

    title: str
    short: str = Field(pattern=r"^[a-z][a-z0-9-]{0,30}$")
    source: str
    scoring: Literal["letter", "continuation"]
    margin_points: float = Field(gt=0, lt=100)
    alpha: float = Field(default=0.025, gt=0, lt=0.5)
    unscored_share: float = Field(default=0.0002, ge=0, lt=1)
    lead_share: float = Field(gt=0, le=1)
    equivalence_points: float | None = Field(default=None, gt=0, lt=100)
    # What a plan assumes before there is evidence; no decision depends on it.
    expected_discordance: float | None = Field(default=None, ge=0, le=1)
    expected_loss_points: float | None = Field(default=None, ge=-100, le=100)


@dataclass(frozen=True, slots=True, kw_only=True)
class MultipleChoice:
    """The claim for one suite and one set of questions."""

    settings: MultipleChoiceSettings
    questions: QuestionSet
    scoring: Scoring
    title: str
    may_differ: tuple[str, ...]
    partial: str
    name: str = CLAIM
    sensitive: bool = True
    anchored: bool = False

    @property
    def cost(self) -> float:
        """What is read: one prompt a question, of which the engine's cache spares most, and one token written."""
        return sum(_between.TOKENS * len(self.scoring.prompt(question)) for question in self.questions.questions)

    def specification(self) -> Mapping[str, Any]:
        """Statistic, direction, margin, plan and everything that was asked, by digest."""
        requests = digest([[request.key.item, request.key.arm, request.digest] for request in self.opening()])
        return {
            "statistic": "share right, build minus original, paired by question",
            "decision": "lower bound of Tango's interval, strictly above minus the margin",
            "margin": {"value": fixed(self.settings.margin_points, 4), "unit": "percentage points"},
            "alpha": {"value": fixed(self.settings.alpha, 4), "unit": "one-sided"},
            "planned_n": len(self.questions.questions),
            "questions": {"title": self.title, "sha256": self.questions.digest},
            "scoring": self.settings.scoring,
            "template": self.scoring.template,
            "prompts_sha256": requests,
            "sampling": "none (temperature 0, one step)",
            "unscored_share_at_most": fixed(self.settings.unscored_share, 6),
            "margin_at_most_share_of_lead": fixed(self.settings.lead_share, 4),
            **_between.specification(self.settings.equivalence_points),
        }

    def mark(self, build: str) -> str:  # noqa: ARG002 - one mark for all builds
        """The margin in words."""
        words = f"at most {self.settings.margin_points:.2f} points below the original"
        return _words.at_rate(words, self.settings.alpha)

    def opening(self) -> Sequence[Request]:
        """What the scoring has to know from the tokenizer."""
        return self.scoring.opening()

    def follow_up(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:
        """The questions."""
        return self.scoring.answers({exchange.request.key: exchange for exchange in exchanges})

    def unusable(self, exchanges: Sequence[Exchange]) -> Sequence[Key]:
        """The answers that are there and hold no tokens, or give a question no score."""
        found = {exchange.request.key: exchange for exchange in exchanges if exchange.answer is not None}
        no_tokens = [at for at, each in found.items() if at.arm != "answer" and not tokens_of(each)]
        if no_tokens:
            return no_tokens  # without them nothing can be scored
        return [
            key(question.id)
            for question in self.questions.questions
            if key(question.id) in found and isinstance(self.scoring.score(question, found), Unscored)
        ]

    def assume(self, original: BuildEvidence, build: BuildEvidence) -> Assumption | None:
        """The discordance and the loss of the questions that both sides have a score for, few or all of them."""
        both = _answered(original) & _answered(build)
        there = tuple(question for question in self.questions.questions if question.id in both)
        if len(there) < planning.FEWEST:
            return None
        part = replace(self.questions, questions=there)
        return planning.assumption(pair(METHODS[self.settings.scoring](part), part, original, build))

    def prospect(self, build: str, assumption: Assumption | None) -> Prospect:
        """The power of the planned comparison."""
        opening, questions = self.opening(), self.questions.questions
        base = replace(
            certain(self, build),
            requests=len(opening) + len(questions),
            prompt_characters=sum(len(self.scoring.prompt(question)) for question in questions),
        )
        margin = Margin.points(self.settings.margin_points)
        found = planning.prospect(base, len(questions), margin, self.settings.alpha, assumption or self._expected())
        again = repeated(questions)
        return replace(found, warnings=(*found.warnings, self._repeats(again))) if again else found

    def _expected(self) -> Assumption:
        """What the suite expects, where it says so."""
        discordance, loss = self.settings.expected_discordance, self.settings.expected_loss_points
        if discordance is None or loss is None:
            return planning.UNKNOWN
        return Assumption(discordance=discordance, loss=loss / 100, source="expected by the suite")

    def decide(self, original: BuildEvidence, build: BuildEvidence) -> Verdict:
        """Non-inferiority with the registered margin."""
        require_served_the_same(original, build, self.may_differ)
        pairs = pair(self.scoring, self.questions, original, build)
        self._require_scores(pairs)
        counts = Counts.of([(p.original_right, p.build_right) for p in pairs])
        result = self._test(counts)
        against = self._test(Counts.of([p.with_ties_against_the_build() for p in pairs]))
        uninformative = self._uninformative(counts, pairs)
        verdict = self._verdict(build, pairs, counts, result, against, uninformative)
        if uninformative and not self.partial:
            raise InvalidClaim(uninformative, verdict)
        spoilt, again = _spoilt.items(self.name, original, build), repeated(self.questions.questions)
        touched = sum(p.question.id in spoilt for p in pairs)
        verdict = _spoilt.held(verdict, touched, len(pairs), "questions", lambda: self._without(pairs, spoilt))
        if not again:
            return verdict
        return _spoilt.holding(verdict, self._repeats(again), lambda: self._without(pairs, spoilt | again))

    def between(
        self,
        original: BuildEvidence,  # noqa: ARG002 - the two are compared without it
        one: BuildEvidence,
        other: BuildEvidence,
    ) -> Sequence[Contrast]:
        """The two builds on the same questions; what has no score is right for the one and wrong for the other."""
        require_served_the_same(one, other, self.may_differ)
        counts = Counts.of([(p.original_right, p.build_right) for p in pair(self.scoring, self.questions, one, other)])
        frame = Contrast(claim=self.name, title=self.title, one=one.build, other=other.build, difference=0.0)
        return (_between.paired(frame, counts, self.settings.equivalence_points, self.settings.alpha),)

    def _without(self, pairs: Sequence[Pair], left_out: frozenset[str]) -> Outcome:
        """What the other questions come to."""
        kept = [(p.original_right, p.build_right) for p in pairs if p.question.id not in left_out]
        return self._test(Counts.of(kept)).outcome if kept else Outcome.NOT_SHOWN

    def _repeats(self, again: frozenset[str]) -> str:
        """How many questions ask the same as an earlier one."""
        return f"{len(again):,} of {len(self.questions.questions):,} questions ask the same as an earlier one"

    def _test(self, counts: Counts) -> NonInferiority:
        margin = Margin.points(self.settings.margin_points)
        return noninferiority(counts.only_original, counts.only_build, counts.n, margin, self.settings.alpha)

    def _require_scores(self, pairs: Sequence[Pair]) -> None:
        """More than the registered share without a score makes the claim invalid."""
        sides = [(side, name) for p in pairs for side, name in ((p.original, "original"), (p.build, "build"))]
        missing = [(side, name) for side, name in sides if isinstance(side, Unscored)]
        items = {side.item for side, _ in missing}
        if len(items) / len(pairs) > self.settings.unscored_share:
            side, name = missing[0]
            raise InvalidClaim(
                f"{len(items)} of {len(pairs)} questions have no score, more than the registered share of "
                f"{self.settings.unscored_share:.2%} (first: {side.item}, {name}: {side.reason}); "
                f"{cure(side.reason)}"
            )

    def _uninformative(self, counts: Counts, pairs: Sequence[Pair]) -> str:
        """Why the original is too weak for this margin to mean anything; empty where it is not."""
        chance = Fraction(sum(Fraction(1, len(p.question.choices)) for p in pairs), counts.n)
        knows = Fraction(right(p.original for p in pairs), counts.n)
        lead = knows - chance
        if decimal(self.settings.margin_points) / 100 <= decimal(self.settings.lead_share) * lead:
            return ""
        where = "is at chance" if lead < 0.05 else "is too close to chance"
        return (
            f"assay sensitivity: the original {where} ({float(knows):.2%} right, chance {float(chance):.2%}), so a "
            f"margin of {self.settings.margin_points:.2f} points is more than "
            f"{self.settings.lead_share * 100:.10g}% of its lead; "
            "use easier questions, another scoring or a smaller margin"
        )

    def _verdict(
        self,
        evidence: BuildEvidence,
        pairs: Sequence[Pair],
        counts: Counts,
        result: NonInferiority,
        against: NonInferiority,
        uninformative: str,
    ) -> Verdict:
        build, equality = evidence.build, mcnemar(result.b, result.c)
        outcome, sentence = result.outcome, _words.noninferiority(build, result, equality)
        tied = sum(p.tied for p in pairs)
        if outcome is Outcome.SHOWN and against.outcome is not Outcome.SHOWN:
            outcome, sentence = Outcome.NOT_SHOWN, _words.ties_decide(build, result, against, tied)
        if uninformative:
            outcome, sentence = Outcome.REPORTED, _words.uninformative(build, result)
        effects = views.effects(self.title, evidence, pairs, result, equality)
        items = views.flipped(self.settings.short, pairs, self.scoring)
        return Verdict(
            claim=self.name,
            title=self.title,
            build=build,
            outcome=outcome,
            sentence=sentence,
            mark=self.mark(build),
            reasons=(uninformative,) if uninformative else (),
            warnings=result.warnings,
            labels=(*(["uninformative"] if uninformative else []), *([ALIKE] if comparing.alike(pairs) else [])),
            gates=not uninformative,
            figures=views.figures(pairs, counts, result, equality, _ties(tied, against)),
            effects=tuple(effects),
            items=items,
            items_total=len(items),
            statistics={
                "n": counts.n,
                "b": result.b,
                "c": result.c,
                "difference": result.difference,
                "lower": result.lower,
                "upper": result.upper,
                "margin": result.margin.fraction,
                "p_margin": result.p,
                "p_equality": equality.exact,
                "ties": tied,
                "outcome_with_ties_against": str(against.outcome),
                "right_original": right(p.original for p in pairs),
                "right_build": right(p.build for p in pairs),
            },
        )


def _answered(evidence: BuildEvidence) -> set[str]:
    """The questions that have an answer."""
    exchanges = evidence.exchanges.get(CLAIM, ())
    return {e.request.key.item for e in exchanges if e.answer is not None and e.request.key == key(e.request.key.item)}


def _ties(tied: int, against: NonInferiority) -> tuple[Count, ...]:
    return (
        views.count("questions with a tie at the top", tied),
        Count(label="verdict with every tie given against the build", value=str(against.outcome)),
    )


def make(suite: Suite, sources: Sources, scope: Scope) -> MultipleChoice:
    """The claim as that suite registers it, or on the questions that the scope names instead."""
    settings = MultipleChoiceSettings.of(suite, CLAIM)
    method = METHODS[settings.scoring]
    questions = load(
        sources,
        scope.questions or settings.source,
        with_shots=settings.scoring == "letter",
        per_subject=scope.questions_per_group,
    )
    return MultipleChoice(
        settings=settings,
        questions=questions,
        scoring=method(questions),
        title=settings.title if scope.questions is None else "Multiple-choice questions",
        may_differ=suite.may_differ,
        partial=scope.partial,
    )
