"""Reads evidence without writing to it: for judging again, for looking, and for what partial runs have touched."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from twx_accept.domain.evidence import Boot, BuildEvidence, Origin
from twx_accept.domain.exchange import Exchange, digest
from twx_accept.errors import EvidenceError
from twx_accept.evidence.arrays import column
from twx_accept.evidence.packing import boot_of, exchange_of, inventory_of, origin_of, told, unpack
from twx_accept.evidence.store import VERSION

TOKENIZE = "/tokenize"

_COLUMNS = "item, arm, trial, run, request, answer, failure, seconds, attempts"
_AS_FIRST = _COLUMNS.replace("run", "1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How fast a claim was asked: requests, and the seconds that they took together."""

    asked: int
    seconds: float


def read(file: Path, run: int = 1, claims: Collection[str] | None = None) -> BuildEvidence:
    """What an evidence file holds of one repetition, with keys of run 1.

    Args:
        file: the file.
        run: which repetition.
        claims: whose exchanges; None is everything.

    Raises:
        EvidenceError: the file is absent, damaged, no evidence, or from a newer version.
    """
    with _opened(file) as db:
        meta = _meta(file, db)
        origin, identity = origin_of(meta["origin"]), unpack(meta["identity"])
        wanted = [claim for claim in _claims(db) if claims is None or claim in claims]
        return BuildEvidence(
            build=origin.build,
            control=origin.control,
            identity=identity,
            identity_digest=digest(identity),
            inventory=inventory_of(meta["inventory"]),
            boots=tuple(boot for boot in _boots(db) if boot.run == run and not boot.spoilt),
            exchanges={claim: tuple(_exchanges(db, claim, run=run)) for claim in wanted},
            origin=origin,
        )


def origin(file: Path) -> Origin:
    """How an evidence file began (EvidenceError as for :func:`read`)."""
    with _opened(file) as db:
        return origin_of(_meta(file, db)["origin"])


def touched(file: Path, claim: str, planned: Sequence[Exchange]) -> frozenset[str]:
    """The items of ``planned`` that the file has an answer for (EvidenceError as for :func:`read`).

    They are known by their ids and by what was asked: questions that were asked under other ids are the same questions.
    Only splitting a text into tokens asks a model nothing, and is the same for many items.
    """
    with _opened(file) as db:
        _meta(file, db)
        rows = db.execute("SELECT item, asked FROM exchanges WHERE claim = ? AND answer IS NOT NULL", (claim,))
        found = {text for row in rows for text in row}
    return frozenset(
        request.key.item
        for request in (exchange.request for exchange in planned)
        if request.key.item in found or (request.path != TOKENIZE and request.digest in found)
    )


def rates(file: Path) -> Mapping[str, Rate]:
    """How fast each claim was asked (EvidenceError as for :func:`read`)."""
    with _opened(file) as db:
        _meta(file, db)
        rows = db.execute("SELECT claim, SUM(asked), SUM(seconds) FROM stages GROUP BY claim")
        return {claim: Rate(asked=int(asked), seconds=float(seconds)) for claim, asked, seconds in rows}


def boots(file: Path) -> tuple[Boot, ...]:
    """Every boot, of whatever repetition (EvidenceError as for :func:`read`)."""
    with _opened(file) as db:
        _meta(file, db)
        return tuple(_boots(db))


def of_item(file: Path, item: str) -> Sequence[Exchange]:
    """Every exchange of an item, of whatever claim (EvidenceError as for :func:`read`)."""
    with _opened(file) as db:
        _meta(file, db)
        return [each for claim in _claims(db) for each in _of_item(db, claim, item)]


def items(file: Path) -> Sequence[str]:
    """The ids of all items (EvidenceError as for :func:`read`)."""
    with _opened(file) as db:
        _meta(file, db)
        return [item for (item,) in db.execute("SELECT DISTINCT item FROM exchanges ORDER BY item")]


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """The file, open for reading alone."""
    if not file.is_file():
        raise EvidenceError(f"{file}: no such evidence file; evidence lies in reports/evidence/")
    with told(file, "is no evidence file that can be read"):
        # With a write-ahead log SQLite reads through it, which needs its lock file; without, nothing is touched.
        logged = file.with_name(f"{file.name}-wal").exists()
        uri = f"{file.resolve().as_uri()}?mode=ro{'' if logged else '&immutable=1'}"
        with closing(sqlite3.connect(uri, uri=True, timeout=60)) as db:
            yield db


def _meta(file: Path, db: sqlite3.Connection) -> dict[str, bytes]:
    meta = dict(db.execute("SELECT name, value FROM meta"))
    if (version := unpack(meta["version"])) > VERSION:
        raise EvidenceError(f"{file}: has schema {version}, this version reads up to {VERSION}; update it")
    if "origin" not in meta:
        raise EvidenceError(f"{file}: does not say how it began; run with --fresh to begin new evidence")
    return meta


def _claims(db: sqlite3.Connection) -> Iterator[str]:
    """The claims that have exchanges, in order: from one to the next, since all of them are millions of rows."""
    after = ""
    while (found := db.execute("SELECT MIN(claim) FROM exchanges WHERE claim > ?", (after,)).fetchone()[0]) is not None:
        yield found
        after = found


def _exchanges(db: sqlite3.Connection, claim: str, *, run: int) -> Iterator[Exchange]:
    """A claim's exchanges of one repetition, as if there were no other."""
    query = f"SELECT {_AS_FIRST}, {column(db)} FROM exchanges WHERE claim = ? AND run = ? ORDER BY item, arm, trial"  # noqa: S608
    return (exchange_of(claim, row) for row in db.execute(query, (claim, run)))


def _of_item(db: sqlite3.Connection, claim: str, item: str) -> Iterator[Exchange]:
    """Every exchange of an item, of whatever repetition."""
    query = (
        f"SELECT {_COLUMNS}, {column(db)} FROM exchanges WHERE claim = ? AND item = ? ORDER BY item, arm, trial, run"  # noqa: S608
    )
    return (exchange_of(claim, row) for row in db.execute(query, (claim, item)))


def _boots(db: sqlite3.Connection) -> Iterator[Boot]:
    return (boot_of(blob) for (blob,) in db.execute("SELECT body FROM boots ORDER BY number"))
