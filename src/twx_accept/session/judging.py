"""Judging again: every claim of a suite decided from kept evidence alone."""

import contextlib
import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from twx_accept.claims import Claim, Foreseeing
from twx_accept.domain.run import RunRecord
from twx_accept.domain.suite import Build, Suite
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import InvalidClaim
from twx_accept.ledger import Entry, Ledger
from twx_accept.session.archive import Archive
from twx_accept.session.comparing import Beside, beside
from twx_accept.session.crew import MOST, Crew, cores, crew
from twx_accept.session.recording import record
from twx_accept.session.registry import Registry
from twx_accept.session.run import Session

LITTLE = 48 * 2**20
"""Bytes of evidence up to which it is judged here: processes take as long to start as that does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What judging again takes: the suite and its claims (as registered at some entry), the ledger, the evidence.

    ``superseded`` says by which older marks it is decided, where it is not by those in force. ``again``: what is kept
    of the original's repetition may be used.
    """

    suite: Suite
    claims: Sequence[Claim]
    book: Ledger
    entries: Mapping[str, Entry]
    evidence: Path
    superseded: str = ""
    again: bool = True


def judge(bench: Bench, *, date: str, command: str, workers: int | None = None) -> RunRecord:
    """Decide every claim about every build that has evidence.

    Args:
        bench: what it takes.
        date: ISO 8601 with a zone, for the record.
        command: the command line, for the record.
        workers: over how many processes to spread it; without a word one for each core, where there is much evidence.

    Raises:
        EvidenceError: there is no evidence of the suite, or it cannot be read.
        WorkerLost: a process was ended before it was done.
    """
    files = Archive(suite=bench.suite, folder=bench.evidence).files()
    modules = dict.fromkeys([__name__, *(type(claim).__module__ for claim in bench.claims)])
    size = _fitting(files.values()) if workers is None else workers
    with _collector_at_rest(), crew(size, modules) as hands:
        found = _found(bench, hands)
        again = all(each.whole for each in found)
        if not again and any(each.whole for each in found):  # in a run it is there for all the claims, or for none
            found = _found(replace(bench, again=False), hands)
        session = _session(replace(bench, claims=(), again=again))
        session.claims = bench.claims
        session.verdicts |= {at: verdict for each in found for at, verdict in each.verdicts.items()}
        run = record(
            session,
            date=date,
            command=command,
            interrupted=False,
            beside=Beside(
                floor=tuple(verdict for each in found for verdict in each.beside.floor),
                pairs=tuple(contrast for each in found for contrast in each.beside.pairs),
            ),
        )
        return replace(run, disclosures=(*filter(None, [bench.superseded]), *run.disclosures))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What some claims come to about every build. ``whole``: the original's repetition is, as far as they ask it."""

    verdicts: Mapping[tuple[str, str], Verdict]
    beside: Beside
    whole: bool


def _found(bench: Bench, hands: Crew) -> list[_Found]:
    """What each claim comes to, in their order; each is decided from its own exchanges alone, wherever that is done."""
    shares = {claim.name: replace(bench, claims=[claim]) for claim in bench.claims}
    cut = [claim.name for claim in bench.claims if hands.size > 1 and isinstance(claim, Foreseeing)]
    whole = {name: hands.begin(_decided, share) for name, share in shares.items() if name not in cut}
    found = {name: _decided(shares[name], hands) for name in cut}
    return [found[name] if name in cut else whole[name]() for name in shares]


def _decided(bench: Bench, hands: Crew | None = None) -> _Found:
    """What the claims of a bench come to; with hands, what can be cut into parts is given out to them."""
    with _collector_at_rest():
        session = _session(bench)
        for claim in bench.claims:
            if hands is not None and isinstance(claim, Foreseeing):
                sides = [session.evidence(build) for build in (bench.suite.original, *session.builds)]
                claim.foresee(sides[0], sides[1:], hands.spread)
            for build in session.builds:
                with contextlib.suppress(InvalidClaim):  # recorded
                    session.decide(claim, build)
        whole = session.kept_again() is not None
        return _Found(verdicts=session.verdicts, beside=beside(session), whole=whole)


def _session(bench: Bench) -> Session:
    """Everything that is kept of the builds that have evidence, of exchanges those of the bench's claims."""
    archive = Archive(suite=bench.suite, folder=bench.evidence, claims=bench.claims, again=bench.again)
    session = Session(
        suite=bench.suite,
        builds=_decidable(bench.suite, archive),
        claims=bench.claims,
        collector=archive,
        partial="",
        registry=Registry(book=bench.book, entries=bench.entries, evidence=bench.evidence),
    )
    session.preload({build.name: archive.evidence(build) for build in (bench.suite.original, *session.builds)})
    return session


def _fitting(files: Iterable[Path]) -> int:
    """How many processes are worth their start."""
    return min(cores(), MOST) if sum(file.stat().st_size for file in files) > LITTLE else 1


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
