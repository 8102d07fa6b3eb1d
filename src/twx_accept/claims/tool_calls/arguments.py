"""Arguments of a call: JSON read to the letter, and valid under the tool's schema with its types as they are."""

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

DEEPEST = 64
"""Levels of lists and objects. Arguments have about four; a thousand break whatever walks them."""

LONGEST_DETAIL = 200
"""Characters of a detail: it quotes what a model wrote, which may be of any length."""

NOWHERE: Registry[Any] = Registry()
"""Knows no schema but the one at hand: without it, ``jsonschema`` fetches a remote ``$ref`` over the network."""


class NotJson(ValueError):
    """The text is not JSON, or JSON that two readers would understand differently."""


class DuplicateKey(NotJson):
    """An object gives one key twice: which of the two counts is for nobody to choose (RFC 8259, section 4)."""


def strict(text: str) -> Any:
    """The value of a JSON text.

    Python's own reader lets through what JSON has no words for: NaN and infinities, one key twice, a number too large
    for a float, half of a surrogate pair. Text after the value is refused by both.

    Raises:
        NotJson: saying what is wrong with it.
    """
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_once)
        check_depth(value)
        json.dumps(value, ensure_ascii=False).encode()
    except NotJson:
        raise
    except UnicodeEncodeError as error:
        raise NotJson("it holds half of a surrogate pair, which is no character") from error
    except (ValueError, RecursionError) as error:
        raise NotJson(shortened(str(error))) from error
    return value


def _no_constant(word: str) -> float:
    raise NotJson(f"{word} is no number")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise NotJson(f"{digits[:40]} is too large for a number")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise DuplicateKey(f"the key {shortened(repr(key), 60)} is given twice")
        found[key] = value
    return found


def check_depth(value: Any) -> None:
    """Refuse what is nested so deep that it breaks whatever walks it.

    Raises:
        NotJson: it is nested more than :data:`DEEPEST` levels deep.
    """
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise NotJson(f"it is nested more than {DEEPEST} levels deep")


def invalid(value: Any, schema: Mapping[str, Any]) -> str | None:
    """Why a value is not valid under a schema (Draft 2020-12), with the path to it; None where it is.

    Types are as they are: true is not 1 and "5" is not 5. As the draft has it (Validation, section 6.1.1), 1.0 is an
    integer, for JSON knows one kind of number. The empty schema takes any value.
    """
    try:
        error = best_match(Draft202012Validator(schema, registry=NOWHERE).iter_errors(value))
    except Unresolvable as missing:
        return shortened(f"$: the schema refers to {missing.ref!r}, which it does not hold")
    except OverflowError:
        return "$: it holds a number that is too large to be checked"
    except RecursionError:
        return "$: the schema refers to itself without end"
    return None if error is None else shortened(f"{error.json_path}: {error.message}")


def unusable(schema: Any) -> str | None:
    """Why a schema is none of Draft 2020-12, None where it is one: to be asked of each tool before a model is."""
    try:
        return _unusable(json.dumps(schema, sort_keys=True))
    except (TypeError, ValueError, RecursionError) as error:
        return shortened(f"$: it is no JSON ({error})")


@lru_cache(maxsize=1024)
def _unusable(schema: str) -> str | None:
    """The same of a schema's text: hundreds of trials offer the same tools, and each check takes milliseconds."""
    try:
        Draft202012Validator.check_schema(json.loads(schema))
    except SchemaError as error:
        return shortened(f"{error.json_path}: {error.message}")
    return None


def same_key(value: Any) -> str:
    """Equal for two values exactly where JSON Schema has them equal: 1 is 1.0, true is not 1, order of keys is free."""
    return json.dumps(_as_number(value), sort_keys=True)


def _as_number(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_number(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_number(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def shortened(text: str, longest: int = LONGEST_DETAIL) -> str:
    """The text on one line, cut where it is too long to be told; what cannot be printed is spelt out."""
    line = text if len(text) <= longest else f"{text[: longest - 1]}…"
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)
