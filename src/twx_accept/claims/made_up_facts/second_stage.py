"""The second stage: a referee for what the matcher leaves undecided. Off unless a suite registers one.

A claim never asks. It says what there is to ask (:class:`twx_accept.claims.Appealing`), a session sends it to the
referee's own address under the referee's model, and keeps the exchanges with the build's others, under the
arm ``judge``. Deciding reads them there: a verdict that is absent, broken or none of the three words leaves the fact
undecided.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

from twx_accept.claims._passages import Passage
from twx_accept.claims.made_up_facts import asking
from twx_accept.claims.made_up_facts.desk import Desk, Judged, Kind
from twx_accept.claims.made_up_facts.prompts import JUDGE
from twx_accept.claims.made_up_facts.settings import JudgeSettings
from twx_accept.domain.exchange import Exchange, Key, Request, digest
from twx_accept.errors import PairingError


class Ruling(StrEnum):
    """What a referee says of a fact."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A fact that the matcher leaves undecided, and the passage it was written about."""

    passage: Passage
    fact: str


class Referee(Protocol):
    """Somebody behind an OpenAI-compatible address who can be asked about a doubt."""

    @property
    def address(self) -> str:
        """The base URL of its server, without ``/v1``."""
        ...

    @property
    def model(self) -> str:
        """The name that its server knows it by."""
        ...

    def specification(self) -> Mapping[str, Any]:
        """What its verdicts depend on, as JSON."""
        ...

    def request(self, doubt: Doubt) -> Request:
        """What it is asked about a doubt: always the same for the same doubt."""
        ...

    def ruling(self, exchange: Exchange) -> Ruling:
        """What its answer says. Output is hostile: whatever is not clearly a verdict is ``neither``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A chat model that answers with one word."""

    settings: JudgeSettings

    @property
    def address(self) -> str:
        """The base URL of its server."""
        return self.settings.address

    @property
    def model(self) -> str:
        """The name that its server knows it by."""
        return self.settings.model

    def specification(self) -> Mapping[str, Any]:
        """Model, prompt and sampling. Where it is served is no part of what it says."""
        return {"model": self.model, "prompt": JUDGE, **self._sampling()}

    def request(self, doubt: Doubt) -> Request:
        """One fact, quoted as JSON: it was written by a model, and may say anything."""
        quoted = {"{passage}": json.dumps(doubt.passage.text), "{fact}": json.dumps(doubt.fact)}
        head, rest = JUDGE.split("{passage}")
        middle, tail = rest.split("{fact}")
        prompt = f"{head}{quoted['{passage}']}{middle}{quoted['{fact}']}{tail}"
        return Request(
            key=place(doubt),
            path="/v1/chat/completions",
            body={"messages": [{"role": "user", "content": prompt}], **self._sampling()},
            phase=asking.JUDGE,
        )

    def ruling(self, exchange: Exchange) -> Ruling:
        """The one word, whatever its case and the marks around it."""
        choices = exchange.choices()
        message = choices[0].get("message") if len(choices) == 1 else None
        text = message.get("content") if isinstance(message, Mapping) else None
        word = text.strip(" \t\r\n.,;:!*_`'\"").casefold() if isinstance(text, str) else ""
        return Ruling(word) if word in {each.value for each in Ruling} else Ruling.NEITHER

    def _sampling(self) -> dict[str, Any]:
        chosen = self.settings
        return {"max_tokens": chosen.max_tokens, "temperature": 0.0, "seed": chosen.seed, **chosen.effort}


def place(doubt: Doubt) -> Key:
    """Where a verdict is kept: by passage and fact, so that the same question is asked once for all builds' sakes."""
    return asking.key(f"{doubt.passage.id} {digest(doubt.fact)[:16]}", asking.JUDGE)


def ruled(
    referee: Referee, desk: Desk, passage: Passage, judged: Sequence[Judged], found: Mapping[Key, Exchange]
) -> list[Judged]:
    """The lines after the referee: of what is undecided, that which it has ruled on.

    Raises:
        PairingError: it was asked something else than is planned.
    """
    after = [_ruled(referee, passage, each, found) if each.kind is Kind.UNDECIDED else each for each in judged]
    return [desk.elsewhere(passage, each) if each.judge and each.kind is Kind.MADE_UP else each for each in after]


def _ruled(referee: Referee, passage: Passage, judged: Judged, found: Mapping[Key, Exchange]) -> Judged:
    planned = referee.request(Doubt(passage=passage, fact=judged.fact))
    exchange = found.get(planned.key)
    if exchange is None or exchange.answer is None:
        return judged
    if (exchange.request.path, exchange.request.body) != (planned.path, planned.body):
        raise PairingError(
            f"the judge was not asked what is planned about {passage.id} (another prompt or other sampling); "
            "run with --fresh"
        )
    ruling = referee.ruling(exchange)
    if ruling is Ruling.NEITHER:
        return judged
    kind = Kind.SUPPORTED if ruling is Ruling.SUPPORTED else Kind.MADE_UP
    return replace(judged, kind=kind, reason=f"{judged.reason}; {referee.model} says {ruling}", judge=True)
