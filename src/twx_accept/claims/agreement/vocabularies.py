"""Asks for the whole vocabulary after a few short beginnings, whichever way the server lets itself be asked.

Some releases of vLLM take ``logprobs = -1`` for all tokens, others want a number and refuse one that is too large by
naming the largest. So where -1 is refused the server is asked for more than any vocabulary holds, once, and then for as
many as it named. That it named them all is not believed: their probabilities must add up to one, see :mod:`.full`.
"""

import re
from collections.abc import Mapping
from typing import Any

from twx_accept.claims.agreement.keys import COUNTED, FULL, LIMIT, Ids, answered, key, refused
from twx_accept.claims.agreement.ways import Way
from twx_accept.domain.exchange import Exchange, Key, Request

ALL = -1
BEYOND = 10**9
"""More tokens than any vocabulary has, and few enough for every engine's whole numbers."""

LEAST = 1000
"""Tokens. A vocabulary has more; a limit under this is a setting of the server, for which the first refusal stands."""

LARGEST = re.compile(r"max allowed: ([1-9][0-9]{0,8})\b")


def requests(exchanges: Mapping[Key, Exchange], beginnings: Mapping[str, Ids]) -> list[Request]:
    """What is to be asked about these beginnings, after what was answered so far.

    A refusal is not asked for again: this check is a courtesy.
    """
    if not beginnings:
        return []
    first = next(iter(beginnings))
    plain = {name: ids for name, ids in beginnings.items() if not refused(exchanges.get(key(name, FULL)))}
    others = {name: ids for name, ids in beginnings.items() if name not in plain}
    found = [_request(name, FULL, ids, ALL) for name, ids in plain.items()]
    if not others:
        return found
    limit = exchanges.get(key(first, LIMIT))
    if limit is None:
        return [*found, _request(first, LIMIT, beginnings[first], BEYOND)]
    size = _largest(limit)
    counted = {name: ids for name, ids in others.items() if not refused(exchanges.get(key(name, COUNTED)))}
    return found + ([_request(name, COUNTED, ids, size) for name, ids in counted.items()] if size else [])


def answer_of(found: Mapping[Key, Exchange], name: str) -> Exchange | None:
    """The exchange that holds the whole vocabulary after a beginning, else the one that says why there is none."""
    ways = [found.get(key(name, arm)) for arm in (FULL, COUNTED)]
    return next((each for each in ways if answered(each)), ways[1] or ways[0])


def _largest(limit: Exchange) -> int | None:
    """The number of tokens that the server named when it refused; None where it named no vocabulary's."""
    named = LARGEST.search(limit.failure.message) if limit.failure is not None else None
    return int(named[1]) if named and int(named[1]) > LEAST else None


def _request(name: str, arm: str, ids: Ids, tokens: int) -> Request:
    body: dict[str, Any] = {
        "prompt": list(ids),
        "max_tokens": 1,
        "temperature": 0,
        "logprobs": tokens,
        "return_tokens_as_token_ids": True,
    }
    return Request(key=key(name, arm), path=Way.COMPLETIONS.value, body=body, phase=f"whole vocabulary, {arm}")
