"""Distributions as they are stored: rows in rising order of ids, differences and bytes apart, compressed.

Of k = 50 tokens a position takes about 300 bytes, a tenth of what its JSON takes compressed. A whole vocabulary takes
next to nothing for its ids, which are every number once.
"""

import json
import sqlite3
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twx_accept.domain.distributions import NO_TOKEN, Distributions
from twx_accept.domain.exchange import canonical

HEAD = struct.Struct("<4sIBIIII")
"""Magic, rows, bytes of a value, and the compressed bytes of the counts, ids, values and texts that follow."""

MAGIC = b"rows"
EFFORT = 1
"""Of the compression: 6 makes them 1% smaller and takes half as long again."""

_KEYS = "claim TEXT NOT NULL, item TEXT NOT NULL, arm TEXT NOT NULL, trial INTEGER NOT NULL, run INTEGER NOT NULL"
_KEY = "claim = ? AND item = ? AND arm = ? AND trial = ? AND run = ?"

TABLES = (
    # The log-probabilities of an answer's tokens. They are written and set aside with their exchange.
    f"""CREATE TABLE IF NOT EXISTS distributions ({_KEYS},
  body BLOB NOT NULL, PRIMARY KEY (claim, item, arm, trial, run))""",
    f"CREATE TABLE IF NOT EXISTS rejected_distributions ({_KEYS}, body BLOB NOT NULL)",
)
KEEP = "INSERT INTO distributions VALUES (?, ?, ?, ?, ?, ?)"
SET_ASIDE = (
    f"INSERT INTO rejected_distributions SELECT * FROM distributions WHERE {_KEY}",  # noqa: S608 - constants
    f"DELETE FROM distributions WHERE {_KEY}",  # noqa: S608 - constants
)
_BODY = """(SELECT body FROM distributions AS d WHERE d.claim = exchanges.claim AND d.item = exchanges.item
 AND d.arm = exchanges.arm AND d.trial = exchanges.trial AND d.run = exchanges.run)"""


def column(db: sqlite3.Connection) -> str:
    """What to select for an exchange's distributions; nothing in a file from before there were any."""
    found = db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'distributions'").fetchone()
    return _BODY if found else "NULL"


def pack_rows(rows: Distributions) -> bytes:
    """The arrays and texts in as few bytes as can be had while a server answers."""
    there = rows.ids != NO_TOKEN
    steps = np.diff(rows.ids, axis=1, prepend=np.int32(0))[there]
    kind = np.dtype(rows.logprobs.dtype).newbyteorder("<")
    parts = (
        _squeezed(rows.counts.astype("<u4")),
        _squeezed(steps.astype("<u4")),
        _squeezed(rows.logprobs[there].astype(kind)),
        zlib.compress(canonical([list(pair) for pair in rows.texts]), EFFORT),
    )
    return HEAD.pack(MAGIC, len(rows), kind.itemsize, *map(len, parts)) + b"".join(parts)


def unpack_rows(blob: bytes) -> Distributions:
    """What :func:`pack_rows` packed.

    Raises:
        ValueError: it is something else, or damaged (also zlib.error).
    """
    if len(blob) < HEAD.size:
        raise ValueError("a distribution is cut short")
    magic, length, size, *sizes = HEAD.unpack_from(blob)
    if magic != MAGIC or size not in (4, 8) or HEAD.size + sum(sizes) != len(blob):
        raise ValueError("a distribution is not of the form that was packed")
    parts, begin = [], HEAD.size
    for part in sizes:
        parts.append(zlib.decompress(blob[begin : begin + part]))
        begin += part
    counts = _spread(parts[0], np.dtype("<u4")).astype(np.int64)
    steps, values = _spread(parts[1], np.dtype("<u4")), _spread(parts[2], np.dtype(f"<f{size}"))
    if len(counts) != length or int(counts.sum()) != len(steps) or len(steps) != len(values):
        raise ValueError("a distribution has rows of another length than it says")
    texts = _texts(parts[3])
    return Distributions.filled(counts, _sums(steps, counts), values.astype(values.dtype.newbyteorder("=")), texts)


def _sums(steps: NDArray[Any], counts: NDArray[np.int64]) -> NDArray[np.int32]:
    """Ids from the first of each row and the steps after it."""
    whole = np.cumsum(steps, dtype=np.int64)
    before = np.concatenate(([0], whole))[np.cumsum(counts) - counts]
    ids: NDArray[np.int32] = (whole - np.repeat(before, counts)).astype(np.int32)
    return ids


def _squeezed(values: NDArray[Any]) -> bytes:
    """All first bytes, then all second ones and so on: those that hardly change stand together."""
    planes = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), values.dtype.itemsize)
    return zlib.compress(np.ascontiguousarray(planes.T).tobytes(), EFFORT)


def _spread(raw: bytes, kind: np.dtype[Any]) -> NDArray[Any]:
    planes = np.frombuffer(raw, dtype=np.uint8).reshape(kind.itemsize, -1)
    return np.ascontiguousarray(planes.T).reshape(-1).view(kind)


def _texts(raw: bytes) -> tuple[tuple[str, str], ...]:
    found = json.loads(raw.decode("utf-8", "surrogatepass"))
    return tuple((str(top), str(read)) for top, read in found)
