"""Judging again: every claim of a suite decided from kept evidence alone."""

import contextlib
import gc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from twx_accept.claims import Claim
from twx_accept.domain.run import RunRecord
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import InvalidClaim
from twx_accept.ledger import Entry, Ledger
from twx_accept.session.archive import Archive
from twx_accept.session.recording import record
from twx_accept.session.registry import Registry
from twx_accept.session.run import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What judging again takes: the suite and its claims (as registered at some entry), the ledger, the evidence.

    ``superseded`` says by which older marks it is decided, where it is not by those in force.
    """

    suite: Suite
    claims: Sequence[Claim]
    book: Ledger
    entries: Mapping[str, Entry]
    evidence: Path
    superseded: str = ""


def judge(bench: Bench, *, date: str, command: str) -> RunRecord:
    """Decide every claim about every build that has evidence.

    Args:
        bench: what it takes.
        date: ISO 8601 with a zone, for the record.
        command: the command line, for the record.

    Raises:
        EvidenceError: there is no evidence of the suite, or it cannot be read.
    """
    with _collector_at_rest():
        archive = Archive(suite=bench.suite, folder=bench.evidence)
        session = Session(
            suite=bench.suite,
            builds=_decidable(bench.suite, archive),
            claims=bench.claims,
            collector=archive,
            partial="",
            registry=Registry(book=bench.book, entries=bench.entries, evidence=bench.evidence),
        )
        session.preload({build.name: archive.evidence(build) for build in (bench.suite.original, *session.builds)})
        for build in session.builds:
            for claim in bench.claims:
                with contextlib.suppress(InvalidClaim):  # recorded
                    session.decide(claim, build)
        run = record(session, date=date, command=command, interrupted=False)
        return replace(run, disclosures=(*filter(None, [bench.superseded]), *run.disclosures))


@contextlib.contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Without Python's search for cycles: evidence is millions of objects in none, and it took a third of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _decidable(suite: Suite, archive: Archive) -> list[Build]:
    """The builds that have evidence, the control first, as in a run."""
    there = archive.files()
    return sorted((build for build in suite.builds if build.name in there), key=lambda build: not build.control)
