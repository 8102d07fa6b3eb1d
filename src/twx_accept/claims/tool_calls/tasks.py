"""The trials of a suite: what each prompt offers and asks, and what is right. Checked before anything is asked."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from twx_accept.claims._cells import folded
from twx_accept.claims.tool_calls.answer import told
from twx_accept.claims.tool_calls.arguments import NotJson, check_depth, invalid, shortened, unusable
from twx_accept.claims.tool_calls.scoring import Expected, Trial, Wants
from twx_accept.domain.exchange import digest
from twx_accept.domain.source import Sources
from twx_accept.errors import DatasetError
from twx_accept.suite import explain

SPLIT = "test"
LONGEST_ID = 100

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

CALLS: Mapping[Case, int] = {"one_call": 1, "two_calls": 2, "choice_of_twenty": 1, "loop": 1}
"""How many calls a case expects, where its name says so. A loop has one, whose result is what the answer is read from.
"""

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


class _Message(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    role: Words


class _Trial(_Row):
    id: Words
    case: Case
    messages: list[_Message] = Field(min_length=1)
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

    def right(self) -> list[Any]:
        """Everything that decides what is right, as JSON: what is asked is not in it."""
        calls = [[call.name, None if call.arguments is None else dict(call.arguments)] for call in self.expected]
        return [self.id, self.case, calls, self.result, list(self.accepted)]

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
    if not tasks:
        raise DatasetError(f"{source}: holds no trial; make some with `twx-accept trials make`")
    double = _doubled([task.id for task in tasks])
    if double:
        raise DatasetError(f"{source}: ids stand twice: {', '.join(map(told, double[:5]))}; give each trial its own")
    asked = [_asks(task) for task in tasks]
    for again in _doubled(asked)[:1]:
        same = [task.id for task, each in zip(tasks, asked, strict=True) if each == again]
        raise DatasetError(
            f"{source}: {', '.join(map(told, same[:5]))} ask the same; give each trial a prompt of its own"
        )
    return tuple(tasks)


def _asks(task: Task) -> str:
    """What a prompt asks for with these tools, however it is spaced."""
    said = [[message.get("role"), folded(str(message.get("content", "")))] for message in task.messages]
    return digest([said, list(task.tools)])


def _doubled(values: Sequence[str]) -> list[str]:
    return sorted(value for value, times in Counter(values).items() if times > 1)


def _task(where: str, row: Mapping[str, Any]) -> Task:
    try:
        check_depth(dict(row))
        made = _Trial.model_validate(dict(row))
    except ValidationError as error:
        raise DatasetError(f"{where}: {explain(error)}") from error
    except NotJson as error:
        raise DatasetError(f"{where}: {error}; make it flatter") from error
    schemas = {tool.function.name: tool.function.parameters for tool in made.tools}
    wrong = next(_wrong(made, schemas), None)
    if wrong:
        raise DatasetError(f"{where} ({told(made.id)}): {wrong}")
    return Task(
        id=made.id,
        case=made.case,
        messages=row["messages"],
        tools=row["tools"],
        expected=tuple(Expected(name=call.name, arguments=call.arguments) for call in made.expected),
        result=made.result.content if made.result else "",
        accepted=tuple(made.answer_holds),
        schemas=schemas,
    )


def _wrong(made: _Trial, schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What cannot be right about a trial whatever a model answers."""
    if not made.id.isprintable() or len(made.id) > LONGEST_ID:
        yield f"has an id that no line can show; give it up to {LONGEST_ID} characters that can be printed"
    if len(schemas) != len(made.tools):
        yield "offers two tools of one name; rename one"
    for name, schema in schemas.items():
        if why := unusable(schema):
            yield f"the schema of {shortened(name, 80)} is none of JSON Schema Draft 2020-12 ({why}); mend it"
    yield from _wrong_for_its_case(made)
    for call in made.expected:
        if call.name not in schemas:
            yield f"expects {shortened(call.name, 80)}, which it does not offer; offer it"
        elif call.arguments is not None and (why := invalid(call.arguments, schemas[call.name])):
            name = shortened(call.name, 80)
            yield f"expects arguments of {name} that its own schema refuses ({why}); mend one of them"


def _wrong_for_its_case(made: _Trial) -> Iterator[str]:
    """What does not go with the case that a trial says it is of."""
    last = made.messages[-1]
    said = getattr(last, "content", None)
    if last.role != "user" or not isinstance(said, str) or not said.strip():
        yield "does not end with what a user says; end messages with a text of the role user"
    if (made.case == "forbidden") != (not made.expected):
        yield "expects a call where none is right, or none where one is; mend expected or case"
    if len(made.expected) != CALLS.get(made.case, len(made.expected)):
        yield f"is {WORDS[made.case]} and expects {len(made.expected)} calls; mend expected or case"
    if made.case == "loop" and (made.result is None or not made.answer_holds):
        yield "is a loop without a result or without what its answer holds; add both"
