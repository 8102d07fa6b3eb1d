"""An answer for many prompts goes back to the requests that asked for them."""

from typing import Any

import pytest
from asking_bench import Bench, Recorder, request

from twx_accept.asking.answers import split
from twx_accept.asking.batching import Batch
from twx_accept.asking.reading import MalformedAnswer
from twx_accept.errors import WrongServer

BATCH = Batch((request(0, ["a", "b"]), request(1, ["c"])))


def choices(*indices: Any) -> dict[str, Any]:
    """An answer with the choices of those indices."""
    return {"model": "m", "usage": {"total_tokens": 9}, "choices": [{"index": i, "text": f"t{i}"} for i in indices]}


def test_choices_go_by_their_index_and_not_by_their_place() -> None:
    """Choices that come in another order are put right."""
    first, second = split(BATCH, choices(2, 0, 1), "m", 1.0, 1)
    assert [choice["text"] for choice in first.choices()] == ["t0", "t1"]
    assert [choice["text"] for choice in second.choices()] == ["t2"]


def test_what_the_requests_share_is_kept_with_each() -> None:
    """Usage and the like stay as they came, with the number of requests that share them."""
    for exchange in split(BATCH, choices(0, 1, 2), "m", 1.5, 2):
        assert exchange.answer is not None
        assert exchange.answer["usage"] == {"total_tokens": 9}
        assert exchange.answer["shared_by"] == 2
        assert (exchange.seconds, exchange.attempts) == (1.5, 2)


@pytest.mark.parametrize(
    "indices",
    [
        (0, 1),
        (0, 1, 1),
        (0, 1, 2, 2),
        (0, 1, 2, 3),
        (1, 2, 3),
        (0, 1, -1),
        (0, 1, "2"),
        (0, 1, 2.0),
        (0, True, 2),
        (0, 1, None),
        (0, 1, [2]),
        (),
    ],
)
def test_choices_that_are_not_one_for_each_prompt_are_malformed(indices: tuple[Any, ...]) -> None:
    """Missing, doubled, extra or oddly typed indices give no exchange at all."""
    with pytest.raises(MalformedAnswer, match="choices"):
        split(BATCH, choices(*indices), "m", 1.0, 1)


@pytest.mark.parametrize("held", [None, {}, "abc", 3, [1, 2, 3], [None] * 3, [[]] * 3])
def test_choices_that_are_no_list_of_objects_are_malformed(held: Any) -> None:
    """Anything else in the place of the choices gives no exchange."""
    with pytest.raises(MalformedAnswer, match="no list of choices"):
        split(BATCH, {"choices": held}, "m", 1.0, 1)


@pytest.mark.parametrize("answer", [{}, {"error": {"message": "no"}}, {"choices": []}])
def test_completions_without_choices_are_no_answer(answer: dict[str, Any]) -> None:
    """A single completion needs its choice, so that an error in the place of an answer is asked again."""
    with pytest.raises(MalformedAnswer):
        split(Batch((request(0),)), answer, "m", 1.0, 1)


def test_other_paths_answer_in_their_own_form() -> None:
    """An answer that is no completion is kept as it came."""
    answer = {"tokens": [1], "count": 1}
    (exchange,) = split(Batch((request(0, path="/tokenize"),)), answer, "m", 1.0, 1)
    assert exchange.answer == answer
    assert exchange.choices() == []


@pytest.mark.parametrize("name", ["other", None, 3, ["m"]])
def test_an_answer_signed_by_another_model_is_of_the_wrong_server(name: Any) -> None:
    """An answer under another name is never kept."""
    with pytest.raises(WrongServer, match="is signed"):
        split(BATCH, choices(0, 1, 2) | {"model": name}, "m", 1.0, 1)


def test_each_request_gets_the_answer_to_its_own_prompts(bench: Bench) -> None:
    """Through a real server that shuffles its choices, the answers of joined requests are those of single ones."""
    made = [request(place, [f"word{place} {n}" for n in range(place % 3 + 1)]) for place in range(20)]

    def shuffle(_: Any, answer: Any) -> Any:
        return answer | {"choices": answer["choices"][1::2] + answer["choices"][::2][::-1]}

    def texts(kept: list[Any]) -> list[list[str]]:
        return [[choice["text"] for choice in exchange.choices()] for exchange in kept]

    with Recorder() as server:
        singly = texts(bench.ask(server, made))
    with Recorder(reply=shuffle) as server:
        together = texts(Bench().ask(server, made, prompts_per_request=7))
        assert len(server.seen) < len(made)
    assert together == singly
