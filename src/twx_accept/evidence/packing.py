"""The forms in which evidence is stored: compressed JSON, and rows of the store's tables."""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from twx_accept.domain.evidence import Boot, CardUse, Inventory, Origin, Tensor
from twx_accept.domain.exchange import Exchange, Failure, Key, Request, canonical
from twx_accept.errors import EvidenceError, EvidenceLocked
from twx_accept.evidence.arrays import unpack_rows

CURE = "move it aside (nothing is lost), or run with --fresh, which does so"

MOST_ASKED, MOST_READ = 2**15, 2**14
"""Requests, and prompts as they were read, that are held unpacked: those of a claim at the published size."""


def pack(value: Any) -> bytes:
    """JSON, compressed. Level 1: the store must never be what an answer waits for."""
    return zlib.compress(canonical(value), 1)


def unpack(blob: bytes) -> Any:
    """What :func:`pack` packed."""
    return unpacked(zlib.decompress(blob))


def unpacked(raw: bytes) -> Any:
    """What JSON says."""
    try:
        return msgspec.json.decode(raw)
    except (ValueError, RecursionError):  # halves of surrogates, or damage: the slower way says which
        return json.loads(raw.decode("utf-8", "surrogatepass"))


def _pack_checked(value: Any) -> bytes:
    """As :func:`pack`, in a tenth of the time, for what holds no NaN: it was read from JSON, or has a digest."""
    try:
        raw = msgspec.json.encode(value)
    except (ValueError, TypeError):  # halves of surrogates
        return pack(value)
    return zlib.compress(raw, 1)


def row_of(exchange: Exchange) -> tuple[Any, ...]:
    """The row of the table of exchanges."""
    request, key = exchange.request, exchange.request.key
    failure = asdict(exchange.failure) if exchange.failure else None
    return (
        *(key.claim, key.item, key.arm, key.trial, key.run),
        request.digest,
        _pack_checked({"path": request.path, "body": request.body, "phase": request.phase}),
        None if exchange.answer is None else _pack_checked(exchange.answer),
        None if failure is None else pack(failure),
        exchange.seconds,
        exchange.attempts,
    )


def exchange_of(claim: str, row: tuple[Any, ...]) -> Exchange:
    """The exchange of a row that has all but the claim and the digest, and its distributions last."""
    item, arm, trial, run, request, answer, failure, seconds, attempts, rows = row
    path, body, phase = _asked(request)
    return Exchange(
        request=Request(
            key=Key(claim=claim, item=item, arm=arm, trial=trial, run=run), path=path, body=body, phase=phase
        ),
        answer=None if answer is None else _object(answer),
        failure=None if failure is None else Failure(**unpack(failure)),
        seconds=seconds,
        attempts=attempts,
        rows=None if rows is None else unpack_rows(rows),
    )


@lru_cache(maxsize=MOST_ASKED)
def _asked(blob: bytes) -> tuple[str, Mapping[str, Any], str]:
    """Path, body and phase of a request. Every build is asked the same: equal bytes are unpacked once."""
    asked = unpack(blob)
    return asked["path"], asked["body"], asked["phase"]


def _object(blob: bytes) -> dict[str, Any]:
    """An answer. Most of a long prompt's is the ids that were read: every build's are the same, and unpacked once."""
    raw = zlib.decompress(blob)
    found = _with_ids(raw, raw.find(_IDS)) if raw.count(_IDS) == 1 else None
    if found is None:
        found = unpacked(raw)
    if not isinstance(found, dict):
        raise TypeError(f"an answer is {type(found).__name__}, not an object")
    return found


_NAME = "prompt_token_ids"
_IDS = f'"{_NAME}":['.encode()
"""The beginning of a list of ids; within a text its quotation marks would be escaped."""


def _with_ids(raw: bytes, at: int) -> dict[str, Any] | None:
    """An answer whose one list of ids, of its first choice or its own, is taken from those that are held.

    None is for what has another form, to be read the slower way. Between the first two brackets lies the whole list
    where that is numbers alone.
    """
    begin = at + len(_IDS) - 1
    end = raw.find(b"]", begin) + 1
    try:
        ids = _read(raw[begin:end])
        found: dict[str, Any] = msgspec.json.decode(b"%b[]%b" % (raw[:begin], raw[end:]))
        holder = found if _NAME in found else found["choices"][0]
        if holder[_NAME] != []:
            return None
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        return None
    holder[_NAME] = ids
    return found


@lru_cache(maxsize=MOST_READ)
def _read(raw: bytes) -> list[int]:
    """A list of whole numbers (ValueError where it is anything else)."""
    found = msgspec.json.decode(raw)
    if not isinstance(found, list) or not {*map(type, found)} <= {int}:
        raise ValueError("no list of whole numbers")
    return found


def inventory_of(blob: bytes) -> Inventory:
    """A packed inventory."""
    kept = unpack(blob)
    tensors = {
        name: Tensor(dtype=entry["dtype"], shape=tuple(entry["shape"]), bytes=entry["bytes"])
        for name, entry in kept["tensors"].items()
    }
    return Inventory(
        weights=kept["weights"], digests=kept["digests"], tensors=tensors, problems=tuple(kept["problems"])
    )


def origin_of(blob: bytes) -> Origin:
    """How evidence began, as it was packed."""
    return Origin(**unpack(blob))


def boot_of(blob: bytes) -> Boot:
    """A packed boot."""
    body = {"card_use": (), "beside": (), "unproven": ()} | unpack(blob)  # an older store has none of them
    lists = ("weights_gib", "cache_gib", "cards", "notes", "beside", "unproven")
    use = tuple(CardUse(**each) for each in body["card_use"])
    return Boot(**body | {name: tuple(body[name]) for name in lists} | {"card_use": use})


_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What comes of JSON that is not of the form that was packed."""


@contextmanager
def told(file: Path, what: str) -> Iterator[None]:
    """Turn what goes wrong with an evidence file into an error of ours that names the file and the cure.

    Raises:
        EvidenceLocked: another process kept writing for longer than this one waits.
        EvidenceError: the file is damaged, or cannot be read or written.
    """
    try:
        yield
    except (sqlite3.Error, OSError, zlib.error, *_UNREADABLE) as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise EvidenceLocked(f"{file}: {what}: another process is writing it; wait for that to end") from error
        cure = "make room and give this user the right to write there" if _of_the_place(error, code) else CURE
        raise EvidenceError(f"{file}: {what} ({type(error).__name__}: {error}); {cure}") from error


def _of_the_place(error: Exception, code: int | None) -> bool:
    """Whether the disk or its rights are at fault, and not what is in the file."""
    of_sqlite = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
    return isinstance(error, OSError) or (code is not None and code & 0xFF in of_sqlite)
