"""The published schema: made from what is written, valid itself, and true of every report."""

import json
import re
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from hypothesis import given

from any_run import ANY, runs, six
from twx_accept.domain.run import RunRecord
from twx_accept.errors import UsageError
from twx_accept.report import bounds, data, loading, schema

CLASSES = {"Quantity", "Timing", "Verdict", "Segment", "Bar", "BootUse", "CardUse", "Effect"}


@pytest.fixture(scope="module")
def validator() -> Any:
    """Holds documents against the published schema."""
    found = json.loads(schema.text())
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


def test_the_published_schema_is_the_one_that_the_types_make() -> None:
    """Whoever changes what a report holds runs scripts/make_schema.py, and counts the version up."""
    assert schema.text() == schema.build()
    assert schema.build() == schema.build()


def test_every_report_names_its_schema(one: RunRecord) -> None:
    """The ``$id`` stands in the document, and the version in both."""
    found, document = json.loads(schema.text()), json.loads(data.render(one))
    assert found["$id"] == document["$schema"] == f"urn:twx-accept:run:{document['version']}"
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert f"run-{document['version']}.json" == schema.FILE


def test_reports_are_valid(validator: Any, make: Callable[..., RunRecord]) -> None:
    """One build, three with a control, and all six claims."""
    for run in (make("smol-w8"), make("smol-w8", "smol-w4", "smol-damaged"), six(items=3)):
        validator.validate(json.loads(data.render(run)))


@ANY
@given(runs())
def test_any_report_is_valid(validator: Any, run: RunRecord) -> None:
    """Whatever a run holds, its report fits the schema."""
    validator.validate(json.loads(data.render(run)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"outcome": "shown"', '"outcome": "fine"'),
        ('"gates": true', '"gates": 1'),
        ('"digits": 2', '"digits": 13'),
        ('"digits": 2', '"digits": -1'),
        ('"interrupted": false,', ""),
        ('"interrupted": false,', '"interrupted": false, "more": 1,'),
        ('"value": -0.0139', '"value": "nan"'),
        ('"margin": 5.0', '"margin": 1e19'),
        ('"items_total": 25', '"items_total": -25'),
        ('"version": 1', '"version": 2'),
        ('"format": "twx-accept/run"', '"format": "run"'),
    ],
)
def test_schema_and_reader_refuse_alike(validator: Any, one: RunRecord, old: str, new: str) -> None:
    """What the one refuses, the other refuses too."""
    written = data.render(one)
    assert old in written
    wrong = written.replace(old, new, 1)
    assert not validator.is_valid(json.loads(wrong))
    with pytest.raises(UsageError):
        loading.loads(wrong, "wrong.json")


def test_every_object_says_what_it_is() -> None:
    """Each definition has a sentence, in plain words."""
    found = json.loads(schema.text())
    for name, each in found["$defs"].items():
        assert each["description"].endswith("."), name
        assert not re.search(r"``|:\w+:`", each["description"]), name


def test_bounds_are_of_fields_that_exist() -> None:
    """A field that is renamed would lose its bounds."""
    found = json.loads(schema.text())["$defs"]
    assert {name for name, _ in bounds.RANGES} == CLASSES
    assert all(field in found[name]["properties"] for name, field in bounds.RANGES)
