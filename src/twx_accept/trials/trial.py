"""A trial of tool calling, as it stands in a fixture."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that the prompt asks for: the tool's name and the exact values of its arguments."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What the tool of a loop answers, and the accepted spellings of the value that exists only there."""

    content: Mapping[str, Any]
    answer_holds: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One prompt with the tools offered beside it, and the calls that are right (none where no tool must be called)."""

    id: str
    case: str
    domain: str
    messages: tuple[Mapping[str, str], ...]
    tools: tuple[Mapping[str, Any], ...]
    expected: tuple[Call, ...]
    result: Result | None = None

    @property
    def prompt(self) -> str:
        """What the user says."""
        return self.messages[-1]["content"]

    def row(self) -> dict[str, Any]:
        """The trial as a row of a fixture."""
        row: dict[str, Any] = {
            "id": self.id,
            "case": self.case,
            "domain": self.domain,
            "messages": [dict(message) for message in self.messages],
            "tools": [dict(tool) for tool in self.tools],
            "expected": [{"name": call.name, "arguments": dict(call.arguments)} for call in self.expected],
        }
        if self.result is not None:
            row["result"] = {"name": self.expected[0].name, "content": json.dumps(dict(self.result.content))}
            row["answer_holds"] = list(self.result.answer_holds)
        return row


def lines(trials: Iterable[Trial]) -> str:
    """The trials as JSON Lines, one row a line."""
    return "".join(f"{json.dumps(trial.row(), ensure_ascii=True)}\n" for trial in trials)
