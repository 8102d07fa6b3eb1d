"""The command judge."""

import shlex
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from twx_accept.acceptance.writing import write
from twx_accept.claims import Claim
from twx_accept.cli.common import TESTS, Questions, Root, SuiteName, Tests, claims_of, suite_of, tests_of
from twx_accept.ledger import Entry, Ledger
from twx_accept.registration import ledgers
from twx_accept.report.text import summary
from twx_accept.session.judging import Bench
from twx_accept.session.judging import judge as decide


def judge(
    name: SuiteName,
    root: Root = Path(),
    evidence: Annotated[Path | None, typer.Option(help="The folder of evidence. Default: reports/evidence.")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the reports are written.")] = Path("reports/judged"),
    as_of: Annotated[
        int | None, typer.Option(metavar="N", help="Decide by ledger entry N: what would have been decided then.")
    ] = None,
    tests: Tests = TESTS,
    questions: Questions = None,
) -> None:
    """Decide again from kept evidence, on any machine: no engine, no models, nothing is served or asked.

    The verdicts are the run's own, to the byte. Exit status 1 where a build that gates may not ship.
    """
    found, folder = suite_of(root, name), tests_of(root, tests)
    book = ledgers.of(folder, found)
    if as_of is not None:
        found = replace(found, claims=ledgers.registered_settings(book, as_of))
    claims = claims_of(found, questions)
    entries = _entries(book, claims, as_of)
    bench = Bench(
        suite=found, claims=claims, book=book, entries=entries, evidence=evidence or root / "reports" / "evidence"
    )
    command = shlex.join(["twx-accept", *sys.argv[1:]])
    run = decide(bench, date=datetime.now(UTC).isoformat(timespec="seconds"), command=command)
    write(run, out, say=typer.echo)
    for line in summary(run, where=str(out / "report.html")):
        typer.echo(line)
    ships = [run.may_ship(build) for build in run.builds if build not in run.controls]
    raise typer.Exit(0 if ships and all(ships) else 1)


def _entries(book: Ledger, claims: tuple[Claim, ...], as_of: int | None) -> dict[str, Entry]:
    """The registration by which each claim is decided."""
    if as_of is not None:
        (entry,) = [each for each in book.of_kind(ledgers.REGISTRATION) if each.number == as_of]
        return {claim.name: entry for claim in claims}
    return {claim.name: ledgers.entry_in_force(book, claim) for claim in claims}
