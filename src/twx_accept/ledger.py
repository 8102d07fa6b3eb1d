"""The ledger: one line for each registration and waiver of a suite, chained by hashes.

Each entry holds the hash of the one before it, so that nothing before an entry can be changed, removed or reordered
without changing every hash after it. Evidence records the head at its beginning: a registration counts as earlier only
if that head contains it. Clocks never decide.

What it does not prove: an owner who deletes the ledger *and* every copy of its hashes (evidence, reports, the history
of the repository) can begin another one. A signed tag that somebody else has fetched is the remedy.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twx_accept.domain.exchange import digest
from twx_accept.errors import LedgerError

GENESIS = "0" * 64
"""What the first entry names as the one before it."""

FIELDS = {"number", "kind", "previous", "body", "sha256"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line. ``number`` counts from 1; ``previous`` and ``sha256`` are hex; ``kind`` says what ``body`` is."""

    number: int
    kind: str
    previous: str
    body: Mapping[str, Any]
    sha256: str

    @classmethod
    def after(cls, last: "Entry | None", kind: str, body: Mapping[str, Any]) -> "Entry":
        """The entry that follows."""
        number, previous = (last.number + 1, last.sha256) if last else (1, GENESIS)
        return cls(number=number, kind=kind, previous=previous, body=body, sha256=_hash(number, kind, previous, body))

    def line(self) -> str:
        """The entry as one line of JSON."""
        fields = {name: getattr(self, name) for name in sorted(FIELDS)}
        return json.dumps(fields, sort_keys=True, ensure_ascii=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """A ledger whose chain has been checked from the first entry to the last."""

    file: Path
    entries: tuple[Entry, ...] = ()

    @property
    def head(self) -> str:
        """The hash of the last entry, or of nothing."""
        return self.entries[-1].sha256 if self.entries else GENESIS

    def position(self, head: str) -> int | None:
        """How many entries a head contains; None where it is no head of this ledger."""
        if head == GENESIS:
            return 0
        return next((entry.number for entry in self.entries if entry.sha256 == head), None)

    def of_kind(self, kind: str) -> Iterator[Entry]:
        """The entries of one kind, oldest first."""
        return (entry for entry in self.entries if entry.kind == kind)

    def appended(self, kind: str, body: Mapping[str, Any]) -> "Ledger":
        """Write one more entry.

        Raises:
            LedgerError: the file is no longer what was read.
        """
        if load(self.file).head != self.head:
            raise LedgerError(f"{self.file}: has changed since it was read; run the command again")
        entry = Entry.after(self.entries[-1] if self.entries else None, kind, body)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(entry.line() + "\n")
        return Ledger(file=self.file, entries=(*self.entries, entry))


def load(file: Path) -> Ledger:
    """The ledger in that file, checked; an empty one where there is no file.

    Raises:
        LedgerError: a line was edited, removed, reordered, cut or is no entry; names the line.
    """
    if not file.exists():
        return Ledger(file=file)
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError(f"{file}: cannot be read ({error}); {_CURE}") from error
    if lines[-1]:
        raise LedgerError(f"{file}:{len(lines)}: the last line is cut; {_CURE}")
    entries: list[Entry] = []
    for number, line in enumerate(lines[:-1], start=1):
        entry = _parse(file, number, line)
        _check(file, entries[-1] if entries else None, entry, number)
        entries.append(entry)
    return Ledger(file=file, entries=tuple(entries))


_CURE = "restore it: the repository's history has a suite's ledger (`git log -p`), a copy of its folder any other log"


def _parse(file: Path, number: int, line: str) -> Entry:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LedgerError(f"{file}:{number}: is no entry ({error}); {_CURE}") from error
    if not isinstance(fields, dict) or set(fields) != FIELDS or not isinstance(fields["body"], dict):
        raise LedgerError(f"{file}:{number}: is no entry with {', '.join(sorted(FIELDS))}; {_CURE}")
    return Entry(**fields)


def _check(file: Path, last: Entry | None, entry: Entry, number: int) -> None:
    """The entry must be whole, in its place, and follow the one before it."""
    try:
        whole = entry.sha256 == _hash(entry.number, entry.kind, entry.previous, entry.body)
    except (TypeError, ValueError):  # a value that no canonical JSON has
        whole = False
    if not whole:
        raise LedgerError(f"{file}:{number}: was edited after it was written (its hash does not fit); {_CURE}")
    if entry.previous != (last.sha256 if last else GENESIS) or entry.number != number:
        raise LedgerError(
            f"{file}:{number}: does not follow the entry before it: an entry was removed, moved or put in; {_CURE}"
        )


def _hash(number: int, kind: str, previous: str, body: Mapping[str, Any]) -> str:
    return digest({"number": number, "kind": kind, "previous": previous, "body": body})
