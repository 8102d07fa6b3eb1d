"""The asker: bounded concurrency over one connection pool, back-off, and no second try of what cannot succeed."""

import asyncio
import json
import math
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx2
import msgspec
import openai

from twx_accept.asking.answers import LOST, explain, failures, may_spare_others, split
from twx_accept.asking.batching import Batch, batches, phases
from twx_accept.asking.peeling import peel
from twx_accept.asking.reading import BoundedTransport, MalformedAnswer, read
from twx_accept.asking.streaming import whole
from twx_accept.domain.distributions import Distributions
from twx_accept.domain.exchange import Exchange, Failure, Request
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Asking

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
"""Seconds between two tries: doubled each time, at most the longest."""

Keep = Callable[[Sequence[Exchange]], None]


def ask(
    server: RunningServer,
    requests: Sequence[Request],
    settings: Asking,
    *,
    keep: Keep,
    require_alive: Callable[[], None],
) -> None:
    """Ask everything, one phase after the other.

    Args:
        server: where to ask.
        requests: what to ask, in order.
        settings: concurrency, prompts in a request, time-out (seconds, for a whole answer) and tries.
        keep: receives the exchanges as they come; every request reaches it exactly once, answered or failed.
        require_alive: raises ServerDied when the server is gone. It is called after a lost connection, once for all
            that were lost together, while nothing else is in flight (so it may ask the server something), and before
            any of them counts as failed: a dead server ends the asking, and what was not asked stays open.

    Raises:
        ServerDied: from ``require_alive``.
        WrongServer: another model answers at this address.
    """
    try:
        asyncio.run(_ask(server, requests, settings, keep, require_alive))
    except BaseExceptionGroup as group:
        first = group.exceptions[0]  # what one worker raised, after the others were cancelled
    else:
        return
    raise first  # out here: it keeps the cause that it had


async def _ask(
    server: RunningServer,
    requests: Sequence[Request],
    settings: Asking,
    keep: Keep,
    require_alive: Callable[[], None],
) -> None:
    async with _client(server, settings) as client:
        asker = _Asker(client, server.model, settings, keep, require_alive)
        for phase in phases(requests):
            waiting = iter(batches(phase, settings.prompts_per_request))
            async with asyncio.TaskGroup() as workers:
                for _ in range(settings.concurrency):
                    workers.create_task(_work(asker, waiting))


async def _work(asker: "_Asker", waiting: Iterator[Batch]) -> None:
    """One of the concurrent workers: takes the next batch until none is left."""
    for batch in waiting:
        await asker.settle(batch)


@asynccontextmanager
async def _client(server: RunningServer, settings: Asking) -> AsyncIterator[openai.AsyncOpenAI]:
    """The client, whose connections are closed before the server is stopped: open ones can keep it from ending."""
    limits = httpx2.Limits(max_connections=settings.concurrency, max_keepalive_connections=settings.concurrency)
    uds = str(server.socket) if server.socket else None
    trusted = ssl.create_default_context(cafile=server.certificates) if server.certificates else True
    transport = BoundedTransport(verify=trusted, uds=uds, limits=limits, trust_env=False)
    # Without trust in the environment: a proxy named there would answer in the server's place.
    async with httpx2.AsyncClient(transport=transport, timeout=settings.timeout_seconds, trust_env=False) as http:
        yield openai.AsyncOpenAI(
            base_url=server.base_url,
            api_key=server.api_key or "none",
            http_client=http,
            max_retries=0,
            timeout=settings.timeout_seconds,
            default_headers={"Accept-Encoding": "identity"},  # nothing to gain on this machine
        )


class _Asker:
    """Asks batches of one server and keeps what comes of them."""

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        model: str,
        settings: Asking,
        keep: Keep,
        require_alive: Callable[[], None],
    ) -> None:
        self._client = client
        self._model = model
        self._settings = settings
        self._keep = keep
        self._require_alive = require_alive
        self._in_flight = asyncio.Semaphore(settings.concurrency)
        self._looking = asyncio.Lock()
        self._looked = -math.inf
        self._gone: BaseException | None = None

    async def settle(self, batch: Batch, before: int = 0) -> None:
        """Ask a batch and keep its exchanges. Where one request may have spoilt the rest, each is asked alone.

        ``before`` counts the tries that were made of it within a larger batch: they are not made once more.
        """
        exchanges = await self._exchanges(batch, before)
        failure, tried = exchanges[0].failure, exchanges[0].attempts
        if failure is not None and len(exchanges) > 1 and may_spare_others(failure):
            for single in batch.singly():
                await self.settle(single, tried)
        else:
            self._keep(exchanges)

    async def _exchanges(self, batch: Batch, before: int) -> list[Exchange]:
        last = max(self._settings.attempts, before + 1)
        attempt = before
        while True:
            attempt += 1
            started = time.monotonic()
            try:
                answer, rows = await self._post(batch)
                return split(batch, answer, self._model, time.monotonic() - started, attempt, rows)
            except (openai.APIError, TimeoutError, MalformedAnswer) as error:
                took = time.monotonic() - started
                failure: Failure = explain(error, self._model)
                pause = _pause(attempt, error)
                if isinstance(error, LOST):
                    await self._look(since=started + took)
            if failure.lasting or attempt >= last:
                return failures(batch, failure, took, attempt)
            await asyncio.sleep(pause)

    async def _post(self, batch: Batch) -> tuple[Mapping[str, Any], Distributions | None]:
        body = _encoded({"model": self._model, **batch.body})
        async with self._in_flight, asyncio.timeout(self._settings.timeout_seconds):
            # httpx's own time-outs start anew with each byte; a server that trickles would never end.
            response = await self._client.post(batch.path, content=body, cast_to=httpx2.Response)
        raw = response.content
        if batch.requests[0].body.get("stream"):
            return whole(raw), None
        peeled = peel(batch.requests[0], raw) if len(batch.requests) == 1 else None
        return peeled or (read(raw), None)

    async def _look(self, since: float) -> None:
        """Require that the server lives, once for all connections that were lost together.

        Every place in flight is taken for it, so that it meets a quiet server: a canary with log-probabilities and
        requests with chosen ones spoil each other.
        """
        async with self._looking:
            if self._gone is not None:  # found by another worker, which is about to end this one too
                raise self._gone
            if self._looked > since:
                return
            async with AsyncExitStack() as quiet:
                for _ in range(self._settings.concurrency):
                    await quiet.enter_async_context(self._in_flight)
                begun = time.monotonic()
                try:
                    self._require_alive()
                except BaseException as error:
                    self._gone = error
                    raise
                self._looked = begun


def _encoded(body: Mapping[str, Any]) -> bytes:
    """The JSON of a body."""
    try:
        return msgspec.json.encode(body)
    except (ValueError, TypeError, OverflowError):
        # In ASCII, which carries every character, also the halves of surrogates that UTF-8 refuses.
        return json.dumps(body).encode("ascii")


def _pause(attempt: int, error: Exception) -> float:
    """Seconds until the next try: what the server asks for, or twice as long each time."""
    if isinstance(error, openai.APIStatusError):
        try:
            asked = float(error.response.headers.get("retry-after", ""))
        except ValueError:  # none, or a date
            asked = -1.0
        if asked >= 0:
            return min(asked, LONGEST_PAUSE)
    return min(FIRST_PAUSE * 2.0 ** (attempt - 1), LONGEST_PAUSE)
