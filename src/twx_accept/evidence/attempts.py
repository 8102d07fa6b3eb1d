"""How many whole runs a build's weights have had: a chained log beside the evidence, written before anything is asked.

A run that failed, or whose evidence was set aside, stays counted. Builds are told apart by their weights, not by names.
"""

from pathlib import Path

from twx_accept import ledger
from twx_accept.domain.suite import Build, Suite
from twx_accept.evidence.lock import held

FILE = "attempts.jsonl"
WAIT_SECONDS = 60.0


def begin(folder: Path, suite: Suite, build: Build, weights: str, file: Path) -> int:
    """Log that a whole run of these weights begins, and return its number, from 1.

    Args:
        folder: the folder of the evidence.
        suite: the suite.
        build: the build, as it is called now.
        weights: the digest of its weights.
        file: the evidence file that begins.

    Raises:
        LedgerError: the log was changed.
        EvidenceLocked: another process keeps writing it.
    """
    log = folder / FILE
    with held(log.with_suffix(".lock"), "the log of attempts", wait_seconds=WAIT_SECONDS, say=lambda _: None):
        book = ledger.load(log)
        number = 1 + len([entry for entry in book.of_kind("attempt") if entry.body.get("weights") == weights])
        body = {"suite": suite.name, "build": build.name, "weights": weights, "file": file.name, "number": number}
        book.appended("attempt", body)
    return number
