"""One exchange: the facts that were written, or why there are none to count on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from twx_accept.claims.made_up_facts import lines
from twx_accept.claims.made_up_facts.settings import MadeUpFactsSettings
from twx_accept.domain.exchange import Exchange

_REFUSAL = re.compile(
    r"""^(?:(?:(?:i'?m|i\ am|we'?re|we\ are)?\s*(?:very\ |so\ |really\ )?sorry|i\ apologi[sz]e|unfortunately|apologies)
        [,.!]?\s*(?:but\s+)?)?
    (?:as\ an?\ (?:ai|language\ model|assistant)[^,.]*,\s*)?
    i\s*(?:cannot|can\ not|can'?t|won't|will\ not|could\ not|couldn'?t|(?:'m|\ ?am)\ (?:not\ able|unable)\ to|
        do\ not\ have|don'?t\ have|do\ not\ see|don'?t\ see)\s+
    (?:\w+\s+)?(?:help|assist|provide|comply|fulfil+|write|list|extract|read|access|see|answer|do\ (?:that|this)|
        process|complete|continue|generate|produce|identify|find|summari[sz]e|(?:(?:a|the|any)\ )?passage|enough)\b""",
    re.IGNORECASE | re.VERBOSE,
)
APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"

_SHORT = 3
"""Lines that an answer which refuses has at most; a longer one is read."""

_BROKEN_OFF = frozenset({"abort", "error"})
"""Ends that the server brought about; such an answer is asked for again."""


class State(StrEnum):
    """What came of one passage."""

    WRITTEN = "written"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a build wrote about one passage; ``why`` says it where that cannot be counted on."""

    state: State
    facts: tuple[str, ...] = ()
    duplicates: int = 0
    why: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is what the build had to say: neither cut short nor absent."""
        return self.state in (State.WRITTEN, State.REFUSED)


def read(exchange: Exchange | None, settings: MadeUpFactsSettings) -> Answer:
    """The answer of one exchange. Reasoning is no part of it."""
    if exchange is None:
        return Answer(state=State.MISSING, why="was never asked")
    if exchange.failure is not None:
        return Answer(state=State.MISSING, why=f"{exchange.failure.kind}: {exchange.failure.message}")
    text = text_of(exchange)
    if text is None:
        return Answer(state=State.MISSING, why="the server's answer holds no text")
    found = lines.read(text)
    if cut := _cut(exchange, found, settings):
        facts = found.facts[: settings.most_facts]
        return Answer(state=State.TRUNCATED, facts=facts, duplicates=found.duplicates, why=cut)
    if _refuses(exchange, found):
        return Answer(state=State.REFUSED, why=" ".join(found.facts)[:200] or "the server marks it as a refusal")
    return Answer(state=State.WRITTEN, facts=found.facts, duplicates=found.duplicates)


def text_of(exchange: Exchange) -> str | None:
    """What was written, empty where the model wrote nothing; None where the answer is not one that can be read."""
    choice = _choice(exchange)
    if choice is None or choice.get("finish_reason") in _BROKEN_OFF:
        return None
    if exchange.request.path.endswith("/chat/completions"):
        message = choice.get("message")
        if not isinstance(message, Mapping) or "content" not in message:
            return None
        text = message["content"]
        return "" if text is None else text if isinstance(text, str) else None
    text = choice.get("text")
    return text if isinstance(text, str) else None


def _choice(exchange: Exchange) -> Mapping[str, Any] | None:
    choices = exchange.choices()
    return choices[0] if len(choices) == 1 else None


def _cut(exchange: Exchange, found: lines.Lines, settings: MadeUpFactsSettings) -> str:
    """Why the answer counts as cut short; empty where it does not.

    The tokens are counted too: an engine may say another reason to have stopped in the place of the length.
    """
    choice = _choice(exchange) or {}
    usage = (exchange.answer or {}).get("usage")
    tokens = usage.get("completion_tokens") if isinstance(usage, Mapping) else None
    full = isinstance(tokens, int) and tokens >= settings.max_tokens
    if choice.get("finish_reason") == "length" or full:
        return f"cut at the limit of {settings.max_tokens:,} tokens"
    if len(found.facts) > settings.most_facts:
        return f"{len(found.facts):,} facts, more than the {settings.most_facts:,} that are read"
    if found.longest > lines.LONGEST:
        return f"a line of {found.longest:,} characters, more than the {lines.LONGEST:,} that are read"
    return ""


def _refuses(exchange: Exchange, found: lines.Lines) -> bool:
    message = (_choice(exchange) or {}).get("message")
    marked = isinstance(message, Mapping) and isinstance(message.get("refusal"), str) and bool(message["refusal"])
    said = 0 < len(found.facts) <= _SHORT and _REFUSAL.match(found.facts[0].replace(APOSTROPHE, "'")) is not None
    return said or (marked and not found.facts)
