"""What a reading of raw output consists of, and the notes that a reader takes on its way through the text."""

from dataclasses import dataclass, field
from enum import StrEnum

from twx_accept.claims.tool_calls.arguments import shortened


class Kind(StrEnum):
    """What is wrong with raw output, in words."""

    HALF_WRITTEN = "half-written call"
    BAD_NAME = "the call's name cannot be read"
    NOT_JSON = "arguments are no JSON"
    WRONG_TYPE = "an argument is not of the type that it says"
    DUPLICATE_KEY = "an argument is given twice"
    STRAY_IN_CALL = "text in a call outside of its arguments"
    OUTSIDE = "a call outside of its section"
    AFTER_END = "a call after the end of the message"

    IN_THINKING = "a call inside the thinking"
    THINKING_OPEN = "the thinking is not closed"
    SECTION_OPEN = "a section is not closed"
    SECOND_SECTION = "a second section of calls"
    EMPTY_SECTION = "a section of calls without a call"
    INDEX = "the call's index is missing or out of order"
    OUT_OF_PLACE = "a marker where the format has none"
    UNKNOWN_MARKER = "a marker that the format does not know"
    STRAY_TEXT = "text where the format has none"


OF_A_CALL = frozenset(
    {
        Kind.HALF_WRITTEN,
        Kind.BAD_NAME,
        Kind.NOT_JSON,
        Kind.WRONG_TYPE,
        Kind.DUPLICATE_KEY,
        Kind.STRAY_IN_CALL,
        Kind.OUTSIDE,
        Kind.AFTER_END,
    }
)
"""Kinds that say: the model began a call, and it is none. All others are about what stands around calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something wrong, and where: ``at`` is an offset in characters."""

    kind: Kind
    at: int
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A well-formed call: ``arguments`` is strict JSON text of any value; whether it fits the tool is not asked here.

    ``id`` and ``index`` are None where the format has none. ``thought`` marks a call that stands inside the thinking.
    """

    name: str
    arguments: str
    id: str | None = None
    index: int | None = None
    thought: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that raw output holds: well-formed calls in their order, the text around them, and what is wrong with it."""

    calls: tuple[Call, ...]
    content: str
    reasoning: str
    problems: tuple[Problem, ...]

    @property
    def malformed(self) -> tuple[Problem, ...]:
        """Calls that were begun and are none."""
        return tuple(problem for problem in self.problems if problem.kind in OF_A_CALL)


@dataclass(slots=True, kw_only=True)
class Notes:
    """What a reader has found so far. It only ever adds, so a shorter text never holds a call that a longer has not."""

    calls: list[Call] = field(default_factory=list)
    content: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def problem(self, kind: Kind, at: int, detail: str = "") -> None:
        """Note something wrong."""
        self.problems.append(Problem(kind=kind, at=at, detail=shortened(detail)))

    def reading(self) -> Reading:
        """The reading, at the end of the text."""
        return Reading(
            calls=tuple(self.calls),
            content="".join(self.content),
            reasoning="".join(self.reasoning),
            problems=tuple(self.problems),
        )
