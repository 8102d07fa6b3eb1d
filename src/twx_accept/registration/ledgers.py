"""Registrations and waivers in a suite's ledger, and whether evidence was begun after a mark was registered."""

import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
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


def last(book: ledger.Ledger) -> ledger.Entry | None:
    """The last registration; None where there is none."""
    return next(reversed(list(book.of_kind(REGISTRATION))), None)


def rules(suite: Suite) -> Mapping[str, Any]:
    """What a suite itself lays down for all of its claims: who is compared, who must not pass, what may differ."""
    return {
        "original": suite.original.name,
        "controls": sorted(build.name for build in suite.builds if build.control),
        "may_differ": sorted(suite.may_differ),
        **({"noise_floor": "required"} if suite.noise_floor else {}),
    }


def require_suite(book: ledger.Ledger, suite: Suite) -> None:
    """Stop where a suite has dropped a registered claim, or lays down other rules than the registered ones.

    Raises:
        UsageError: naming what has changed since the last registration.
    """
    newest = last(book)
    if newest is None:
        return
    found = [f"it no longer makes the claim {name!r}" for name in newest.body["claims"] if name not in suite.claims]
    if "rules" in newest.body:  # the first registrations did not hold them
        found += marks.drift(newest.body["rules"], rules(suite))
    if found:
        raise UsageError(
            f"suite {suite.name} is not the one that is registered (entry {newest.number}): {'; '.join(found)}; "
            f"undo the change, or register it with `twx-accept register {suite.name}`"
        )


def standing(folder: Path, suite: Suite, claims: Iterable[Claim]) -> ledger.Entry | None:
    """The last registration where it says all that the suite says now, and so do the marks' files; else None.

    Raises:
        LedgerError: the ledger was changed.
    """
    made = tuple(claims)
    newest = last(of(folder, suite))
    if newest is None or not all(marks.is_registered(folder, claim, suite) for claim in made):
        return None
    says = _says(suite, made)
    return newest if canonical({name: newest.body.get(name) for name in says}) == canonical(says) else None


def _says(suite: Suite, claims: Iterable[Claim]) -> Mapping[str, Any]:
    """What a registration of a suite holds."""
    registered = {
        claim.name: {"settings": suite.claims[claim.name], "specification": claim.specification()} for claim in claims
    }
    return {"claims": registered, "rules": rules(suite)}


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
    made = tuple(claims)
    if (stands := standing(folder, suite, made)) is not None:
        raise UsageError(f"suite {suite.name}: every mark is registered as it stands (entry {stands.number})")
    for claim in made:
        marks.write(folder, claim, suite)
    return book.appended(
        REGISTRATION,
        {
            "suite": suite.name,
            "version": suite.version,
            "by": who.name,
            "date": who.date,
            "commit": who.commit,
            **_says(suite, made),
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


def as_registered(book: ledger.Ledger, number: int, suite: Suite) -> Suite:
    """The suite with its claims and its rules as a registration has them; claims in the suite's order.

    Raises:
        UsageError: there is no such registration (the known ones are listed), or it compares with another original.
    """
    known = {entry.number: entry for entry in book.of_kind(REGISTRATION)}
    if number not in known:
        listed = ", ".join(f"{entry.number} ({entry.body['date']})" for entry in known.values()) or "none"
        raise UsageError(f"{book.file}: entry {number} is no registration; there are: {listed}")
    body = known[number].body
    order = [name for name in dict.fromkeys([*suite.claims, *body["claims"]]) if name in body["claims"]]
    claims = {name: body["claims"][name]["settings"] for name in order}
    return replace(suite, claims=claims, **_as_ruled(suite, body.get("rules"), f"{book.file}:{number}"))


def _as_ruled(suite: Suite, ruled: Mapping[str, Any] | None, where: str) -> Mapping[str, Any]:
    """What a suite lays down for all claims, as registered; the first registrations did not hold it."""
    if ruled is None:
        return {}
    if ruled["original"] != suite.original.name:
        raise UsageError(
            f"{where}: compares with the original {ruled['original']!r}, the suite with another; undo that"
        )
    return {
        "may_differ": tuple(ruled["may_differ"]),
        "noise_floor": ruled.get("noise_floor") == "required",
        "builds": tuple(replace(build, control=build.name in ruled["controls"]) for build in suite.builds),
    }


def entry_in_force(book: ledger.Ledger, claim: Claim, until: int | None = None) -> ledger.Entry:
    """The registration of a claim that is in force, which must say what the claim says now.

    An entry holds every mark of the suite. One that repeats a mark unchanged does not make it younger: it is registered
    since the first of the entries that say the same, of it and of the suite's rules, without a break.

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
        if entry.body.get("rules", entries[-1].body.get("rules")) != entries[-1].body.get("rules"):
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
    commit, changed = _git(folder, "rev-parse", "HEAD"), _git(folder, "status", "--porcelain")
    if commit is None or changed is None:
        raise UsageError(
            f"{folder}: is in no git repository with a commit, and marks are registered at one: `git init`, `git add` "
            "what belongs to the project, `git commit`"
        )
    if changed:
        names = ", ".join(line[3:] for line in changed.splitlines()[:5])
        raise UsageError(f"the tree is dirty ({names}): commit or stash first, so that the registration has a commit")
    return Who(name=name or _git(folder, "config", "user.name") or "unknown", date=date, commit=commit)


def head_commit(folder: Path) -> str:
    """The commit that is checked out, or "none" outside a repository."""
    return _git(folder, "rev-parse", "HEAD") or "none"


def differing_files(folder: Path, suite: Suite, book: ledger.Ledger) -> list[str]:
    """Marks whose file says something else than the last registration in the ledger, each in a line."""
    newest = last(book)
    found = []
    for name, registered in (newest.body["claims"] if newest else {}).items():
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
            f"git cannot sign the tag {name} ({' '.join(ran.stderr.split())[:200]}); give git a key "
            f"(user.signingkey), then `twx-accept register {suite.name} --tag` again: what is registered stays so"
        )
    return name


def _git(folder: Path, *words: str) -> str | None:
    """What git says, or None where it fails or is not there."""
    try:
        ran = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=False)  # noqa: S607
    except OSError:
        return None
    return ran.stdout.rstrip("\n") if ran.returncode == 0 else None
