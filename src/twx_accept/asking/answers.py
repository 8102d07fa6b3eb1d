"""From one HTTP answer to the exchanges of its requests, or to the reason why there are none."""

from collections.abc import Mapping
from typing import Any

import openai

from twx_accept.asking.batching import Batch
from twx_accept.asking.compacting import compact
from twx_accept.asking.reading import MalformedAnswer
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.exchange import Exchange, Failure
from twx_accept.errors import WrongServer

PASSING_STATUS = frozenset({408, 409, 425, 429})
"""Refusals that time may cure; every other 4xx says that the request itself is wrong."""

LONGEST_MESSAGE = 2000

MALFORMED = "malformed answer"

LOST = (openai.APIConnectionError, TimeoutError)
"""Errors after which nobody knows whether the server is still there."""


def split(
    batch: Batch,
    answer: Mapping[str, Any],
    model: str,
    seconds: float,
    attempts: int,
    rows: Distributions | None = None,
) -> list[Exchange]:
    """The exchange of each request of a batch.

    Args:
        batch: what was asked.
        answer: the server's JSON.
        rows: the distributions that were taken out of the answer to a single request already.
        model: the name that the server must answer under.
        seconds: wall time of the HTTP request.
        attempts: how often it was tried.

    Raises:
        MalformedAnswer: not one choice for each prompt.
        WrongServer: another model answered.
    """
    if "model" in answer and answer["model"] != model:
        raise WrongServer(f"the answer is signed {answer['model']!r}, not {model!r}; its answers are not used")
    choices_are_due = len(batch.requests) > 1 or batch.path.endswith("/completions")
    parts = _shares(batch, answer) if choices_are_due or "choices" in answer else [answer]
    compacted = [
        (part, rows) if rows is not None else compact(request, part)
        for request, part in zip(batch.requests, parts, strict=True)
    ]
    return [
        Exchange(request=request, answer=rest, failure=None, seconds=seconds, attempts=attempts, rows=own)
        for request, (rest, own) in zip(batch.requests, compacted, strict=True)
    ]


def _shares(batch: Batch, answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    choices = answer.get("choices")
    expected = sum(request.prompts for request in batch.requests)
    if not isinstance(choices, list) or not all(isinstance(choice, Mapping) for choice in choices):
        raise MalformedAnswer("the answer has no list of choices")
    indices = [choice.get("index") for choice in choices]
    whole = all(type(index) is int for index in indices)  # true is an int too, but no index
    if not whole or sorted(indices) != list(range(expected)):
        raise MalformedAnswer(f"the answer has the choices {indices[:20]} for {expected} prompts")
    ordered = sorted(choices, key=lambda choice: int(choice["index"]))
    rest = {name: value for name, value in answer.items() if name != "choices"} | {"shared_by": len(batch.requests)}
    shares: list[Mapping[str, Any]] = []
    for request in batch.requests:
        own, ordered = ordered[: request.prompts], ordered[request.prompts :]
        shares.append({**rest, "choices": own})
    return shares


def failures(batch: Batch, failure: Failure, seconds: float, attempts: int) -> list[Exchange]:
    """The exchanges of a batch that got no answer."""
    return [
        Exchange(request=request, answer=None, failure=failure, seconds=seconds, attempts=attempts)
        for request in batch.requests
    ]


def explain(error: Exception, model: str) -> Failure:
    """Why a request has no answer, and whether asking again is of any use.

    Raises:
        WrongServer: the server says that it does not serve this model.
    """
    message = str(error)[:LONGEST_MESSAGE]
    if isinstance(error, openai.APIStatusError):
        status = error.status_code
        if status == 404 and f"`{model}` does not exist" in message:
            raise WrongServer(f"the server at this address does not serve {model!r}: {message}") from error
        lasting = 400 <= status < 500 and status not in PASSING_STATUS
        return Failure(kind=f"HTTP {status}", message=message, lasting=lasting)
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return Failure(kind="time-out", message=message or "no whole answer came in time", lasting=False)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        return Failure(kind="no connection", message=f"{message} {cause or ''}".strip(), lasting=False)
    return Failure(kind=MALFORMED, message=message, lasting=False)


def may_spare_others(failure: Failure) -> bool:
    """Whether one request of a batch can be the cause: the server looked at it and refused, stumbled or garbled.

    An engine answers 500 for a whole batch when the values of one prompt are NaN.
    """
    return failure.lasting or failure.kind in (MALFORMED, "HTTP 500")
