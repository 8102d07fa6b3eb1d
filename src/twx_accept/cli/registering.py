"""Commands about marks: register, waive, ledger."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from twx_accept.cli.common import TESTS, Questions, Root, SuiteName, Tests, claims_of, suite_of, tests_of
from twx_accept.errors import UsageError
from twx_accept.registration import ledgers
from twx_accept.report.hostile import plain


def register(
    name: SuiteName,
    root: Root = Path(),
    tests: Tests = TESTS,
    questions: Questions = None,
    by: Annotated[str, typer.Option(metavar="NAME", help="Who registers. Default: git's user.name.")] = "",
    tag: Annotated[bool, typer.Option("--tag", help="Also sign a git tag that carries the ledger's head.")] = False,
) -> None:
    """Register the marks of a suite before its run: a JSON snapshot of each claim, and an entry in the ledger.

    Needs a clean tree, so that the registration has a commit. Commit what it writes. It serves and asks nothing. A mark
    that changes later is told by every acceptance run; one that is registered after evidence was begun makes the
    verdicts on that evidence exploratory. Where nothing has changed, --tag signs what is registered and committed.
    """
    found, folder = suite_of(root, name), tests_of(root, tests)
    claims, who = claims_of(found, questions), ledgers.who(folder, by, _now())
    if tag and ledgers.standing(folder, found, claims):
        book = ledgers.of(folder, found)
    else:
        book = ledgers.register(folder, found, claims, who)
        entry = book.entries[-1]
        for claim in entry.body["claims"]:
            typer.echo(f"registered {found.name}.{claim}")
        typer.echo(f"ledger entry {entry.number}, head {book.head} ({book.file})")
        typer.echo("Commit these files before the run.")
    if tag:
        typer.echo(f"signed tag {ledgers.tag(folder, found, book)}: push it, so that the ledger cannot be begun anew")


def waive(
    name: SuiteName,
    build: Annotated[str, typer.Argument(help="The build that ships anyway.")],
    claim: Annotated[str, typer.Argument(help="The claim that is not shown for it.")],
    reason: Annotated[str, typer.Option(help="Why it ships. Required; shown in the report's head.")] = "",
    by: Annotated[str, typer.Option("--name", metavar="WHO", help="Whose decision it is. Required.")] = "",
    root: Root = Path(),
    tests: Tests = TESTS,
) -> None:
    """Put on record that a build ships although a claim about it is not shown. The verdict itself stays what it is."""
    found, folder = suite_of(root, name), tests_of(root, tests)
    if build not in [known.name for known in found.builds]:
        raise UsageError(
            f"no build {build!r} in suite {found.name!r}; it has: {', '.join(b.name for b in found.builds)}"
        )
    if claim not in found.claims:
        raise UsageError(f"suite {found.name!r} makes no claim {claim!r}; it makes: {', '.join(found.claims)}")
    who = ledgers.Who(name=by, date=_now(), commit=ledgers.head_commit(folder))
    book = ledgers.waive(folder, found, build, claim, reason, who)
    typer.echo(f"waived: {claim} of {build}, ledger entry {len(book.entries)}. Commit {book.file}.")


def ledger(name: SuiteName, root: Root = Path(), tests: Tests = TESTS) -> None:
    """Check the ledger of a suite from its first entry to its last, and show it."""
    found, folder = suite_of(root, name), tests_of(root, tests)
    book = ledgers.of(folder, found)
    if not book.entries:
        raise UsageError(f"{book.file}: nothing is registered yet; `twx-accept register {found.name}` does so")
    for entry in book.entries:
        what = ", ".join(entry.body["claims"]) if entry.kind == ledgers.REGISTRATION else _waived(entry.body)
        typer.echo(plain(f"{entry.number}  {entry.body['date']}  {entry.kind} by {entry.body['by']}: {what}"))
        typer.echo(f"   {entry.sha256}  at commit {entry.body['commit'][:12]}")
    if differing := ledgers.differing_files(folder, found, book):
        raise UsageError("; ".join(differing))
    ledgers.require_suite(book, found)
    entries = "1 entry" if len(book.entries) == 1 else f"{len(book.entries)} entries"
    typer.echo(f"{entries}, the chain holds, and every mark's file says what the ledger says")


def _waived(body: Mapping[str, Any]) -> str:
    return f"{body['claim']} of {body['build']}: {body['reason']}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
