"""The whole run as JSON: everything that the other reports show, unrounded, in a stable order."""

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any, Final

from twx_accept.domain.run import RunRecord
from twx_accept.report import choosing, provenance
from twx_accept.report.headline import headline, standings
from twx_accept.report.naming import controls

FORMAT: Final = "twx-accept/run"
VERSION: Final = 1


def render(run: RunRecord) -> str:
    """JSON in ASCII with sorted keys; lists keep the run's order. A number that JSON lacks becomes its name."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "headline": headline(run),
        "builds": [
            {
                "name": each.build,
                "title": each.title,
                "may_ship": each.ships,
                "waived": each.waived,
                "attempt": run.attempts.get(each.build),
                "sentence": each.sentence,
            }
            for each in standings(run)
        ],
        "controls": sorted(controls(run)),
        "registered": provenance.registration(run),
        "not_counting": [
            {"claim": each.title, "build": each.build, "sentence": each.sentence}
            for each in run.verdicts
            if provenance.does_not_count(each)
        ],
        "which_build_when": choosing.sentences(run),
        "missing": [{"claim": title, "build": build} for title, build in run.missing()],
        "run": _plain(run),
    }
    # Escaped to ASCII, so that even a lone surrogate survives the way into a file.
    return json.dumps(document, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """Dataclasses and mappings as objects, tuples as lists."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
