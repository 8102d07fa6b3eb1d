"""A referee measured before any build is: kept for itself, resumed, and never taken for another."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from fake_judge import judging
from twx_accept.domain.exchange import Key, Request
from twx_accept.domain.suite import Asking
from twx_accept.errors import ServerDied, ServingError
from twx_accept.evidence import reading
from twx_accept.session import appealing
from twx_accept.session.calibrating import ALONE, file_of, kept, measure
from twx_accept.session.progress import Silent

SETTINGS = Asking(concurrency=2, prompts_per_request=1, timeout_seconds=5, attempts=1)
CLAIM = "made_up_facts"


@dataclass(frozen=True)
class Referee:
    """Somebody to ask."""

    address: str
    model: str = "judge"
    digest: str = "a" * 64


def requests(count: int, text: str = "?") -> Sequence[Request]:
    """That many questions about labelled facts."""
    body = {"messages": [{"role": "user", "content": text}], "max_tokens": 4}
    keys = [Key(claim=CLAIM, item=f"labelled {n}", arm="sealed") for n in range(count)]
    return [Request(key=key, path="/v1/chat/completions", body=body, phase="judge") for key in keys]


def test_what_is_kept_is_not_asked_again(tmp_path: Path) -> None:
    """It lies in a file of the referee alone, which belongs to no suite and no build; the rest is asked later."""
    with judging(lambda *_: "supported") as told:
        referee = Referee(told.address)
        first = measure(tmp_path, referee, requests(3), SETTINGS, Silent())
        again = measure(tmp_path, referee, requests(5), SETTINGS, Silent())
    assert (first.requests, len(first.kept)) == (3, 3)
    assert (again.requests, len(again.kept)) == (2, 5)
    assert len(told.heard) == 5
    origin = reading.origin(file_of(tmp_path, referee))
    assert (origin.suite, origin.build, origin.partial, origin.attempt) == ("", "judge", ALONE, 0)
    assert len(kept(tmp_path, referee, CLAIM)) == 5
    assert not list(tmp_path.glob("*.sqlite")), "nothing may take it for the evidence of a build"


@pytest.mark.parametrize("other", [{"model": "prophet"}, {"digest": "b" * 64}])
def test_another_referee_has_another_file(tmp_path: Path, other: dict[str, str]) -> None:
    """Another model, prompt or sampling starts with nothing."""
    with judging(lambda *_: "supported") as told:
        measure(tmp_path, Referee(told.address), requests(3), SETTINGS, Silent())
        assert kept(tmp_path, Referee(told.address, **other), CLAIM) == ()


def test_what_has_failed_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that stumbled, or was not there, is no verdict: the failures are kept, and replaced by answers."""
    with judging(lambda *_: None) as told:
        gone = measure(tmp_path, Referee(told.address), requests(2), SETTINGS, Silent())
    assert all(each.failure is not None for each in gone.kept)
    monkeypatch.setattr(appealing, "PAUSES", ())
    with pytest.raises(ServerDied, match=r"nobody listens at http://127\.0\.0\.1:9"):
        measure(tmp_path, Referee("http://127.0.0.1:9"), requests(2), SETTINGS, Silent())
    with judging(lambda *_: "neither") as told:
        there = measure(tmp_path, Referee(told.address), requests(2), SETTINGS, Silent())
    assert (there.requests, [each.failure for each in there.kept]) == (2, [None, None])


def test_a_server_that_changes_its_model_is_left(tmp_path: Path) -> None:
    """Halfway another model signs the answers: its own are not used, what was kept before stays."""
    said = iter(["supported", "supported"])
    stranger = b'{"model": "stranger", "choices": [{"index": 0, "message": {"content": "supported"}}]}'
    one = Asking(concurrency=1, prompts_per_request=1, timeout_seconds=5, attempts=1)
    with judging(lambda *_: next(said, stranger)) as told, pytest.raises(ServingError, match="signed 'stranger'"):
        measure(tmp_path, Referee(told.address), requests(6), one, Silent())
    answered = [each for each in kept(tmp_path, Referee(""), CLAIM) if each.answer is not None]
    assert len(answered) == 2


@pytest.mark.parametrize(
    "answer", [b"", b"{", b'{"choices": []}', b"[1]", b'{"choices": [{"index": 0}, {"index": 1}]}']
)
def test_an_answer_that_is_none_is_a_failure(tmp_path: Path, answer: bytes) -> None:
    """Empty, truncated, without a choice or with two: kept as failures, which say what came."""
    with judging(lambda *_: answer) as told:
        found = measure(tmp_path, Referee(told.address), requests(2), SETTINGS, Silent())
    assert all(each.failure is not None and each.failure.kind == "malformed answer" for each in found.kept)


def test_damage_is_told_where_it_is_asked_and_says_nothing_to_a_plan(tmp_path: Path) -> None:
    """A plan reckons without a file that it cannot read."""
    referee = Referee("http://127.0.0.1:9")
    file = file_of(tmp_path, referee)
    file.parent.mkdir(parents=True)
    file.write_text("no database")
    assert kept(tmp_path, referee, CLAIM) == ()


@pytest.mark.parametrize("model", ["a/b", "../../x", "", "ü" * 400, "judge\n", "."])
def test_a_model_of_any_name_has_a_file_in_the_folder(tmp_path: Path, model: str) -> None:
    """Whatever it is called, its file lies where the others lie."""
    file = file_of(tmp_path, Referee("", model))
    assert file.parent == tmp_path / "judges"
    assert len(file.name) < 80
    assert file.suffix == ".sqlite"
