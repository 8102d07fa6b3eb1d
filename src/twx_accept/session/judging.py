"""Judging again: every claim of a suite decided from kept evidence alone."""

import contextlib
import gc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from twx_accept import claims
from twx_accept.claims import Claim, Foreseeing
from twx_accept.domain.run import RunRecord
from twx_accept.domain.suite import Build, Suite
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import EvidenceError, InvalidClaim
from twx_accept.ledger import Entry, Ledger
from twx_accept.session.archive import Archive
from twx_accept.session.comparing import Beside, floor, pairs
from twx_accept.session.crew import MOST, Crew, Parcel, cores, crew, warm
from twx_accept.session.recording import record
from twx_accept.session.registry import Registry
from twx_accept.session.run import Session

LITTLE = 48 * 2**20
"""Bytes of evidence up to which it is judged here: processes take as long to start as that does."""

AMPLE = 8
"""Processes from which on there is one for every build and claim at the published size, and some for the facts."""


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


def make_ready(suite: Suite, evidence: Path, workers: int | None = None) -> None:
    """Begin what judging takes, where it takes more than this process, while this one reads questions and passages.

    It may be left out: judging begins then what it needs. There is nothing to be told here of what cannot be read.
    """
    with contextlib.suppress(EvidenceError):
        if _size(Archive(suite=suite, folder=evidence), workers) > 1:
            warm(_modules(suite))


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
    archive = Archive(suite=bench.suite, folder=bench.evidence)
    with _collector_at_rest(), crew(_size(archive, workers), _modules(bench.suite)) as hands:
        found = _found(bench, hands)
        looked = [each.whole for each in found if each.whole is not None]
        again = all(looked)
        if not again and any(looked):  # in a run it is there for all the claims, or for none
            found = _found(replace(bench, again=False), hands)
        session = _session(replace(bench, claims=(), again=again), _decidable(bench.suite, archive))
        session.claims = bench.claims
        session.verdicts |= {at: verdict for each in found for at, verdict in each.verdicts.items()}
        run = record(
            session,
            date=date,
            command=command,
            interrupted=False,
            beside=Beside(
                floor=tuple({verdict.claim: verdict for each in found for verdict in each.beside.floor}.values()),
                pairs=tuple(contrast for each in found for contrast in each.beside.pairs),
            ),
        )
        return replace(run, disclosures=(*filter(None, [bench.superseded]), *run.disclosures))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    """A part of the judging that needs no other: of the bench's claims, and of what is kept of these builds.

    ``deciding``: decide about the builds, and hold the claims against the original's repetition; ``comparing``: compare
    the builds with each other.
    """

    bench: Parcel[Bench]
    builds: Sequence[Build]
    deciding: bool = True
    comparing: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What comes of a share. ``whole``: the original's repetition is, as far as its claims ask it; None: not looked."""

    verdicts: Mapping[tuple[str, str], Verdict]
    beside: Beside
    whole: bool | None


def _found(bench: Bench, hands: Crew) -> list[_Found]:
    """What each claim comes to, in their order; each is decided from its own exchanges alone, wherever that is done."""
    builds = _decidable(bench.suite, Archive(suite=bench.suite, folder=bench.evidence))
    cut = [hands.size > 1 and isinstance(claim, Foreseeing) for claim in bench.claims]
    shares = [_shares(replace(bench, claims=[claim]), builds, hands.size) for claim in bench.claims]
    away = [[] if own else [hands.begin(_done, each) for each in share] for own, share in zip(cut, shares, strict=True)]
    here = [[_done(each, hands) for each in share] if own else [] for own, share in zip(cut, shares, strict=True)]
    return [found for own, other in zip(here, away, strict=True) for found in (*own, *(result() for result in other))]


def _shares(bench: Bench, builds: Sequence[Build], size: int) -> list[_Share]:
    """One share; among many cores one for each build, with the controls that may forbid its verdict, and each pair.

    What two shares need is read twice then, by cores that would have nothing to do.
    """
    parcel = Parcel(bench)
    if size < AMPLE or isinstance(bench.claims[0], Foreseeing):
        return [_Share(bench=parcel, builds=builds)]
    controls = [build for build in builds if build.control]
    sides = [[*controls, build] for build in builds if not build.control] or [controls]
    others = [build for build in builds if not build.control]
    compared: list[Sequence[Build]] = [*combinations(others, 2)]
    return [
        *(_Share(bench=parcel, builds=side, comparing=False) for side in sides),
        *(
            _Share(bench=parcel, builds=each, deciding=False)
            for each in (compared if 2 * len(compared) <= size else [others])
        ),
    ]


def _done(share: _Share, hands: Crew | None = None) -> _Found:
    """What comes of a share; with hands, what can be cut into parts is given out to them."""
    bench = share.bench.content
    anchored = share.deciding or any(claim.anchored for claim in bench.claims)
    session = _session(bench, share.builds, anchored=anchored)
    for claim in bench.claims if share.deciding else ():
        if hands is not None and isinstance(claim, Foreseeing):
            sides = [session.evidence(build) for build in (bench.suite.original, *session.builds)]
            claim.foresee(sides[0], sides[1:], hands.spread)
        for build in session.builds:
            with contextlib.suppress(InvalidClaim):  # recorded
                session.decide(claim, build)
    return _Found(
        verdicts=session.verdicts,
        beside=Beside(
            floor=tuple(floor(session)) if share.deciding else (),
            pairs=tuple(pairs(session)) if share.comparing else (),
        ),
        whole=session.kept_again() is not None if share.deciding else None,
    )


def _session(bench: Bench, builds: Sequence[Build], *, anchored: bool = True) -> Session:
    """Everything that is kept of the builds, of exchanges those of the bench's claims; of the original if anchored."""
    archive = Archive(suite=bench.suite, folder=bench.evidence, claims=bench.claims, again=bench.again)
    session = Session(
        suite=bench.suite,
        builds=builds,
        claims=bench.claims,
        collector=archive,
        partial="",
        registry=Registry(book=bench.book, entries=bench.entries, evidence=bench.evidence),
    )
    original = bench.suite.original
    session.preload({original.name: (archive if anchored else replace(archive, claims=())).evidence(original)})
    session.preload({build.name: archive.evidence(build) for build in builds})
    return session


def _size(archive: Archive, wanted: int | None) -> int:
    """How many processes: those that are wanted, else one for each core, where they are worth their start."""
    if wanted is not None:
        return wanted
    much = sum(file.stat().st_size for file in archive.files().values()) > LITTLE
    return min(cores(), MOST) if much else 1


def _modules(suite: Suite) -> list[str]:
    """What every process imports."""
    return [__name__, *(f"{claims.__name__}.{name}" for name in suite.claims)]


@contextlib.contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Without Python's search for cycles: evidence is millions of objects in none, and it took a third of the time.

    What is still held of it afterwards is never looked through either.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.freeze()
            gc.enable()


def _decidable(suite: Suite, archive: Archive) -> list[Build]:
    """The builds that have evidence, the control first, as in a run."""
    there = archive.files()
    return sorted((build for build in suite.builds if build.name in there), key=lambda build: not build.control)
