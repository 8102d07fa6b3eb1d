"""The canary, on a stand-in that computes nonsense."""

from typing import Any

import pytest

from fake_vllm import FakeServer, Fault, Script
from twx_accept.domain.evidence import Boot
from twx_accept.domain.serving import RunningServer
from twx_accept.errors import AnswersSpoilt, ServerDied, ServingError
from twx_accept.serving import Canary, check
from twx_accept.serving.canary import TOKENS, notes


def running(server: FakeServer) -> RunningServer:
    """The stand-in as a server that was booted."""
    boot = Boot(
        number=1,
        ready_seconds=1.0,
        engine_version="0",
        device="cpu",
        flags={},
        settings={},
        cache={},
        capacity_tokens=None,
        log="m-boot-1.log",
    )
    return RunningServer(base_url=server.base_url, socket=server.socket, model="m", api_key="", boot=boot)


def spoilt(action: str, **more: Any) -> Script:
    """A stand-in that spoils every completion."""
    return Script(faults=(Fault(path="/v1/completions", action=action, **more),))


def test_a_canary_that_lives_says_what_it_sang() -> None:
    """Text, ids and log-probabilities come back, and a second canary with the same song has no note."""
    with FakeServer() as server:
        first = check(running(server))
        second = check(running(server), before=first)
    assert len(first.tokens) == len(first.logprobs) == TOKENS
    assert (first.corrupted, second.notes) == (0.0, first.notes)


def test_it_works_over_tcp_too() -> None:
    """A server with a real address is asked the same."""
    with FakeServer(tcp=True) as server:
        assert check(running(server)).text


@pytest.mark.parametrize("action", ["impossible", "nan", "empty", "garbage", "status"])
def test_nonsense_is_an_error(action: str) -> None:
    """Values that are no probabilities, no tokens, no JSON and refusals all stop the stage."""
    with FakeServer(spoilt(action)) as server, pytest.raises(ServingError):
        check(running(server))


@pytest.mark.parametrize("action", ["drop", "truncate"])
def test_a_connection_that_breaks_is_a_dead_server(action: str) -> None:
    """A server that cuts its answer off is taken for dead."""
    with FakeServer(spoilt(action)) as server, pytest.raises(ServerDied):
        check(running(server))


def test_a_canary_that_does_not_answer_in_time_is_dead() -> None:
    """The canary waits for its own time-out and no longer."""
    with FakeServer(spoilt("slow", seconds=3.0)) as server, pytest.raises(ServerDied, match="Timeout"):
        check(running(server), timeout=0.3)


def test_a_dead_engine_behind_a_living_server_is_noticed() -> None:
    """An API server that answers for an engine that is gone is not asked for tokens."""
    with FakeServer(Script(health=503)) as server:
        with pytest.raises(ServerDied, match="503"):
            check(running(server))
        assert [path for path, _ in server.seen] == ["/health"]


def test_corrupted_requests_are_an_error() -> None:
    """One request with NaN in its logits since the boot is one too many."""
    with FakeServer(Script(corrupted=1)) as server, pytest.raises(AnswersSpoilt, match="1 requests with NaN"):
        check(running(server))


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"text": "a"},
        {"text": "a", "logprobs": None},
        {"text": None, "logprobs": {"token_logprobs": [-1]}},
        {"text": "a", "logprobs": {"token_logprobs": []}},
        {"text": "a", "logprobs": {"token_logprobs": "-1"}},
        {"text": "a", "logprobs": {"token_logprobs": [None]}},
        {"text": "a", "logprobs": {"token_logprobs": [True]}},
        {"text": "a", "logprobs": {"token_logprobs": [float("-inf")]}},
        {"text": "a", "logprobs": {"token_logprobs": [-9998.0]}},
        [],
        None,
        "a",
    ],
)
def test_answers_of_another_shape_are_errors(choice: Any, monkeypatch: Any) -> None:
    """Whatever stands where the choice should be, the error is one of ours."""
    monkeypatch.setattr("fake_vllm.answers.completions", lambda *_: {"choices": [choice]})
    with FakeServer() as server, pytest.raises(ServingError, match="canary"):
        check(running(server))


def test_ids_that_are_no_ids_are_left_out(monkeypatch: Any) -> None:
    """A server that shows no ids, or something else in their place, still has a living canary."""
    answer = {"choices": [{"text": "a", "logprobs": {"token_logprobs": [-1.0]}, "token_ids": "none"}]}
    monkeypatch.setattr("fake_vllm.answers.completions", lambda *_: answer)
    with FakeServer() as server:
        assert check(running(server)).tokens == ()


def test_what_may_be_innocent_is_a_note() -> None:
    """One repeated token, and another song than before, are said and are no failure."""
    before = Canary(text="a", tokens=(1, 2), logprobs=(-1.0, -1.0), corrupted=0, notes=())
    assert notes("xx", (5,) * TOKENS, None) == ("the canary repeats one token: 'xx'",)
    assert notes("b", (1, 3), before) == ("the canary's tokens changed during the stage: 'a' before, 'b' after",)
    assert notes("a", (1, 2), before) == ()
