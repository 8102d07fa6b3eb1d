"""The command judge."""

import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from twx_accept.acceptance.writing import write
from twx_accept.cli.common import TESTS, Questions, Root, SuiteName, Tests, claims_of, suite_of, tests_of
from twx_accept.ledger import Ledger
from twx_accept.registration import ledgers
from twx_accept.report.text import summary
from twx_accept.session.judging import Bench, make_ready
from twx_accept.session.judging import judge as decide


def judge(
    name: SuiteName,
    root: Root = Path(),
    evidence: Annotated[Path | None, typer.Option(help="The folder of evidence. Default: reports/evidence.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the reports are written. Default: reports/judged.")
    ] = None,
    as_of: Annotated[
        int | None, typer.Option(metavar="N", help="Decide by ledger entry N: what would have been decided then.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes. Default: one for each core, where there is much evidence.")
    ] = None,
    tests: Tests = TESTS,
    questions: Questions = None,
) -> None:
    """Decide again from kept evidence, on any machine: no engine, no models, nothing is served or asked.

    The verdicts are the run's own, to the byte. Exit status 1 where a build that gates may not ship.
    """
    found, folder = suite_of(root, name), tests_of(root, tests)
    book = ledgers.of(folder, found)
    if as_of is None:
        ledgers.require_suite(book, found)
    else:
        found = ledgers.as_registered(book, as_of, found)
    kept = evidence or root / "reports" / "evidence"
    make_ready(found, kept, workers)
    claims = claims_of(found, questions)
    bench = Bench(
        suite=found,
        claims=claims,
        book=book,
        entries={claim.name: ledgers.entry_in_force(book, claim, as_of) for claim in claims},
        evidence=kept,
        superseded=_superseded(book, as_of),
    )
    command = shlex.join(["twx-accept", *sys.argv[1:]])
    run = decide(bench, date=datetime.now(UTC).isoformat(timespec="seconds"), command=command, workers=workers)
    reports = out or root / "reports" / "judged"
    write(run, reports, say=typer.echo)
    for line in summary(run, where=str(reports / "report.html")):
        typer.echo(line)
    ships = [run.may_ship(build) for build in run.builds if build not in run.controls]
    raise typer.Exit(0 if ships and all(ships) else 1)


def _superseded(book: Ledger, as_of: int | None) -> str:
    """That older marks decide, in words; empty where those in force do."""
    last = max((entry.number for entry in book.of_kind(ledgers.REGISTRATION)), default=None)
    if as_of is None or as_of == last:
        return ""
    return f"decided by the marks of ledger entry {as_of}, which are superseded: those in force are in entry {last}"
