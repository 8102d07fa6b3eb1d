"""A referee measured before any build is: what it says of labelled facts, kept in a file of its own for plans to read.

A run reads none of it: each build's evidence holds a measurement of its own, made beside it.
"""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from twx_accept.asking import ask
from twx_accept.claims import Reached
from twx_accept.domain.evidence import Inventory, Origin
from twx_accept.domain.exchange import Exchange, Request
from twx_accept.domain.suite import Asking
from twx_accept.errors import TwxAcceptError
from twx_accept.evidence import Store, reading
from twx_accept.evidence.lock import held
from twx_accept.ledger import GENESIS
from twx_accept.session.appealing import reached, require_there
from twx_accept.session.progress import Reporter
from twx_accept.session.repetition import FIRST, Repetition

FOLDER = "judges"
"""Beside the evidence of builds, where nothing takes it for a build's."""

ALONE = "a judge alone, on labelled facts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a referee was asked now: how many requests, in how many seconds, and the exchanges kept of it in all."""

    requests: int
    seconds: float
    kept: Sequence[Exchange]


def file_of(evidence: Path, referee: Reached) -> Path:
    """Where the answers of a referee lie: another model, prompt or sampling is another file."""
    name = re.sub(r"[^A-Za-z0-9.-]+", "-", referee.model).strip("-.")[:40] or "judge"
    return evidence / FOLDER / f"{name}-{referee.digest[:12]}.sqlite"


def kept(evidence: Path, referee: Reached, claim: str) -> Sequence[Exchange]:
    """What is kept of a referee on labelled facts; nothing where nothing can be read."""
    try:
        return reading.read(file_of(evidence, referee)).exchanges.get(claim, ())
    except TwxAcceptError:
        return ()


def measure(
    evidence: Path, referee: Reached, requests: Sequence[Request], settings: Asking, reporter: Reporter
) -> Asked:
    """Ask a referee what it has not answered yet, and keep it as it comes: what is stopped goes on from there.

    Args:
        evidence: the folder of evidence.
        referee: whom to ask.
        requests: everything that it must have answered.
        settings: how to ask.
        reporter: shows how it gets on.

    Raises:
        EvidenceError: what is kept cannot be used, or another process is asking.
        ServingError: another model answers at that address, or nobody.
    """
    file, identity = file_of(evidence, referee), {"judge": {"model": referee.model, "asked": referee.digest}}
    nothing = Inventory(weights={}, digests={}, tensors={})
    file.parent.mkdir(parents=True, exist_ok=True)
    with (
        held(file.with_suffix(".lock"), f"what {referee.model} says", wait_seconds=0, say=reporter.say),
        Store(file, identity, nothing, begin=lambda: _origin(referee)) as store,
    ):
        part, started = Repetition(store, FIRST), time.monotonic()
        todo = part.missing(requests)
        if todo:
            with reporter.asking(f"{referee.model} on labelled facts", len(todo)) as count:

                def keep(exchanges: Sequence[Exchange]) -> None:
                    part.keep(exchanges)
                    count(len(exchanges))

                ask(reached(referee), todo, settings, keep=keep, require_alive=lambda: require_there(referee))
        claims = dict.fromkeys(request.key.claim for request in requests)
        return Asked(
            requests=len(todo),
            seconds=time.monotonic() - started,
            kept=[exchange for claim in claims for exchange in part.exchanges(claim)],
        )


def _origin(referee: Reached) -> Origin:
    return Origin(
        suite="",
        build=referee.model,
        weights="",
        control=False,
        partial=ALONE,
        ledger=GENESIS,
        attempt=0,
        began=datetime.now(UTC).isoformat(timespec="seconds"),
    )
