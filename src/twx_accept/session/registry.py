"""When each mark was registered, against when the evidence was begun: what makes a verdict more than exploratory."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from twx_accept.domain.evidence import BuildEvidence, Origin
from twx_accept.domain.run import Waiver
from twx_accept.errors import EvidenceError
from twx_accept.evidence import attempts, reading
from twx_accept.ledger import Entry, Ledger
from twx_accept.registration import ledgers


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """The suite's ledger, the entry in force of each claim, and where evidence of partial runs lies."""

    book: Ledger
    entries: Mapping[str, Entry] = field(default_factory=dict)
    evidence: Path

    def exploratory(self, claim: str, *sides: BuildEvidence) -> str:
        """Why a verdict is exploratory: a side was begun before the mark was registered. Empty where it is not.

        Raises:
            LedgerError: a side was begun under a ledger that this one does not contain.
            EvidenceError: the log of attempts says something else of how a side began.
        """
        for side in sides:
            if side.origin is not None:
                attempts.require_logged(self.evidence, side.origin)
        entry = self.entries.get(claim)
        if entry is None:
            return "its mark is not in the ledger"
        return "; ".join(filter(None, (ledgers.exploratory(self.book, entry, side) for side in sides)))

    def with_spoilt(self, claim: str, side: BuildEvidence) -> BuildEvidence:
        """The evidence with the items that a partial run had asked these weights before the mark was registered."""
        planned = side.exchanges.get(claim, ())
        touched = frozenset(
            item for file in self._before(claim, side) for item in reading.touched(file, claim, planned)
        )
        return replace(side, spoilt={**side.spoilt, claim: touched}) if touched else side

    def disclosures(self, *sides: BuildEvidence) -> Iterator[str]:
        """Partial runs of a side's weights, whole ones before the marks, and those of others by its name, in words."""
        for side in sides:
            if side.origin is not None and (count := attempts.of_other_weights(self.evidence, side.origin)):
                yield f"{side.build}: {count} {_runs(count)} of other weights under this name"
            if count := sum(1 for _ in self._partial(side)):
                yield f"{side.build}: {count} partial {_runs(count)} with these weights, kept apart"
            if count := sum(1 for _ in self._whole_before(side)):
                yield f"{side.build}: {count} whole {_runs(count)} with these weights, begun before these marks"

    def waivers(self) -> tuple[Waiver, ...]:
        """Every waiver of the suite."""
        return ledgers.waivers(self.book)

    def _before(self, claim: str, side: BuildEvidence) -> Iterator[Path]:
        """Partial evidence that was begun before the mark was registered, or under a ledger that is not this one."""
        entry = self.entries.get(claim)
        for file in self._partial(side):
            position = self.book.position(reading.origin(file).ledger)
            if entry is None or position is None or position < entry.number:
                yield file

    def _partial(self, side: BuildEvidence) -> Iterator[Path]:
        """Every partial evidence file of the same weights, whatever the build was called then."""
        return (file for file, origin in self._of_the_weights(side) if origin.partial)

    def _whole_before(self, side: BuildEvidence) -> Iterator[Path]:
        """Every other whole run of the same weights that was begun before the last of the marks was registered."""
        last = max((entry.number for entry in self.entries.values()), default=0)
        for file, origin in self._of_the_weights(side):
            position = self.book.position(origin.ledger)
            if not origin.partial and origin != side.origin and (position is None or position < last):
                yield file

    def _of_the_weights(self, side: BuildEvidence) -> Iterator[tuple[Path, Origin]]:
        """Every evidence file of the same weights with how it began."""
        for file in sorted(self.evidence.glob("*.sqlite")):
            try:
                origin = reading.origin(file)
            except EvidenceError:  # cut off at its very beginning: nothing was asked
                continue
            if side.origin is not None and origin.weights == side.origin.weights:
                yield file, origin


def _runs(count: int) -> str:
    return "run" if count == 1 else "runs"
