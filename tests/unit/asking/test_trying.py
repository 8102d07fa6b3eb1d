"""What is tried again, how often, and what comes of it."""

import json
import time
from typing import Any

import httpx2
import openai
import pytest
from asking_bench import PATH, Bench, Recorder, request
from hypothesis import given, settings
from hypothesis import strategies as st

from fake_vllm import Fault
from fake_vllm.server import Handler
from twx_accept.asking import asker

TRIED_AGAIN = {
    "429": (Fault(path=PATH, action="status", status=429, times=2), "HTTP 429"),
    "500": (Fault(path=PATH, action="status", status=500, times=2), "HTTP 500"),
    "503": (Fault(path=PATH, action="status", status=503, times=2), "HTTP 503"),
    "307": (Fault(path=PATH, action="status", status=307, times=2), "HTTP 307"),
    "dropped": (Fault(path=PATH, action="drop", times=2), "no connection"),
    "truncated": (Fault(path=PATH, action="truncate", times=2), "no connection"),
    "garbage": (Fault(path=PATH, action="garbage", times=2), "malformed answer"),
    "empty": (Fault(path=PATH, action="empty", times=2), "malformed answer"),
    "slow": (Fault(path=PATH, action="slow", seconds=1.8, times=2), "time-out"),
}


def given_by(name: str) -> dict[str, Any]:
    """Settings under which that fault shows."""
    return {"timeout_seconds": 0.7} if name == "slow" else {}


@pytest.mark.parametrize("name", TRIED_AGAIN)
def test_what_passes_is_tried_again(name: str, bench: Bench) -> None:
    """After two bad tries the third answer counts, and the number of tries is kept."""
    with Recorder(TRIED_AGAIN[name][0]) as server:
        (exchange,) = bench.ask(server, [request(1)], **given_by(name))
    assert exchange.answer is not None
    assert exchange.failure is None
    assert exchange.attempts == 3


@pytest.mark.parametrize("name", TRIED_AGAIN)
def test_what_does_not_pass_in_time_is_a_failure(name: str, bench: Bench) -> None:
    """When the tries are used up the failure is kept, says its kind, and may be asked again in a later round."""
    fault, kind = TRIED_AGAIN[name]
    with Recorder(fault) as server:
        (exchange,) = bench.ask(server, [request(1)], attempts=2, **given_by(name))
    assert exchange.answer is None
    assert exchange.failure is not None
    assert (exchange.failure.kind, exchange.failure.lasting, exchange.attempts) == (kind, False, 2)
    assert exchange.failure.message


@pytest.mark.parametrize("status", [400, 401, 404, 413, 422])
def test_a_refused_request_is_not_tried_again(status: int, bench: Bench) -> None:
    """A request that is wrong in itself is asked once."""
    with Recorder(Fault(path=PATH, action="status", status=status)) as server:
        (exchange,) = bench.ask(server, [request(1)], attempts=5)
        assert len(server.seen) == 1
    assert exchange.failure is not None
    assert (exchange.failure.kind, exchange.failure.lasting, exchange.attempts) == (f"HTTP {status}", True, 1)
    assert "asked for by the script" in exchange.failure.message


def test_an_answer_that_trickles_is_ended(bench: Bench) -> None:
    """The time-out is for a whole answer: bytes that come one by one do not put it off."""

    class Trickler(Handler):
        def _send(self, status: int, answer: Any, **_: Any) -> None:
            raw = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            for place in range(len(raw)):
                self.wfile.write(raw[place : place + 1])
                time.sleep(0.05)

    with Recorder() as server:
        server._http.RequestHandlerClass = Trickler
        began = time.monotonic()
        (exchange,) = bench.ask(server, [request(1)], attempts=1, timeout_seconds=0.3)
    assert time.monotonic() - began < 3
    assert exchange.failure is not None
    assert exchange.failure.kind == "time-out"


@pytest.mark.parametrize(("asked", "least", "most"), [(0.2, 0.19, 5), (0, 0, 5), (3600, 0.45, 5)])
def test_the_servers_wish_is_followed(asked: float, least: float, most: float, bench: Bench) -> None:
    """The pause is what Retry-After says, up to the longest pause."""
    with Recorder(Fault(path=PATH, action="status", status=429, times=1, retry_after=asked)) as server:
        (exchange,) = bench.ask(server, [request(1)])
        (_, _, first), *_, (_, _, last) = server.events
    assert exchange.answer is not None
    assert least <= last - first < most


@pytest.mark.parametrize("wish", ["-1", "nan", "soon", "Wed, 21 Oct 2015 07:28:00 GMT", "", "inf", "1e400"])
def test_a_wish_that_is_no_number_of_seconds_is_bounded(wish: str) -> None:
    """Whatever stands in Retry-After, the pause is a number between nothing and the longest."""
    response = httpx2.Response(429, headers={"retry-after": wish}, request=httpx2.Request("POST", "http://a/"))
    error = openai.APIStatusError("no", response=response, body=None)
    assert 0 <= asker._pause(1, error) <= asker.LONGEST_PAUSE


def test_pauses_double_up_to_the_longest() -> None:
    """Back-off grows by two and has an end."""
    pauses = [asker._pause(attempt, TimeoutError()) for attempt in (1, 2, 3, 100)]
    assert pauses == [asker.FIRST_PAUSE, 2 * asker.FIRST_PAUSE, 4 * asker.FIRST_PAUSE, asker.LONGEST_PAUSE]


def test_time_is_that_of_the_answered_try(bench: Bench) -> None:
    """The seconds of an exchange are those of its HTTP request, without earlier tries and pauses."""
    with Recorder(Fault(path=PATH, action="status", status=429, times=1, retry_after=0.4)) as server:
        (exchange,) = bench.ask(server, [request(1)])
    assert 0 < exchange.seconds < 0.35


SPOILING: dict[str, dict[str, Any]] = {
    "400": {"action": "status", "status": 400},
    "500": {"action": "status", "status": 500},
    "nan": {"action": "nan"},
    "empty": {"action": "empty"},
    "garbage": {"action": "garbage"},
}


@pytest.mark.parametrize("name", SPOILING)
def test_one_bad_request_does_not_spoil_those_beside_it(name: str, bench: Bench) -> None:
    """Where a shared request fails for good each of its requests is asked alone; only the bad one fails."""
    made = [request(place, logprobs=1) for place in range(10)]
    with Recorder(Fault(path=PATH, match="<3>", **SPOILING[name])) as server:
        kept = bench.ask(server, made, prompts_per_request=5, attempts=2)
        assert len(server.seen) <= 2 + 1 + 5 + 1
    assert [exchange.request.key.item for exchange in kept if exchange.failure] == ["3"]
    assert len(kept) == 10


def test_an_overloaded_server_is_not_asked_more_often_for_less(bench: Bench) -> None:
    """Refusals that no request of a batch can be the cause of do not take the batch apart."""
    with Recorder(Fault(path=PATH, action="status", status=503)) as server:
        kept = bench.ask(server, [request(place) for place in range(10)], prompts_per_request=10, attempts=2)
        assert len(server.seen) == 2
    assert [exchange.failure.kind for exchange in kept if exchange.failure] == ["HTTP 503"] * 10


def test_what_was_answered_alone_is_kept_at_once(bench: Bench) -> None:
    """Of a batch that is taken apart each answer is kept as it comes, and not with the last one."""
    with Recorder(Fault(path=PATH, action="status", status=400, times=1)) as server:
        bench.ask(server, [request(place) for place in range(5)], prompts_per_request=5)
    assert bench.batches == [1] * 5


FAULTS = st.builds(
    Fault,
    path=st.just(PATH),
    action=st.sampled_from(["status", "drop", "truncate", "garbage", "empty", "nan"]),
    match=st.sampled_from(["", "<1>", "<2>", "<5>"]),
    after=st.integers(0, 3),
    times=st.integers(0, 3),
    status=st.sampled_from([400, 429, 500, 503]),
)


@settings(max_examples=40, deadline=None)
@given(
    faults=st.lists(FAULTS, max_size=3, unique=True).map(tuple),
    concurrency=st.integers(1, 4),
    together=st.integers(1, 4),
    phases=st.integers(1, 3),
)
def test_every_request_is_kept_once(faults: tuple[Fault, ...], concurrency: int, together: int, phases: int) -> None:
    """Whatever the server does, each request is kept exactly once: answered or failed, never both, never neither."""
    made = [request(place, logprobs=1, phase=f"{place % phases}") for place in range(8)]
    with Recorder(*faults) as server:
        kept = Bench().ask(server, made, concurrency=concurrency, prompts_per_request=together, attempts=2)
    assert [exchange.request for exchange in kept] == made
    assert all((exchange.answer is None) != (exchange.failure is None) for exchange in kept)
    for exchange in kept:
        assert len(exchange.choices()) == (exchange.answer is not None)
