"""Which requests go out together: many prompts may share one HTTP request, phases never overlap."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from twx_accept.domain.exchange import Request


@dataclass(frozen=True, slots=True)
class Batch:
    """Requests that are sent as one: alike but for their prompts."""

    requests: tuple[Request, ...]

    @property
    def path(self) -> str:
        """The server's path."""
        return self.requests[0].path

    @property
    def body(self) -> Mapping[str, Any]:
        """The body to send: the one that all share, with every prompt in order."""
        body = dict(self.requests[0].body)
        if len(self.requests) > 1:
            body["prompt"] = [prompt for request in self.requests for prompt in request.body["prompt"]]
        return body

    def singly(self) -> tuple["Batch", ...]:
        """Each request as a batch of its own: what is left to do when one of them spoils the whole."""
        return tuple(Batch((request,)) for request in self.requests)


def phases(requests: Iterable[Request]) -> Iterator[list[Request]]:
    """The requests of each phase, phases in the order of their first request."""
    found: dict[str, list[Request]] = {}
    for request in requests:
        found.setdefault(request.phase, []).append(request)
    yield from found.values()


def batches(requests: Sequence[Request], prompts_per_request: int) -> list[Batch]:
    """Consecutive requests that differ in nothing but their lists of prompts, up to so many prompts together."""
    made: list[Batch] = []
    for (*_, joins), alike in groupby(requests, key=_likeness):
        room: list[Request] = []
        prompts = 0
        for request in alike:
            if room and (prompts + request.prompts > prompts_per_request or not joins):
                made.append(Batch(tuple(room)))
                room, prompts = [], 0
            room.append(request)
            prompts += request.prompts
        made.append(Batch(tuple(room)))
    return made


def _likeness(request: Request) -> tuple[str, str, str]:
    """Path, everything but the prompts, and the kind of prompts: texts and lists of ids do not share a request.

    The kind is empty where the request has no list of prompts and can share nothing.
    """
    rest = {name: value for name, value in request.body.items() if name != "prompt"}
    kind = type(request.body["prompt"][0]).__name__ if request.has_many_prompts else ""
    return request.path, repr(sorted(rest.items())), kind
