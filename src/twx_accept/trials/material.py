"""What prompts are made of: the catalogue of tools, the wordings of each domain, and the values that fill them."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

Scalar = StrictBool | StrictInt | StrictFloat | StrictStr


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Spoken(_Part):
    """A value that the prompt says in other words: ``pm2_5`` as "PM2.5"."""

    value: Scalar
    said: str


class Numbers(_Part):
    """Numbers from ``low`` to ``high``. ``step`` counts in the last decimal; ``odd`` makes that decimal odd."""

    low: int
    high: int
    decimals: int = Field(default=0, ge=0, le=6)
    step: int = Field(default=1, ge=1)
    odd: bool = False

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"low {self.low} should be below high {self.high}")
        return self


class Pattern(_Part):
    """Codes: ``#`` is a digit, ``@`` a capital letter, ``*`` a hexadecimal digit."""

    pattern: str


class Dates(_Part):
    """Days from the first to the last, given as YYYY-MM-DD and said so or as "4 March 2027"."""

    first: datetime.date
    last: datetime.date

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if self.first >= self.last:
            raise ValueError(f"first {self.first} should be before last {self.last}")
        return self


Values = Numbers | Pattern | Dates | Annotated[list[Scalar | Spoken], Field(min_length=2)]
Wordings = list[Annotated[str, Field(min_length=1)]]
SomeWordings = Annotated[Wordings, Field(min_length=1)]


class Tool(_Part):
    """A tool of the catalogue."""

    domain: str
    description: str
    parameters: dict[str, Any]


class Ask(_Part):
    """What a user may want of one tool, in wordings for the cases that it suits.

    ``do`` are clauses to be framed, ``why`` sentences that may precede them, ``twice`` clauses that want the tool two
    times, ``say`` whole prompts, ``nested`` whole prompts of a structured call, ``find`` whole prompts that want what
    only the ``result`` holds, namely the slot ``holds``.
    """

    tool: str
    arguments: dict[str, Any]
    do: Wordings = []
    why: Wordings = []
    twice: Wordings = []
    say: Wordings = []
    nested: Wordings = []
    find: Wordings = []
    result: dict[str, Any] = {}
    holds: str = ""


class Domain(_Part):
    """The asks of one domain, and its ``needless`` questions, which need no tool."""

    ask: list[Ask]
    needless: SomeWordings
    values: dict[str, Values] = {}


class Frames(_Part):
    """Sentences around clauses, by case, and what a system message may say."""

    one_call: SomeWordings
    two_calls: SomeWordings
    twice: SomeWordings
    choice_of_twenty: SomeWordings
    forbidden: SomeWordings
    needless: SomeWordings
    system: SomeWordings


class Material(_Part):
    """Everything that prompts are made of. Order counts: it is the order of the files and of what is in them."""

    tools: dict[str, Tool] = Field(min_length=20)
    domains: dict[str, Domain] = Field(min_length=2)
    frames: Frames
    values: dict[str, Values]

    def offered(self, name: str) -> Mapping[str, Any]:
        """The tool as a request offers it."""
        tool = self.tools[name]
        function = {"name": name, "description": tool.description, "parameters": tool.parameters}
        return {"type": "function", "function": function}

    def kinds(self, domain: str) -> Mapping[str, Values]:
        """The values that wordings of a domain may use; its own come before those of all."""
        return {**self.values, **self.domains[domain].values}

    def domain_of(self, ask: Ask) -> str:
        """The domain of the tool that is asked for."""
        return self.tools[ask.tool].domain
