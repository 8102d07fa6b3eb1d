"""What the checks look at: the suite on this machine, each thing read once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from twx_accept import claims
from twx_accept.claims import Claim
from twx_accept.domain.scope import Scope
from twx_accept.domain.source import Sources
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import EvidenceError, TwxAcceptError
from twx_accept.evidence.files import WeightFiles, weight_files
from twx_accept.serving.cards import Card
from twx_accept.session.slots import Machine, pool


@dataclass(kw_only=True)
class Node:
    """A suite that is about to be run here.

    ``tests`` is the folder of the acceptance tests, beside which the marks lie; ``evidence`` where evidence will be
    kept; ``machine`` where this machine's locks lie; ``sources`` where the claims find their rows.
    """

    suite: Suite
    tests: Path
    evidence: Path
    machine: Machine
    sources: Sources
    say: Callable[[str], None] = lambda _: None
    _files: dict[str, WeightFiles] = field(default_factory=dict)

    @property
    def builds(self) -> tuple[Build, ...]:
        """Every build, the original first."""
        return (self.suite.original, *self.suite.builds)

    @property
    def here(self) -> bool:
        """Whether the weights lie on this machine."""
        return self.suite.engine.launcher != "attach"

    def files(self, build: Build) -> WeightFiles:
        """The weight files of a build; nothing where there is no such folder.

        Raises:
            EvidenceError: they cannot be read.
        """
        if build.name not in self._files:
            try:
                self._files[build.name] = weight_files(build.path) if build.path.is_dir() else WeightFiles()
            except OSError as error:
                raise EvidenceError(f"{build.path}: cannot be read ({error})") from error
        return self._files[build.name]

    def weight_bytes(self, build: Build) -> int:
        """Bytes of a build's weight files, 0 where there are none or they cannot be read."""
        try:
            return sum(file.stat().st_size for file in self.files(build).weights)
        except (OSError, EvidenceError):
            return 0

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards that the suite may use (ServingError as :func:`pool`)."""
        return pool(self.suite.engine)

    @cached_property
    def claims(self) -> Mapping[str, Claim | TwxAcceptError]:
        """Each claim of the suite by name, or why it cannot be made."""
        return made(self.suite, self.sources, Scope())

    @property
    def made(self) -> Sequence[Claim]:
        """The claims that can be made."""
        return [each for each in self.claims.values() if not isinstance(each, TwxAcceptError)]


def made(suite: Suite, sources: Sources, scope: Scope) -> Mapping[str, Claim | TwxAcceptError]:
    """Each claim of a suite by name, one at a time: one that fails hides no other."""
    found: dict[str, Claim | TwxAcceptError] = {}
    for name in suite.claims:
        try:
            (found[name],) = claims.of_suite(_with(suite, name), sources, scope)
        except TwxAcceptError as error:
            found[name] = error
    return found


def _with(suite: Suite, claim: str) -> Suite:
    return replace(suite, claims={claim: suite.claims[claim]})
