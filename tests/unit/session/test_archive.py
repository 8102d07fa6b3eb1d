"""What is kept in the place of servers: whole repetitions, told from halves by what the claims plan."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from twx_accept.domain.evidence import Boot, Inventory, Origin
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.errors import InvalidClaim
from twx_accept.evidence import Store, attempts
from twx_accept.session.archive import Archive
from twx_accept.session.repetition import AGAIN, FIRST, Repetition

SUITE: Any = SimpleNamespace(name="s")
BUILD: Any = SimpleNamespace(name="b")
INVENTORY = Inventory(weights={}, digests={}, tensors={})
ORIGIN = Origin(
    suite="s", build="b", weights="w", control=False, partial="", ledger="0" * 64, attempt=1, began="2026-01-01"
)
BOOT: Any = {"ready_seconds": 1.0, "engine_version": "", "device": "cpu", "flags": {}, "settings": {}, "cache": {}}


class Claim:
    """Asks twice: a question, and one that quotes the answer to it."""

    def __init__(self, name: str = "c", error: Exception | None = None) -> None:
        self.name, self.error = name, error

    def opening(self) -> Sequence[Request]:
        """One question."""
        return [self._request("first", "?")]

    def follow_up(self, exchanges: Sequence[Exchange]) -> Sequence[Request]:
        """What follows from its answer; nothing where there is none."""
        if self.error is not None:
            raise self.error
        said = [each.answer["said"] for each in exchanges if each.answer and each.request.key.arm == "first"]
        return [self._request("second", word) for word in said]

    def _request(self, arm: str, text: str) -> Request:
        return Request(key=Key(claim=self.name, item="q", arm=arm), path="/v1", body={"prompt": text}, phase="p")


Keep = Callable[..., Archive]


@pytest.fixture
def keep(tmp_path: Path) -> Keep:
    """Keeps both repetitions of a build: what the model said in each, and how many of the questions were asked."""

    def make(*claims: Any, words: tuple[str, str] = ("yes", "no"), asked: int = 2) -> Archive:
        with Store(tmp_path / "s-b-1.sqlite", {}, INVENTORY, begin=lambda: ORIGIN) as store:
            for run, word, number in ((FIRST, words[0], 2), (AGAIN, words[1], asked)):
                part = Repetition(store, run)
                part.add_boot(Boot(number=0, capacity_tokens=None, **BOOT))
                for claim in claims:
                    for _ in range(number):
                        planned = [*claim.opening(), *claim.follow_up(part.exchanges(claim.name))]
                        part.keep([_answered(request, word) for request in part.missing(planned)[:1]])
        return Archive(suite=SUITE, folder=tmp_path, claims=claims)

    return make


def _answered(request: Request, word: str) -> Exchange:
    return Exchange(request=request, answer={"said": word}, failure=None, seconds=0.1, attempts=1)


@pytest.mark.parametrize("words", [("yes", "yes"), ("yes", "no")])
def test_a_repetition_that_was_answered_otherwise_is_whole(keep: Keep, words: tuple[str, str]) -> None:
    """What follows from other answers is asked otherwise, and belongs to it all the same."""
    found = keep(Claim(), words=words).look(BUILD, {}, INVENTORY, AGAIN)
    assert found is not None
    assert len(found.exchanges["c"]) == 2


@pytest.mark.parametrize("asked", [0, 1])
def test_half_a_repetition_is_none(keep: Keep, asked: int) -> None:
    """Something that is planned was not asked, at first or after it."""
    archive = keep(Claim(), asked=asked)
    assert archive.look(BUILD, {}, INVENTORY, AGAIN) is None
    assert archive.look(BUILD, {}, INVENTORY, FIRST) is not None


def test_what_cannot_follow_is_not_missed(keep: Keep, tmp_path: Path) -> None:
    """Where the answers make what follows meaningless, a run does not ask it either."""
    keep(Claim(), asked=1)
    broken = Archive(suite=SUITE, folder=tmp_path, claims=[Claim(error=InvalidClaim("no"))])
    assert broken.look(BUILD, {}, INVENTORY, AGAIN) is not None


def test_a_repetition_may_be_left_out(keep: Keep) -> None:
    """Whoever judges claims apart leaves it out for all where it is not whole for each."""
    archive = keep(Claim())
    archive.again = False
    assert archive.look(BUILD, {}, INVENTORY, AGAIN) is None


@pytest.mark.parametrize("logged", [True, False])
def test_of_two_identities_the_log_tells_which_began_last(tmp_path: Path, *, logged: bool) -> None:
    """A clock that was set forward for one run does not make it the last; without a log it is all there is."""
    files = [tmp_path / f"{name}.sqlite" for name in ("a", "b")]
    for file, began in zip(files, ("2030-01-01", "2026-01-01"), strict=True):
        number = attempts.begin(tmp_path, SUITE, BUILD, "w", file, "0" * 64)
        begin = partial(replace, ORIGIN, attempt=number, began=began)
        with Store(file, {"weights": {"w": file.stem}}, INVENTORY, begin=begin):
            pass
    if not logged:
        (tmp_path / attempts.FILE).unlink()
    assert Archive(suite=SUITE, folder=tmp_path).files() == {"b": files[logged]}
