"""How many whole runs a build's weights have had: a chained log beside the evidence, written before anything is asked.

A run that failed, or whose evidence was set aside, stays counted. Builds are told apart by their weights, not by names.
Evidence and log are each other's witnesses: a log that was cut counts from the evidence beside it, and a log that says
something else of how evidence began than the evidence itself is an error. Whoever rewrites both, or removes the folder,
is not found.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from twx_accept import ledger
from twx_accept.domain.evidence import Origin
from twx_accept.domain.exchange import digest
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import EvidenceError, LedgerError
from twx_accept.evidence import reading
from twx_accept.evidence.lock import held

FILE = "attempts.jsonl"
WAIT_SECONDS = 60.0


def weights_of(identity: Mapping[str, str]) -> str:
    """The digest of a build's weights, whatever the files are called and whether an index lists them.

    Args:
        identity: the SHA-256 of each weight file (and index) by its name.
    """
    shards = [value for name, value in identity.items() if not name.endswith(".index.json")]
    return digest(sorted(shards or identity.values()))


def begin(folder: Path, suite: Suite, build: Build, weights: str, file: Path, head: str) -> int:
    """Log that a whole run of these weights begins, and return its number, from 1.

    Args:
        folder: the folder of the evidence.
        suite: the suite.
        build: the build, as it is called now.
        weights: the digest of its weights.
        file: the evidence file that begins.
        head: the head of the suite's ledger.

    Raises:
        LedgerError: the log was changed.
        EvidenceLocked: another process keeps writing it.
    """
    log = folder / FILE
    with held(log.with_suffix(".lock"), "the log of attempts", wait_seconds=WAIT_SECONDS, say=lambda _: None):
        book = ledger.load(log)
        number = 1 + max([*_logged(book, weights), *_kept(folder, weights)], default=0)
        body = {"suite": suite.name, "build": build.name, "weights": weights, "file": file.name, "number": number}
        book.appended("attempt", body | {"ledger": head})
    return number


def order(folder: Path) -> Mapping[str, int]:
    """The place in the log at which each evidence file was begun last; empty where no log can be read.

    Clocks can be set; the log is chained.
    """
    try:
        return {str(entry.body.get("file")): entry.number for entry in ledger.load(folder / FILE).of_kind("attempt")}
    except LedgerError:
        return {}


def of_other_weights(folder: Path, origin: Origin) -> int:
    """How many runs of other weights, whole or partial, went by the name of these: those that log or evidence tell of.

    A byte changed in a weight file makes other weights, whose attempts are counted from 1. A log that was changed is
    told by :func:`require_logged`; here it tells nothing.

    Args:
        folder: the folder of the evidence.
        origin: how the evidence of these weights began.
    """
    named = {"suite": origin.suite, "build": origin.build}
    try:
        logged = [entry.body for entry in ledger.load(folder / FILE).of_kind("attempt")]
    except LedgerError:
        logged = []
    found = {
        (str(body.get("weights")), str(body.get("number")))
        for body in logged
        if all(body.get(name) == value for name, value in named.items())
    }
    for file in folder.glob("*.sqlite"):
        try:
            other = reading.origin(file)
        except EvidenceError:  # what begins now, or what cannot be read
            continue
        if (other.suite, other.build) == (origin.suite, origin.build):
            found.add((other.weights, f"partial, {file.name}" if other.partial else str(other.attempt)))
    return sum(weights != origin.weights for weights, _ in found)


def require_logged(folder: Path, origin: Origin) -> None:
    """Hold how evidence says that it began against the log beside it, where there is one.

    Raises:
        LedgerError: the log was changed.
        EvidenceError: the log says something else, or nothing.
    """
    log = folder / FILE
    if origin.partial or not log.exists():
        return
    wanted = {"suite": origin.suite, "build": origin.build, "weights": origin.weights, "ledger": origin.ledger}
    for entry in ledger.load(log).of_kind("attempt"):
        if all(entry.body.get(name) == value for name, value in (wanted | {"number": origin.attempt}).items()):
            return
    raise EvidenceError(
        f"the evidence of {origin.build} says that it was begun as attempt {origin.attempt} under the ledger head "
        f"{origin.ledger[:12]}, and {log} does not: one of them was changed; run with --fresh to begin new evidence"
    )


def _logged(book: ledger.Ledger, weights: str) -> Iterator[int]:
    """The attempts in the log."""
    for entry in book.of_kind("attempt"):
        if entry.body.get("weights") == weights:
            yield int(entry.body.get("number", 0))


def _kept(folder: Path, weights: str) -> Iterator[int]:
    """The attempts that evidence beside the log tells of, set aside or not."""
    for file in folder.glob("*.sqlite"):
        try:
            origin = reading.origin(file)
        except EvidenceError:  # what begins now, or what cannot be read
            continue
        if origin.weights == weights:
            yield origin.attempt
