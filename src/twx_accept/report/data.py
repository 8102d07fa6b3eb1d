"""The whole run as JSON: everything that the other reports show, unrounded, in a stable order.

``run`` is the record itself, from which :mod:`twx_accept.report.loading` reads it back; everything beside it is derived
from it, for programs that want an answer and not a record. The form is published as a JSON Schema
(:mod:`twx_accept.report.schema`).
"""

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from twx_accept.domain.run import RunRecord
from twx_accept.report import choosing, provenance
from twx_accept.report.headline import headline, standings
from twx_accept.report.naming import controls

FORMAT: Final = "twx-accept/run"
VERSION: Final = 1
"""Counts up with every change of the form: a reader of another version refuses the file."""

SCHEMA: Final = f"urn:twx-accept:run:{VERSION}"
"""The ``$id`` of the schema, which every document names as its ``$schema``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildLine:
    """Where a build stands. ``attempt`` counts the whole runs of its weights, null where that is not known."""

    name: str
    title: str
    may_ship: bool
    waived: bool
    attempt: int | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncounted:
    """A verdict that was computed and decides nothing, being exploratory."""

    claim: str
    build: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """What was planned and not decided."""

    claim: str
    build: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A report. ``run`` is the record; everything else follows from it and is computed again by whoever renders it."""

    format: str
    version: int
    headline: str
    builds: tuple[BuildLine, ...]
    controls: tuple[str, ...]
    registered: str
    which_build_when: tuple[str, ...]
    not_counting: tuple[Uncounted, ...]
    missing: tuple[Missing, ...]
    run: RunRecord


def document(run: RunRecord) -> Document:
    """The run with what follows from it."""
    return Document(
        format=FORMAT,
        version=VERSION,
        headline=headline(run),
        builds=tuple(
            BuildLine(
                name=each.build,
                title=each.title,
                may_ship=each.ships,
                waived=each.waived,
                attempt=run.attempts.get(each.build),
                sentence=each.sentence,
            )
            for each in standings(run)
        ),
        controls=tuple(sorted(controls(run))),
        registered=provenance.registration(run),
        which_build_when=tuple(choosing.sentences(run)),
        not_counting=tuple(
            Uncounted(claim=each.title, build=each.build, sentence=each.sentence)
            for each in run.verdicts
            if provenance.does_not_count(each)
        ),
        missing=tuple(Missing(claim=title, build=build) for title, build in run.missing()),
        run=run,
    )


def render(run: RunRecord) -> str:
    """JSON in ASCII. Fields stand in their declared order, lists and mappings in the run's: a reader gets it back.

    A number that JSON lacks becomes its name.
    """
    whole = {"$schema": SCHEMA, **_plain(document(run))}
    # Escaped to ASCII, so that even a lone surrogate survives the way into a file.
    written = json.dumps(whole, ensure_ascii=True, allow_nan=False)
    try:
        return msgspec.json.format(written, indent=1) + "\n"  # the same lines in a third of the time
    except ValueError:  # a lone surrogate
        return json.dumps(whole, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


_AS_IT_IS = frozenset({str, int, bool, type(None)})


def _plain(value: Any) -> Any:
    """Dataclasses and mappings as objects, tuples as lists."""
    if type(value) in _AS_IT_IS:
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
