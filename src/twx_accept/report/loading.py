"""A run read back from the JSON that it left, so that any report can be rendered anywhere.

Strict: what is read is exactly what :mod:`twx_accept.report.data` writes, every field there, of its type and in its
range, and nothing else. A file from elsewhere is as hostile as what a model writes: its texts are shown, never
rendered, and what follows from the record is computed again, never believed.
"""

import dataclasses
import json
import math
from collections import Counter
from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, NoReturn, get_args, get_origin, get_type_hints

from twx_accept.domain.run import RunRecord
from twx_accept.errors import UsageError
from twx_accept.report import bounds, data
from twx_accept.report.hostile import plain, shorten

NAME: Final = "report.json"
LARGEST: Final = 256 * 1024**2
"""Bytes: many times what a run with every item leaves."""

_CURE: Final = "a report is what a run or `twx-accept judge` wrote, unedited"
_SHOWN: Final = 60  # characters of a wrong value or a place that an error shows


def load(path: Path) -> RunRecord:
    """The run in that file, or in the ``report.json`` of that folder.

    Raises:
        UsageError: there is none, or it is not a report of this version, naming the place and what is wrong there.
    """
    file = path / NAME if path.is_dir() else path
    try:
        if (size := file.stat().st_size) > LARGEST:
            raise UsageError(f"{file}: {size / 1e6:,.0f} MB; no report is larger than {LARGEST / 1e6:,.0f} MB; {_CURE}")
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UsageError(f"{file}: no such file; name a {NAME} or the folder that a run wrote one into") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read ({error}); {_CURE}") from error
    return loads(text, str(file))


def loads(text: str, where: str) -> RunRecord:
    """The run in a text; ``where`` it is from is for the error.

    Raises:
        UsageError: as for :func:`load`.
    """
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
        _require_version(found)
        run = _document({name: each for name, each in found.items() if name != "$schema"})
        _require_consistent(run)
    except _WrongError as error:
        raise UsageError(f"{where}: {error}; {_CURE}") from error
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        raise UsageError(f"{where}: not JSON ({why}); {_CURE}") from error
    return run


class _WrongError(Exception):
    """What is wrong in a document, with its place."""


def _document(found: Mapping[str, Any]) -> RunRecord:
    read: data.Document = _read(data.Document, found, "")
    return read.run


def _require_version(found: Any) -> None:
    """Another version is told before anything else: its fields are others."""
    if not isinstance(found, dict) or found.get("format") != data.FORMAT:
        raise _WrongError(f"not a report: no object whose format is {data.FORMAT!r}")
    version = found.get("version")
    if version != data.VERSION or isinstance(version, bool):
        raise _WrongError(
            f"its version is {_shown(version)}, and this twx-accept reads version {data.VERSION}: "
            "use the one that wrote it"
        )
    if found.get("$schema") != data.SCHEMA:
        raise _WrongError(f"its $schema is {_shown(found.get('$schema'))} and must be {data.SCHEMA!r}")


def _require_consistent(run: RunRecord) -> None:
    """Each build once, and each verdict once and about one of them: none can be added that lets a build ship."""
    if double := [name for name, times in Counter(run.builds).items() if times > 1]:
        raise _WrongError(f"run.builds: {_shown(double[0])} is there twice")
    if run.original in run.builds:
        raise _WrongError(f"run.builds: {_shown(run.original)} is the original")
    known = set(run.builds)
    for place, verdict in enumerate(run.verdicts):
        if verdict.build not in known:
            raise _WrongError(f"run.verdicts[{place}].build: {_shown(verdict.build)} is none of run.builds")
    for place, (_, build) in enumerate(run.planned):
        if build not in known:
            raise _WrongError(f"run.planned[{place}]: {_shown(build)} is none of run.builds")
    decided = Counter((verdict.claim, verdict.build) for verdict in run.verdicts)
    if twice := [pair for pair, times in decided.items() if times > 1]:
        raise _WrongError(f"run.verdicts: {_shown(twice[0][0])} of {_shown(twice[0][1])} is decided twice")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of which no name is there twice: readers would disagree about it."""
    found = dict(pairs)
    if len(found) < len(pairs):
        name = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise _WrongError(f"{_shown(name)} is there twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise _WrongError(f"{name} is not JSON: a number that JSON lacks is written as a text")


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: Any, path: str, limits: bounds.Range = (None, None)) -> Any:
    """``value`` as that type; every error names its place."""
    if dataclasses.is_dataclass(kind):
        return _object(kind, value, path)
    origin = get_origin(kind)
    if origin is UnionType:
        return _union(get_args(kind), value, path, limits)
    if origin is tuple:
        return _tuple(get_args(kind), value, path)
    if origin is not None:  # a mapping of texts
        _require(isinstance(value, dict), value, path, "an object")
        inner = get_args(kind)[1]
        return {name: _read(inner, each, f"{path}.{_plain(name)}") for name, each in value.items()}
    return _scalar(kind, value, path, limits)


def _object(kind: Any, value: Any, path: str) -> Any:
    _require(isinstance(value, dict), value, path, "an object")
    names = [field.name for field in dataclasses.fields(kind)]
    if missing := [name for name in names if name not in value]:
        raise _WrongError(f"{path or 'the report'} lacks {', '.join(missing)}")
    if unknown := [name for name in value if name not in names]:
        raise _WrongError(f"{path or 'the report'} has {_shown(unknown[0])}, which no report has")
    return kind(
        **{
            name: _read(
                _hints(kind)[name],
                value[name],
                f"{path}.{name}" if path else name,
                bounds.RANGES.get((kind.__name__, name), (None, None)),
            )
            for name in names
        }
    )


def _tuple(inner: tuple[Any, ...], value: Any, path: str) -> tuple[Any, ...]:
    _require(isinstance(value, list), value, path, "a list")
    if inner[-1] is Ellipsis:
        return tuple(_read(inner[0], each, f"{path}[{place}]") for place, each in enumerate(value))
    _require(len(value) == len(inner), value, path, f"a list of {len(inner)}")
    return tuple(
        _read(kind, each, f"{path}[{place}]") for place, (kind, each) in enumerate(zip(inner, value, strict=True))
    )


def _union(kinds: tuple[Any, ...], value: Any, path: str, limits: bounds.Range) -> Any:
    """The one of several types that the value can be: an object, nothing, a number or a text."""
    for kind in kinds:
        if dataclasses.is_dataclass(kind) and isinstance(value, dict):
            return _object(kind, value, path)
    if value is None and NoneType in kinds:
        return None
    number = float if float in kinds else int if int in kinds else None
    if number is not None and (str not in kinds or not isinstance(value, str) or value in bounds.NAMES):
        return _scalar(number, value, path, limits)
    _require(str in kinds, value, path, "null or an object")
    return _scalar(str, value, path, limits)


def _scalar(kind: type, value: Any, path: str, limits: bounds.Range) -> Any:
    if kind is str:
        _require(isinstance(value, str), value, path, "a text")
    elif kind is bool:
        _require(isinstance(value, bool), value, path, "true or false")
    elif issubclass(kind, Enum):
        known = [each.value for each in kind]
        _require(value in known, value, path, f"one of {', '.join(known)}")
        return kind(value)
    else:
        return _number(kind, value, path, limits)
    return value


def _number(kind: type, value: Any, path: str, limits: bounds.Range) -> float | int:
    """A number as it is written, whole or not, in its range; a number that JSON lacks by its name."""
    if kind is float and isinstance(value, str) and value in bounds.NAMES:
        return bounds.NAMES[value]
    allowed = int | float if kind is float else int
    named = "a number" if kind is float else "a whole number"
    _require(isinstance(value, allowed) and not isinstance(value, bool), value, path, named)
    if isinstance(value, float):
        _require(math.isfinite(value), value, path, "a number that fits 64 bits")
    else:
        _require(abs(value) <= bounds.INTEGER, value, path, f"at most {bounds.INTEGER}")
    least, most = limits
    _require(least is None or value >= least, value, path, f"at least {least}")
    _require(most is None or value <= most, value, path, f"at most {most}")
    found: float | int = value
    return found


def _require(holds: bool, value: Any, path: str, wanted: str) -> None:
    if not holds:
        raise _WrongError(f"{path} is {_shown(value)} and must be {wanted}")


def _shown(value: Any) -> str:
    """A value in an error: one line of plain characters."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return _plain(json.dumps(value, ensure_ascii=True))


def _plain(text: str) -> str:
    return plain(shorten(text, _SHOWN)).replace("\n", " ").replace("\t", " ")
