"""When each mark was registered, against when the evidence was begun: what makes a verdict more than exploratory."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.run import Waiver
from twx_accept.errors import EvidenceError
from twx_accept.evidence import reading
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
        """
        entry = self.entries.get(claim)
        if entry is None:
            return "its mark is not in the ledger"
        return "; ".join(filter(None, (ledgers.exploratory(self.book, entry, side) for side in sides)))

    def with_spoilt(self, claim: str, side: BuildEvidence) -> BuildEvidence:
        """The evidence with the items that a partial run had asked these weights before the mark was registered."""
        touched = frozenset(item for file in self._before(claim, side) for item in reading.touched(file, claim))
        return replace(side, spoilt={**side.spoilt, claim: touched}) if touched else side

    def disclosures(self, *sides: BuildEvidence) -> Iterator[str]:
        """Partial runs with the weights of a side, in words."""
        for side in sides:
            count = sum(1 for _ in self._partial(side))
            if count:
                yield f"{side.build}: {count} partial {'run' if count == 1 else 'runs'} with these weights, kept apart"

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
        for file in sorted(self.evidence.glob("*-partial-*.sqlite")):
            try:
                origin = reading.origin(file)
            except EvidenceError:  # cut off at its very beginning: nothing was asked
                continue
            if side.origin is not None and origin.weights == side.origin.weights:
                yield file
