"""The boot with random weights, on the stand-in for vLLM."""

from collections.abc import Callable
from typing import Any

import pytest

from twx_accept.doctor import Finding, Level, dummy
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.serving import ProcessLauncher

OK, WARNING, FAULT, UNCHECKED = Level
Boot = Callable[..., list[Finding]]


@pytest.fixture
def boot(project: Any, node_of: Any, still: Any) -> Boot:
    """Boots a build of the project so; keywords change the script of the engine."""

    def run(name: str = "original", node: Any = None, **script: Any) -> list[Finding]:
        project.behave(**script)
        node = node or node_of()
        logs = project.temporary / "logs"
        launcher = ProcessLauncher(memory=lambda _: still)
        return list(dummy.boot(node, node.suite.build(name), launcher, logs, lambda *_: None))

    return run


@pytest.fixture
def still() -> Any:
    """Memory in which nothing ever moves."""

    class Still:
        used = staticmethod(lambda: (0,))
        totals = staticmethod(tuple)
        names = staticmethod(lambda: ("host",))
        slack = staticmethod(lambda: 0)
        holders = staticmethod(list)

    return Still()


def test_it_boots_proves_and_asks_a_few_of_each_claim(project: Any, boot: Boot) -> None:
    """Ready, with its capacity, and every answer with its fields; no weights are loaded and no evidence is begun."""
    found = boot()
    assert [each.level for each in found] == [OK, OK]
    assert found[0].what.endswith(" s with 46,592 tokens of cache; settings proven")
    assert found[1].what == "original: Quiz: 48 requests, every answer has the fields that are read"
    assert project.boots() == ["original"]
    assert not (project.root / "reports").exists()


def test_the_engine_is_told_to_load_nothing(project: Any, boot: Boot) -> None:
    """The flag is the suite's, whatever a build says, and the engine has to confirm it like any other."""
    project.suite('path = "../../models/good"', 'path = "../../models/good"\nflags = { load_format = "safetensors" }')
    assert boot("good")[0].level is OK
    (found,) = boot("good", settings={"load_config": {"load_format": "auto"}})
    assert found.level is FAULT
    assert "load_format: given 'dummy', runs with 'auto'" in found.what


def test_an_engine_that_ends_says_why(boot: Boot) -> None:
    """The cause from its log is in the cure's line."""
    (found,) = boot(exit_at_start=3, prints=["Traceback (most recent call last):", "ValueError: no such kernel"])
    assert found.level is FAULT
    assert found.what.startswith("original: the server of original ended while it was starting")
    assert "ValueError: no such kernel" in found.cure


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"action": "status", "status": 400}, "Quiz: 48 requests, 8 failed: "),
        ({"action": "missing"}, "Quiz: 48 requests, 8 lack the values that are read"),
    ],
)
def test_answers_that_the_claims_cannot_read_are_a_fault(boot: Boot, fault: dict[str, Any], said: str) -> None:
    """A refused request, and an answer without the values that are read: told for the claim that asked."""
    found = boot(faults=[{"path": "/v1/completions", "match": "logprob_token_ids", **fault}])
    assert [each.level for each in found] == [OK, FAULT]
    assert said in found[1].what


def test_a_server_that_dies_while_it_is_asked_is_a_fault(boot: Boot) -> None:
    """What it said before stays."""
    found = boot(die_after=3)
    assert [each.level for each in found] == [OK, FAULT]
    assert "original" in found[1].what


def test_an_attached_server_is_not_booted(boot: Boot, node_of: Any) -> None:
    """It has weights of its own."""
    assert [each.level for each in boot(node=node_of(launcher="attach"))] == [UNCHECKED]


def test_answers_are_cut_off() -> None:
    """Random weights would write to the limit, which for a thinking model is minutes."""
    key = Key(claim="c", item="i")
    long = Request(key=key, path="/v1/chat/completions", body={"max_tokens": 16384, "seed": 1}, phase="p")
    assert dummy.short(long).body == {"max_tokens": 16, "seed": 1}
    same = Request(key=key, path="/tokenize", body={"prompt": "x", "max_tokens": 1}, phase="p")
    assert dummy.short(same) is same


class Probing:
    """A claim that asks in one way, and in another where the first is refused."""

    title = "Probing"

    def __init__(self, *, insists: bool) -> None:
        self.insists = insists

    def opening(self) -> list[Request]:
        """Nothing before it is known which way."""
        return []

    def follow_up(self, exchanges: list[Exchange]) -> list[Request]:
        """The probe; after a refusal the other way alone, unless it insists."""
        probe = Request(key=Key(claim="p", item="1"), path="/inference/v1/generate", body={}, phase="probe")
        other = Request(key=Key(claim="p", item="2"), path="/tokenize", body={"prompt": "x"}, phase="p")
        return [probe, other] if self.insists else [other] if exchanges else [probe]

    def unusable(self, exchanges: list[Exchange]) -> list[Key]:
        """Nothing."""
        return [] if exchanges else [Key(claim="p", item="nothing was asked")]


@pytest.mark.parametrize(("insists", "level"), [(False, OK), (True, FAULT)])
def test_what_a_claim_can_do_without_is_no_fault(boot: Boot, monkeypatch: Any, insists: bool, level: Level) -> None:
    """A refused probe that the claim asks no more does not stand in the way; one that it still wants does."""
    monkeypatch.setattr(dummy, "made", lambda *_: {"probing": Probing(insists=insists)})
    found = boot(faults=[{"path": "/inference/v1/generate", "action": "status", "status": 403}])
    assert found[-1].what.startswith("original: Probing: 2 requests, ")
    assert found[-1].level is level
