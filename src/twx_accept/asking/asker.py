"""The asker: bounded concurrency over one connection pool, back-off, and no second try of what cannot succeed."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import openai

from twx_accept.asking.answers import MalformedAnswer, explain, failures, split
from twx_accept.asking.batching import Batch, batches, phases
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
        settings: concurrency, prompts in a request, time-out (seconds) and tries.
        keep: receives the exchanges as they come; every request reaches it exactly once, answered or failed.
        require_alive: raises ServerDied when the server's process is gone; called after each lost connection, so that
            a dead server ends the asking at once and what was not asked stays open for the next run.

    Raises:
        ServerDied: from ``require_alive``.
        WrongServer: another model answers at this address.
    """
    try:
        asyncio.run(_ask(server, requests, settings, keep, require_alive))
    except ExceptionGroup as group:  # what one worker raised, after the others were cancelled
        raise group.exceptions[0] from group


async def _ask(
    server: RunningServer,
    requests: Sequence[Request],
    settings: Asking,
    keep: Keep,
    require_alive: Callable[[], None],
) -> None:
    async with _client(server, settings) as client:
        for phase in phases(requests):
            waiting = iter(batches(phase, settings.prompts_per_request))
            asker = _Asker(client=client, model=server.model, settings=settings, require_alive=require_alive)
            async with asyncio.TaskGroup() as workers:
                for _ in range(settings.concurrency):
                    workers.create_task(_work(asker, waiting, keep))


async def _work(asker: "_Asker", waiting: Iterator[Batch], keep: Keep) -> None:
    """One of the concurrent workers: takes the next batch until none is left."""
    for batch in waiting:
        keep(await asker.exchange(batch))


@asynccontextmanager
async def _client(server: RunningServer, settings: Asking) -> AsyncIterator[openai.AsyncOpenAI]:
    """The client, whose connections are closed before the server is stopped: open ones can keep it from ending."""
    limits = httpx2.Limits(max_connections=settings.concurrency, max_keepalive_connections=settings.concurrency)
    uds = str(server.socket) if server.socket else None
    transport = httpx2.AsyncHTTPTransport(uds=uds, limits=limits)
    async with httpx2.AsyncClient(transport=transport, timeout=settings.timeout_seconds) as http:
        yield openai.AsyncOpenAI(
            base_url=server.base_url,
            api_key=server.api_key or "none",
            http_client=http,
            max_retries=0,
            timeout=settings.timeout_seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asker:
    client: openai.AsyncOpenAI
    model: str
    settings: Asking
    require_alive: Callable[[], None]

    async def exchange(self, batch: Batch) -> list[Exchange]:
        """The exchanges of a batch. Where one request spoils it for good, each is asked alone."""
        started = time.monotonic()
        failure = Failure(kind="not asked", message="no attempt was allowed", lasting=False)
        for attempt in range(1, self.settings.attempts + 1):
            try:
                answer = await self._post(batch)
                return split(batch, answer, self.model, time.monotonic() - started, attempt)
            except (openai.APIError, MalformedAnswer) as error:
                failure = explain(error)
                if isinstance(error, openai.APIConnectionError):
                    self.require_alive()
                if failure.lasting:
                    break
                if attempt < self.settings.attempts:
                    await asyncio.sleep(_pause(attempt, error))
        if failure.lasting and len(batch.requests) > 1:
            alone = [await self.exchange(single) for single in batch.singly()]
            return [exchange for exchanges in alone for exchange in exchanges]
        return failures(batch, failure, time.monotonic() - started, attempt)

    async def _post(self, batch: Batch) -> Any:
        body = {"model": self.model, **batch.body}
        response = await self.client.post(batch.path, body=body, cast_to=httpx2.Response)
        try:
            return response.json()
        except (ValueError, RecursionError) as error:
            raise MalformedAnswer(f"the answer is no JSON ({error}): {response.text[:200]!r}") from error


def _pause(attempt: int, error: Exception) -> float:
    """Seconds until the next try: what the server asks for, or twice as long each time."""
    if isinstance(error, openai.APIStatusError):
        asked = error.response.headers.get("retry-after", "")
        if asked.isdecimal():
            return min(float(asked), LONGEST_PAUSE)
    return min(FIRST_PAUSE * 2.0 ** (attempt - 1), LONGEST_PAUSE)
