"""Reads the folder that prompts are made of, and tells what is wrong in it.

::

    catalogue.toml     the tools, with a JSON Schema of their parameters
    frames.toml        sentences around a clause, a list for each case
    values.toml        values that every domain may use
    asks/DOMAIN.toml   what a user asks of a domain's tools, in many wordings, and the values that fill them
"""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
from pydantic import ValidationError

from twx_accept.errors import DatasetError
from twx_accept.trials.material import Ask, Material, Tool
from twx_accept.trials.values import numbered, slots


def shipped() -> Path:
    """The folder of this project's own material: in the wheel, or in the checkout of an editable installation."""
    carried = Path(str(resources.files("twx_accept"))) / "starter"
    return (carried if carried.is_dir() else Path(__file__).resolve().parents[3]) / "fixtures" / "tools"


def load(folder: Path) -> Material:
    """The material in that folder.

    Raises:
        DatasetError: a file is missing or malformed, a schema is none, an ask names a tool that the catalogue has not,
            or a wording leaves a value of its call unsaid.
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
    for name, tool in material.tools.items():
        _require_schema(folder, name, tool)
    for domain, part in material.domains.items():
        for ask in part.ask:
            _require_said(folder / "asks" / f"{domain}.toml", ask, material)
    return material


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise DatasetError(f"{file}: cannot be read ({error}); the material needs this file") from error
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{file}: is no valid TOML ({error}); mend it there") from error


def _require_schema(folder: Path, name: str, tool: Tool) -> None:
    try:
        jsonschema.Draft202012Validator.check_schema(tool.parameters)
    except jsonschema.SchemaError as error:
        raise DatasetError(
            f"{folder / 'catalogue.toml'}: the parameters of {name} are no JSON Schema ({error.message}); mend them"
        ) from error


def _require_said(file: Path, ask: Ask, material: Material) -> None:
    """Each wording must say every value of the call: a value that nobody said cannot be right or wrong."""
    if ask.tool not in material.tools:
        raise DatasetError(f"{file}: asks for {ask.tool!r}, which the catalogue has not; add the tool")
    for wording in (*ask.do, *ask.say, *ask.nested, *ask.find):
        _require_slots(file, wording, slots(ask.arguments))
    for wording in ask.twice:
        first, second = (slots(numbered(ask.arguments, number, slots(wording))) for number in (1, 2))
        if first == second:
            raise DatasetError(f"{file}: {wording!r} wants one call twice; number what differs, as in {{city1}}")
        _require_slots(file, wording, first | second)


def _require_slots(file: Path, wording: str, needed: frozenset[str]) -> None:
    if missing := sorted(needed - slots(wording)):
        raise DatasetError(f"{file}: {wording!r} does not say {', '.join(missing)}; say it, as in {{{missing[0]}}}")


def _explained(error: ValidationError) -> str:
    """The first problem in one line; the others show once it is mended."""
    errors = error.errors(include_url=False, include_context=False)
    # Values may be of four kinds, and each kind complains; what a fitting kind says of the value itself tells most.
    first = next((each for each in errors if each["type"] == "value_error"), errors[0])
    where = ".".join(str(part) for part in first["loc"] if "[" not in str(part))
    value = " ".join(repr(first["input"]).split())[:60]
    return f"{where} is {value}: {first['msg']}; mend it (problems in all: {error.error_count()})"
