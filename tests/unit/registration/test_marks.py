"""Marks as registered, and what is told of a change."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from twx_accept import registration
from twx_accept.errors import InvalidClaim, UsageError

SPECIFICATION: Mapping[str, Any] = {
    "statistic": "share right",
    "margin": {"value": "5.0000", "unit": "percentage points"},
    "planned_n": 480,
    "marks": {"a": "0.500000", "b": "0.650000"},
    "mark": None,
    "shots": [1, 2],
}
SUITE: Any = SimpleNamespace(name="kimi-k3.1")


def claim(specification: Mapping[str, Any] = SPECIFICATION) -> Any:
    """A claim of that specification."""
    return SimpleNamespace(name="knowledge", title="Knowledge", specification=lambda: specification)


def changed(**fields: Any) -> dict[str, Any]:
    """The specification with other fields."""
    return {**SPECIFICATION, **fields}


def test_mark_is_readable_and_found_again(tmp_path: Path) -> None:
    """A mark is JSON in a file of the suite's and the claim's name, the same bytes each time, and compares as equal."""
    file = registration.write(tmp_path, claim(), SUITE)
    assert file == tmp_path / "__marks__" / "kimi-k3.1.knowledge.json"
    assert json.loads(file.read_text()) == SPECIFICATION
    before = file.read_bytes()
    assert registration.write(tmp_path, claim(), SUITE).read_bytes() == before
    registration.require_registered(tmp_path, claim(), SUITE)


@pytest.mark.parametrize(
    ("field", "value", "path", "told"),
    [
        ("statistic", "share wrong", "statistic", '"share right" and is "share wrong"'),
        ("margin", {"value": "6.0000", "unit": "percentage points"}, "margin.value", '"5.0000" and is "6.0000"'),
        ("margin", {"value": "5.0000", "unit": "ratio"}, "margin.unit", '"percentage points" and is "ratio"'),
        ("planned_n", 481, "planned_n", "480 and is 481"),
        ("planned_n", 480.0, "planned_n", "480 and is 480.0"),
        ("marks", {"a": "0.500000"}, "marks.b", '"0.650000" and is absent'),
        ("marks", {"a": "0.500000", "b": "0.650000", "c": "0.7"}, "marks.c", 'absent and is "0.7"'),
        ("mark", 0.95, "mark", "null and is 0.95"),
        ("shots", [2, 1], "shots", "[1, 2] and is [2, 1]"),
        ("new", "field", "new", 'absent and is "field"'),
        ("new", None, "new", "absent and is null"),
    ],
)
def test_each_change_is_named_with_both_values(tmp_path: Path, field: str, value: Any, path: str, told: str) -> None:
    """Any field that changed, came or went is told by its path with the registered and the present value."""
    registration.write(tmp_path, claim(), SUITE)
    with pytest.raises(InvalidClaim) as error:
        registration.require_registered(tmp_path, claim(changed(**{field: value})), SUITE)
    assert f"{path} was registered as {told}" in str(error.value)
    assert "register it with `twx-accept register kimi-k3.1`" in str(error.value)
    assert str(error.value).count("was registered as") == 1


@pytest.mark.parametrize("text", [None, "", "{", "[1]", "null", "\udcff"])
def test_mark_that_is_missing_or_no_mark_is_told(tmp_path: Path, text: str | None) -> None:
    """A missing, empty, broken or foreign file is an invalid claim that names it, never a pass or a traceback."""
    file = registration.write(tmp_path, claim(), SUITE)
    if text is None:
        file.unlink()
    else:
        file.write_text(text, errors="surrogateescape")
    with pytest.raises(InvalidClaim, match=r"kimi-k3.1.knowledge.json|all of it was registered as"):
        registration.require_registered(tmp_path, claim(), SUITE)


def test_no_test_run_writes_or_removes_a_mark() -> None:
    """Whatever options a run has, the snapshot extension writes nothing, finds nothing to clean and deletes nothing."""
    marks = registration.Marks()
    with pytest.raises(UsageError, match="twx-accept register"):
        marks.write_snapshot(snapshot_collection=None)
    assert list(marks.discover_snapshots(test_location=None)) == []
    marks.delete_snapshots(snapshot_location="/nonexistent", snapshot_names=set())
