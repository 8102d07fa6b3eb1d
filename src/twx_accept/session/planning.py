"""What a suite can show, before anything boots."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from twx_accept.claims import Appealing, Claim
from twx_accept.domain.evidence import BuildEvidence, Origin
from twx_accept.domain.prospect import Assumption, Prospect
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import TwxAcceptError
from twx_accept.evidence import reading
from twx_accept.session import calibrating
from twx_accept.statistics import power

CHARACTERS_A_TOKEN = 4.0
"""Of English text in the tokenizers of today's models: good enough for an estimate, and called one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The prospects of each build, and what asking one build costs.

    ``joint`` is the probability that every claim about a build is shown if the assumptions are true and independent.
    ``seconds`` estimates the asking of one build from measured rates, None where there are none; boots are not in it.
    """

    prospects: Mapping[str, Sequence[Prospect]]
    joint: Mapping[str, float]
    requests: int
    prompt_tokens: int
    seconds: float | None
    rate_from: str


def plan(suite: Suite, claims: Sequence[Claim], evidence: Path, given: Assumption | None) -> Plan:
    """The plan of a suite.

    Args:
        suite: the suite.
        claims: its claims.
        evidence: the folder of evidence so far, which may be absent.
        given: assume this of every build, whatever was seen.
    """
    kept = _Kept(suite, evidence)
    known_of = [kept.calibrated(claim) for claim in claims]
    prospects = {
        build.name: [claim.prospect(build.name, given or kept.assumption(claim, build)) for claim in known_of]
        for build in suite.builds
        if not build.control
    }
    one = next(iter(prospects.values()), [])
    requests = {prospect.claim: prospect.requests for prospect in one if prospect.requests}
    rates = kept.rates()
    known = all(claim in rates for claim in requests)
    return Plan(
        prospects=prospects,
        joint={build: power.joint([p.power for p in each if p.power is not None]) for build, each in prospects.items()},
        requests=sum(requests.values()),
        prompt_tokens=round(sum(prospect.prompt_characters for prospect in one) / CHARACTERS_A_TOKEN),
        seconds=sum(n * rates[c].seconds / rates[c].asked for c, n in requests.items()) if known else None,
        rate_from=f"measured in {evidence}" if known else "",
    )


def measured(suite: Suite, evidence: Path) -> tuple[Mapping[str, reading.Rate], Mapping[str, Sequence[float]]]:
    """What evidence so far has measured: the rate of each claim, and each build's seconds until it was ready."""
    kept = _Kept(suite, evidence)
    return kept.rates(), kept.boots()


class _Kept:
    """What evidence so far says, whole runs before partial ones; what cannot be read says nothing."""

    def __init__(self, suite: Suite, folder: Path) -> None:
        self._suite = suite
        self._folder = folder
        self._read: dict[Path, BuildEvidence] = {}
        found = {file: origin for file in sorted(folder.glob("*.sqlite")) if (origin := _origin(file))}
        mine = {file: origin for file, origin in found.items() if origin.suite == suite.name}
        self._files = dict(sorted(mine.items(), key=lambda each: bool(each[1].partial)))

    def assumption(self, claim: Claim, build: Build) -> Assumption | None:
        """What the first evidence of the build and of the original that says something says."""
        for original in self._of(self._suite.original):
            for evidence in self._of(build):
                try:
                    found = claim.assume(original, evidence)
                except TwxAcceptError:
                    continue
                if found is not None:
                    return found
        return None

    def calibrated(self, claim: Claim) -> Claim:
        """The claim with what is known of its referee's error: from a measurement of its own, else from a run's."""
        if not isinstance(claim, Appealing) or claim.referee is None:
            return claim
        runs = [each for kept in self._of(self._suite.original) for each in kept.exchanges.get(claim.name, ())]
        return claim.calibrated([*runs, *calibrating.kept(self._folder, claim.referee, claim.name)])

    def rates(self) -> Mapping[str, reading.Rate]:
        """The rate of each claim, over all files."""
        found: dict[str, reading.Rate] = {}
        for file in self._files:
            try:
                rates = reading.rates(file)
            except TwxAcceptError:
                continue
            for claim, rate in rates.items():
                before = found.get(claim, reading.Rate(asked=0, seconds=0.0))
                found[claim] = replace(before, asked=before.asked + rate.asked, seconds=before.seconds + rate.seconds)
        return found

    def boots(self) -> Mapping[str, Sequence[float]]:
        """The seconds that each boot of each build took, over all files."""
        found: dict[str, list[float]] = {}
        for file, origin in self._files.items():
            try:
                found.setdefault(origin.build, []).extend(boot.ready_seconds for boot in reading.boots(file))
            except TwxAcceptError:
                continue
        return {build: seconds for build, seconds in found.items() if seconds}

    def _of(self, build: Build) -> Iterator[BuildEvidence]:
        for file, origin in self._files.items():
            if origin.build != build.name:
                continue
            try:
                self._read[file] = self._read.get(file) or reading.read(file)
            except TwxAcceptError:
                continue
            yield self._read[file]


def _origin(file: Path) -> Origin | None:
    try:
        return reading.origin(file)
    except TwxAcceptError:
        return None
