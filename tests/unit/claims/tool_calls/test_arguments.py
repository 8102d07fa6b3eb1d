"""Arguments are JSON to the letter and valid under the tool's schema, with their types as they are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.claims.tool_calls.arguments import DEEPEST, DuplicateKey, NotJson, invalid, same_key, strict, unusable


@pytest.mark.parametrize("text", ["{}", ' {"a": [1, 1.5, -0.0, true, null, "\\u00e5"]}\n', "5", '"a"', "1e300"])
def test_json_is_read(text):
    """Any JSON value is read, with the spaces around it that JSON allows."""
    assert strict(text) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "nan", "NaN", '{"a": NaN}', "Infinity", "[-Infinity]", "1e400", "{} {}", "{}x", "{'a': 1}", '{"a": 1,}',
        "{a: 1}", "01", '"\n"', '"\\ud800"', '"\ud800"', "\ufeff{}", "\u00a0{}", "[" * 2000, "[" * 70 + "]" * 70,
        "9" * 5000, "None", "True", '{"a": {"b": 1, "b": 1}}',
    ],
)  # fmt: skip
def test_what_only_looks_like_json_is_refused(text):
    """What Python's reader lets through is refused in one short line that can be printed."""
    with pytest.raises(NotJson) as caught:
        strict(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_a_key_given_twice_is_told_apart():
    """Two values for one key are a fault of its own."""
    with pytest.raises(DuplicateKey, match="'a' is given twice"):
        strict('{"a": 1, "a": 2}')


def test_depth_is_bounded_exactly():
    """As many levels as are allowed pass; one more does not."""
    assert strict("[" * DEEPEST + "]" * DEEPEST)
    with pytest.raises(NotJson, match="64 levels"):
        strict("[" * (DEEPEST + 1) + "1" + "]" * (DEEPEST + 1))


@pytest.mark.parametrize(
    ("value", "kind", "valid"),
    [
        (5, "integer", True),
        (5.0, "integer", True),  # Draft 2020-12, Validation, 6.1.1
        (5.5, "integer", False),
        (True, "integer", False),
        ("5", "integer", False),
        (5, "string", False),
        (1, "boolean", False),
        (True, "number", False),
        (None, "null", True),
        (None, "string", False),
        ({}, "array", False),
    ],
)
def test_types_are_as_they_are(value, kind, valid):
    """Nothing is coerced to the type of the schema."""
    why = invalid({"n": value}, {"type": "object", "properties": {"n": {"type": kind}}})
    assert (why is None) == valid
    assert valid or why.startswith("$.n: ")


def test_true_is_no_one_of_an_enum():
    """Equality is JSON's, not Python's."""
    assert invalid({"n": True}, {"properties": {"n": {"enum": [1]}}})
    assert invalid({"n": 0}, {"properties": {"n": {"const": False}}})


def test_the_path_and_the_fault_are_told():
    """What is missing or too much is named with where it is."""
    inner = {"type": "object", "required": ["b"], "additionalProperties": False, "properties": {"b": {}}}
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": inner}}}
    assert invalid({"a": [{"b": 1}, {}]}, schema) == "$.a[1]: 'b' is a required property"
    assert "'c' was unexpected" in invalid({"a": [{"b": 1, "c": 2}]}, schema)


def test_the_empty_schema_takes_anything():
    """A tool without parameters is called with an empty object."""
    assert invalid({}, {}) is None


def test_no_schema_is_fetched():
    """A reference to elsewhere is a fault, not a request over the network."""
    assert "does not hold" in invalid({}, {"$ref": "http://127.0.0.1:9/schema.json"})


def test_a_schema_that_is_none_is_told():
    """A schema can be checked before any model is asked."""
    assert unusable({"type": "object"}) is None
    assert "'integr'" in unusable({"properties": {"n": {"type": "integr"}}})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [(1, 1.0, True), (True, 1, False), (0, False, False), ("5", 5, False), ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
     ([1, 2], [2, 1], False), (None, False, False), (-0.0, 0, True), (2.0**60, 2**60, True)],
)  # fmt: skip
def test_values_are_the_same_where_json_schema_has_them_the_same(one, other, same):
    """Numbers by value, truth by type, objects whatever their order."""
    assert (same_key({"x": [one]}) == same_key({"x": [other]})) is same


@given(st.text() | st.lists(st.sampled_from('{}[]",:0 1eaN\\u-.')).map("".join))
def test_any_text_is_read_or_refused(text):
    """No text does anything but give a value or be refused."""
    try:
        value = strict(text)
    except NotJson:
        return
    assert same_key(value) == same_key(strict(json.dumps(value)))
