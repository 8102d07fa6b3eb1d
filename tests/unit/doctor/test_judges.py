"""The judge of a second stage: is it there, and does it know its name."""

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from fake_judge import judging
from twx_accept.doctor import Finding, Level
from twx_accept.doctor.checks import judges
from twx_accept.errors import SuiteError


@dataclass(frozen=True)
class Named:
    """A referee."""

    address: str
    model: str = "judge"


@dataclass(frozen=True)
class Facts:
    """A claim with a second stage, as far as the check looks at it."""

    referee: Named | None
    title: str = "Facts"

    def appeals(self, exchanges: Any) -> Any:
        """Never called here."""

    def calibrated(self, exchanges: Any) -> Any:
        """Never called here."""


@pytest.fixture
def found(look: Any) -> Any:
    """What the check finds of a claim with that referee, beside a claim that cannot be made."""

    def of(referee: Named | None) -> list[Finding]:
        claims = {"broken": SuiteError("no such thing"), "facts": Facts(referee)}
        findings: list[Finding] = look(judges, SimpleNamespace(claims=claims))
        return findings

    return of


def listing(*names: Any) -> bytes:
    """What a server says that it serves."""
    return json.dumps({"object": "list", "data": [{"id": name} for name in names]}).encode()


def test_without_a_judge_nothing_is_said(found: Any) -> None:
    """Most suites have none."""
    assert found(None) == []


def test_a_judge_that_is_there_is_named(found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its address; it is sent the key that the run would send."""
    monkeypatch.setenv("TWX_ACCEPT_JUDGE_KEY", "secret")
    with judging(lambda *_: "supported", lists=listing("other", "judge")) as told:
        (finding,) = found(Named(told.address + "/"))
    assert (finding.level, finding.what) == (Level.OK, f"Facts: judge at {told.address}/")
    assert told.keys == ["Bearer secret"]


@pytest.mark.parametrize(
    ("listed", "level", "said"),
    [
        (listing("a", "b"), Level.FAULT, "knows 'a', 'b'"),
        (listing(*"abcdefgh"), Level.FAULT, "knows 'a', 'b', 'c', 'd', 'e' and 3 more"),
        (listing("\x1b[31m" + "x" * 500), Level.FAULT, r"knows '\x1b[31mxxx"),
        (listing(), Level.FAULT, "knows no model"),
        (b'{"data": {"id": "judge"}}', Level.FAULT, "knows no model"),
        (b'{"data": ["judge", 7, null]}', Level.FAULT, "knows no model"),
        (b"{}", Level.FAULT, "knows no model"),
        (b'["judge"]', Level.UNCHECKED, "does not say what it serves"),
        (b"judge" * 10_000, Level.UNCHECKED, "does not say what it serves"),
        (None, Level.UNCHECKED, "does not say what it serves"),
    ],
)
def test_a_server_that_does_not_know_the_name_is_told(
    found: Any, listed: bytes | None, level: Level, said: str
) -> None:
    """What it knows is shown, short and without control characters; what it says badly is not believed."""
    with judging(lambda *_: "supported", lists=listed) as told:
        (finding,) = found(Named(told.address))
    assert finding.level is level
    assert said in finding.what
    assert "\x1b" not in finding.what
    assert len(finding.what) < 400
    assert finding.cure


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "http://no-such-host.invalid"])
def test_nobody_at_the_address_is_a_fault(found: Any, address: str) -> None:
    """With the address, and what to mend."""
    (finding,) = found(Named(address))
    assert finding.level is Level.FAULT
    assert address in finding.what
    assert "judge's address" in finding.cure
