"""The rows of one passage on one side, or why they cannot be used."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from twx_accept.domain.distributions import Distributions
from twx_accept.domain.exchange import Exchange

SLACK = 1e-3
"""By how much the probabilities of a row may exceed 1 (or miss it, where all tokens are there)."""


def rows_of(exchange: Exchange | None, ids: Sequence[int], width: int) -> Distributions | str:
    """The distributions *for* the second to the last of ``ids``, each given those before it.

    Args:
        exchange: what was asked and answered.
        ids: the passage; n tokens give n - 1 rows.
        width: how many tokens were asked for: a row holds so many, and one more where the token that was read is none
            of them.

    Returns:
        The rows, or the reason why there are none.
    """
    if exchange is None:
        return "was never asked"
    if exchange.failure is not None:
        return f"{exchange.failure.kind}: {exchange.failure.message}"
    rows = exchange.rows
    if rows is None:
        return "the answer holds no log-probabilities that can be read"
    if len(rows) != len(ids) - 1:
        return f"the answer holds {len(rows)} rows for {len(ids)} tokens"
    sums, counts = np.exp(rows.logprobs.astype(np.float64)).sum(axis=1), rows.counts
    if sums.max() > 1 + SLACK:
        return f"the probabilities of row {int(sums.argmax()) + 1} add up to {sums.max():.4f}"
    odd = (counts > width + 1) | ((counts < width) & (sums < 1 - SLACK))
    if odd.any():
        row = int(odd.argmax())
        return f"row {row + 1} holds {counts[row]} tokens; {width} were asked for"
    read = rows.ids == np.asarray(ids[1:], dtype=np.int64)[:, None]
    if not read.any(axis=1).all():
        return f"row {int((~read.any(axis=1)).argmax()) + 1} does not hold the token that was read there"
    return rows


def logprobs_read(rows: Distributions, ids: Sequence[int]) -> NDArray[np.float64]:
    """The log-probability (nats) of each token that was read but the first, shape (rows,)."""
    read = rows.ids == np.asarray(ids[1:], dtype=np.int64)[:, None]
    found: NDArray[np.float64] = rows.logprobs[np.arange(len(rows)), read.argmax(axis=1)].astype(np.float64)
    return found
