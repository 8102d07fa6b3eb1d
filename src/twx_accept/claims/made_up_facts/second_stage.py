"""The second stage: a referee that has the last word on facts which the matcher does not settle. Off by default.

A claim never asks. It says what there is to ask (:class:`twx_accept.claims.Appealing`), a session sends it to the
referee's own address under the referee's model, and keeps the exchanges with the build's others. Deciding reads them
there. A referee that says none of its three words, or that it cannot tell, leaves the matcher's verdict as it is; one
that was not heard leaves the fact undecided, whatever the matcher says: could not check is not checked.
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
from twx_accept.claims.made_up_facts.supporting import Support
from twx_accept.domain.exchange import Exchange, Key, Request, digest
from twx_accept.errors import PairingError

READS = {
    "undecided": frozenset({Support.UNDECIDED}),
    "refused": frozenset({Support.UNDECIDED, Support.UNSUPPORTED}),
    "all": frozenset({Support.UNDECIDED, Support.UNSUPPORTED, Support.SUPPORTED}),
}
"""What a referee reads, by the matcher's verdict. A line that is no fact is never read."""

_VERDICTS = {
    Kind.SUPPORTED: Support.SUPPORTED,
    Kind.MADE_UP: Support.UNSUPPORTED,
    Kind.UNDECIDED: Support.UNDECIDED,
}
"""The matcher's verdict behind a kind. What another passage supports is not made up, and nobody is asked about it."""

_KINDS = {verdict: kind for kind, verdict in _VERDICTS.items()}


class Ruling(StrEnum):
    """What a referee says of a fact; ``unclear`` is none of the words that it may say."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    NEITHER = "neither"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A fact, and the text that must support it.

    ``item`` is what the question is filed under, ``arm`` where.
    """

    item: str
    text: str
    fact: str
    arm: str = asking.JUDGE


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

    @property
    def reads(self) -> frozenset[Support]:
        """Verdicts of the matcher on which it has the last word."""
        ...

    @property
    def measured(self) -> bool:
        """Whether its error is measured with the matcher's, and it reads what recalls planted facts too."""
        ...

    @property
    def digest(self) -> str:
        """By whom, with which prompt and sampling: an answer of another referee never serves this one."""
        ...

    def specification(self) -> Mapping[str, Any]:
        """What its verdicts depend on, as JSON."""
        ...

    def request(self, doubt: Doubt) -> Request:
        """What it is asked about a doubt: always the same for the same doubt."""
        ...

    def ruling(self, exchange: Exchange) -> Ruling:
        """What its answer says. Output is hostile: whatever is not clearly one of its words is ``unclear``."""
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

    @property
    def reads(self) -> frozenset[Support]:
        """As the suite registers it."""
        return READS[self.settings.reads or "undecided"]

    @property
    def measured(self) -> bool:
        """Where the suite says what it reads."""
        return self.settings.reads is not None

    @property
    def digest(self) -> str:
        """Model, prompt and sampling: what it reads changes no answer."""
        return digest(self._voice())

    def specification(self) -> Mapping[str, Any]:
        """Model, prompt and sampling, and what it reads. Where it is served is no part of what it says."""
        if self.settings.reads is None:
            return self._voice()
        return {**self._voice(), "reads": self.settings.reads}

    def request(self, doubt: Doubt) -> Request:
        """One fact, quoted as JSON: it was written by a model, and may say anything."""
        quoted = {"{passage}": json.dumps(doubt.text), "{fact}": json.dumps(doubt.fact)}
        head, rest = JUDGE.split("{passage}")
        middle, tail = rest.split("{fact}")
        prompt = f"{head}{quoted['{passage}']}{middle}{quoted['{fact}']}{tail}"
        return Request(
            key=self._place(doubt),
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
        return Ruling(word) if word in _WORDS else Ruling.UNCLEAR

    def _place(self, doubt: Doubt) -> Key:
        """By who is asked, by text and by fact: what is asked once is asked once, and nobody speaks for another."""
        return asking.key(f"{doubt.item} {self.digest[:8]} {digest([doubt.text, doubt.fact])[:16]}", doubt.arm)

    def _voice(self) -> dict[str, Any]:
        return {"model": self.model, "prompt": JUDGE, **self._sampling()}

    def _sampling(self) -> dict[str, Any]:
        chosen = self.settings
        return {"max_tokens": chosen.max_tokens, "temperature": 0.0, "seed": chosen.seed, **chosen.effort}


_WORDS = frozenset({Ruling.SUPPORTED, Ruling.UNSUPPORTED, Ruling.NEITHER})

Found = Mapping[Key, Exchange]


def heard(referee: Referee, doubt: Doubt, found: Found) -> Ruling | None:
    """What the referee has said of a doubt; None where it has not answered.

    Raises:
        PairingError: it was asked something else than is planned.
    """
    planned = referee.request(doubt)
    exchange = found.get(planned.key)
    if exchange is None or exchange.answer is None:
        return None
    if (exchange.request.path, exchange.request.body) != (planned.path, planned.body):
        raise PairingError(
            f"the judge was not asked what is planned about {doubt.item} (another prompt or other sampling); "
            "run with --fresh"
        )
    return referee.ruling(exchange)


def together(verdict: Support, ruling: Ruling | None) -> Support:
    """What matcher and referee make of a fact that the referee reads."""
    if ruling is None:
        return Support.UNDECIDED
    return {Ruling.SUPPORTED: Support.SUPPORTED, Ruling.UNSUPPORTED: Support.UNSUPPORTED}.get(ruling, verdict)


def ruled(referee: Referee, desk: Desk, passage: Passage, judged: Sequence[Judged], found: Found) -> list[Judged]:
    """The lines after the referee.

    Raises:
        PairingError: it was asked something else than is planned.
    """
    return [_ruled(referee, desk, passage, each, found) if reads(referee, each) else each for each in judged]


def reads(referee: Referee, judged: Judged) -> bool:
    """Whether the referee has the last word on a line."""
    return _VERDICTS.get(judged.kind) in referee.reads


def about(passage: Passage, judged: Judged) -> Doubt:
    """The question whether a passage supports a line."""
    return Doubt(item=passage.id, text=passage.text, fact=judged.fact)


def _ruled(referee: Referee, desk: Desk, passage: Passage, judged: Judged, found: Found) -> Judged:
    ruling = heard(referee, about(passage, judged), found)
    if ruling is None:
        reason = f"{judged.reason}; {referee.model} has not answered"
        return replace(judged, kind=Kind.UNDECIDED, reason=reason, unheard=True)
    if ruling in (Ruling.NEITHER, Ruling.UNCLEAR):
        return judged
    kind = _KINDS[together(_VERDICTS[judged.kind], ruling)]
    after = replace(judged, kind=kind, reason=f"{judged.reason}; {referee.model} says {ruling}", judge=True)
    tried = judged.kind is Kind.MADE_UP  # on the other passages, by the desk
    return desk.elsewhere(passage, after) if kind is Kind.MADE_UP and not tried else after
