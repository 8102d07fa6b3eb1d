"""Log-probabilities of many tokens at many positions, as arrays: a list of thousands as JSON would fill a disk."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

NO_TOKEN = -1
"""Stands where a row holds fewer tokens than the longest one."""

LARGEST_ID = 2**31 - 1

POISON = -9998.0
"""Values at or under this are vLLM's stand-in for minus infinity in corrupted answers (vLLM issue 51789)."""


@dataclass(frozen=True, slots=True, eq=False)
class Distributions:
    """What a model gives some tokens at each of several positions. The arrays cannot be written to.

    Attributes:
        ids: Token ids, int32, shape (rows, width), each row in rising order, then ``NO_TOKEN`` up to the width.
        logprobs: Natural log-probabilities (nats) of those tokens, same shape, minus infinity where there is none;
            float32 where that changes no value (an engine's own values are), else float64.
        texts: For each row the text of the likeliest token and that of the token that was read there, for people;
            empty where the server gave no texts. Nothing is decided by a text: two ids may share one.
    """

    ids: NDArray[np.int32]
    logprobs: NDArray[np.floating[Any]]
    texts: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong together, and keep those that do from being written to."""
        if self.ids.ndim != 2 or self.ids.shape != self.logprobs.shape:
            raise ValueError(f"ids of shape {self.ids.shape} and logprobs of shape {self.logprobs.shape}")
        if self.texts and len(self.texts) != len(self.ids):
            raise ValueError(f"{len(self.texts)} texts for {len(self.ids)} rows")
        self.ids.flags.writeable = False
        self.logprobs.flags.writeable = False

    @classmethod
    def of(
        cls, counts: Sequence[int], ids: Sequence[int], logprobs: Sequence[float], texts: Sequence[tuple[str, str]] = ()
    ) -> Self:
        """Rows from flat lists.

        Args:
            counts: how many tokens each row holds, one or more.
            ids: the tokens of all rows, one row after the other, in any order within a row.
            logprobs: their log-probabilities, finite.
            texts: as in the class.

        Raises:
            ValueError: a row is empty or holds a token twice, an id is out of range, a value is no finite number.
        """
        sizes, values = np.asarray(counts, dtype=np.int64), np.asarray(logprobs, dtype=np.float64)
        tokens = np.asarray(ids, dtype=np.int64)
        if not (tokens.shape == values.shape == (int(sizes.sum()),)) or (len(sizes) and sizes.min() < 1):
            raise ValueError("a row without a token")
        if tokens.size and (tokens.min() < 0 or tokens.max() > LARGEST_ID):
            raise ValueError("a token id that is out of range")
        if not np.isfinite(values).all():
            raise ValueError("a log-probability that is not finite")
        rows = np.repeat(np.arange(len(sizes)), sizes)
        order = np.lexsort((tokens, rows))
        tokens, values = tokens[order], values[order]
        if ((np.diff(tokens) == 0) & (np.diff(rows) == 0)).any():
            raise ValueError("a token that stands twice in a row")
        return cls.filled(sizes, tokens.astype(np.int32), narrowed(values), tuple(texts))

    @classmethod
    def filled(
        cls,
        sizes: NDArray[np.integer[Any]],
        ids: NDArray[np.int32],
        logprobs: NDArray[np.floating[Any]],
        texts: tuple[tuple[str, str], ...],
    ) -> Self:
        """Rows from flat arrays that are in order already."""
        there = np.arange(int(sizes.max(initial=0))) < sizes[:, None]
        wide_ids = np.full(there.shape, NO_TOKEN, dtype=np.int32)
        wide = np.full(there.shape, -np.inf, dtype=logprobs.dtype)
        wide_ids[there], wide[there] = ids, logprobs
        return cls(wide_ids, wide, texts)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        """Whether every token, value and text is that of the other."""
        if not isinstance(other, Distributions):
            return NotImplemented
        alike = np.array_equal(self.ids, other.ids) and np.array_equal(self.logprobs, other.logprobs)
        return alike and self.logprobs.dtype == other.logprobs.dtype and self.texts == other.texts

    def same_values(self, other: Self) -> bool:
        """Whether every token and value is that of the other, whatever their texts."""
        return np.array_equal(self.ids, other.ids) and np.array_equal(self.logprobs, other.logprobs)

    __hash__ = None  # type: ignore[assignment]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many tokens each row holds, shape (rows,)."""
        counts: NDArray[np.int64] = np.count_nonzero(self.ids != NO_TOKEN, axis=1).astype(np.int64)
        return counts

    @property
    def summary(self) -> str:
        """What it holds, in words."""
        least, most = (int(self.counts.min()), int(self.counts.max())) if len(self) else (0, 0)
        width = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        return f"{len(self):,} rows with the log-probabilities of {width} tokens each ({self.logprobs.dtype})"


def narrowed(values: NDArray[np.float64]) -> NDArray[np.floating[Any]]:
    """The values in half the room, where none of them changes by it."""
    with np.errstate(over="ignore"):
        half = values.astype(np.float32)
    return half if np.array_equal(half.astype(np.float64), values) else values
