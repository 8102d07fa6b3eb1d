"""What is seen of the cards around a boot."""

import time
from contextlib import suppress
from typing import Any

import pytest

from twx_accept.domain.evidence import CardUse
from twx_accept.errors import ServingError
from twx_accept.serving import watching
from twx_accept.serving.holding import GIB
from twx_accept.serving.memory import HostMemory
from twx_accept.serving.watching import watched


class Cards:
    """Two cards; ``now`` is what is in use, ``lost`` makes the driver fail."""

    def __init__(self) -> None:
        self.now, self.looks, self.lost = (GIB // 8, 0), 0, False

    def used(self) -> tuple[int, ...]:
        """What is in use now."""
        self.looks += 1
        if self.lost:
            raise ServingError("GPU is lost")
        return self.now

    def totals(self) -> tuple[int, ...]:
        """Two cards."""
        return (80 * GIB, 80 * GIB)

    def names(self) -> tuple[str, ...]:
        """Two cards."""
        return ("card 2", "card 3")

    def slack(self) -> int:
        """None."""
        return 0

    def holders(self) -> list[Any]:
        """Nobody."""
        return []


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    """Cards that are looked at a hundred times a second."""
    monkeypatch.setattr(watching, "SAMPLE_SECONDS", 0.01)
    return Cards()


def look_again(cards: Cards) -> None:
    """Waits until the cards have been looked at twice more."""
    until, deadline = cards.looks + 2, time.monotonic() + 5
    while cards.looks < until and time.monotonic() < deadline:
        time.sleep(0.005)


def test_before_peak_and_after_are_kept_of_each_card(cards: Cards) -> None:
    """The peak is each card's own, whenever it was, and what comes after the end does not move it."""
    with watched(cards) as watch:
        for now in ((70 * GIB, GIB), (GIB, 60 * GIB)):
            cards.now = now
            look_again(cards)
        assert [use.after for use in watch.use()] == [None, None]
        cards.now = (0, GIB)
    assert watch.use() == (
        CardUse(card="card 2", total=80 * GIB, before=GIB // 8, peak=70 * GIB, after=0),
        CardUse(card="card 3", total=80 * GIB, before=0, peak=60 * GIB, after=GIB),
    )


def test_looking_ends_with_the_context(cards: Cards) -> None:
    """No thread goes on looking, also where the context is left by an error."""
    with suppress(ZeroDivisionError), watched(cards) as watch:
        cards.now = (GIB, GIB)
        look_again(cards)
        raise ZeroDivisionError
    looks = cards.looks
    time.sleep(0.05)
    assert cards.looks == looks
    assert [use.after for use in watch.use()] == [GIB, GIB]


def test_a_driver_that_stops_answering_fails_nothing(cards: Cards) -> None:
    """The peak until then stays; what was in use after is not known, and the reason is kept."""
    with watched(cards) as watch:
        cards.now = (GIB, GIB)
        look_again(cards)
        cards.lost = True
        look_again(cards)
    assert [(use.peak, use.after) for use in watch.use()] == [(GIB, None), (GIB, None)]
    assert watch.lost == "GPU is lost"


def test_a_host_without_cards_is_not_sampled() -> None:
    """There is nothing to write down."""
    with watched(HostMemory()) as watch:
        pass
    assert watch.use() == ()
