"""A canary: one small prompt before and after each stage, to notice an engine that answers but computes nonsense."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twx_accept.domain.distributions import POISON
from twx_accept.domain.serving import RunningServer
from twx_accept.errors import AnswersSpoilt, ServerDied, ServingError
from twx_accept.serving import metrics
from twx_accept.serving.client import Client

PROMPT = "The seasons of the year are spring,"
TOKENS = 8
NOT_OFFERED = (401, 403, 404, 405)
"""What a gateway answers for an endpoint that it does not pass on; a server of ours has every one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """A canary that lives. ``tokens`` are the ids it sang (empty where the engine shows none), ``logprobs`` in nats.

    ``corrupted`` counts requests with NaN in their logits since the boot (None where the engine does not count them).
    ``notes`` are oddities that are no failure by themselves.
    """

    text: str
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...]
    corrupted: float | None
    notes: tuple[str, ...]


def check(server: RunningServer, *, before: Canary | None = None, timeout: float = 120.0) -> Canary:
    """Asks a few greedy tokens and looks at them; ``before`` is the canary of the stage's begin.

    No other request may be in flight: log-probabilities asked in different ways at once spoil each other.
    That it passes does not prove the model right, only that the engine is not plainly broken.

    Raises:
        ServerDied: nobody answers, or the engine behind the API server is dead.
        AnswersSpoilt: values that are not finite, or requests that the engine counts as corrupted.
        ServingError: no tokens.
    """
    with Client.of(server, timeout=timeout) as client:
        health = client.status("/health")
        if health != 200 and not (server.boot.launcher == "attach" and health in NOT_OFFERED):
            log = f" See {server.boot.log}." if server.boot.log else ""
            raise ServerDied(f"/health of {server.model} answers {health}: its engine is dead.{log}")
        answer = client.json("/v1/completions", question(server.model))
        counted = (
            "" if server.boot.launcher == "attach" and client.status("/metrics") != 200 else client.text("/metrics")
        )
        corrupted = metrics.corrupted(counted)
    text, tokens, logprobs = song(answer)
    if corrupted:
        raise AnswersSpoilt(
            f"{server.model}: the engine counted {corrupted:g} requests with NaN in their logits since its boot. "
            f"Nothing it answered can be trusted; look for its kernel in the boot's notes and try another."
        )
    return Canary(text=text, tokens=tokens, logprobs=logprobs, corrupted=corrupted, notes=notes(text, tokens, before))


def question(model: str) -> dict[str, Any]:
    """The canary's request."""
    greedy = {"max_tokens": TOKENS, "temperature": 0, "seed": 0, "logprobs": 1, "return_token_ids": True}
    return {"model": model, "prompt": PROMPT, **greedy}


def song(answer: dict[str, Any]) -> tuple[str, tuple[int, ...], tuple[float, ...]]:
    """Text, token ids and log-probabilities of an answer, each checked."""
    try:
        choice = answer["choices"][0]
        text, logprobs = choice["text"], choice["logprobs"]["token_logprobs"]
        tokens = choice.get("token_ids") or []
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ServingError(f"the canary's answer has no {error}: {str(answer)[:300]}") from error
    if not isinstance(text, str) or not isinstance(logprobs, list) or not logprobs:
        raise ServingError(f"the canary came back without tokens: {str(answer)[:300]}")
    for value in logprobs:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= POISON:
            raise AnswersSpoilt(
                f"the canary's log-probabilities {logprobs} hold {value!r}, which is no probability: "
                f"the engine computes NaN or infinities. Look for its kernel in the boot's notes and try another."
            )
    ids = [token for token in tokens if isinstance(token, int)] if isinstance(tokens, list) else []
    return text, tuple(ids), tuple(float(value) for value in logprobs)


def notes(text: str, tokens: Sequence[int], before: Canary | None) -> tuple[str, ...]:
    """What is odd but may be innocent: small models repeat themselves, and batching moves near-ties."""
    found = []
    if len(tokens) == TOKENS and len(set(tokens)) == 1:
        found.append(f"the canary repeats one token: {text!r}")
    if before is not None and before.tokens != tuple(tokens):
        found.append(f"the canary's tokens changed during the stage: {before.text!r} before, {text!r} after")
    return tuple(found)
