"""Requests and what came back. An exchange is kept as it came; scoring it is somebody else's work."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import msgspec

from twx_accept.domain.distributions import Distributions


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no spaces: the form that digests are taken of. Refuses NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode(
        "utf-8", "surrogatepass"
    )


def digest(value: Any) -> str:
    """SHA-256 (hex) of the canonical JSON of ``value``."""
    return hashlib.sha256(_quickly(value) or canonical(value)).hexdigest()


_ALIKE = frozenset({str, int, bool, type(None)})
_ENCODE = msgspec.json.Encoder(order="sorted").encode


def _quickly(value: Any) -> bytes | None:
    """The same bytes as :func:`canonical` in an eighth of the time, for what two writers of JSON put alike.

    A digest is taken of every request of a plan. None is for what they do not put alike, or what one of them refuses.
    """
    try:
        return _ENCODE(value) if _is_alike(value) else None
    except (ValueError, TypeError, OverflowError, RecursionError):  # half a surrogate, a large number, a key, depth
        return None


def _is_alike(value: Any) -> bool:
    """Whether it is made of objects, lists, texts, whole numbers and constants alone: each writes floats in its way."""
    kind = type(value)
    if kind is dict:
        return all(map(_is_alike, value.values()))
    if kind is list:
        return {*map(type, value)} <= _ALIKE or all(map(_is_alike, value))
    return kind in _ALIKE


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Key:
    """Where an exchange belongs. Unique within the evidence of one build.

    ``arm`` separates requests of one item that serve different ends (``tokens``, ``answer``, ``low``, ``high``);
    ``trial`` counts repeated trials, ``run`` counts repetitions of everything (the noise floor is run 2).
    """

    claim: str
    item: str
    arm: str = "answer"
    trial: int = 1
    run: int = 1

    def in_run(self, run: int) -> Self:
        """The same place in another repetition."""
        return self if run == self.run else replace(self, run=run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One planned request: ``path`` of the server and JSON ``body`` (without the model's name, which the asker adds).

    Requests of different ``phase`` are never in flight together (log-probabilities by given ids corrupt plain ones).
    ``body["prompt"]`` may be a list, which lets the asker send several requests that are otherwise alike as one.
    """

    key: Key
    path: str
    body: Mapping[str, Any]
    phase: str

    @property
    def digest(self) -> str:
        """What was asked, independent of key and phase."""
        return digest({"path": self.path, "body": self.body})

    def in_run(self, run: int) -> Self:
        """The same request in another repetition."""
        return self if run == self.key.run else replace(self, key=self.key.in_run(run))

    @property
    def has_many_prompts(self) -> bool:
        """Whether the prompt is a list of prompts; a list of ids is one prompt."""
        prompt = self.body.get("prompt")
        return isinstance(prompt, list) and bool(prompt) and not isinstance(prompt[0], int)

    @property
    def prompts(self) -> int:
        """The number of prompts, each of which gets one choice."""
        return len(self.body["prompt"]) if self.has_many_prompts else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a request has no answer. ``lasting`` failures (a refused request) are not tried again in the same run."""

    kind: str
    message: str
    lasting: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request and its answer (the server's JSON) or its failure, never both.

    ``seconds`` is the wall time of the HTTP request, which several exchanges may share. ``rows`` are the
    log-probabilities that were taken out of the answer where it holds a distribution a position.
    """

    request: Request
    answer: Mapping[str, Any] | None
    failure: Failure | None
    seconds: float
    attempts: int
    rows: Distributions | None = None

    def in_run(self, run: int) -> Self:
        """The same exchange as one of another repetition."""
        return self if run == self.request.key.run else replace(self, request=self.request.in_run(run))

    def choices(self) -> Sequence[Mapping[str, Any]]:
        """The choices of the answer, one for each prompt, empty where there are none."""
        choices = (self.answer or {}).get("choices")
        if not isinstance(choices, list) or not all(isinstance(choice, Mapping) for choice in choices):
            return []
        return choices


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """An answer's score.

    ``chosen`` is the index of the choice, ``values`` what it was chosen by (nats, or nats a byte);
    ``tied`` lists the choices that are exactly level at the top (at least one).
    """

    item: str
    right: bool
    chosen: int
    values: tuple[float, ...]
    tied: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unscored:
    """An item without a score: stays in the denominator and counts in the worst direction for the build."""

    item: str
    reason: str
