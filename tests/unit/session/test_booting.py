"""A boot among cards: they are free before it, watched while it lives, and what was seen is kept."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from fake_nvml import GIB
from twx_accept.domain.evidence import Boot, CardUse, Inventory
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build, Suite
from twx_accept.errors import AnswersSpoilt, CardsInUse, ServerDied
from twx_accept.evidence import Store
from twx_accept.evidence.packing import boot_of, pack
from twx_accept.serving import watching
from twx_accept.serving.holding import Holder
from twx_accept.session.booting import Booter
from twx_accept.session.repetition import AGAIN, FIRST, Repetition
from twx_accept.session.slots import Machine, Slot

BOOT = Boot(
    number=1,
    ready_seconds=1.0,
    engine_version="0",
    device="cuda",
    flags={},
    settings={},
    cache={},
    capacity_tokens=None,
)


class Card:
    """One card, and the server that fills it."""

    def __init__(self, used: int = 0) -> None:
        self.now, self.looks = used, 0

    def used(self) -> tuple[int, ...]:
        """What is in use now."""
        self.looks += 1
        return (self.now,)

    def totals(self) -> tuple[int, ...]:
        """Eighty GiB."""
        return (80 * GIB,)

    def names(self) -> tuple[str, ...]:
        """The third of a larger machine."""
        return ("card 2",)

    def slack(self) -> int:
        """None."""
        return 0

    def holders(self) -> list[Holder]:
        """A neighbour."""
        return [Holder(77, "neighbour", self.now)]

    @contextmanager
    def boot(self, _suite: Suite, build: Build, *, folder: Path, progress: Any) -> Iterator[RunningServer]:  # noqa: ARG002 - the protocol's
        """The launcher: a server that holds 70 GiB and leaves one behind."""
        self.now = 70 * GIB
        yield RunningServer(base_url="http://x", socket=None, model=build.name, api_key="", boot=BOOT)
        self.now = GIB


@pytest.fixture
def part(tmp_path: Path) -> Iterator[Callable[[int], Repetition]]:
    """The evidence of a build, by repetition."""
    with Store(tmp_path / "e.sqlite", {"weights": {}}, Inventory(weights={}, digests={}, tensors={})) as store:
        yield lambda run: Repetition(store, run)


@pytest.fixture
def boot(make_session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Boots the suite's first build on a card."""
    monkeypatch.setattr(watching, "SAMPLE_SECONDS", 0.01)
    suite = make_session().suite
    suite = replace(suite, engine=replace(suite.engine, device="cuda", memory_seconds=0.2))

    @contextmanager
    def start(card: Any, part: Repetition, said: list[str] | None = None) -> Iterator[RunningServer]:
        slot = Slot(suite=suite, machine=Machine(lock=tmp_path / "machine.lock", wait_seconds=0))
        booter = Booter(launcher=card, logs=tmp_path, memory=lambda _: card)
        booter.wait(slot, [].append if said is None else said.append)
        with booter.booted(slot, suite.builds[0], part, lambda *_: None) as server:
            yield server

    return start


def test_use_of_the_card_is_kept_with_the_boot(boot: Any, part: Any) -> None:
    """What was in use before is there at once, peak and rest after the end; each repetition has its own."""
    card = Card()
    with boot(card, part(FIRST)):
        assert [kept.card_use[0].before for kept in part(FIRST).boots()] == [0]
        assert [kept.card_use[0].after for kept in part(FIRST).boots()] == [None]
        looks = card.looks
        while card.looks < looks + 2:
            time.sleep(0.005)
    assert [kept.card_use for kept in part(FIRST).boots()] == [
        (CardUse(card="card 2", total=80 * GIB, before=0, peak=70 * GIB, after=GIB),)
    ]
    card.now = 0
    with boot(card, part(AGAIN)):
        pass
    assert [(kept.number, kept.run) for kept in part(AGAIN).boots()] == [(2, AGAIN)]


def test_use_of_the_card_is_kept_where_the_server_fails(boot: Any, part: Any) -> None:
    """A server that dies while it is asked leaves what was seen of its card."""
    with pytest.raises(ServerDied), boot(Card(), part(FIRST)):
        raise ServerDied("it ended")
    (kept,) = part(FIRST).boots()
    assert kept.card_use[0].after is not None


def exchange(item: str) -> Exchange:
    """An answer to a question of that name."""
    request = Request(key=Key(claim="c", item=item), path="/v1/completions", body={"prompt": item}, phase="p")
    return Exchange(request=request, answer={"choices": []}, failure=None, seconds=1.0, attempts=1)


def answer_and_fail(part: Repetition, error: Exception) -> None:
    """One more answer, and then an error."""
    part.keep([exchange("new")])
    raise error


@pytest.mark.parametrize("run", [FIRST, AGAIN])
def test_answers_that_cannot_be_trusted_are_set_aside_with_their_boot(boot: Any, part: Any, run: int) -> None:
    """What was kept since the boot is asked again, what an earlier one had answered stays; the boot counts no more."""
    kept = part(run)
    with boot(Card(), kept):
        kept.keep([exchange("old")])
    with pytest.raises(AnswersSpoilt), boot(Card(), kept):
        answer_and_fail(kept, AnswersSpoilt("NaN in its logits"))
    assert [each.request.key.item for each in part(run).exchanges("c")] == ["old"]
    assert [each.number for each in part(run).boots()] == [1]
    assert [each.spoilt for each in kept.store.boots()] == ["", "NaN in its logits"]
    with boot(Card(), kept):
        kept.keep([exchange("new")])
    assert [each.number for each in part(run).boots()] == [1, 3]


def test_answers_are_set_aside_before_the_server_is_stopped(boot: Any, part: Any) -> None:
    """A stop can take a minute: who kills the run in it must not leave them behind."""
    kept, left = part(FIRST), []

    class Slow(Card):
        @contextmanager
        def boot(self, *words: Any, **more: Any) -> Iterator[RunningServer]:
            try:
                with super().boot(*words, **more) as server:
                    yield server
            finally:
                left.append(kept.exchanges("c"))

    with pytest.raises(AnswersSpoilt), boot(Slow(), kept):
        answer_and_fail(kept, AnswersSpoilt("NaN in its logits"))
    assert left == [()]


def test_answers_of_a_server_that_died_are_kept(boot: Any, part: Any) -> None:
    """A server that ends says nothing against what it answered before."""
    kept = part(FIRST)
    with pytest.raises(ServerDied), boot(Card(), kept):
        answer_and_fail(kept, ServerDied("it ended"))
    assert (len(kept.exchanges("c")), len(kept.boots())) == (1, 1)


def test_a_card_that_a_neighbour_holds_is_not_booted_on(boot: Any, part: Any) -> None:
    """The neighbour is named when the wait begins and when it ends in vain; nothing was started."""
    said: list[str] = []
    card = Card(used=GIB)
    with pytest.raises(CardsInUse, match=r"card 2: 1\.0 GiB, held by 77 \(neighbour"), boot(card, part(FIRST), said):
        pytest.fail("it was booted beside a neighbour")
    assert [text.partition(":")[0] for text in said] == ["waiting for cards that somebody else uses"]
    assert part(FIRST).boots() == ()
    assert card.now == GIB


def test_evidence_of_an_older_version_has_boots_without_cards() -> None:
    """A boot that was written before cards were watched is read as one of which nothing was measured."""
    body = asdict(BOOT)
    del body["card_use"], body["beside"]
    assert boot_of(pack(body)) == BOOT
