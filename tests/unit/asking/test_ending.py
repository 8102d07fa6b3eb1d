"""How asking ends: with a dead or a wrong server, an error of the keeper, or the user's Ctrl-C."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from asking_bench import BOOT, PATH, Bench, Recorder, request, running

from fake_vllm import Fault, Script, engine_python
from fake_vllm.server import Handler
from twx_accept.domain.exchange import Exchange
from twx_accept.domain.serving import RunningServer
from twx_accept.errors import ServerDied, ServingError, WrongServer


def nobody_there() -> None:
    """What the session says of a dead server."""
    raise ServerDied("it is gone") from ServingError("the root cause")


def test_a_dead_server_ends_the_asking_at_once(bench: Bench, tmp_path: Path) -> None:
    """Nothing is recorded of requests that nobody could answer, so that the next run asks them."""
    bench.alive = nobody_there
    server = RunningServer(base_url="http://localhost", socket=tmp_path / "none", model="m", api_key="", boot=BOOT)
    began = time.monotonic()
    with pytest.raises(ServerDied, match="it is gone") as raised:
        bench.ask(server, [request(place) for place in range(500)], concurrency=16, attempts=1)
    assert time.monotonic() - began < 5
    assert bench.kept == []
    assert bench.looks == 1
    assert isinstance(raised.value.__cause__, ServingError)


def test_a_server_that_dies_leaves_what_it_answered(bench: Bench, tmp_path: Path) -> None:
    """With a real process that ends in the middle, its answers are kept and the rest stays open."""
    bench.alive = nobody_there
    socket = tmp_path / "s"
    python = engine_python(tmp_path / "engine", Script(die_after=10))
    process = subprocess.Popen([python, "--served-model-name", "m", "--uds", socket])
    try:
        while not socket.exists():
            time.sleep(0.01)
        server = RunningServer(base_url="http://localhost", socket=socket, model="m", api_key="", boot=BOOT)
        with pytest.raises(ServerDied):
            bench.ask(server, [request(place) for place in range(50)], attempts=3)
    finally:
        process.kill()
        process.wait()
    assert 5 <= len(bench.kept) <= 10
    assert all(exchange.answer for exchange in bench.kept)


def test_the_server_is_looked_after_while_nothing_is_in_flight(bench: Bench) -> None:
    """A lost connection brings one look for all that were lost together, and the server is quiet meanwhile."""
    busy = []
    faults = (
        Fault(path=PATH, action="drop", match="<2>", times=2),
        Fault(path=PATH, action="drop", match="<9>", times=1),
        Fault(path=PATH, action="slow", seconds=0.05),
    )
    with Recorder(*faults) as server:

        def look() -> None:
            ends = [body["prompt"] for kind, body, _ in server.events if kind == "end"]
            begins = [body["prompt"] for kind, body, _ in server.events if kind == "begin"]
            lost = {"prompt <2>", "prompt <9>"}
            busy.append([prompt for prompt in begins if prompt not in ends and prompt[0] not in lost])
            time.sleep(0.05)

        bench.alive = look
        kept = bench.ask(server, [request(place) for place in range(24)], concurrency=6)
    assert all(exchange.answer for exchange in kept)
    assert busy
    assert busy == [[]] * len(busy)


def test_many_connections_that_are_lost_together_bring_one_look(bench: Bench) -> None:
    """A hundred lost connections do not bring a hundred canaries."""
    with Recorder(Fault(path=PATH, action="drop", times=16)) as server:
        bench.ask(server, [request(place) for place in range(16)], concurrency=16)
    assert 1 <= bench.looks <= 4


def test_an_answer_of_another_model_ends_the_asking(bench: Bench) -> None:
    """A server that signs with another name is the wrong one; its answer is not kept."""
    with (
        Recorder(reply=lambda _, answer: {**answer, "model": "other"}) as server,
        pytest.raises(WrongServer, match="'other', not 'm'"),
    ):
        bench.ask(server, [request(place) for place in range(20)])
    assert bench.kept == []


def test_a_server_that_does_not_know_the_model_is_the_wrong_one(bench: Bench) -> None:
    """A server that serves another model ends the asking, instead of failing every request."""
    with Recorder(served="other") as server, pytest.raises(WrongServer, match="does not serve 'm'"):
        bench.ask(running(server), [request(place) for place in range(20)])
    assert bench.kept == []


def test_an_error_of_the_keeper_is_not_wrapped(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the keeper raises comes out as it is, with its cause, and ends the other workers."""

    def full(_: Sequence[Exchange]) -> None:
        raise OSError("the disk is full") from KeyError("why")

    monkeypatch.setattr(bench, "keep", full)
    with Recorder() as server, pytest.raises(OSError, match="the disk is full") as raised:
        bench.ask(server, [request(place) for place in range(50)])
    assert isinstance(raised.value.__cause__, KeyError)
    assert len(server.seen) < 50


def test_an_exception_beside_the_usual_ones_is_not_wrapped(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exceptions that pytest ends a test with come out of the group too."""

    class Ended(BaseException):
        pass

    def end(_: Sequence[Exchange]) -> None:
        raise Ended

    monkeypatch.setattr(bench, "keep", end)
    with Recorder() as server, pytest.raises(Ended):
        bench.ask(server, [request(place) for place in range(50)])


def test_ctrl_c_ends_the_asking_and_keeps_what_came(bench: Bench) -> None:
    """An interrupt comes out as such, soon, with the answers so far kept and every connection closed."""
    faults = (Fault(path=PATH, action="slow", after=5, seconds=2),)
    with Recorder(*faults) as server:
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            bench.ask(server, [request(place) for place in range(50)])
        assert time.monotonic() - began < 1.9
    timer.join()
    assert 1 <= len(bench.kept) <= 5


def test_every_connection_is_closed_at_the_end(bench: Bench) -> None:
    """A server with open connections may never end on SIGTERM, so none is left."""
    opened, closed = [], []

    class Counted(Handler):
        def setup(self) -> None:
            opened.append(self)
            super().setup()

        def finish(self) -> None:
            super().finish()
            closed.append(self)

    with Recorder(Fault(path=PATH, action="drop", times=1)) as server:
        server._http.RequestHandlerClass = Counted
        bench.ask(server, [request(place) for place in range(40)])
        until = time.monotonic() + 2
        while len(closed) < len(opened) and time.monotonic() < until:
            time.sleep(0.01)
    assert 1 <= len(opened) <= 6  # kept alive from request to request
    assert len(closed) == len(opened)


def test_nothing_to_ask_is_nothing(bench: Bench, tmp_path: Path) -> None:
    """Without requests no server is needed."""
    server = RunningServer(base_url="http://localhost", socket=tmp_path / "none", model="m", api_key="", boot=BOOT)
    assert bench.ask(server, []) == []


def test_no_proxy_answers_in_the_servers_place(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy in the environment is not asked."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with Recorder(tcp=True) as server:
        (exchange,) = bench.ask(server, [request(1)])
    assert exchange.answer is not None
