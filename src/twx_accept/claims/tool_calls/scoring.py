"""One trial, scored: is what the server returned right, and if not, why, and was it the model or the server's parser?

Gated, as published: tool name, call count and argument shape. Whether values are right is told beside.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from twx_accept.claims.tool_calls.answer import Answer, Called, NotAMessage, told
from twx_accept.claims.tool_calls.arguments import NotJson, invalid, same_key, shortened, strict
from twx_accept.claims.tool_calls.markers import call_begun_in, call_written_in, marker_in
from twx_accept.claims.tool_calls.matching import matched
from twx_accept.claims.tool_calls.reading import Call, Kind, Reading


class Wants(StrEnum):
    """What is right in the turn that is scored."""

    CALLS = "calls"
    NO_CALL = "no call"
    """The tool that is offered must not be called: a positive answer in words is right."""
    ANSWER = "answer"
    """The tool's result is there: the final answer, in words, is right."""


class Reason(StrEnum):
    """Why a trial is wrong. The first that applies, in this order."""

    NO_MESSAGE = "no message of a chat completion"
    TRUNCATED = "truncated"
    LOST = "the server's parser lost or changed a call"
    HALF_WRITTEN = "half-written call"
    AS_TEXT = "call written as plain text"
    FINISH_REASON = "finish_reason contradicts the calls"
    FORBIDDEN = "called a tool where none was to be called"
    COUNT = "call count"
    NAME = "tool name"
    UNDECLARED = "tool that was not offered"
    NOT_JSON = "arguments are no JSON"
    NO_OBJECT = "arguments are no object"
    INVALID = "arguments are not valid under the schema"
    ID = "ids missing or doubled"
    MARKER_IN_CONTENT = "template marker in content"
    MARKER_IN_REASONING = "template marker in reasoning"
    MENDED = "the server's parser mended a malformed call"
    EMPTY = "empty answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A call that is expected. Without ``arguments`` their values are not told, and any will do."""

    name: str
    arguments: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What one turn was asked, and what is right.

    ``tools`` are those offered: name to schema of the parameters (the empty schema for none). ``accepted`` are texts
    of which a final answer should hold one. ``earlier_ids`` are the ids of all calls before in the conversation.
    """

    item: str
    wants: Wants
    tools: Mapping[str, Mapping[str, Any]]
    expected: tuple[Expected, ...] = ()
    accepted: tuple[str, ...] = ()
    earlier_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialScore:
    """What came of a trial.

    ``parser_loss``: the raw output holds a call that the message has lost or changed. ``rescued``: by our own reading
    the calls would have been right. ``mended``: the message alone would have been right, the raw output is not.
    ``values_right`` is None where no values were told. None of these changes ``right``.
    """

    item: str
    right: bool
    reason: Reason | None
    detail: str = ""
    parser_loss: bool = False
    rescued: bool = False
    mended: bool = False
    values_right: bool | None = None


Fault = tuple[Reason, str]


def truncated(finish_reason: Any, completion_tokens: Any, max_tokens: int) -> bool:
    """Whether generation was cut off.

    vLLM writes ``tool_calls`` over ``length`` where it found a call and does not stream, so the count of tokens has
    to be looked at too. An answer that ends by itself on the very last token counts as cut off.
    """
    counted = isinstance(completion_tokens, int) and completion_tokens >= max_tokens
    return counted or (isinstance(finish_reason, str) and finish_reason == "length")


def score(
    trial: Trial, message: Any, finish_reason: Any, *, cut: bool = False, reading: Reading | None = None
) -> TrialScore:
    """Score one turn. Nothing that a server or a model writes makes it raise.

    Args:
        trial: what is right.
        message: ``choices[0].message``.
        finish_reason: ``choices[0].finish_reason``.
        cut: whether generation was cut off; see :func:`truncated`.
        reading: the raw output, read strictly; without it a parser's loss cannot be seen.
    """
    try:
        answer = Answer.of(message)
    except NotAMessage as error:
        return _wrong(trial, (Reason.NO_MESSAGE, str(error)), reading=reading, cut=cut, answer=None)
    loss = _lost(answer, reading)
    alone = _fault_of_the_message(trial, answer, finish_reason)
    fault = (Reason.TRUNCATED, "") if cut else loss or _half_written(reading) or alone or _mended(answer, reading)
    if fault:
        mended = not (cut or loss or alone)
        return _wrong(trial, fault, reading=reading, cut=cut, answer=answer, mended=mended)
    return TrialScore(item=trial.item, right=True, reason=None, values_right=_values_right(trial, answer))


def _wrong(
    trial: Trial, fault: Fault, *, reading: Reading | None, cut: bool, answer: Answer | None, mended: bool = False
) -> TrialScore:
    loss = _lost(answer or Answer(content="", reasoning="", calls=()), reading)
    rescued = loss is not None and reading is not None and not cut and _right_as_read(trial, reading)
    reason, detail = fault
    return TrialScore(
        item=trial.item,
        right=False,
        reason=reason,
        detail=shortened(detail),
        parser_loss=loss is not None,
        rescued=rescued,
        mended=mended,
        values_right=_values_right(trial, answer),
    )


# What the message says


def _fault_of_the_message(trial: Trial, answer: Answer, finish_reason: Any) -> Fault | None:
    """The first thing wrong with a message taken by itself."""
    return (
        _unread_call(trial, answer)
        or _wrong_finish(answer, finish_reason)
        or (_wrong_calls(trial, answer.calls) if trial.wants is Wants.CALLS else _forbidden(answer))
        or _wrong_ids(trial, answer)
        or _leak(answer)
        or (None if trial.wants is Wants.CALLS or answer.content.strip() else (Reason.EMPTY, ""))
    )


def _wrong_finish(answer: Answer, finish_reason: Any) -> Fault | None:
    wanted = "tool_calls" if answer.calls else "stop"
    if isinstance(finish_reason, str) and finish_reason == wanted:
        return None
    return Reason.FINISH_REASON, f"{len(answer.calls)} calls and finish_reason {told(finish_reason)}"


def _unread_call(trial: Trial, answer: Answer) -> Fault | None:
    """A call that stands in a text, where nobody acts on it. In the reasoning only markers count: it may weigh JSON."""
    begun = call_begun_in(answer.content) or call_begun_in(answer.reasoning)
    if begun:
        return Reason.HALF_WRITTEN, begun
    written = call_written_in(answer.content, trial.tools)
    return (Reason.AS_TEXT, written) if written else None


def _forbidden(answer: Answer) -> Fault | None:
    return (Reason.FORBIDDEN, ", ".join(call.name for call in answer.calls)) if answer.calls else None


def _wrong_calls(trial: Trial, calls: Sequence[Called | Call]) -> Fault | None:
    """Number, names and shape, whatever the order of calls."""
    if len(calls) != len(trial.expected):
        return Reason.COUNT, f"{len(calls)} instead of {len(trial.expected)}"
    wanted, found = Counter(call.name for call in trial.expected), Counter(call.name for call in calls)
    if wanted != found:
        strange = sorted(name for name in found if name not in trial.tools)
        if strange:
            return Reason.UNDECLARED, strange[0]
        return Reason.NAME, f"{sorted((found - wanted).elements())} instead of {sorted((wanted - found).elements())}"
    return next((fault for call in calls if (fault := _wrong_arguments(trial, call))), None)


def _wrong_arguments(trial: Trial, call: Called | Call) -> Fault | None:
    try:
        value = strict(call.arguments)
    except NotJson as error:
        return Reason.NOT_JSON, f"{call.name}: {error}"
    if not isinstance(value, dict):
        return Reason.NO_OBJECT, f"{call.name}: {call.arguments}"
    if call.name not in trial.tools:
        return Reason.UNDECLARED, call.name
    why = invalid(value, trial.tools[call.name])
    return (Reason.INVALID, f"{call.name}: {why}") if why else None


def _wrong_ids(trial: Trial, answer: Answer) -> Fault | None:
    seen = set(trial.earlier_ids)
    for call in answer.calls:
        if not isinstance(call.id, str) or not call.id.strip():
            return Reason.ID, f"{call.name} has the id {told(call.id)}"
        if call.id in seen:
            return Reason.ID, f"{call.id!r} is there twice"
        seen.add(call.id)
    return None


def _leak(answer: Answer) -> Fault | None:
    in_content, in_reasoning = marker_in(answer.content), marker_in(answer.reasoning)
    if in_content:
        return Reason.MARKER_IN_CONTENT, in_content
    return (Reason.MARKER_IN_REASONING, in_reasoning) if in_reasoning else None


# What the raw output says


def _multiset(calls: Iterable[Called | Call]) -> Counter[tuple[str, str]]:
    """Calls by name and value of their arguments; arguments that are no JSON stand as they are."""
    return Counter((call.name, by_value(call.arguments)) for call in calls)


def by_value(arguments: str) -> str:
    """Equal for two texts of arguments that say the same: blanks and the order of keys are free."""
    try:
        return same_key(strict(arguments))
    except NotJson:
        return f"no JSON: {arguments}"


def _lost(answer: Answer, reading: Reading | None) -> Fault | None:
    """A well-formed call in the raw output that the message does not hold as it was written."""
    if reading is None:
        return None
    missing = _multiset(reading.calls) - _multiset(answer.calls)
    name, arguments = next(iter(missing), ("", ""))
    return (Reason.LOST, f"{name}({arguments})") if missing else None


def _half_written(reading: Reading | None) -> Fault | None:
    """A call that was begun: a parser drops it without a word, or passes it on as far as it came."""
    begun = (problem for problem in reading.problems if problem.kind is Kind.HALF_WRITTEN) if reading else ()
    return next(((Reason.HALF_WRITTEN, problem.detail) for problem in begun), None)


def _mended(answer: Answer, reading: Reading | None) -> Fault | None:
    """A message that is right by itself, where the raw output is not."""
    if reading is None:
        return None
    for problem in reading.malformed:
        return Reason.MENDED, f"{problem.kind}: {problem.detail}"
    invented = _multiset(answer.calls) - _multiset(reading.calls)
    name, arguments = next(iter(invented), ("", ""))
    return (Reason.MENDED, f"not in the raw output: {name}({arguments})") if invented else None


def _right_as_read(trial: Trial, reading: Reading) -> bool:
    return trial.wants is Wants.CALLS and not reading.malformed and _wrong_calls(trial, reading.calls) is None


# Values, told beside


def _values_right(trial: Trial, answer: Answer | None) -> bool | None:
    """Whether the values are those that were expected, each call matched with the expectation that it meets best."""
    if trial.wants is Wants.ANSWER and trial.accepted:
        said = answer.content.casefold() if answer else ""
        return any(text.casefold() in said for text in trial.accepted)
    if trial.wants is not Wants.CALLS or all(call.arguments is None for call in trial.expected):
        return None
    calls = answer.calls if answer else ()
    if len(calls) != len(trial.expected):
        return False
    return len(matched(trial.expected, calls, _meets)) == len(calls)


def _meets(expected: Expected, call: Called) -> bool:
    if expected.name != call.name:
        return False
    return expected.arguments is None or by_value(call.arguments) == same_key(dict(expected.arguments))
