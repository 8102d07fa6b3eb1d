"""The trials of a suite: what each prompt offers and asks, and what is right. Checked before anything is asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from twx_accept.claims.tool_calls.arguments import invalid, unusable
from twx_accept.claims.tool_calls.scoring import Expected, Trial, Wants
from twx_accept.domain.source import Sources
from twx_accept.errors import DatasetError
from twx_accept.suite import explain

SPLIT = "test"

Case = Literal["one_call", "two_calls", "nested", "forbidden", "choice_of_twenty", "loop"]
WORDS: Mapping[Case, str] = {
    "one_call": "one call",
    "two_calls": "two calls in one turn",
    "nested": "nested arguments",
    "forbidden": "a tool that must not be called",
    "choice_of_twenty": "the right tool out of twenty",
    "loop": "a two-turn loop",
}
"""The six cases in words."""

Words = Annotated[str, Field(min_length=1)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class _Function(_Row):
    name: Words
    description: str = ""
    parameters: dict[str, Any] = {}


class _Tool(_Row):
    type: Literal["function"]
    function: _Function


class _Call(_Row):
    name: Words
    arguments: dict[str, Any] | None = None


class _Result(_Row):
    content: Words


class _Trial(_Row):
    id: Words
    case: Case
    messages: list[dict[str, Any]] = Field(min_length=1)
    tools: list[_Tool] = Field(min_length=1)
    expected: list[_Call]
    result: _Result | None = None
    answer_holds: list[Words] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One prompt. ``messages`` and ``tools`` are sent as they are; ``result`` is what the tool of a loop answers."""

    id: str
    case: Case
    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]]
    expected: tuple[Expected, ...]
    result: str = ""
    accepted: tuple[str, ...] = ()
    schemas: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What the user asks."""
        return "\n\n".join(str(message.get("content", "")) for message in self.messages)

    def first(self) -> Trial:
        """What is right in the first turn."""
        wants = Wants.CALLS if self.expected else Wants.NO_CALL
        return Trial(item=self.id, wants=wants, tools=self.schemas, expected=self.expected)

    def final(self, earlier_ids: frozenset[str]) -> Trial:
        """What is right once the tool has answered."""
        return Trial(
            item=self.id, wants=Wants.ANSWER, tools=self.schemas, accepted=self.accepted, earlier_ids=earlier_ids
        )


def load(sources: Sources, source: str, per_case: int | None) -> tuple[Task, ...]:
    """The trials of a source, in its order.

    Args:
        sources: reads rows.
        source: the source's name.
        per_case: the first so many of each case; None for all.

    Raises:
        DatasetError: a row is malformed, naming it, or an id stands twice.
    """
    tasks: list[Task] = []
    taken: dict[str, int] = {}
    for number, row in enumerate(sources.rows(source, SPLIT), start=1):
        task = _task(f"{source}: trial {number}", row)
        taken[task.case] = taken.get(task.case, 0) + 1
        if per_case is None or taken[task.case] <= per_case:
            tasks.append(task)
    double = {task.id for task in tasks if sum(each.id == task.id for each in tasks) > 1} if _doubled(tasks) else set()
    if double:
        raise DatasetError(f"{source}: ids stand twice: {', '.join(sorted(double)[:5])}; give each trial its own")
    if not tasks:
        raise DatasetError(f"{source}: holds no trial; make some with `twx-accept trials make`")
    return tuple(tasks)


def _doubled(tasks: Sequence[Task]) -> bool:
    return len({task.id for task in tasks}) != len(tasks)


def _task(where: str, row: Mapping[str, Any]) -> Task:
    try:
        made = _Trial.model_validate(dict(row))
    except ValidationError as error:
        raise DatasetError(f"{where}: {explain(error)}") from error
    schemas = {tool.function.name: tool.function.parameters for tool in made.tools}
    wrong = next(_wrong(made, schemas), None)
    if wrong:
        raise DatasetError(f"{where} ({made.id!r:.60}): {wrong}")
    return Task(
        id=made.id,
        case=made.case,
        messages=made.messages,
        tools=row["tools"],
        expected=tuple(Expected(name=call.name, arguments=call.arguments) for call in made.expected),
        result=made.result.content if made.result else "",
        accepted=tuple(made.answer_holds),
        schemas=schemas,
    )


def _wrong(made: _Trial, schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What cannot be right about a trial whatever a model answers."""
    if len(schemas) != len(made.tools):
        yield "offers two tools of one name; rename one"
    for name, schema in schemas.items():
        if why := unusable(schema):
            yield f"the schema of {name} is none of JSON Schema Draft 2020-12 ({why}); mend it"
    if (made.case == "forbidden") != (not made.expected):
        yield "expects a call where none is right, or none where one is; mend expected or case"
    if made.case == "loop" and (made.result is None or not made.answer_holds):
        yield "is a loop without a result or without what its answer holds; add both"
    for call in made.expected:
        if call.name not in schemas:
            yield f"expects {call.name}, which it does not offer; offer it"
        elif call.arguments is not None and (why := invalid(call.arguments, schemas[call.name])):
            yield f"expects arguments of {call.name} that its own schema refuses ({why}); mend one of them"
