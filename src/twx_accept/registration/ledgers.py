"""Registrations and waivers in a suite's ledger, and whether evidence was begun after a mark was registered."""

import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twx_accept import ledger
from twx_accept.claims import Claim
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.exchange import canonical
from twx_accept.domain.run import Waiver
from twx_accept.domain.suite import Suite
from twx_accept.errors import InvalidClaim, LedgerError, UsageError
from twx_accept.registration import marks

REGISTRATION, WAIVER = "registration", "waiver"

FIELDS = {
    REGISTRATION: {"suite", "version", "by", "date", "commit", "claims"},
    WAIVER: {"suite", "build", "claim", "reason", "by", "date", "commit"},
}
"""What the body of each kind of entry holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Who registers or waives, when, and at which commit: for people; nothing is decided by it."""

    name: str
    date: str
    commit: str


def file_of(folder: Path, suite: Suite) -> Path:
    """The ledger of a suite, beside its marks."""
    return folder / marks.FOLDER / f"{suite.name}.ledger.jsonl"


def of(folder: Path, suite: Suite) -> ledger.Ledger:
    """The suite's ledger, checked.

    Raises:
        LedgerError: it was changed, or is another suite's.
    """
    book = ledger.load(file_of(folder, suite))
    for entry in book.entries:
        if not FIELDS.get(entry.kind, {""}) <= set(entry.body) or entry.body["suite"] != suite.name:
            raise LedgerError(
                f"{book.file}:{entry.number}: is no registration or waiver of suite {suite.name!r}: this is another "
                "ledger; restore the suite's own from the repository's history"
            )
    return book


def register(folder: Path, suite: Suite, claims: Iterable[Claim], who: Who) -> ledger.Ledger:
    """Write each claim's mark and one entry that holds all of them.

    Args:
        folder: the folder of the acceptance tests.
        suite: the suite.
        claims: its claims.
        who: who registers.

    Raises:
        LedgerError: the ledger was changed.
        UsageError: nothing has changed since the last registration.
    """
    book = of(folder, suite)
    made = {claim.name: claim for claim in claims}
    registered = {
        name: {"settings": suite.claims[name], "specification": claim.specification()} for name, claim in made.items()
    }
    last = next(reversed(list(book.of_kind(REGISTRATION))), None)
    whole = all(marks.is_registered(folder, claim, suite) for claim in made.values())
    if last is not None and canonical(last.body["claims"]) == canonical(registered) and whole:
        raise UsageError(f"suite {suite.name}: every mark is registered as it stands (entry {last.number})")
    for claim in made.values():
        marks.write(folder, claim, suite)
    return book.appended(
        REGISTRATION,
        {
            "suite": suite.name,
            "version": suite.version,
            "by": who.name,
            "date": who.date,
            "commit": who.commit,
            "claims": registered,
        },
    )


def waive(folder: Path, suite: Suite, build: str, claim: str, reason: str, who: Who) -> ledger.Ledger:
    """Write that somebody ships a build although a claim is not shown, and why.

    Raises:
        UsageError: the reason or the name is empty.
        LedgerError: the ledger was changed.
    """
    if not reason.strip() or not who.name.strip():
        raise UsageError("a waiver needs a reason and a name: --reason TEXT --name WHO")
    body = {"suite": suite.name, "build": build, "claim": claim, "reason": reason.strip(), "by": who.name.strip()}
    return of(folder, suite).appended(WAIVER, body | {"date": who.date, "commit": who.commit})


def waivers(book: ledger.Ledger) -> tuple[Waiver, ...]:
    """Every waiver, oldest first."""
    return tuple(
        Waiver(**{name: str(entry.body[name]) for name in ("build", "claim", "reason", "by", "date")})
        for entry in book.of_kind(WAIVER)
    )


def registered_settings(book: ledger.Ledger, number: int) -> Mapping[str, Mapping[str, Any]]:
    """The settings of each claim as a registration has them.

    Raises:
        UsageError: there is no such registration; the known ones are listed.
    """
    known = {entry.number: entry for entry in book.of_kind(REGISTRATION)}
    if number not in known:
        listed = ", ".join(f"{entry.number} ({entry.body['date']})" for entry in known.values()) or "none"
        raise UsageError(f"{book.file}: entry {number} is no registration; there are: {listed}")
    return {name: claim["settings"] for name, claim in known[number].body["claims"].items()}


def entry_in_force(book: ledger.Ledger, claim: Claim, until: int | None = None) -> ledger.Entry:
    """The registration of a claim that is in force, which must say what the claim says now.

    An entry holds every mark of the suite. One that repeats a mark unchanged does not make it younger: it is registered
    since the first of the entries that say the same without a break.

    Args:
        book: the suite's ledger.
        claim: the claim.
        until: the last entry that counts; None for all of them.

    Raises:
        InvalidClaim: it was never registered, or its mark file and its suite were changed together without registering.
    """
    entries = [entry for entry in book.of_kind(REGISTRATION) if until is None or entry.number <= until]
    cure = "register it with `twx-accept register`, and run with --fresh"
    if not entries or claim.name not in entries[-1].body["claims"]:
        raise InvalidClaim(f"{claim.title}: the ledger {book.file.name} has no registration of it in force; {cure}")
    registered = entries[-1].body["claims"][claim.name]["specification"]
    drift = marks.drift(registered, claim.specification())
    if drift:
        changes = "; ".join(drift)
        raise InvalidClaim(f"{claim.title}: the mark is not the one in the ledger: {changes}; undo it, or {cure}")
    since = entries[-1]
    for entry in reversed(entries):
        again = entry.body["claims"].get(claim.name)
        if again is None or canonical(again["specification"]) != canonical(registered):
            break
        since = entry
    return since


def exploratory(book: ledger.Ledger, entry: ledger.Entry, evidence: BuildEvidence) -> str:
    """Why evidence does not count as begun after that registration; empty where it does.

    Raises:
        LedgerError: the evidence was begun under a ledger that this one does not contain.
    """
    if evidence.origin is None:
        return f"the evidence of {evidence.build} does not say under which ledger it was begun"
    position = book.position(evidence.origin.ledger)
    if position is None:
        raise LedgerError(
            f"the evidence of {evidence.build} was begun under a ledger head ({evidence.origin.ledger[:12]}) that "
            f"{book.file.name} does not contain: the ledger was cut, or begun anew; restore it from the history"
        )
    if position < entry.number:
        return (
            f"the mark was registered (entry {entry.number}) after the evidence of {evidence.build} was begun "
            f"(at entry {position})"
        )
    return ""


def who(folder: Path, name: str, date: str) -> Who:
    """Who acts, at the commit that is checked out.

    Raises:
        UsageError: the tree has changes that are not committed, or is in no repository.
    """
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        raise UsageError(
            f"{folder}: is in no git repository with a commit; marks are registered at a commit: `git init`"
        )
    changed = _git(folder, "status", "--porcelain")
    if changed:
        names = ", ".join(line[3:] for line in changed.splitlines()[:5])
        raise UsageError(f"the tree is dirty ({names}): commit or stash first, so that the registration has a commit")
    return Who(name=name or _git(folder, "config", "user.name") or "unknown", date=date, commit=commit)


def head_commit(folder: Path) -> str:
    """The commit that is checked out, or "none" outside a repository."""
    return _git(folder, "rev-parse", "HEAD") or "none"


def differing_files(folder: Path, suite: Suite, book: ledger.Ledger) -> list[str]:
    """Marks whose file says something else than the last registration in the ledger, each in a line."""
    last = next(reversed(list(book.of_kind(REGISTRATION))), None)
    found = []
    for name, registered in (last.body["claims"] if last else {}).items():
        file = folder / marks.FOLDER / f"{suite.name}.{name}.json"
        try:
            changes = marks.drift(registered["specification"], json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            changes = [f"it cannot be read ({error})"]
        found += [f"{file}: {'; '.join(changes)}; restore it from the repository's history"] if changes else []
    return found


def tag(folder: Path, suite: Suite, book: ledger.Ledger) -> str:
    """Sign a tag whose message is the ledger's head. Pushed, it is what an owner cannot take back alone.

    Raises:
        UsageError: git cannot sign.
    """
    name = f"twx-accept/{suite.name}/{len(book.entries)}"
    ran = subprocess.run(
        ["git", "-C", folder, "tag", "-s", name, "-m", f"{suite.name} ledger head {book.head}"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise UsageError(
            f"git cannot sign the tag {name} ({ran.stderr.strip()[:200]}); set user.signingkey, or no --tag"
        )
    return name


def _git(folder: Path, *words: str) -> str | None:
    """What git says, or None where it fails or is not there."""
    try:
        ran = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=False)  # noqa: S607
    except OSError:
        return None
    return ran.stdout.rstrip("\n") if ran.returncode == 0 else None
