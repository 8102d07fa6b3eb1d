"""Distributions in an answer become arrays as the answer arrives, so that neither memory nor the store holds JSON.

Two forms are known: ``prompt_logprobs`` of one prompt (vLLM: entry 0 is null, entry i is for token i, keyed by token
id, with ``logprob``, ``rank`` and ``decoded_token``; in the choice, or beside it where ids are given and ids come
back), and ``top_logprobs`` over the whole vocabulary, keyed ``token_id:N`` (asked for with ``logprobs = -1``, or with
the number of tokens, and ``return_tokens_as_token_ids``). An answer that is not of the form it was asked for stays as
it came: whoever decides finds no rows in it. A rank is not used: tokens that tie get the lower one.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from twx_accept.domain.distributions import LARGEST_ID, POISON, Distributions
from twx_accept.domain.exchange import Request

ROUNDING = 1e-5
"""Nats by which the log of a probability near 1 may exceed 0 in single precision, where an engine does not cap it."""

PREFIX = "token_id:"

LONGEST_TEXT = 200
"""Characters of a token's text; a hostile one may be a page."""


class _Malformed(Exception):
    """Not the form that was asked for."""


MOST_SHOWN = 1000
"""Tokens a step. An answer of so few stays as it came, for people to look at."""


class Place(Enum):
    """Where an answer holds distributions."""

    CHOICE = "of the prompt, in the choice"
    ANSWER = "of the prompt, beside the choices"
    STEPS = "of the tokens that were written"


def place_of(request: Request) -> Place | None:
    """Where the answer to a request holds distributions; None where none were asked for."""
    body = request.body
    inner = body.get("sampling_params")
    holder, place = (inner, Place.ANSWER) if isinstance(inner, Mapping) else (body, Place.CHOICE)
    width = holder.get("prompt_logprobs")
    if type(width) is int and width > 0:
        return place
    many = body.get("logprobs") == -1 or (type(body.get("logprobs")) is int and body["logprobs"] > MOST_SHOWN)
    return Place.STEPS if many and body.get("return_tokens_as_token_ids") is True else None


def prompt_of(request: Request) -> Any:
    """The one prompt of a request for its distributions, also where it stands in a list."""
    prompt = request.body.get("token_ids", request.body.get("prompt"))
    return prompt[0] if isinstance(prompt, list) and len(prompt) == 1 and isinstance(prompt[0], list) else prompt


def compact(request: Request, answer: Mapping[str, Any]) -> tuple[Mapping[str, Any], Distributions | None]:
    """The answer without its distributions, and these as arrays; or the answer as it came, and None."""
    place = place_of(request)
    if place is None:
        return answer, None
    if place is Place.STEPS:
        return _taken(answer, ("logprobs",), "top_logprobs", _of_steps)
    if place is Place.CHOICE:
        return _taken(answer, (), "prompt_logprobs", lambda rows: _of_prompt(rows, prompt_of(request)))
    try:
        rows = _of_prompt(answer.get("prompt_logprobs"), prompt_of(request))
    except (_Malformed, ValueError):
        return answer, None
    return {key: value for key, value in answer.items() if key != "prompt_logprobs"}, rows


def _taken(
    answer: Mapping[str, Any], path: Sequence[str], name: str, read: Any
) -> tuple[Mapping[str, Any], Distributions | None]:
    """Take the rows out of the one choice of an answer."""
    choices = answer.get("choices")
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], Mapping):
        return answer, None
    choice: Mapping[str, Any] = choices[0]
    holder: Any = choice
    for step in path:
        holder = holder.get(step)
        if not isinstance(holder, Mapping):
            return answer, None
    try:
        rows = read(holder.get(name))
    except (_Malformed, ValueError):
        return answer, None
    rest: Mapping[str, Any] = {key: value for key, value in holder.items() if key != name}
    for step in reversed(path):
        rest = {**choice, step: rest}
    return {**answer, "choices": [rest]}, rows


def _of_prompt(rows: Any, read: Any) -> Distributions:
    """The rows of a prompt of ids, the first of which has none."""
    if not isinstance(rows, list) or len(rows) < 2 or rows[0] is not None:
        raise _Malformed
    if not isinstance(read, list) or len(read) != len(rows):
        raise _Malformed
    counts, ids, values, texts = [], [], [], []
    for token, row in zip(read[1:], rows[1:], strict=True):
        if not isinstance(row, dict) or not row or not all(isinstance(entry, dict) for entry in row.values()):
            raise _Malformed
        logprobs = _checked([entry.get("logprob") for entry in row.values()])
        tokens = [_id(key) for key in row]
        highest = max(logprobs)
        best = min(here for here, value in zip(tokens, logprobs, strict=True) if value == highest)
        counts.append(len(row))
        ids += tokens
        values += logprobs
        texts.append((_text(row[str(best)]), _text(row.get(str(token), {}))))
    return Distributions.of(counts, ids, values, texts if any(any(pair) for pair in texts) else ())


def _of_steps(rows: Any) -> Distributions:
    """The rows of the tokens that were written."""
    if not isinstance(rows, list) or not rows:
        raise _Malformed
    counts, ids, values = [], [], []
    for row in rows:
        if not isinstance(row, dict) or not row or not all(key.startswith(PREFIX) for key in row):
            raise _Malformed
        values += _checked(row.values())
        ids += [_id(key[len(PREFIX) :]) for key in row]
        counts.append(len(row))
    return Distributions.of(counts, ids, values)


def _checked(values: Iterable[Any]) -> list[float]:
    found = list(values)
    if not set(map(type, found)) <= {int, float}:  # true is an int to Python, but no number here
        raise _Malformed
    if not (min(found) > POISON and max(found) <= ROUNDING):
        raise _Malformed
    return found


def _id(key: str) -> int:
    """A token id, written in one way only: two spellings would be two tokens."""
    if not (key.isascii() and key.isdigit() and len(key) <= len(str(LARGEST_ID))) or (key[0] == "0" and key != "0"):
        raise _Malformed
    return int(key)


def _text(entry: Mapping[str, Any]) -> str:
    text = entry.get("decoded_token")
    return text[:LONGEST_TEXT] if isinstance(text, str) else ""
