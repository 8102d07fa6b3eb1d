"""The session: what the command line asked for, decided claim by claim, build by build."""

import contextlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from typing import Any, Protocol

from twx_accept.claims import Claim
from twx_accept.domain.evidence import BuildEvidence, Inventory
from twx_accept.domain.run import Timing
from twx_accept.domain.suite import Build, Suite
from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.errors import EvidenceError, InvalidClaim, TwxAcceptError
from twx_accept.session.genuine import require_genuine
from twx_accept.session.progress import Reporter
from twx_accept.session.refusing import invalid, measured, measured_again
from twx_accept.session.registry import Registry
from twx_accept.session.repetition import AGAIN, FIRST

_AGAIN = ""
"""Under which the original's repetition is kept among the evidence: no build has an empty name."""

CAUGHT, MISSED, UNMEASURED, NONE = "caught", "missed", "not measured", "none in this suite"


class Source(Protocol):
    """Where a session's evidence comes from: servers and what is kept, or an archive of what was kept elsewhere."""

    claims: Sequence[Claim]
    reporter: Reporter
    timings: list[Timing]
    ledger: str
    fresh: str

    def identify(self, build: Build) -> tuple[Mapping[str, Any], Inventory]:
        """What a build is and what will serve it."""
        ...

    def collect(
        self, build: Build, identity: Mapping[str, Any], inventory: Inventory, run: int = FIRST
    ) -> BuildEvidence:
        """Everything that the claims need of a build."""
        ...

    def look(
        self, build: Build, identity: Mapping[str, Any], inventory: Inventory, run: int = FIRST
    ) -> BuildEvidence | None:
        """What is there of it; of a repetition only the whole."""
        ...

    def busy(self, build: Build, identity: Mapping[str, Any]) -> bool:
        """Whether another process collects it now, and there are cards to serve something else meanwhile."""
        ...


@dataclass(slots=True, kw_only=True)
class Session:
    """One run. Evidence is collected once for each build, when a claim first needs it, and serves every claim.

    ``floor``: the original is served again, last of all, and asked everything again; a claim that the original itself
    does not pass decides nothing. Without it, a repetition that is kept whole from an earlier run is held against the
    claims in the same way. ``stopped``: the run ends now, and a build that was not looked at yet is not hashed for the
    report.
    """

    suite: Suite
    builds: Sequence[Build]
    claims: Sequence[Claim]
    collector: Source
    partial: str
    floor: bool = False
    registry: Registry | None = None
    stopped: bool = False
    verdicts: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    _evidence: dict[str, BuildEvidence | TwxAcceptError] = field(default_factory=dict)
    _known: dict[str, tuple[Mapping[str, Any], Inventory]] = field(default_factory=dict)
    _floor: dict[tuple[str, str], str] = field(default_factory=dict)
    _left_out: frozenset[str] = frozenset()

    def claim(self, name: str) -> Claim:
        """The suite's claim of that name (KeyError if it makes none)."""
        return {claim.name: claim for claim in self.claims}[name]

    def leave_out(self, names: Collection[str]) -> None:
        """Ask nothing for these claims: they cannot be decided whatever comes back."""
        self._left_out = frozenset(names)
        self.collector.claims = [claim for claim in self.claims if claim.name not in names]

    def preload(self, evidence: Mapping[str, BuildEvidence | TwxAcceptError]) -> None:
        """Take evidence that is at hand, or why there is none, so that nothing is looked for."""
        self._evidence |= evidence

    def evidence(self, build: Build) -> BuildEvidence:
        """The build's evidence, collected if it is not there; an error stays an error for the whole run.

        Raises:
            TwxAcceptError: whatever stood in the way, named.
        """
        if build.name not in self._evidence:
            self._serve_others(build)
            self._collect(build)
        found = self._evidence[build.name]
        if isinstance(found, TwxAcceptError):
            raise found
        return found

    def _collect(self, build: Build) -> None:
        try:
            self._evidence[build.name] = self.collector.collect(build, *self._what(build))
        except TwxAcceptError as error:
            self._evidence[build.name] = error
        finally:
            self.collector.reporter.rest()

    def _serve_others(self, wanted: Build) -> None:
        """While another process serves what is wanted, serve what nobody does: side by side, on other cards."""
        for other in (self.suite.original, *self.builds):
            if other.name == wanted.name or other.name in self._evidence:
                continue
            if not self._is_busy(wanted):
                return
            if not self._is_busy(other):
                self._collect(other)

    def _is_busy(self, build: Build) -> bool:
        """An error is told where the build's evidence is needed."""
        try:
            return self.collector.busy(build, self._what(build)[0])
        except TwxAcceptError:
            return False

    def kept(self, build: Build) -> BuildEvidence | None:
        """What is there of the build's evidence, all of it or not; boots nothing and waits for nobody."""
        found = self._evidence.get(build.name)
        if found is None:
            try:
                found = self.collector.look(build, *self._what(build))
            except TwxAcceptError:
                return None
            finally:
                self.collector.reporter.rest()
        return found if isinstance(found, BuildEvidence) else None

    def again(self) -> BuildEvidence | None:
        """The original's repetition, collected last of all if it was asked for; else what is kept of it, if all is.

        Raises:
            TwxAcceptError: it was asked for, and something stood in the way.
        """
        if _AGAIN not in self._evidence:
            if self.floor:
                self._collect_again()
            elif (kept := self._look_again()) is not None:
                self._evidence[_AGAIN] = kept
        found = self._evidence.get(_AGAIN)
        if isinstance(found, TwxAcceptError):
            raise found
        return found

    def kept_again(self) -> BuildEvidence | None:
        """The original's repetition as far as it is there whole; boots nothing."""
        found = self._evidence.get(_AGAIN)
        if found is None:
            found = self._look_again()
        return found if isinstance(found, BuildEvidence) else None

    def _collect_again(self) -> None:
        """Serve the original again, after everything else: what warms up or wears out shows between the two ends."""
        for build in (self.suite.original, *self.builds):
            with contextlib.suppress(TwxAcceptError):  # told by the build's own tests
                self.evidence(build)
        original = self.suite.original
        try:
            self._evidence[_AGAIN] = self.collector.collect(original, *self._what(original), run=AGAIN)
        except TwxAcceptError as error:
            self._evidence[_AGAIN] = error
        finally:
            self.collector.reporter.rest()

    def _look_again(self) -> BuildEvidence | None:
        try:
            return self.collector.look(self.suite.original, *self._what(self.suite.original), run=AGAIN)
        except TwxAcceptError:
            return None

    def decide(self, claim: Claim, build: Build) -> Verdict:
        """The verdict on a claim about a build. An invalid claim is recorded as such, then raised.

        Raises:
            InvalidClaim: the claim cannot be decided.
        """
        try:
            verdict = self._decide(claim, build)
            if claim.sensitive and not build.control and not self.partial:
                self._require_control_not_missed(claim)
            if claim.cost and not build.control:
                self._hold_against_floor(claim, build)
            why = self._exploratory(claim, build)
        except TwxAcceptError as error:
            raise self.refuse(claim, build, error) from error
        if why:
            reason = f"exploratory: {why}; run again with --fresh to decide it on evidence that is begun now"
            labels = (*verdict.labels, "exploratory")
            verdict = replaced(verdict, outcome=Outcome.INVALID, reasons=(reason, *verdict.reasons), labels=labels)
        self.verdicts[claim.name, build.name] = verdict
        if why:
            raise InvalidClaim(verdict.reasons[0])
        return verdict

    def _exploratory(self, claim: Claim, build: Build) -> str:
        """Why the verdict decides nothing: its evidence was begun before its mark was registered."""
        if self.registry is None or self.partial:
            return ""
        return self.registry.exploratory(claim.name, self.evidence(self.suite.original), self.evidence(build))

    def refuse(self, claim: Claim, build: Build, error: TwxAcceptError) -> InvalidClaim:
        """Record that the claim is invalid, and why; the answer is the error to raise."""
        return self._refuse(claim, build, (str(error), *getattr(error, "__notes__", ())), measured(error))

    def recall(self, claim: str, build: str, reasons: Sequence[str]) -> None:
        """Take over a verdict that another process of this run reached: decided again from what that process kept.

        Args:
            claim: the claim's name.
            build: the build's name.
            reasons: why it was invalid there; empty where it was not.
        """
        about, of = self.claim(claim), self.suite.build(build)
        self.floor = False  # collected there; what is kept of it says the same here
        original, evidence = self.kept(self.suite.original), self.kept(of)
        if reasons:
            self._refuse(about, of, reasons, measured_again(about, original, evidence))
        elif original is None or evidence is None:
            self._refuse(about, of, ("the evidence that it was decided from is no longer there; run again",))
        else:
            self._evidence |= {self.suite.original.name: original, build: evidence}
            with contextlib.suppress(InvalidClaim):  # recorded
                self.decide(about, of)

    def control(self) -> str:
        """Whether the positive control was caught by every claim that must catch it, as far as it is known."""
        outcomes = self._control_outcomes(collect=False)
        if outcomes is None:
            return NONE
        if Outcome.SHOWN in outcomes:
            return MISSED
        return CAUGHT if outcomes and all(o in (Outcome.FAILED, Outcome.NOT_SHOWN) for o in outcomes) else UNMEASURED

    def require_control(self) -> str:
        """Whether the control was caught or missed; what is not there to tell it is collected first.

        Raises:
            InvalidClaim: it cannot be told, with the reason.
        """
        self._control_outcomes(collect=True)
        found = self.control()
        if found in (CAUGHT, MISSED):
            return found
        raise InvalidClaim(f"the positive control is {found}: {'; '.join(self._why_unmeasured())}")

    def _what(self, build: Build) -> tuple[Mapping[str, Any], Inventory]:
        """The build's identity and files, looked at once in a run."""
        if build.name not in self._known:
            if self.stopped:
                raise EvidenceError(f"{build.name} was not looked at before the run was stopped; run again")
            self._known[build.name] = self.collector.identify(build)
        return self._known[build.name]

    def _decide(self, claim: Claim, build: Build) -> Verdict:
        original, evidence = self.evidence(self.suite.original), self.evidence(build)
        require_genuine(original, evidence)
        if self.registry is not None and not self.partial:
            original, evidence = (self.registry.with_spoilt(claim.name, side) for side in (original, evidence))
        return self._labelled(claim.decide(original, evidence), build)

    def _labelled(self, verdict: Verdict, build: Build) -> Verdict:
        """A partial run and a control gate nothing, and say so."""
        labels = [*verdict.labels]
        labels += ["partial"] if self.partial else []
        labels += ["control"] if build.control else []
        return replaced(verdict, labels=tuple(labels), gates=verdict.gates and not self.partial and not build.control)

    def _refuse(self, claim: Claim, build: Build, reasons: Sequence[str], found: Verdict | None = None) -> InvalidClaim:
        self.verdicts[claim.name, build.name] = self._labelled(invalid(claim, build.name, reasons, found), build)
        return InvalidClaim("\n".join(reasons))

    def _control_outcomes(self, *, collect: bool) -> list[Outcome | None] | None:
        """What each claim that must catch a control says of it; None where the suite has no control."""
        controls = [build for build in self.suite.builds if build.control]
        sensitive = [claim for claim in self.claims if claim.sensitive]
        if not controls:
            return None
        return [self._control_outcome(claim, build, collect=collect) for build in controls for claim in sensitive]

    def _control_outcome(self, claim: Claim, build: Build, *, collect: bool) -> Outcome | None:
        """What the claim says of the control, from this run or from kept evidence; None where there is none.

        With ``collect``, a control that was chosen is served and asked now if it was not yet: another process of this
        run may have its test, and no other build may be decided before it is known whether the control passes.
        """
        known = self.verdicts.get((claim.name, build.name))
        if known is not None:
            return known.outcome
        try:
            if collect and claim.name not in self._left_out and build.name in [each.name for each in self.builds]:
                for side in (self.suite.original, build):
                    self.evidence(side)
            original, evidence = self.kept(self.suite.original), self.kept(build)
            return None if original is None or evidence is None else claim.decide(original, evidence).outcome
        except TwxAcceptError:
            return Outcome.INVALID

    def _require_control_not_missed(self, claim: Claim) -> None:
        for build in self.suite.builds:
            if build.control and self._control_outcome(claim, build, collect=True) is Outcome.SHOWN:
                raise InvalidClaim(
                    f"the positive control {build.name!r}, damaged on purpose, passes this claim: it cannot tell "
                    "a good build from a bad one. Register harder questions or a smaller margin"
                )

    def _hold_against_floor(self, claim: Claim, build: Build) -> None:
        """A mark that the original misses against itself cannot show anything about a build.

        Where nothing is gated the floor is measured all the same, to be shown beside the figures.

        Raises:
            InvalidClaim: it misses the mark, with its own figures.
        """
        gates = claim.sensitive and not self.partial
        try:
            again = self.again()
        except TwxAcceptError:
            if gates:
                raise
            return
        if again is None and gates and self.suite.noise_floor:
            raise InvalidClaim(
                "noise floor: the suite requires it, and no whole repetition of the original is kept; "
                "run again with --noise-floor"
            )
        if again is None or not gates:
            return
        original, key = self.evidence(self.suite.original), (claim.name, claim.mark(build.name))
        if key not in self._floor:
            try:  # under the build's name, since a mark may be the build's own
                alike = claim.decide(original, replaced(again, build=build.name))
                self._floor[key] = "" if alike.passes else f"{alike.outcome}: {_renamed(alike.sentence, build, again)}"
            except InvalidClaim as error:
                self._floor[key] = f"invalid: {error}"
        if self._floor[key]:
            raise InvalidClaim(
                f"noise floor: the original served again does not pass this claim itself ({self._floor[key]}); "
                "register more questions or a larger margin, or find what makes the engine answer differently"
            )

    def _why_unmeasured(self) -> Iterator[str]:
        sensitive = [claim for claim in self.claims if claim.sensitive]
        if not sensitive:
            yield "no claim of this suite is one that a damaged build must fail"
        for build in self.builds:
            for claim in sensitive if build.control else ():
                if claim.name in self._left_out:
                    yield f"{claim.title} of {build.name} is invalid: its mark is not the registered one"
                    continue
                try:
                    yield f"{claim.title} of {build.name} is {self._decide(claim, build).outcome}"
                except TwxAcceptError as error:
                    yield f"{claim.title} of {build.name} is invalid: {error}"


def _renamed(sentence: str, build: Build, again: BuildEvidence) -> str:
    """The sentence about a build, said of the repetition that was decided under its name."""
    return re.sub(rf"(?<![\w.-]){re.escape(build.name)}(?![\w-])", again.build, sentence)
