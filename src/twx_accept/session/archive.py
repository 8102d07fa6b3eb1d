"""Kept evidence in the place of servers: decides again on any machine, without an engine or the models."""

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twx_accept.claims import Claim
from twx_accept.domain.evidence import BuildEvidence, Inventory
from twx_accept.domain.exchange import Exchange
from twx_accept.domain.run import Timing
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import EvidenceError, InvalidClaim
from twx_accept.evidence import attempts, reading
from twx_accept.session.progress import Reporter, Silent
from twx_accept.session.repetition import FIRST, name_of

SUPERSEDED = re.compile(r"\.superseded-[0-9]+\.sqlite$")
"""The end of the name of evidence that ``--fresh`` has set aside."""


@dataclass(slots=True, kw_only=True)
class Archive:
    """The evidence files of whole runs of a suite, the newest of each build; in a session it stands for a collector.

    Of all that is kept, only the exchanges of ``claims`` are read. ``again``: a repetition that is kept may be used.
    """

    suite: Suite
    folder: Path
    reporter: Reporter = field(default_factory=Silent)
    timings: list[Timing] = field(default_factory=list)
    claims: Sequence[Claim] = ()
    again: bool = True
    fresh: str = ""
    ledger: str = ""

    def files(self) -> Mapping[str, Path]:
        """The evidence file of each build: of several identities the one that began last, by the log where it tells.

        Raises:
            EvidenceError: the folder holds no evidence of the suite, or a damaged file.
        """
        found: dict[str, tuple[tuple[int, str, int], Path]] = {}
        logged = attempts.order(self.folder)
        for file in sorted(self.folder.glob("*.sqlite")):
            if SUPERSEDED.search(file.name):
                continue
            origin = reading.origin(file)
            if origin.suite != self.suite.name or origin.partial:
                continue
            began = logged.get(file.name, 0), origin.began, origin.attempt
            if origin.build not in found or found[origin.build][0] < began:
                found[origin.build] = began, file
        if not found:
            raise EvidenceError(f"{self.folder}: holds no evidence of a whole run of suite {self.suite.name!r}")
        return {build: file for build, (_, file) in found.items()}

    def evidence(self, build: Build, run: int = FIRST) -> BuildEvidence:
        """What is kept of a build in one repetition.

        Raises:
            EvidenceError: nothing is, or it cannot be read.
        """
        files = self.files()
        if build.name not in files:
            raise EvidenceError(f"{self.folder}: holds no evidence of {build.name}; it has: {', '.join(files)}")
        names = [claim.name for claim in self.claims]
        kept = reading.read(files[build.name], run, names)
        return BuildEvidence(
            build=name_of(kept.build, run),
            control=kept.control,
            identity=kept.identity,
            identity_digest=kept.identity_digest,
            inventory=kept.inventory,
            boots=kept.boots,
            exchanges={**dict.fromkeys(names, ()), **kept.exchanges},
            origin=kept.origin,
        )

    def identify(self, build: Build) -> tuple[Mapping[str, Any], Inventory]:
        """Nothing: what is kept holds its own identity and files."""
        del build
        return {}, Inventory(weights={}, digests={}, tensors={})

    def collect(
        self, build: Build, identity: Mapping[str, Any], inventory: Inventory, run: int = FIRST
    ) -> BuildEvidence:
        """Never: an archive asks nobody."""
        del identity, inventory
        return self.evidence(build, run)

    def look(
        self, build: Build, identity: Mapping[str, Any], inventory: Inventory, run: int = FIRST
    ) -> BuildEvidence | None:
        """What is kept of a build, or None; of a repetition only where everything that is planned was asked."""
        del identity, inventory
        file = self.files().get(build.name)
        if file is None:
            return None
        if run == FIRST:
            return self.evidence(build)
        booted = any(boot.run == run and not boot.spoilt for boot in reading.boots(file))
        kept = self.evidence(build, run) if booted and self.again else None
        whole = kept is not None and all(_asked_all(claim, kept.exchanges[claim.name]) for claim in self.claims)
        return kept if whole else None

    def busy(self, build: Build, identity: Mapping[str, Any]) -> bool:
        """Never: nobody collects into an archive."""
        del build, identity
        return False


def _asked_all(claim: Claim, exchanges: Sequence[Exchange]) -> bool:
    """Whether a claim's first questions were asked, and what follows from the answers that these got.

    What the first run asked is no measure: what follows quotes the answers, and the engine may have answered otherwise.
    """
    asked = {(each.request.key, each.request.digest) for each in exchanges}
    planned = list(claim.opening())
    with contextlib.suppress(InvalidClaim):  # what follows has no meaning; a run does not ask it either
        planned += claim.follow_up(exchanges)
    return all((request.key, request.digest) in asked for request in planned)
