"""The form of ``report.json`` as a JSON Schema (Draft 2020-12), made from the dataclasses that are written.

``run-1.json`` beside this file is what :func:`build` makes; ``scripts/make_schema.py`` writes it.
"""

import dataclasses
import inspect
import json
from collections.abc import Mapping
from enum import Enum
from importlib import resources
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from twx_accept.report import bounds, data

FILE: Final = f"run-{data.VERSION}.json"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def text() -> str:
    """The published schema."""
    return (resources.files("twx_accept.report") / "schema" / FILE).read_text(encoding="utf-8")


def build() -> str:
    """The schema as the dataclasses have it now, as the text of :data:`FILE`."""
    found: dict[str, Any] = {}
    root = _object(data.Document, found)
    root["properties"] = {
        "$schema": {"const": data.SCHEMA},
        **root["properties"],
        "format": {"const": data.FORMAT},
        "version": {"const": data.VERSION},
    }
    root["required"] = ["$schema", *root["required"]]
    number = {
        "description": "A number; one that JSON lacks is written as its name.",
        "anyOf": [{"type": "number"}, {"enum": list(bounds.NAMES)}],
    }
    schema = {
        "$schema": DIALECT,
        "$id": data.SCHEMA,
        "title": "A report of twx-accept",
        **root,
        "$defs": {"number": number, **dict(sorted(found.items()))},
    }
    return json.dumps(schema, indent=1, ensure_ascii=True) + "\n"


def _object(kind: Any, found: dict[str, Any]) -> dict[str, Any]:
    """A dataclass: every field is there, and no other."""
    hints = get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)]
    return {
        "description": " ".join((inspect.getdoc(kind) or "").replace("``", "").split()),
        "type": "object",
        "properties": {
            name: _of(hints[name], found, bounds.RANGES.get((kind.__name__, name), (None, None))) for name in names
        },
        "required": names,
        "additionalProperties": False,
    }


def _named(kind: Any, found: dict[str, Any]) -> dict[str, Any]:
    """A reference to a type's definition, which is made on the way."""
    if kind.__name__ not in found:
        found[kind.__name__] = {}  # holds the place of a type that would hold itself
        found[kind.__name__] = (
            _object(kind, found)
            if dataclasses.is_dataclass(kind)
            else {
                "description": inspect.cleandoc(kind.__doc__).partition("\n")[0],
                "enum": [each.value for each in kind],
            }
        )
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _of(kind: Any, found: dict[str, Any], limits: bounds.Range = (None, None)) -> dict[str, Any]:
    """The schema of one type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return _union(inner, found, limits)
    if origin is tuple:
        if inner[-1] is Ellipsis:
            return {"type": "array", "items": _of(inner[0], found)}
        return {
            "type": "array",
            "prefixItems": [_of(each, found) for each in inner],
            "items": False,
            "minItems": len(inner),
        }
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _of(inner[1], found)}
    if dataclasses.is_dataclass(kind) or issubclass(kind, Enum):
        return _named(kind, found)
    if kind is float:
        ranged = _ranged({"type": "number"}, limits)
        return (
            {"$ref": "#/$defs/number"} if limits == (None, None) else {"anyOf": [ranged, {"enum": list(bounds.NAMES)}]}
        )
    if kind is int:
        return _ranged({"type": "integer"}, limits)
    return {"type": {str: "string", bool: "boolean", NoneType: "null"}[kind]}


def _union(kinds: tuple[Any, ...], found: dict[str, Any], limits: bounds.Range) -> dict[str, Any]:
    """One of several types; a whole number is a number, and the name of a number a text."""
    kept = [kind for kind in kinds if not (kind is int and float in kinds)]
    if str in kept and float in kept:
        return {"type": ["number", "string"]}
    return {"anyOf": [_of(kind, found, limits) for kind in kept]}


def _ranged(schema: dict[str, Any], limits: bounds.Range) -> dict[str, Any]:
    names = zip(("minimum", "maximum"), limits, strict=True)
    return schema | {name: each for name, each in names if each is not None}
