"""The session: what the command line asked for, decided claim by claim, build by build."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from typing import Any

from twx_accept.claims import Claim
from twx_accept.domain.evidence import BuildEvidence, Inventory
from twx_accept.domain.suite import Build, Suite
from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.errors import InvalidClaim, TwxAcceptError
from twx_accept.evidence.files import take_inventory
from twx_accept.evidence.identity import identity
from twx_accept.session.collecting import Collector

CAUGHT, MISSED, UNMEASURED, NONE = "caught", "missed", "not measured", "none in this suite"


@dataclass(slots=True, kw_only=True)
class Session:
    """One run. Evidence is collected once for each build, when a claim first needs it, and serves every claim."""

    suite: Suite
    builds: Sequence[Build]
    claims: Sequence[Claim]
    collector: Collector
    partial: str
    fresh: bool
    cards: Mapping[str, Any] = field(default_factory=dict)
    verdicts: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    _evidence: dict[str, BuildEvidence | TwxAcceptError] = field(default_factory=dict)

    def claim(self, name: str) -> Claim:
        """The suite's claim of that name (KeyError if it makes none)."""
        return {claim.name: claim for claim in self.claims}[name]

    def evidence(self, build: Build) -> BuildEvidence:
        """The build's evidence, collected if it is not there; an error stays an error for the whole run.

        Raises:
            TwxAcceptError: whatever stood in the way, named.
        """
        found = self._evidence.get(build.name)
        if found is None:
            try:
                found = self._collect(build, boot=True)
            except TwxAcceptError as error:
                found = error
            if found is None:  # pragma: no cover - with boot=True something is always returned
                raise AssertionError(build.name)
            self._evidence[build.name] = found
        if isinstance(found, TwxAcceptError):
            raise found
        return found

    def kept(self, build: Build) -> BuildEvidence | None:
        """The build's evidence if all of it is there already; boots nothing."""
        found = self._evidence.get(build.name)
        if found is None:
            try:
                found = self._collect(build, boot=False)
            except TwxAcceptError:
                return None
        return found if isinstance(found, BuildEvidence) else None

    def decide(self, claim: Claim, build: Build) -> Verdict:
        """The verdict on a claim about a build. An invalid claim is recorded as such, then raised.

        Raises:
            InvalidClaim: the claim cannot be decided.
        """
        try:
            verdict = self._decide(claim, build)
            if claim.sensitive and not build.control and not self.partial:
                self._require_control_not_missed(claim)
        except TwxAcceptError as error:
            verdict = _invalid(claim, build, error)
            self.verdicts[claim.name, build.name] = self._labelled(verdict, build)
            raise InvalidClaim(str(error)) from error
        self.verdicts[claim.name, build.name] = verdict
        return verdict

    def control(self) -> str:
        """Whether the positive control was caught by every claim that must catch it."""
        controls = [build for build in self.suite.builds if build.control]
        if not controls:
            return NONE
        outcomes = [
            self._control_outcome(claim, build) for build in controls for claim in self.claims if claim.sensitive
        ]
        if Outcome.SHOWN in outcomes:
            return MISSED
        return CAUGHT if outcomes and all(o in (Outcome.FAILED, Outcome.NOT_SHOWN) for o in outcomes) else UNMEASURED

    def _collect(self, build: Build, *, boot: bool) -> BuildEvidence | None:
        inventory = self._inventory(build)
        what = identity(self.suite, build, inventory, self.cards)
        return self.collector.collect(build, what, inventory, fresh=self.fresh and boot, boot=boot)

    def _inventory(self, build: Build) -> Inventory:
        def show(name: str, done: int, total: int) -> None:
            self.collector.reporter.status(f"{build.name}: hashing {name} ({done / 1e9:.1f} of {total / 1e9:.1f} GB)")

        return take_inventory(build.path, show)

    def _decide(self, claim: Claim, build: Build) -> Verdict:
        original = self.evidence(self.suite.original)
        return self._labelled(claim.decide(original, self.evidence(build)), build)

    def _labelled(self, verdict: Verdict, build: Build) -> Verdict:
        """A partial run and a control gate nothing, and say so."""
        labels = [*verdict.labels]
        labels += ["partial"] if self.partial else []
        labels += ["control"] if build.control else []
        return replaced(verdict, labels=tuple(labels), gates=verdict.gates and not self.partial and not build.control)

    def _control_outcome(self, claim: Claim, build: Build) -> Outcome | None:
        """What the claim says of the control, from this run or from kept evidence; None where there is none."""
        known = self.verdicts.get((claim.name, build.name))
        if known is not None:
            return known.outcome
        original, evidence = self.kept(self.suite.original), self.kept(build)
        if original is None or evidence is None:
            return None
        try:
            return claim.decide(original, evidence).outcome
        except InvalidClaim:
            return Outcome.INVALID

    def _require_control_not_missed(self, claim: Claim) -> None:
        for build in self.suite.builds:
            if build.control and self._control_outcome(claim, build) is Outcome.SHOWN:
                raise InvalidClaim(
                    f"the positive control {build.name!r}, damaged on purpose, passes this claim: it cannot tell "
                    "a good build from a bad one. Register harder questions or a smaller margin"
                )


def _invalid(claim: Claim, build: Build, error: TwxAcceptError) -> Verdict:
    return Verdict(
        claim=claim.name,
        title=claim.title,
        build=build.name,
        outcome=Outcome.INVALID,
        sentence=f"{build.name} cannot be decided.",
        reasons=(str(error), *getattr(error, "__notes__", ())),
    )
