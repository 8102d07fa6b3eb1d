"""From the exchanges of one build to what came of each trial at each effort."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from twx_accept.claims._counts import Counts
from twx_accept.claims.tool_calls.asking import FINAL, RAW, choice_of, has_ids, key, message_of, text_of, token_ids
from twx_accept.claims.tool_calls.reading import Format, read
from twx_accept.claims.tool_calls.scoring import Trial, TrialScore, score, truncated
from twx_accept.claims.tool_calls.tasks import Task
from twx_accept.domain.exchange import Exchange, Key, Unscored

Found = Mapping[Key, Exchange]

NEVER = "was never asked"
NO_IDS = "the server does not say which tokens it read and wrote (return_token_ids)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How raw output is read: its format, whether it begins in the thinking, and where a turn is cut off."""

    format: Format
    thinking: bool | None
    max_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn as it came: its score, or why it has none; the raw output, the message, and what it took."""

    score: TrialScore | Unscored
    raw: str = ""
    message: Mapping[str, Any] | None = None
    tokens: int = 0
    thought: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One trial at one effort. ``turns`` are the first and, in a loop whose first was right, the one after it."""

    task: Task
    turns: tuple[Turn, ...]

    @property
    def unscored(self) -> Unscored | None:
        """Why it has no score; None where it has one."""
        return next((turn.score for turn in self.turns if isinstance(turn.score, Unscored)), None)

    @property
    def deciding(self) -> Turn:
        """The turn that the trial is right or wrong by: the first that is not right, or the last."""
        return next((turn for turn in self.turns if not _right(turn)), self.turns[-1])

    @property
    def right(self) -> bool:
        """Whether every turn is right."""
        return all(_right(turn) for turn in self.turns)

    @property
    def scores(self) -> tuple[TrialScore, ...]:
        """The scores of its turns."""
        return tuple(turn.score for turn in self.turns if isinstance(turn.score, TrialScore))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One trial on both sides; without a score it is right for the original and wrong for the build."""

    original: Outcome
    build: Outcome

    @property
    def original_right(self) -> bool:
        """The worst for the build where the original has no score."""
        return self.original.unscored is not None or self.original.right

    @property
    def build_right(self) -> bool:
        """The worst for the build where it has no score."""
        return self.build.unscored is None and self.build.right

    @property
    def task(self) -> Task:
        """The trial."""
        return self.original.task


def counts(pairs: Sequence[Pair]) -> Counts:
    """The 2 x 2 table."""
    return Counts.of([(pair.original_right, pair.build_right) for pair in pairs])


def sides(pairs: Sequence[Pair]) -> tuple[list[Outcome], list[Outcome]]:
    """The original's outcomes and the build's."""
    return [pair.original for pair in pairs], [pair.build for pair in pairs]


def outcome(task: Task, effort: str, found: Found, reader: Reader) -> Outcome:
    """What came of a trial."""
    first = turn(task.first(), key(task.id, effort), found, reader)
    if task.case != "loop" or not _right(first):
        return Outcome(task=task, turns=(first,))
    ids = frozenset(call["id"] for call in (first.message or {}).get("tool_calls", ()))
    last = turn(task.final(ids), key(task.id, effort + FINAL), found, reader)
    return Outcome(task=task, turns=(first, last))


def turn(trial: Trial, at: Key, found: Found, reader: Reader) -> Turn:
    """One turn, scored from its message and from its raw output."""
    exchange = found.get(at)
    why = _unusable(exchange, found.get(key(at.item, at.arm + RAW)))
    if exchange is None or why:
        return Turn(score=Unscored(item=trial.item, reason=why), message=message_of(exchange))
    choice, message = choice_of(exchange) or {}, message_of(exchange)
    raw = text_of(found.get(key(at.item, at.arm + RAW))) or ""
    ids = token_ids(exchange) or []
    cut = truncated(choice.get("finish_reason"), len(ids), reader.max_tokens)
    reading = read(raw, reader.format, thinking=reader.thinking)
    return Turn(
        score=score(trial, message, choice.get("finish_reason"), cut=cut, reading=reading),
        raw=raw,
        message=message,
        tokens=len(ids),
        thought=len(reading.reasoning),
    )


def _unusable(exchange: Exchange | None, raw: Exchange | None) -> str:
    """Why a turn cannot be scored; empty where it can."""
    if exchange is None:
        return NEVER
    if exchange.failure is not None:
        return f"{exchange.failure.kind}: {exchange.failure.message}"
    if choice_of(exchange) is None:
        return f"the answer holds {len(exchange.choices())} choices, not one"
    if not has_ids(exchange):
        return NO_IDS
    if raw is None:
        return "its raw output was never decoded"
    if raw.failure is not None:
        return f"its raw output was not decoded: {raw.failure.kind}: {raw.failure.message}"
    return "" if text_of(raw) is not None else "the server decoded its raw output to no text"


def _right(turn: Turn) -> bool:
    return isinstance(turn.score, TrialScore) and turn.score.right
