"""The store: one SQLite file for each identity of a build, written in batches as answers arrive.

A kill at any moment loses at most the requests in flight. An answer that is kept is never written over; a failure is
replaced when the request is asked again. Larger texts are compressed.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from twx_accept.domain.evidence import Boot, Inventory, Origin
from twx_accept.domain.exchange import Exchange, Key, Request, canonical
from twx_accept.errors import EvidenceError
from twx_accept.evidence import arrays
from twx_accept.evidence.packing import CURE, boot_of, exchange_of, inventory_of, origin_of, pack, row_of, told, unpack

VERSION = 4
"""Of the schema. Every older one is read. History:

1. first;
2. distributions as arrays in tables of their own;
3. a boot says what was in use on its cards, and what was served beside it;
4. a boot says why its answers cannot be trusted.

An index is no version: whatever reads or writes a file without knowing of one reads the same and keeps it up.
"""

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS boots (number INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    """CREATE TABLE IF NOT EXISTS exchanges (
  claim TEXT NOT NULL, item TEXT NOT NULL, arm TEXT NOT NULL, trial INTEGER NOT NULL, run INTEGER NOT NULL,
  asked TEXT NOT NULL,          -- SHA-256 of path and body
  request BLOB NOT NULL,        -- path, body and phase, compressed JSON
  answer BLOB,                  -- the server's JSON, compressed; NULL for a failure
  failure BLOB,
  seconds REAL NOT NULL, attempts INTEGER NOT NULL,
  PRIMARY KEY (claim, item, arm, trial, run)
) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS rejected (
  claim TEXT NOT NULL, item TEXT NOT NULL, arm TEXT NOT NULL, trial INTEGER NOT NULL, run INTEGER NOT NULL,
  asked TEXT NOT NULL, answer BLOB NOT NULL, seconds REAL NOT NULL
)""",
    "CREATE TABLE IF NOT EXISTS stages (claim TEXT NOT NULL, asked INTEGER NOT NULL, seconds REAL NOT NULL)",
    *arrays.TABLES,
    # What is missing is found in this alone: a fortieth of the bytes, for rows of the table lie among what they hold.
    # An older file gets it when it is opened to be written, in the transaction of the opening.
    "CREATE INDEX IF NOT EXISTS looked_up ON exchanges (claim, item, arm, trial, run, asked, failure)",
)

KEEP = """
INSERT INTO exchanges VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (claim, item, arm, trial, run) DO UPDATE SET
  answer = excluded.answer, failure = excluded.failure, seconds = excluded.seconds, attempts = excluded.attempts
WHERE exchanges.answer IS NULL AND exchanges.asked = excluded.asked
"""

WAIT_SECONDS = 60.0
"""For another process that is writing the same file."""

PAUSE_SECONDS = 0.02


class Store:
    """The evidence of one build under one identity. Use it as a context manager.

    Every method raises EvidenceError where the file is damaged or cannot be written, naming the file and the cure.
    """

    def __init__(
        self,
        file: Path,
        identity: Mapping[str, Any],
        inventory: Inventory,
        begin: Callable[[], Origin] | None = None,
    ) -> None:
        """Open the file, or begin it.

        Args:
            file: the SQLite file; its folder is made.
            identity: what the evidence must belong to.
            inventory: the build's files, kept so that a claim can be decided without them.
            begin: called where the evidence begins now, for how it begins.

        Raises:
            EvidenceError: the file is damaged, from a newer version, or belongs to another identity or program.
        """
        self.file = file
        with told(file, "is no evidence file that can be used"):
            file.parent.mkdir(parents=True, exist_ok=True)
            _refuse_foreign(file)
            self._db = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=WAIT_SECONDS)
            try:
                self._begin(identity, inventory, begin)
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the file."""
        self._db.close()

    def _begin(self, identity: Mapping[str, Any], inventory: Inventory, begin: Callable[[], Origin] | None) -> None:
        """Make the tables and say whose they are, in one transaction: a kill leaves all of it or nothing."""
        _write_ahead(self._db)
        self._db.execute("PRAGMA synchronous = NORMAL")
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for statement in SCHEMA:
                self._db.execute(statement)
            meta = dict(self._db.execute("SELECT name, value FROM meta"))
            if not meta:
                rows: dict[str, Any] = {"version": VERSION, "identity": identity, "inventory": asdict(inventory)}
                if begin is not None:
                    rows["origin"] = asdict(begin())
                self._db.executemany("INSERT INTO meta VALUES (?, ?)", [(name, pack(rows[name])) for name in rows])
                return
            version = unpack(meta["version"])
            if version > VERSION:
                raise EvidenceError(f"{self.file}: has schema {version}, this version reads up to {VERSION}; update it")
            if canonical(unpack(meta["identity"])) != canonical(identity):
                raise EvidenceError(f"{self.file}: holds the evidence of another identity; {CURE}")
            inventory_of(meta["inventory"])
            if version < VERSION:  # the tables that it lacked are there now
                self._db.execute("UPDATE meta SET value = ? WHERE name = 'version'", (pack(VERSION),))

    def inventory(self) -> Inventory:
        """The build's files as they were when this evidence was begun."""
        with told(self.file, "its inventory cannot be read"):
            (blob,) = self._db.execute("SELECT value FROM meta WHERE name = 'inventory'").fetchone()
            return inventory_of(blob)

    def origin(self) -> Origin | None:
        """How this evidence began."""
        with told(self.file, "how it began cannot be read"):
            row = self._db.execute("SELECT value FROM meta WHERE name = 'origin'").fetchone()
            return origin_of(row[0]) if row else None

    def count(self, claim: str, run: int = 1) -> int:
        """How many exchanges of a claim are kept of a repetition."""
        with told(self.file, "its exchanges cannot be counted"):
            query = "SELECT COUNT(*) FROM exchanges WHERE claim = ? AND run = ?"
            found = self._db.execute(query, (claim, run)).fetchone()
            return int(found[0])

    def add_stage(self, claim: str, asked: int, seconds: float) -> None:
        """Write how long it took to ask so many requests of a claim: what later plans estimate time from."""
        with told(self.file, "a stage cannot be written"):
            self._db.execute("INSERT INTO stages VALUES (?, ?, ?)", (claim, asked, seconds))

    def keep(self, exchanges: Iterable[Exchange]) -> None:
        """Write exchanges in one transaction. What has an answer already stays as it is.

        Raises:
            EvidenceError: one is kept under its key with other content.
        """
        with told(self.file, "an exchange cannot be written"):
            rows = [(row_of(exchange), _packed(exchange)) for exchange in exchanges]
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                for row, distributions in rows:
                    written = self._db.execute(KEEP, row).rowcount
                    if not written:
                        self._require_kept(row)
                    elif distributions is not None:
                        self._db.execute(arrays.KEEP, (*row[:5], distributions))

    def _require_kept(self, row: Sequence[Any]) -> None:
        """What is kept under the key of this row was asked the same."""
        *key, asked = row[:6]
        kept, _ = self._db.execute(_LOOK, key).fetchone()
        self._require_same(key, kept, asked)

    def reject(self, keys: Iterable[Key]) -> None:
        """Move answers that cannot be used aside, where a sceptic still finds them, so that they are asked again."""
        chosen = f"{_KEY} AND answer IS NOT NULL"
        columns = "claim, item, arm, trial, run, asked, answer, seconds"
        rows = [(key.claim, key.item, key.arm, key.trial, key.run) for key in dict.fromkeys(keys)]
        with told(self.file, "an answer cannot be set aside"), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                f"INSERT INTO rejected SELECT {columns} FROM exchanges WHERE {chosen}",  # noqa: S608 - constants
                rows,
            )
            self._db.executemany(f"DELETE FROM exchanges WHERE {chosen}", rows)  # noqa: S608 - constants
            for statement in arrays.SET_ASIDE:
                self._db.executemany(statement, rows)

    def add_boot(self, boot: Boot) -> None:
        """Write what a boot proved."""
        with told(self.file, f"boot {boot.number} cannot be written"):
            self._db.execute("INSERT INTO boots VALUES (?, ?)", (boot.number, pack(asdict(boot))))

    def amend_boot(self, boot: Boot) -> None:
        """Write a boot again that has been written, with what is known only at its end."""
        with told(self.file, f"boot {boot.number} cannot be written"):
            self._db.execute("UPDATE boots SET body = ? WHERE number = ?", (pack(asdict(boot)), boot.number))

    def boots(self) -> tuple[Boot, ...]:
        """Every boot, in order."""
        with told(self.file, "a boot cannot be read"):
            return tuple(boot_of(blob) for (blob,) in self._db.execute("SELECT body FROM boots ORDER BY number"))

    def exchanges(self, claim: str, run: int = 1) -> tuple[Exchange, ...]:
        """The exchanges of a claim and a repetition in the order of their keys."""
        with told(self.file, f"an exchange of {claim} cannot be read"):
            columns = f"item, arm, trial, run, request, answer, failure, seconds, attempts, {arrays.column(self._db)}"
            where = "claim = ? AND run = ? ORDER BY item, arm, trial"
            query = f"SELECT {columns} FROM exchanges WHERE {where}"  # noqa: S608 - constants
            found = self._db.execute(query, (claim, run))
            return tuple(exchange_of(claim, row) for row in found)

    def missing(self, requests: Iterable[Request]) -> list[Request]:
        """Which of these requests have no answer yet. Each is looked up by its key: no list of what is kept is made.

        Keys and digests are read, not what was answered: without a failure there is an answer.

        Raises:
            EvidenceError: one is planned twice, or is kept under its key with other content: another plan's answer
                never serves this one.
        """
        open_, planned = [], set()
        with told(self.file, "its exchanges cannot be read"), self._db:
            self._db.execute("BEGIN")  # else each look-up begins and ends to read by itself, at twice the cost
            empty = self._db.execute("SELECT 1 FROM exchanges LIMIT 1").fetchone() is None
            for request in requests:
                key = (request.key.claim, request.key.item, request.key.arm, request.key.trial, request.key.run)
                if key in planned:
                    raise EvidenceError(
                        f"{self.file}: {_named(key)} is planned twice; give each question an id of its own"
                    )
                planned.add(key)
                kept = None if empty else self._db.execute(_LOOK, key).fetchone()
                if kept is not None:
                    self._require_same(key, kept[0], request.digest)
                if kept is None or not kept[1]:
                    open_.append(request)
        return open_

    def _require_same(self, key: Sequence[Any], kept: str, asked: str) -> None:
        if kept != asked:
            raise EvidenceError(
                f"{self.file}: {_named(key)} was asked with other content before; "
                "the questions have changed under the same ids. Run with --fresh to begin new evidence"
            )


def _write_ahead(db: sqlite3.Connection) -> None:
    """Switch to a write-ahead log. SQLite waits for nobody here, so two that begin at once must do it themselves."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(PAUSE_SECONDS)
        else:
            return


_MAGIC = b"SQLite format 3\0"
_KEY = "claim = ? AND item = ? AND arm = ? AND trial = ? AND run = ?"
_LOOK = f"SELECT asked, failure IS NULL FROM exchanges INDEXED BY looked_up WHERE {_KEY}"  # noqa: S608 - constant


def _packed(exchange: Exchange) -> bytes | None:
    return None if exchange.rows is None else arrays.pack_rows(exchange.rows)


def _named(key: Sequence[Any]) -> str:
    claim, item, arm, trial, run = key
    return f"{item} of {claim} ({arm}, trial {trial}, run {run})"


def _refuse_foreign(file: Path) -> None:
    """Look into a file without changing it, before it is opened to be written.

    Raises:
        EvidenceError: it is the database of another program.
    """
    if not file.exists() or (file.is_file() and file.stat().st_size == 0):
        return
    with file.open("rb") as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:  # SQLite would take a short text for a database without pages
            raise EvidenceError(f"{file}: is no evidence file; {CURE}")
    # After a kill the truth is in the write-ahead log, and the file alone may be half of an old and half of a new one.
    # Reading through the log needs SQLite's own lock file beside it; without a log nothing at all is touched.
    logged = file.with_name(f"{file.name}-wal").exists()
    uri = f"{file.resolve().as_uri()}?mode=ro{'' if logged else '&immutable=1'}"
    with closing(sqlite3.connect(uri, uri=True, timeout=WAIT_SECONDS)) as look:
        tables = {name for (name,) in look.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    # No table yet: begun, and killed before the first transaction.
    if tables and not {"meta", "exchanges"} <= tables:
        raise EvidenceError(f"{file}: is the database of another program (tables {sorted(tables)[:5]}); {CURE}")
