"""What a build's answers leave open, put to a referee at an address of its own."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from fake_judge import judging
from twx_accept.domain.evidence import Inventory
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.suite import Asking
from twx_accept.errors import ServerDied
from twx_accept.evidence import Store
from twx_accept.session import appealing
from twx_accept.session.appealing import appeal
from twx_accept.session.progress import Silent
from twx_accept.session.repetition import AGAIN, FIRST, Repetition

SETTINGS = Asking(concurrency=2, prompts_per_request=1, timeout_seconds=5, attempts=1)


class Heard(Silent):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str) -> None:
        """Keep it."""
        self.said.append(text)


class Claim:
    """A claim with two open facts."""

    name, title = "made_up_facts", "Made-up facts"

    def __init__(self, address: str | None, model: str = "judge") -> None:
        self.referee = (
            None if address is None else type("R", (), {"address": address, "model": model, "digest": "0" * 64})()
        )

    def appeals(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:  # noqa: ARG002 - part of the protocol
        """One request for each."""
        body = {"messages": [{"role": "user", "content": "?"}], "max_tokens": 4}
        keys = [Key(claim=self.name, item=item, arm="judge") for item in ("p1 a", "p2 b")]
        return [Request(key=key, path="/v1/chat/completions", body=body, phase="judge") for key in keys]

    def calibrated(self, exchanges: Sequence[Exchange]) -> "Claim":  # noqa: ARG002 - part of the protocol
        """Nothing is measured here."""
        return self


@contextmanager
def judge(model: str = "judge") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server that says "supported" to everything, and what it heard."""
    heard: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            heard.append({"body": body, "key": self.headers["Authorization"]})
            message = {"role": "assistant", "content": "supported"}
            choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
            answer = json.dumps({"model": model, "choices": choices}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", heard
    finally:
        server.shutdown()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with Store(tmp_path / "e.sqlite", {"weights": {}}, Inventory(weights={}, digests={}, tensors={})) as made:
        yield made


@pytest.mark.parametrize("run", [FIRST, AGAIN])
def test_a_referee_is_asked_once_for_each_build_and_run(
    store: Store, run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its verdicts are kept with the build's exchanges of that run, under the key that the environment holds."""
    monkeypatch.setenv("TWX_ACCEPT_JUDGE_KEY", "secret")
    part, told = Repetition(store, run), Heard()
    with judge() as (address, heard):
        for _ in range(2):
            appeal("small", Claim(address), part, SETTINGS, told)
    assert len(heard) == 2
    assert {each["key"] for each in heard} == {"Bearer secret"}
    assert {each["body"]["model"] for each in heard} == {"judge"}
    assert [each.request.key.arm for each in part.exchanges("made_up_facts")] == ["judge", "judge"]
    assert store.count("made_up_facts", run) == 2
    assert told.said == ["small: Made-up facts: judge asked about 2 facts"]


def test_without_a_referee_nobody_is_asked(store: Store) -> None:
    """A claim without a second stage, or with none registered, is passed over."""
    told = Heard()
    for claim in (Claim(None), object()):
        appeal("small", claim, Repetition(store, FIRST), SETTINGS, told)
    assert (store.count("made_up_facts"), told.said) == (0, [])


def test_a_referee_that_stumbles_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look that fails is followed by others; an address that is none is told like one where nobody is."""
    monkeypatch.setattr(appealing, "PAUSES", (0.2,) * 20)
    with judge() as (address, _):
        appealing.require_there(Claim(address).referee)
    monkeypatch.setattr(appealing, "PAUSES", ())
    for address in ("http://127.0.0.1:99999", "http://", "https://no.such.host.invalid"):
        with pytest.raises(ServerDied, match="nobody listens at http"):
            appealing.require_there(Claim(address).referee)


def test_a_referee_that_refuses_is_told_with_its_failures(store: Store) -> None:
    """Somebody listens who answers nothing that can be used: each failure is kept, and asked again later."""
    told, part = Heard(), Repetition(store, FIRST)
    with judging(lambda *_: None) as there:
        appeal("small", Claim(there.address), part, SETTINGS, told)
    assert told.said == ["small: Made-up facts: judge asked about 2 facts; 2 without an answer"]
    assert all(each.failure for each in part.exchanges("made_up_facts"))


def test_a_referee_that_is_not_there_leaves_what_is_open_open(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked for a few times, told, nothing is raised, and a later run asks again."""
    monkeypatch.setattr(appealing, "PAUSES", (0.01, 0.01))
    told, part = Heard(), Repetition(store, FIRST)
    appeal("small", Claim("http://127.0.0.1:9"), part, SETTINGS, told)
    (said,) = told.said
    assert said.startswith(
        "small: Made-up facts: the judge cannot be asked, so what is open stays so: nobody listens at "
    )
    assert "http://127.0.0.1:9" in said
    assert "start it, or mend its address" in said
    assert not [each for each in part.exchanges("made_up_facts") if each.answer]
    with judge() as (address, heard):
        appeal("small", Claim(address), part, SETTINGS, told)
    assert len(heard) == 2
    assert all(each.answer for each in part.exchanges("made_up_facts"))


def test_another_model_at_that_address_is_no_referee(store: Store) -> None:
    """Its answers are not used, and the run goes on."""
    told = Heard()
    with judge(model="somebody else") as (address, _):
        appeal("small", Claim(address), Repetition(store, FIRST), SETTINGS, told)
    assert "the judge cannot be asked" in told.said[0]
    assert "somebody else" in told.said[0]
    assert not [each for each in store.exchanges("made_up_facts") if each.answer]
