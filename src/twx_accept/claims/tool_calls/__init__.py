"""Tool calls: does a build still call the tools that it should, by name, number and shape of arguments?

Every trial is another prompt, the same for every build, asked once at each thinking effort. Paired trial by trial;
shown at an effort where the lower bound of Tango's interval lies above minus the margin, and shown where it is at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from twx_accept.claims import NO_MARK, _between, _spoilt, certain
from twx_accept.claims._cures import cure
from twx_accept.claims._exact import decimal, fixed
from twx_accept.claims._memo import Memo
from twx_accept.claims._pairing import by_key, require_planned
from twx_accept.claims._planning import paired
from twx_accept.claims._same import require_served_the_same
from twx_accept.claims._words import at_rate
from twx_accept.claims.tool_calls import asking, proving, views, words
from twx_accept.claims.tool_calls.arguments import shortened
from twx_accept.claims.tool_calls.asking import CLAIM, Manner, key
from twx_accept.claims.tool_calls.outcomes import NEVER, Found, Outcome, Pair, Reader, counts, outcome
from twx_accept.claims.tool_calls.settings import ToolCallsSettings
from twx_accept.claims.tool_calls.tasks import Task, load
from twx_accept.domain.contrast import Contrast
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import Exchange, Key, Request, Unscored, digest
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.domain.scope import Scope
from twx_accept.domain.source import Sources
from twx_accept.domain.suite import Suite
from twx_accept.domain.verdict import Outcome as Came
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import InvalidClaim
from twx_accept.statistics.paired import NonInferiority, noninferiority
from twx_accept.statistics.types import Margin

TITLE = "Tool calls"
FEWEST = 30
"""Pairs under which a discordance that was seen says too little to plan with."""

UNKNOWN = Assumption(discordance=0.05, loss=0.01, source="assumed, for want of evidence")
"""Of a build that nothing is known of: one call in twenty flips, and one in a hundred is lost."""

WORST_FIRST = (Came.FAILED, Came.NOT_SHOWN, Came.REPORTED, Came.SHOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalls:
    """The claim for one suite and one set of trials."""

    settings: ToolCallsSettings
    tasks: tuple[Task, ...]
    may_differ: tuple[str, ...]
    partial: str
    name: str = CLAIM
    anchored: bool = False
    title: str = TITLE

    @property
    def sensitive(self) -> bool:
        """A damaged build must not pass it, where there is a mark to pass."""
        return self.settings.margin_points is not None

    @property
    def cost(self) -> float:
        """The prompts, and as many tokens written as may be: thinking takes what it is given."""
        read = sum(_between.TOKENS * len(str(request.body)) for request in self._turns())
        return read + 10.0 * self.settings.max_tokens * len(self.settings.efforts) * len(self.tasks)

    def specification(self) -> Mapping[str, Any]:
        """Statistic, direction, margin, plan and everything that is asked, by digest."""
        settings = self.settings
        margin = settings.margin_points
        return {
            "statistic": "share of trials passed, build minus original, paired by trial, at each effort",
            "decision": "lower bound of Tango's interval, strictly above minus the margin, at every effort",
            "scored": "names as a multiset, number of calls, shape of arguments (strict JSON, Draft 2020-12), ids, "
            "finish_reason, no marker in a text; the raw output too",
            "margin": None if margin is None else {"value": fixed(margin, 4), "unit": "percentage points"},
            "alpha": {"value": fixed(settings.alpha, 4), "unit": "one-sided"},
            "planned_n": len(self.tasks),
            "efforts": settings.efforts,
            "sampling": {name: fixed(value, 4) for name, value in settings.sampling.items()},
            "seed": settings.seed,
            "max_tokens": settings.max_tokens,
            "format": settings.format,
            "begins_in_thinking": settings.begins_in_thinking,
            "prompts_sha256": digest([[each.key.item, each.key.arm, each.digest] for each in self._turns()]),
            "right_sha256": digest([task.right() for task in self.tasks]),
            "original_passes_at_least": fixed(settings.original_at_least, 4),
            "unscored_share_at_most": fixed(settings.unscored_share, 6),
            **_between.specification(settings.equivalence_points),
        }

    def mark(self, build: str) -> str:  # noqa: ARG002 - one mark for all builds
        """The margin in words, empty where none is registered."""
        margin = self.settings.margin_points
        at = " at every effort" if len(self.settings.efforts) > 1 else ""
        told = "" if margin is None else f"at most {margin:.2f} points below the original{at}"
        return at_rate(told, self.settings.alpha)

    def opening(self) -> Sequence[Request]:
        """The first trial at each effort: whether the server calls tools at all, and whether the effort reaches it."""
        return [request for request in self._turns() if request.key.item == self.tasks[0].id]

    def follow_up(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:
        """All trials; then what was written as text, and in a loop whose first turn is right the turn after it."""
        found = {exchange.request.key: exchange for exchange in exchanges}
        efforts = tuple(self.settings.efforts)
        proving.require_answered("the server", self.tasks[0], efforts, found)
        proving.require_efforts("the server", self.tasks[:1], efforts, found)
        return self._planned(found)

    def _planned(self, found: Found) -> Sequence[Request]:
        """Everything that is to be asked, as far as it follows from what was answered."""
        turns, first = self._turns(), self._samples()
        finals = list(self._finals(turns, found))
        samples = [asking.streamed(request) for request in turns if request.key.item in first]
        prompts = [asking.decoded(found.get(request.key), asking.PROMPT) for request in self.opening()]
        return [
            *turns,
            *asking.raws(turns, found),
            *filter(None, prompts),
            *finals,
            *asking.raws(finals, found),
            *samples,
        ]

    def unusable(self, exchanges: Sequence[Exchange]) -> Sequence[Key]:
        """Answers without one choice, without token ids, or decoded to no text.

        The first trial's are kept without ids: a server that gives none is told of, and need not be asked again.
        """
        wrong, first = [], {request.key for request in self.opening()}
        for each in exchanges:
            if each.answer is None or each.request.body.get("stream"):
                continue
            if each.request.path == asking.DECODE:
                usable = asking.text_of(each) is not None
            else:
                usable = asking.choice_of(each) is not None and (each.request.key in first or asking.has_ids(each))
            if not usable:
                wrong.append(each.request.key)
        return wrong

    def assume(self, original: BuildEvidence, build: BuildEvidence) -> Assumption | None:
        """Discordance and loss over all trials and efforts that both sides have a score for."""
        found = [pair for effort in self.settings.efforts for pair in self._pairs(effort, original, build)]
        scored = [pair for pair in found if pair.original.unscored is None and pair.build.unscored is None]
        if len(scored) < FEWEST:
            return None
        seen, n = counts(scored), len(scored)
        return Assumption(
            discordance=(seen.only_original + seen.only_build) / n,
            loss=(seen.only_original - seen.only_build) / n,
            source=f"seen in the evidence of {n:,} trials",
        )

    def prospect(self, build: str, assumption: Assumption | None) -> Prospect:
        """The power at one effort, to the power of the number of efforts."""
        turns, efforts = self._turns(), len(self.settings.efforts)
        loops = efforts * sum(task.case == "loop" for task in self.tasks)
        base = replace(
            certain(self, build),
            # each turn and its raw output, the samples as streams, and the first prompts as text
            requests=2 * (len(turns) + loops) + efforts * (len(self._samples()) + 1),
            prompt_characters=sum(len(str(request.body)) for request in turns),
        )
        if self.settings.margin_points is None:
            return replace(base, warnings=(NO_MARK,))
        assumed = assumption or UNKNOWN
        plan = paired(len(self.tasks), Margin.points(self.settings.margin_points), self.settings.alpha, assumed)
        return replace(
            base,
            planned_n=len(self.tasks),
            power=plan.power**efforts,
            needed=plan.needed,
            resolvable=plan.resolvable,
            assumption=assumed,
            warnings=plan.warnings,
        )

    def decide(self, original: BuildEvidence, build: BuildEvidence) -> Verdict:
        """Non-inferiority at every effort."""
        require_served_the_same(original, build, self.may_differ)
        self._require_planned(original, build)
        pairs = {effort: self._pairs(effort, original, build) for effort in self.settings.efforts}
        self._require_scores(pairs)
        weak = self._uninformative(pairs)
        verdict = self._verdict(build, pairs, weak)
        if weak and self.sensitive and not self.partial:
            raise InvalidClaim(weak, verdict)
        spoilt = _spoilt.items(self.name, original, build)
        touched = sum(task.id in spoilt for task in self.tasks)
        clean = {effort: [pair for pair in each if pair.task.id not in spoilt] for effort, each in pairs.items()}
        return _spoilt.held(
            verdict,
            touched,
            len(self.tasks),
            "trials",
            lambda: self._came(clean) if all(clean.values()) else Came.NOT_SHOWN,
        )

    def between(
        self,
        original: BuildEvidence,  # noqa: ARG002 - the two are compared without it
        one: BuildEvidence,
        other: BuildEvidence,
    ) -> Sequence[Contrast]:
        """The two builds at each effort; what has no score is right for the one and wrong for the other."""
        require_served_the_same(one, other, self.may_differ)
        self._require_planned(one, other)
        frame = Contrast(claim=self.name, title=self.title, one=one.build, other=other.build, difference=0.0)
        return [
            _between.paired(
                replace(frame, figure=f"{effort} effort"),
                counts(self._pairs(effort, one, other)),
                self.settings.equivalence_points,
                self.settings.alpha,
            )
            for effort in self.settings.efforts
        ]

    def _turns(self) -> list[Request]:
        manner = Manner(
            efforts=self.settings.efforts,
            sampling=self.settings.sampling,
            max_tokens=self.settings.max_tokens,
            seed=self.settings.seed,
        )
        return [
            asking.turn(task, effort, manner, place)
            for effort in self.settings.efforts
            for place, task in enumerate(self.tasks)
        ]

    def _finals(self, turns: Sequence[Request], found: Found) -> Sequence[Request]:
        """The turns after a tool's answer, in the loops whose first turn is right."""
        tasks = {task.id: task for task in self.tasks if task.case == "loop"}
        made = []
        for asked in turns:
            task, answer = tasks.get(asked.key.item), found.get(asked.key)
            if task is None or answer is None:
                continue
            if outcome(task, asked.key.arm, found, self._reader()).turns[1:]:
                made.append(asking.final(task, asked, answer))
        return [request for request in made if request is not None]

    def _samples(self) -> set[str]:
        """The first trial of each case."""
        first: dict[str, str] = {}
        for task in self.tasks:
            first.setdefault(task.case, task.id)
        return set(first.values())

    def _reader(self) -> Reader:
        settings = self.settings
        return Reader(format=settings.format, thinking=settings.begins_in_thinking, max_tokens=settings.max_tokens)

    def _pairs(self, effort: str, original: BuildEvidence, build: BuildEvidence) -> list[Pair]:
        left, right = (self._outcomes(side)[effort] for side in (original, build))
        return [Pair(original=one, build=other) for one, other in zip(left, right, strict=True)]

    def _outcomes(self, side: BuildEvidence) -> Mapping[str, list[Outcome]]:
        """What came of every trial at each effort."""
        exchanges = side.exchanges.get(self.name, ())

        def make() -> Mapping[str, list[Outcome]]:
            found, reader = {each.request.key: each for each in exchanges}, self._reader()
            return {
                effort: [outcome(task, effort, found, reader) for task in self.tasks]
                for effort in self.settings.efforts
            }

        return _OUTCOMES.of(exchanges, self.tasks, self.settings, make=make)

    def _require_planned(self, original: BuildEvidence, build: BuildEvidence) -> None:
        found = [by_key(side, self.name) for side in (original, build)]
        for side, exchanges in zip((original, build), found, strict=True):
            efforts = tuple(self.settings.efforts)
            planned = _PLANNED.of(exchanges, self.tasks, self.settings, make=partial(self._planned, exchanges))
            require_planned(side.build, planned, exchanges, "other prompts")
            proving.require_answered(side.build, self.tasks[0], efforts, exchanges)
            proving.require_efforts(side.build, self.tasks, efforts, exchanges)
        proving.require_same_prompts(original.build, build.build, self._turns(), *found)

    def _require_scores(self, pairs: Mapping[str, Sequence[Pair]]) -> None:
        """More than the registered share without a score makes the claim invalid."""
        every = [(effort, pair) for effort, each in pairs.items() for pair in each]
        missing = [(effort, side, why) for effort, pair in every for side, why in _unscored(pair)]
        trials = {(effort, why.item) for effort, _, why in missing}
        if len(trials) > decimal(self.settings.unscored_share) * len(every):
            effort, side, first = min(missing, key=lambda each: each[2].reason == NEVER)  # what has a cause first
            why = shortened(first.reason, 400)
            raise InvalidClaim(
                f"{len(trials)} of {len(every)} trials have no score, more than the registered share of "
                f"{self.settings.unscored_share * 100:.10g}% (first: {first.item} at {effort} effort, {side}: {why}); "
                f"{cure(first.reason)}"
            )

    def _uninformative(self, pairs: Mapping[str, Sequence[Pair]]) -> str:
        """Why the original is too weak for the figures to mean anything; empty where it is not."""
        least = decimal(self.settings.original_at_least)
        for effort, each in pairs.items():
            passed = sum(pair.original.right for pair in each)
            if passed < least * len(each):
                return (
                    f"assay sensitivity: the original passes {passed} of {len(each)} trials at {effort} effort, under "
                    f"the registered {self.settings.original_at_least * 100:.10g}%: what it cannot do itself, no build "
                    "can be shown to have kept"
                )
        return ""

    def _test(self, pairs: Sequence[Pair]) -> NonInferiority:
        seen = counts(pairs)
        # Without a mark the interval is what is reported, and any margin gives the same.
        margin = Margin.points(self.settings.margin_points or 50.0)
        return noninferiority(seen.only_original, seen.only_build, seen.n, margin, self.settings.alpha)

    def _came(self, pairs: Mapping[str, Sequence[Pair]]) -> Came:
        """The worst of the efforts."""
        if self.settings.margin_points is None:
            return Came.REPORTED
        outcomes = [self._test(each).outcome for each in pairs.values()]
        return min(outcomes, key=WORST_FIRST.index)

    def _verdict(self, build: BuildEvidence, pairs: Mapping[str, Sequence[Pair]], weak: str) -> Verdict:
        tests = {effort: self._test(each) for effort, each in pairs.items()}
        came = Came.REPORTED if weak else self._came(pairs)
        gates = self.sensitive and not weak
        items = views.items(pairs)
        found = by_key(build, self.name)
        return Verdict(
            claim=self.name,
            title=self.title,
            build=build.build,
            outcome=came,
            sentence=words.sentence(build.build, pairs, tests, gates=gates),
            mark=self.mark(build.build),
            reasons=(weak,) if weak else (),
            warnings=tuple(dict.fromkeys([warning for test in tests.values() for warning in test.warnings if gates])),
            labels=("uninformative",) if weak else (),
            gates=gates,
            figures=views.figures(pairs, tests),
            effects=views.effects(build, pairs, tests, margin=self.settings.margin_points if gates else None),
            items=items,
            items_total=len(items),
            folds=(
                views.by_case(pairs),
                views.by_reason(pairs),
                views.streams(self.tasks, self._samples(), tuple(pairs), found),
                views.prompts(self.tasks[0], tuple(pairs), found),
            ),
            statistics=views.numbers(pairs, tests),
        )


_OUTCOMES: Memo[Mapping[str, list[Outcome]]] = Memo()
_PLANNED: Memo[Sequence[Request]] = Memo()


def _unscored(pair: Pair) -> list[tuple[str, Unscored]]:
    sides = (("the original", pair.original), ("the build", pair.build))
    return [(name, why) for name, side in sides if (why := side.unscored) is not None]


def make(suite: Suite, sources: Sources, scope: Scope) -> ToolCalls:
    """The claim as that suite registers it.

    Raises:
        SuiteError: its settings are wrong.
        DatasetError: its trials are missing or malformed.
    """
    settings = ToolCallsSettings.checked(suite)
    few = [number for number in (settings.trials_per_case, scope.questions_per_group) if number is not None]
    return ToolCalls(
        settings=settings,
        tasks=load(sources, settings.source, min(few, default=None)),
        may_differ=suite.may_differ,
        partial=scope.partial,
    )


__all__ = ["CLAIM", "ToolCalls", "key", "make"]
