"""When a server is ready: it lives, is healthy, serves the right name, and a real token came back."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from twx_accept.errors import NotReady, ServerDied, ServingError, WrongServer
from twx_accept.serving import log
from twx_accept.serving.child import Child
from twx_accept.serving.client import Client

LOOK_SECONDS = 0.1
PROBE_SECONDS = 0.3
PROGRESS_SECONDS = 1.0


@dataclass(slots=True)
class Probe:
    """Asks the server again and again, in a thread of its own, so that a slow answer never hides a dead process.

    ``ready`` is set when it passed, ``failure`` when it can never pass; ``missing`` is what it waits for.
    """

    client: Client
    model: str
    ready: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    failure: Exception | None = None
    missing: str = "an answer"

    def run(self) -> None:
        """Probes until the server is ready, fails for good, or nobody waits any more."""
        while not self.over.wait(PROBE_SECONDS):
            try:
                if self._passes():
                    self.ready.set()
                    return
            except WrongServer as error:
                self.failure = error
                return
            except ServingError as error:  # not yet: refused, still loading, cut off
                self.missing = str(error)
            except Exception as error:  # a thread must hand over what it cannot explain
                self.failure = error
                return

    def _passes(self) -> bool:
        status = self.client.status("/health")
        if status != 200:
            self.missing = f"/health to answer 200, not {status}"
            return False
        expect_model(self.client, self.model)
        self.missing = "a first token"
        return first_token(self.client, self.model)


def expect_model(client: Client, model: str) -> None:
    """Checks that the server serves exactly this name.

    Raises:
        WrongServer: it serves something else.
    """
    answer = client.json("/v1/models")
    data = answer.get("data")
    names = (
        [entry.get("id") if isinstance(entry, dict) else entry for entry in data] if isinstance(data, list) else data
    )
    if names != [model]:
        raise WrongServer(
            f"the server at this address serves {names!r}, not {[model]!r}: it is not the one that was started here. "
            f"Nothing is asked of it. Find it with `ss -xlp` and stop it, then start again."
        )


def first_token(client: Client, model: str) -> bool:
    """Whether one real token comes back: an engine can be healthy and still unable to answer."""
    answer = client.json("/v1/completions", {"model": model, "prompt": "1 2 3", "max_tokens": 1, "temperature": 0})
    choices, usage = answer.get("choices"), answer.get("usage")
    made: Any = usage.get("completion_tokens") if isinstance(usage, dict) else None
    return isinstance(choices, list) and len(choices) == 1 and isinstance(made, int) and made >= 1


def wait_until_ready(
    child: Child, client: Client, model: str, *, seconds: float, progress: Callable[[str, float], None]
) -> float:
    """Returns the seconds until the server was ready. ``progress`` gets the phase and the seconds about once a second.

    Raises:
        ServerDied: the process ended, at once, with the cause from its log.
        WrongServer: another model is served at the address.
        NotReady: the deadline of ``seconds`` passed.
    """
    begun = time.monotonic()
    probe, following = Probe(client, model), log.Progress(child.log)
    threading.Thread(target=probe.run, name=f"readiness of {model}", daemon=True).start()
    due = 0.0
    try:
        while not probe.ready.wait(LOOK_SECONDS):
            elapsed = time.monotonic() - begun
            if child.over:
                raise died(child, model, "while it was starting")
            if probe.failure is not None:
                raise probe.failure
            if elapsed >= due:
                child.record()
                progress(following.phase(), elapsed)
                due = elapsed + PROGRESS_SECONDS
            if elapsed >= seconds:
                raise NotReady(
                    f"{model} was not ready after {seconds:g} s (phase: {following.phase()}; waiting for: "
                    f"{probe.missing}). Raise ready_seconds if it only needs longer.\n{last_words(child)}"
                )
    finally:
        probe.over.set()
    return time.monotonic() - begun


def died(child: Child, model: str, when: str) -> ServerDied:
    """The error for a server whose process has ended, with the root cause and the end of its log."""
    return ServerDied(f"the server of {model} ended {when}: {how_it_ended(child.death)}\n{last_words(child)}")


def how_it_ended(status: int | None) -> str:
    """An exit status for a person to read."""
    if status is None:
        return "the process that guards it was killed"
    if status >= 0:
        return f"exit status {status}"
    hint = " (the kernel does that when memory runs out: see `dmesg`)" if status == -9 else ""
    return f"killed by signal {-status}{hint}"


def last_words(child: Child) -> str:
    """The cause, the end of the log and its path."""
    text = log.read(child.log)
    return f"cause: {log.root_cause(text)}\n{log.ending(text)}\nlog: {child.log}"
