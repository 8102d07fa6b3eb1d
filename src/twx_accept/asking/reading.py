"""From the bytes of an HTTP answer to JSON that can be kept: finite numbers and a depth that nothing chokes on."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import httpx2
import msgspec

DEEPEST = 64
"""Levels of lists and objects. An engine's answers have about six; a thousand break whatever writes them again."""

LARGEST_ANSWER = 2**30
"""Bytes: many times the largest answer with log-probabilities, and less than what would take the machine down."""


class MalformedAnswer(Exception):
    """The server's answer is not what was asked for; asking again may help."""


def read(raw: bytes) -> Mapping[str, Any]:
    """The JSON object of an answer.

    Raises:
        MalformedAnswer: no JSON, no object, NaN or an infinity in it (which JSON has no words for, and which no
            log-probability may be), or nested without end.
    """
    answer = _parsed(raw)
    if not isinstance(answer, dict):
        raise MalformedAnswer(f"the answer is {type(answer).__name__}, not a JSON object")
    level: list[Any] = [answer]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _containers(outer)]
        if not level:
            return answer
    raise MalformedAnswer(f"the answer is nested more than {DEEPEST} levels deep")


def _parsed(raw: bytes) -> Any:
    """Three times faster than the standard library's way, which stays for what the strict one refuses.

    That is what cannot be kept, and what can though no UTF-8 has it: halves of surrogates.
    """
    try:
        return msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        pass
    try:
        return json.loads(raw, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        begin = raw[:200].decode(errors="replace")
        raise MalformedAnswer(f"the answer is no JSON ({error}): {begin!r}") from error


def _containers(outer: dict[str, Any] | list[Any]) -> Iterable[Any]:
    """What is nested in it; a list of many numbers is passed over without a look at each."""
    inner = outer.values() if isinstance(outer, dict) else outer
    if _NESTED.isdisjoint(map(type, inner)):
        return ()
    return (each for each in inner if type(each) in _NESTED)


_NESTED = frozenset({dict, list})


def _refuse(word: str) -> float:
    raise ValueError(f"it holds {word}, which is no number")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"it holds {digits[:40]}, which is too large for a number")
    return value


class BoundedTransport(httpx2.AsyncHTTPTransport):
    """A transport that stops reading an answer that has no end."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer, whose body is read up to :data:`LARGEST_ANSWER` bytes."""
        response = await super().handle_async_request(request)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream)
        return response


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, whole: httpx2.AsyncByteStream) -> None:
        self._whole = whole

    async def __aiter__(self) -> Any:
        size = 0
        async for part in self._whole:
            size += len(part)
            if size > LARGEST_ANSWER:
                raise MalformedAnswer(f"the answer is larger than {LARGEST_ANSWER} bytes")
            yield part

    async def aclose(self) -> None:
        await self._whole.aclose()
