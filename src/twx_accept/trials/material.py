"""What prompts are made of: a folder with the catalogue of tools, the wordings of each domain and their values.

::

    catalogue.toml     the tools, with a JSON Schema of their parameters
    frames.toml        sentences around a clause, a list for each case
    values.toml        values that every domain may use
    asks/DOMAIN.toml   what a user asks of a domain's tools, in many wordings, and the values that fill them
"""

import datetime
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import jsonschema
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr, ValidationError

from twx_accept.errors import DatasetError

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


class Pattern(_Part):
    """Codes: ``#`` is a digit, ``@`` a capital letter, ``*`` a hexadecimal digit."""

    pattern: str


class Dates(_Part):
    """Days from the first to the last, given as YYYY-MM-DD and said so or as "4 March 2027"."""

    first: datetime.date
    last: datetime.date


Values = Numbers | Pattern | Dates | Annotated[list[Scalar | Spoken], Field(min_length=2)]
Wordings = list[Annotated[str, Field(min_length=1)]]


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
    needless: Wordings
    values: dict[str, Values] = {}


class Frames(_Part):
    """Sentences around clauses, by case, and what a system message may say."""

    one_call: Wordings
    two_calls: Wordings
    twice: Wordings
    choice_of_twenty: Wordings
    forbidden: Wordings
    needless: Wordings
    system: Wordings


class Material(_Part):
    """Everything that prompts are made of. Order counts: it is the order of the files and of what is in them."""

    tools: dict[str, Tool]
    domains: dict[str, Domain]
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


def shipped() -> Path:
    """The folder of this project's own material: in the wheel, or in the checkout of an editable installation."""
    carried = Path(str(resources.files("twx_accept"))) / "starter"
    return (carried if carried.is_dir() else Path(__file__).resolve().parents[3]) / "fixtures" / "tools"


def load(folder: Path) -> Material:
    """The material in that folder.

    Raises:
        DatasetError: a file is missing or malformed, or an ask names a tool that the catalogue has not.
    """
    files = sorted((folder / "asks").glob("*.toml"))
    if not files:
        raise DatasetError(f"{folder / 'asks'}: no such folder, or no DOMAIN.toml in it; name the folder that holds it")
    parts = {
        "tools": _toml(folder / "catalogue.toml"),
        "domains": {file.stem: _toml(file) for file in files},
        "frames": _toml(folder / "frames.toml"),
        "values": _toml(folder / "values.toml"),
    }
    try:
        material = Material.model_validate(parts)
    except ValidationError as error:
        raise DatasetError(f"{folder}: {_explained(error)}") from error
    _require_tools(folder, material)
    return material


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise DatasetError(f"{file}: cannot be read ({error}); the material needs this file") from error
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{file}: is no valid TOML ({error}); mend it there") from error


def _require_tools(folder: Path, material: Material) -> None:
    for name, tool in material.tools.items():
        try:
            jsonschema.Draft202012Validator.check_schema(tool.parameters)
        except jsonschema.SchemaError as error:
            raise DatasetError(
                f"{folder / 'catalogue.toml'}: the parameters of {name} are no JSON Schema ({error.message}); mend them"
            ) from error
    for domain, part in material.domains.items():
        for ask in part.ask:
            if ask.tool not in material.tools:
                raise DatasetError(
                    f"{folder / 'asks' / domain}.toml: asks for {ask.tool!r}, which the catalogue has not; add the tool"
                )


def _explained(error: ValidationError) -> str:
    """The first problem in one line; the others show once it is mended."""
    first = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    value = " ".join(repr(first["input"]).split())[:60]
    return f"{where} is {value}: {first['msg']}; mend it (problems in all: {error.error_count()})"
