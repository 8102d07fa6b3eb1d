"""Which requests share an HTTP request, and in which order they go out."""

from itertools import pairwise
from typing import Any

import pytest
from asking_bench import PATH, Bench, Recorder, request
from hypothesis import given
from hypothesis import strategies as st

from fake_vllm import Fault
from twx_accept.asking.batching import batches, phases
from twx_accept.domain.exchange import Request


def sizes(requests: list[Request], limit: int) -> list[int]:
    """How many requests each batch holds."""
    return [len(batch.requests) for batch in batches(requests, limit)]


@pytest.mark.parametrize(
    ("prompts", "limit", "expected"),
    [
        ([1] * 6, 4, [4, 2]),
        ([1] * 4, 4, [4]),
        ([3, 3, 3], 4, [1, 1, 1]),
        ([2, 2, 1, 4], 4, [2, 1, 1]),
        ([1, 9, 1], 4, [1, 1, 1]),
        ([9], 4, [1]),
        ([1, 1], 1, [1, 1]),
        ([], 4, []),
    ],
)
def test_prompts_fill_a_request_up_to_the_limit(prompts: list[int], limit: int, expected: list[int]) -> None:
    """Requests are joined in order up to the limit; one that is larger than the limit goes alone, never in parts."""
    made = [request(place, ["a"] * count) for place, count in enumerate(prompts)]
    assert sizes(made, limit) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (request(1, "a text"), request(2, "a text")),
        (request(1, "a"), request(2, ["b"])),
        (request(1, ["b"]), request(2, "a")),
        (request(1, [1, 2]), request(2, [3])),
        (request(1, ["a"]), request(2, [[1, 2]])),
        (request(1, []), request(2, ["a"])),
        (request(1, messages=["a"], prompt=()), request(2, messages=["a"], prompt=())),
        (request(1, seed=1), request(2, seed=2)),
        (request(1, seed=1), request(2, seed=True)),
        (request(1, seed=1), request(2)),
        (request(1), request(2, path="/v1/other")),
        (request(1, extra={"a": [1]}), request(2, extra={"a": [2]})),
    ],
)
def test_what_differs_is_never_joined(one: Request, other: Request) -> None:
    """Texts, single lists of ids, chats, and bodies or paths that differ in anything go out alone."""
    assert sizes([one, other], 16) == [1, 1]


def test_lists_of_ids_are_joined_as_lists() -> None:
    """Prompts that are ids stay prompts of their own."""
    (batch,) = batches([request(1, [[1, 2]]), request(2, [[3], [4]])], 16)
    assert batch.body["prompt"] == [[1, 2], [3], [4]]


KINDS = st.sampled_from(["t", ["t"], ["t", "u"], [1, 2], [[1, 2]], [[1], [2], [3]], [], ()])


@given(st.lists(st.tuples(KINDS, st.integers(0, 1)), max_size=12), st.integers(1, 5))
def test_every_request_is_in_one_batch_in_order(kinds: list[tuple[Any, int]], limit: int) -> None:
    """Batches hold every request once, in order; a shared body has all prompts and no batch is over the limit."""
    made = [request(place, prompt, seed=seed) for place, (prompt, seed) in enumerate(kinds)]
    found = batches(made, limit)
    assert [each for batch in found for each in batch.requests] == made
    for batch in found:
        if len(batch.requests) > 1:
            assert len(batch.body["prompt"]) == sum(each.prompts for each in batch.requests) <= limit
            assert len({each.body["seed"] for each in batch.requests}) == 1
        else:
            assert batch.body == batch.requests[0].body


def test_phases_come_in_the_order_of_their_first_request() -> None:
    """Requests of one phase are gathered even where they are planned between others."""
    made = [request(place, phase=phase) for place, phase in enumerate("babca")]
    assert ["".join(each.phase for each in phase) for phase in phases(made)] == ["bb", "aa", "c"]


def test_no_request_of_a_phase_begins_before_the_last_phase_has_ended(bench: Bench) -> None:
    """Phases never overlap, however the requests are mixed and whatever fails on the way."""
    faults = (
        Fault(path=PATH, action="slow", seconds=0.05, match="<3>", times=1),
        Fault(path=PATH, action="status", status=503, match="<6>", times=2),
        Fault(path=PATH, action="drop", match="<4>", times=1),
    )
    made = [request(place, phase="xyz"[place % 3], user="xyz"[place % 3]) for place in range(30)]
    with Recorder(*faults) as server:
        kept = bench.ask(server, made, concurrency=5)
    assert all(exchange.answer for exchange in kept)
    order = [body["user"] for _, body, _ in server.events]
    assert sum(one != other for one, other in pairwise(order)) == 2


def test_as_many_requests_are_in_flight_as_allowed_and_no_more(bench: Bench) -> None:
    """The bound on concurrency is reached and kept."""
    with Recorder(Fault(path=PATH, action="slow", seconds=0.02)) as server:
        bench.ask(server, [request(place) for place in range(24)], concurrency=6)
    assert server.most_at_once <= 7  # an answered request is counted until its thread has noticed
    assert server.most_at_once >= 5


def test_one_at_a_time_goes_out_in_order(bench: Bench) -> None:
    """At concurrency 1 the order of requests is the order of the plan."""
    made = [request(place) for place in range(12)]
    with Recorder() as server:
        bench.ask(server, made, concurrency=1)
    assert server.prompts == [each.body["prompt"] for each in made]
