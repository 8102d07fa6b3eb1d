"""A stand-in server that notes when each request begins and ends, and answers as a test says."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fake_vllm import FakeServer, Fault, Script
from twx_accept.asking import ask
from twx_accept.domain.evidence import Boot
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Asking

PATH = "/v1/completions"
BOOT = Boot(
    number=1, ready_seconds=1.0, engine_version="0", device="cpu", flags={}, settings={}, cache={}, capacity_tokens=None
)


class Recorder(FakeServer):
    """The stand-in, which notes its times and lets a test write its answers.

    ``events`` lists ("begin" or "end", body, time); an end is noted before the answer leaves. ``reply`` gets the body
    and the good answer, and returns what is answered: JSON, or a text that is sent as it is.
    """

    def __init__(self, *faults: Fault, reply: Callable[[Any, Any], Any] | None = None, **options: Any) -> None:
        super().__init__(Script(faults=faults), **options)
        self.events: list[tuple[str, Any, float]] = []
        self.reply = reply

    def begin(self, path: str, body: Any) -> Fault | None:
        """Notes the time."""
        self.events.append(("begin", body, time.monotonic()))
        return super().begin(path, body)

    def answer(self, path: str, body: Any) -> tuple[int, Any]:
        """Notes the time."""
        status, answer = super().answer(path, body)
        if self.reply is not None and status == 200:
            answer = self.reply(body, answer)
        self.events.append(("end", body, time.monotonic()))
        return status, answer

    @property
    def prompts(self) -> list[Any]:
        """The prompts of every request, in order."""
        return [body["prompt"] for _, body in self.seen]


@dataclass
class Bench:
    """Asks, and keeps what comes."""

    kept: list[Exchange] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)
    looks: int = 0
    alive: Callable[[], None] = lambda: None

    def ask(self, server: FakeServer | RunningServer, requests: Sequence[Request], **settings: Any) -> list[Exchange]:
        """Ask, and return what was kept, in the order of the requests."""
        if isinstance(server, FakeServer):
            server = running(server)
        ask(server, requests, asking(**settings), keep=self.keep, require_alive=self.look)
        order = {request.key: place for place, request in enumerate(requests)}
        return sorted(self.kept, key=lambda exchange: order[exchange.request.key])

    def keep(self, exchanges: Sequence[Exchange]) -> None:
        """Keep them."""
        self.kept += exchanges
        self.batches.append(len(exchanges))

    def look(self) -> None:
        """Require a living server."""
        self.looks += 1
        self.alive()


def running(server: FakeServer, model: str = "m") -> RunningServer:
    """The stand-in as the session knows it."""
    return RunningServer(base_url=server.base_url, socket=server.socket, model=model, api_key="", boot=BOOT)


def asking(**settings: Any) -> Asking:
    """Settings in which tests do not wait."""
    return Asking(
        **{"concurrency": 4, "prompts_per_request": 1, "timeout_seconds": 5.0, "attempts": 3, **settings},
    )


def request(item: int | str, prompt: Any = None, *, phase: str = "p", path: str = PATH, **body: Any) -> Request:
    """A request with one prompt in a list, which may share an HTTP request."""
    prompt = [f"prompt <{item}>"] if prompt is None else prompt
    content = {"prompt": prompt, "max_tokens": 1, **body} if prompt != () else {"max_tokens": 1, **body}
    return Request(key=Key(claim="c", item=f"{item}"), path=path, body=content, phase=phase)
