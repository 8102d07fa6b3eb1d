"""Two ways to ask an engine for the same distributions.

``/v1/completions`` has them everywhere, with the text of each of the k tokens: writing these texts is most of what the
server does for an answer. ``/inference/v1/generate`` takes ids, gives ids and can be told to write no texts, at less
than half of the server's cost. It is newer, so it is used where the server itself shows, on one beginning asked in both
ways, that its values are the same to the last bit; else nothing changes.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from twx_accept.claims.agreement.keys import PASSAGE, PROBE, WITNESS
from twx_accept.domain.exchange import Exchange, Key, Request


class Way(Enum):
    """A way to ask, by the server's path."""

    COMPLETIONS = "/v1/completions"
    TOKENS = "/inference/v1/generate"


def request(way: Way, ids: Sequence[int], width: int) -> tuple[str, Mapping[str, Any]]:
    """Path and body of a request for the ``width`` likeliest tokens at each position of ``ids``."""
    step = {"max_tokens": 1, "temperature": 0, "prompt_logprobs": width}
    if way is Way.TOKENS:
        return way.value, {"token_ids": list(ids), "sampling_params": {**step, "detokenize": False}}
    return way.value, {"prompt": list(ids), **step}


def ids_of(request: Request) -> Sequence[int]:
    """The ids of a request, whichever way it asks."""
    ids: Sequence[int] = request.body.get("token_ids") or request.body.get("prompt") or ()
    return ids


def settled(exchanges: Mapping[Key, Exchange]) -> Way:
    """The way in which this server is asked: that of the first passage that was, else the quick one where it is equal.

    What was asked once stays as it was asked: a probe that is answered later changes nothing.
    """
    asked = next((each for each in exchanges.values() if each.request.key.arm == PASSAGE), None)
    if asked is not None:
        return Way(asked.request.path)
    probe, witness = (
        next((each.rows for each in exchanges.values() if each.request.key.arm == arm), None)
        for arm in (PROBE, WITNESS)
    )
    same = probe is not None and witness is not None and probe.same_values(witness)
    return Way.TOKENS if same else Way.COMPLETIONS
