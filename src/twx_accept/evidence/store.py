"""The store: one SQLite file for each identity of a build, written in batches as answers arrive.

A kill at any moment loses at most the requests in flight. An answer that is kept is never written over; a failure is
replaced when the request is asked again. Larger texts are compressed.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from twx_accept.domain.evidence import Boot, Inventory, Tensor
from twx_accept.domain.exchange import Exchange, Failure, Key, Request, canonical
from twx_accept.errors import EvidenceError

VERSION = 1
"""Of the schema. History: 1, first."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS boots (number INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS exchanges (
  claim TEXT NOT NULL, item TEXT NOT NULL, arm TEXT NOT NULL, trial INTEGER NOT NULL, run INTEGER NOT NULL,
  asked TEXT NOT NULL,          -- SHA-256 of path and body
  request BLOB NOT NULL,        -- path, body and phase, compressed JSON
  answer BLOB,                  -- the server's JSON, compressed; NULL for a failure
  failure BLOB,
  seconds REAL NOT NULL, attempts INTEGER NOT NULL,
  PRIMARY KEY (claim, item, arm, trial, run)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rejected (
  claim TEXT NOT NULL, item TEXT NOT NULL, arm TEXT NOT NULL, trial INTEGER NOT NULL, run INTEGER NOT NULL,
  asked TEXT NOT NULL, answer BLOB NOT NULL, seconds REAL NOT NULL
);
"""

KEEP = """
INSERT INTO exchanges VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (claim, item, arm, trial, run) DO UPDATE SET
  answer = excluded.answer, failure = excluded.failure, seconds = excluded.seconds, attempts = excluded.attempts
WHERE exchanges.answer IS NULL AND exchanges.asked = excluded.asked
"""


def pack(value: Any) -> bytes:
    """JSON, compressed. Level 1: the store must never be what an answer waits for."""
    return zlib.compress(canonical(value), 1)


def unpack(blob: bytes) -> Any:
    """What :func:`pack` packed."""
    return json.loads(zlib.decompress(blob).decode("utf-8", "surrogatepass"))


class Store:
    """The evidence of one build under one identity. Use it as a context manager."""

    def __init__(self, file: Path, identity: Mapping[str, Any], inventory: Inventory) -> None:
        """Open the file, or begin it.

        Args:
            file: the SQLite file; its folder is made.
            identity: what the evidence must belong to.
            inventory: the build's files, kept so that a claim can be decided without them.

        Raises:
            EvidenceError: the file is damaged, from a newer version, or belongs to another identity.
        """
        self.file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=60)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(SCHEMA)
            self._begin(identity, inventory)
        except (sqlite3.DatabaseError, zlib.error, ValueError) as error:
            raise EvidenceError(f"{file}: is no evidence file that can be read ({error}); {_CURE}") from error

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the file."""
        self._db.close()

    def _begin(self, identity: Mapping[str, Any], inventory: Inventory) -> None:
        meta = dict(self._db.execute("SELECT name, value FROM meta"))
        if not meta:
            rows = {"version": VERSION, "identity": identity, "inventory": asdict(inventory)}
            self._db.executemany("INSERT INTO meta VALUES (?, ?)", [(name, pack(rows[name])) for name in rows])
            return
        version = unpack(meta["version"])
        if version > VERSION:
            raise EvidenceError(f"{self.file}: has schema {version}, this version reads up to {VERSION}; update it")
        if canonical(unpack(meta["identity"])) != canonical(identity):
            raise EvidenceError(f"{self.file}: holds the evidence of another identity; {_CURE}")

    def inventory(self) -> Inventory:
        """The build's files as they were when this evidence was begun."""
        (blob,) = self._db.execute("SELECT value FROM meta WHERE name = 'inventory'").fetchone()
        kept = unpack(blob)
        tensors = {
            name: Tensor(dtype=entry["dtype"], shape=tuple(entry["shape"]), bytes=entry["bytes"])
            for name, entry in kept["tensors"].items()
        }
        return Inventory(
            weights=kept["weights"], digests=kept["digests"], tensors=tensors, problems=tuple(kept["problems"])
        )

    def keep(self, exchanges: Iterable[Exchange]) -> None:
        """Write exchanges in one transaction. What has an answer already stays as it is."""
        rows = [self._row(exchange) for exchange in exchanges]
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(KEEP, rows)

    def reject(self, keys: Iterable[Key]) -> None:
        """Move answers that cannot be used aside, where a sceptic still finds them, so that they are asked again."""
        chosen = "claim = ? AND item = ? AND arm = ? AND trial = ? AND run = ? AND answer IS NOT NULL"
        rows = [(key.claim, key.item, key.arm, key.trial, key.run) for key in keys]
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            columns = "claim, item, arm, trial, run, asked, answer, seconds"
            self._db.executemany(
                f"INSERT INTO rejected SELECT {columns} FROM exchanges WHERE {chosen}",  # noqa: S608 - constants
                rows,
            )
            self._db.executemany(f"DELETE FROM exchanges WHERE {chosen}", rows)  # noqa: S608 - constants

    def add_boot(self, boot: Boot) -> None:
        """Write what a boot proved."""
        self._db.execute("INSERT INTO boots VALUES (?, ?)", (boot.number, pack(asdict(boot))))

    def boots(self) -> tuple[Boot, ...]:
        """Every boot, in order."""
        kept = [unpack(blob) for (blob,) in self._db.execute("SELECT body FROM boots ORDER BY number")]
        lists = ("weights_gib", "cache_gib", "cards", "notes")
        return tuple(Boot(**body | {name: tuple(body[name]) for name in lists}) for body in kept)

    def exchanges(self, claim: str) -> tuple[Exchange, ...]:
        """The exchanges of a claim in the order of their keys."""
        found = self._db.execute(
            "SELECT item, arm, trial, run, request, answer, failure, seconds, attempts FROM exchanges"
            " WHERE claim = ? ORDER BY item, arm, trial, run",
            (claim,),
        )
        try:
            return tuple(_exchange(claim, row) for row in found)
        except (sqlite3.DatabaseError, zlib.error, ValueError, KeyError, TypeError) as error:
            raise EvidenceError(f"{self.file}: an exchange of {claim} cannot be read ({error}); {_CURE}") from error

    def missing(self, requests: Sequence[Request]) -> list[Request]:
        """Which of these requests have no answer yet.

        Raises:
            EvidenceError: one is kept under its key with other content: another plan's answer never serves this one.
        """
        kept = {
            Key(claim=claim, item=item, arm=arm, trial=trial, run=run): (asked, answered)
            for claim, item, arm, trial, run, asked, answered in self._db.execute(
                "SELECT claim, item, arm, trial, run, asked, answer IS NOT NULL FROM exchanges"
            )
        }
        open_ = []
        for request in requests:
            asked, answered = kept.get(request.key, (None, False))
            if asked is not None and asked != request.digest:
                raise EvidenceError(
                    f"{self.file}: {request.key.item} ({request.key.arm}) was asked with other content before; "
                    "the questions have changed under the same ids. Run with --fresh to begin new evidence"
                )
            if not answered:
                open_.append(request)
        return open_

    def _row(self, exchange: Exchange) -> tuple[Any, ...]:
        request, key = exchange.request, exchange.request.key
        failure = asdict(exchange.failure) if exchange.failure else None
        return (
            *(key.claim, key.item, key.arm, key.trial, key.run),
            request.digest,
            pack({"path": request.path, "body": request.body, "phase": request.phase}),
            None if exchange.answer is None else pack(exchange.answer),
            None if failure is None else pack(failure),
            exchange.seconds,
            exchange.attempts,
        )


_CURE = "move it aside (nothing is lost), or run with --fresh, which does so"


def _exchange(claim: str, row: tuple[Any, ...]) -> Exchange:
    item, arm, trial, run, request, answer, failure, seconds, attempts = row
    asked = unpack(request)
    return Exchange(
        request=Request(
            key=Key(claim=claim, item=item, arm=arm, trial=trial, run=run),
            path=asked["path"],
            body=asked["body"],
            phase=asked["phase"],
        ),
        answer=None if answer is None else unpack(answer),
        failure=None if failure is None else Failure(**unpack(failure)),
        seconds=seconds,
        attempts=attempts,
    )
