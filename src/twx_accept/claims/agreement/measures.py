"""How far two models' next-token distributions lie apart, position by position, from lists of their likeliest tokens.

What a list does not hold is put into one bucket, never dropped and never renormalised. Merging outcomes can only
lower a divergence (the data processing inequality; Cover and Thomas 2006, Elements of Information Theory, section 2.8),
so that the divergence over the known tokens and the bucket is a lower bound of that over the whole vocabulary.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twx_accept.domain.distributions import NO_TOKEN, Distributions

ROUNDING = 2e-6
"""What the rounding of some fifty single-precision log-probabilities can hide of the mass of a bucket."""

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Two sides at the same positions; every array has the shape (positions,).

    Attributes:
        strict: Whether both sides' top tokens are one; of tokens that tie at the top the lowest id counts.
        tolerant: Whether any token is at the top on both sides, alone or tied.
        tied: Whether either side has several tokens at the top.
        top_original: The original's top token.
        top_build: The build's.
        gap: The original's top log-probability minus its second (nats); infinite where its list holds one token.
        sureness: The probability of the original's top times that of the build's.
        bound: The divergence of the build from the original (Kullback-Leibler, nats) is at least this.
        unresolved: The original's probability in the bucket.
        variation_lower: The total variation distance is at least this, 0 to 1.
        variation_upper: It is at most this.
    """

    strict: Flags
    tolerant: Flags
    tied: Flags
    top_original: NDArray[np.int64]
    top_build: NDArray[np.int64]
    gap: Array
    sureness: Array
    bound: Array
    unresolved: Array
    variation_lower: Array
    variation_upper: Array

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.strict)


def measure(original: Distributions, build: Distributions) -> Measures:
    """Compare two sides that have the same rows.

    Raises:
        ValueError: they have not.
    """
    if len(original) != len(build):
        raise ValueError(f"{len(original)} rows of the one side and {len(build)} of the other")
    n = len(original)
    rows, here, there = _common(original, build)
    p, q = np.exp(here), np.exp(there)
    rest_p, rest_q = _rest(rows, p, n), _rest(rows, q, n)
    known = np.bincount(rows, p * (here - there), n)
    apart = np.bincount(rows, np.abs(p - q), n)
    top_p, top_q = original.logprobs.max(axis=1), build.logprobs.max(axis=1)
    both_top = (here == top_p[rows]) & (there == top_q[rows])
    top_original, top_build = tops(original), tops(build)
    return Measures(
        strict=top_original == top_build,
        tolerant=np.bincount(rows, both_top, n) > 0,
        tied=(_at_top(original) > 1) | (_at_top(build) > 1),
        top_original=top_original,
        top_build=top_build,
        gap=_gap(original),
        sureness=np.exp(top_p.astype(np.float64) + top_q.astype(np.float64)),
        bound=np.maximum(known + _of_rest(rest_p, rest_q), 0.0),
        unresolved=rest_p,
        variation_lower=np.minimum((apart + np.abs(rest_p - rest_q)) / 2, 1.0),
        variation_upper=np.minimum((apart + rest_p + rest_q) / 2, 1.0),
    )


def tops(side: Distributions) -> NDArray[np.int64]:
    """The top token of each row; of those that tie the lowest id, for ids rise."""
    found: NDArray[np.int64] = side.ids[np.arange(len(side)), side.logprobs.argmax(axis=1)].astype(np.int64)
    return found


def _common(original: Distributions, build: Distributions) -> tuple[NDArray[np.int64], Array, Array]:
    """The tokens that both sides know: their row, and their log-probability on either side, flat."""
    own_rows, own, own_values = _flat(original)
    _, other, other_values = _flat(build)
    if not len(own) or not len(other):
        return own_rows[:0], own_values[:0], other_values[:0]
    place = np.minimum(np.searchsorted(other, own), len(other) - 1)
    shared = other[place] == own
    return own_rows[shared], own_values[shared], other_values[place[shared]]


def _flat(side: Distributions) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Row, row and id as one number that rises, and log-probability, of every token."""
    there = side.ids != NO_TOKEN
    rows = np.repeat(np.arange(len(side), dtype=np.int64), side.counts)
    return rows, (rows << 32) + side.ids[there], side.logprobs[there].astype(np.float64)


def _rest(rows: NDArray[np.int64], mass: Array, n: int) -> Array:
    """What is left of 1; rounding can put it a hair below 0."""
    rest: Array = np.clip(1.0 - np.bincount(rows, mass, n), 0.0, 1.0)
    return rest


def _of_rest(p: Array, q: Array) -> Array:
    """The bucket's term p ln(p/q). A bucket of q that rounding may have emptied is taken as large as it may be."""
    some = (p > 0) & (p != q)
    term: Array = np.where(some, p * np.log(np.where(some, p, 1.0) / np.maximum(q, ROUNDING)), 0.0)
    return term


def _at_top(side: Distributions) -> NDArray[np.int64]:
    counts: NDArray[np.int64] = (side.logprobs == side.logprobs.max(axis=1, keepdims=True)).sum(axis=1)
    return counts


def _gap(side: Distributions) -> Array:
    if side.logprobs.shape[1] < 2:
        return np.full(len(side), np.inf)
    top: NDArray[np.floating[Any]] = np.partition(side.logprobs, -2, axis=1)[:, -2:]
    return top[:, 1].astype(np.float64) - top[:, 0].astype(np.float64)


def cut(rows: Distributions, width: int) -> Distributions:
    """The rows with no more than their ``width`` likeliest tokens; of those that tie the lowest ids stay."""
    order = np.argsort(-rows.logprobs, axis=1, kind="stable")[:, :width]
    kept = np.sort(order, axis=1)
    at = np.arange(len(rows))[:, None]
    return Distributions(rows.ids[at, kept], rows.logprobs[at, kept])
