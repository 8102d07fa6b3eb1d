"""One repetition of a build's evidence, seen as if there were no other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from twx_accept.domain.evidence import Inventory
from twx_accept.domain.exchange import Exchange, Failure, Key, Request
from twx_accept.errors import AnswersSpoilt
from twx_accept.evidence import Store
from twx_accept.session.repetition import AGAIN, FIRST, Repetition

CLAIMS = ("one", "other")


def request(item: str, claim: str = "one") -> Request:
    """A request of the first run, which is all that a claim knows."""
    return Request(key=Key(claim=claim, item=item), path="/v1/completions", body={"prompt": item}, phase="p")


def answered(item: str, claim: str = "one", text: str = "yes") -> Exchange:
    """Its exchange."""
    return Exchange(request=request(item, claim), answer={"text": text}, failure=None, seconds=0.1, attempts=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with Store(tmp_path / "e.sqlite", {}, Inventory(weights={}, digests={}, tensors={})) as opened:
        yield opened


@pytest.mark.parametrize("run", [FIRST, AGAIN])
def test_what_is_kept_or_set_aside_is_seen_at_once(run: int, store: Store) -> None:
    """After every change what is read is what the file holds, of the claim that changed and of every other."""
    part = Repetition(store, run)

    def read() -> list[list[str]]:
        """The items by claim; the file is asked by another reader too."""
        seen = [part.exchanges(claim) for claim in CLAIMS]
        assert seen == [Repetition(store, run).exchanges(claim) for claim in CLAIMS]
        return [[each.request.key.item for each in claim] for claim in seen]

    assert read() == [[], []]
    part.keep([answered("1"), answered("2"), answered("1", "other")])
    assert read() == [["1", "2"], ["1"]]
    part.reject([request("1").key])
    assert read() == [["2"], ["1"]]
    failure = Failure(kind="HTTP 503", message="busy", lasting=False)
    part.keep([Exchange(request=request("3", "other"), answer=None, failure=failure, seconds=0.1, attempts=1)])
    assert read() == [["2"], ["1", "3"]]
    part.keep([answered("3", "other")])
    assert part.exchanges("other")[-1] == answered("3", "other")
    with pytest.raises(AnswersSpoilt), part.trusting():
        raise AnswersSpoilt("spoilt")
    assert read() == [[], []]


def test_the_runs_of_a_build_do_not_see_each_other(store: Store) -> None:
    """Each run has its own answers under the keys of the first, and misses its own."""
    first, again = Repetition(store, FIRST), Repetition(store, AGAIN)
    first.keep([answered("1", text="a")])
    again.keep([answered("1", text="b"), answered("2", text="b")])
    assert first.exchanges("one") == (answered("1", text="a"),)
    assert again.exchanges("one") == (answered("1", text="b"), answered("2", text="b"))
    plan = [request("1"), request("2"), request("3")]
    assert first.missing(plan) == plan[1:]
    assert again.missing(plan) == plan[2:]
    assert (first.count("one"), again.count("one")) == (1, 2)


def test_what_did_not_change_is_read_once(store: Store) -> None:
    """Looking for what is open, planning what follows and deciding read the same answers: the file gives them once."""
    part = Repetition(store, FIRST)
    part.keep([answered("1"), answered("1", "other")])
    asked: list[str] = []
    store._db.set_trace_callback(asked.append)
    for _ in range(3):
        assert part.exchanges("one") is part.exchanges("one")
        part.missing([request("1")])
        part.keep([answered("2", "other")])
    assert sum("ORDER BY item" in text for text in asked) == 1
