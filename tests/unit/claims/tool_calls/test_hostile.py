"""Whatever a server answers, deciding gives a verdict or an error of this project in one line."""

import contextlib
import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fake_calls
from twx_accept.asking.reading import DEEPEST
from twx_accept.claims.tool_calls.arguments import invalid, unusable
from twx_accept.domain.verdict import Verdict
from twx_accept.errors import TwxAcceptError

ROWS = [fake_calls.trial(case, 0) for case in ("one_call", "forbidden", "loop")]
ARMS = ("low", "low.raw", "low.final", "low.final.raw", "low.stream", "low.prompt", "high")

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=()), max_size=8)
    | st.sampled_from(["weather", "tool_calls", '{"city": "City0"}', "<tool_call>", "<|im_end|>", '{"days": 1e400}']),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "type", "function", "name", "arguments", "content", "role", "text", "prompt"])
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
PLACES = [
    (),
    ("prompt_token_ids",),
    ("prompt",),
    ("choices",),
    ("choices", 0),
    ("choices", 0, "finish_reason"),
    ("choices", 0, "token_ids"),
    ("choices", 0, "message"),
    *(("choices", 0, "message", name) for name in ("content", "reasoning", "reasoning_content", "tool_calls", "role")),
    ("choices", 0, "message", "tool_calls", 0),
    *(("choices", 0, "message", "tool_calls", 0, name) for name in ("id", "type", "function")),
    *(("choices", 0, "message", "tool_calls", 0, "function", name) for name in ("name", "arguments")),
]


def put(answer, place, value):
    """The answer with another value at a place, as far as it has such a place."""
    made = json.loads(json.dumps(answer))
    if not place:
        return value if isinstance(value, dict) else {"value": value}
    inner = made
    for part in place[:-1]:
        try:
            inner = inner[part]
        except (KeyError, IndexError, TypeError):
            return made
    with contextlib.suppress(IndexError, TypeError):
        inner[place[-1]] = value
    return made


@pytest.fixture(scope="module")
def made(claim):
    """The claim on three trials, without a mark: nothing is too weak to be told."""
    given_ = {name: value for name, value in fake_calls.SETTINGS.items() if name != "margin_points"}
    return claim("tool_calls", {**given_, "unscored_share": 0.99}, ROWS)


@pytest.fixture(scope="module")
def sides(made, evidence):
    """The original, and what makes the evidence of a build from exchanges."""

    def side(build, exchanges):
        return replace(evidence(build), exchanges={"tool_calls": tuple(exchanges)})

    return side("original", fake_calls.asked(made, ROWS)), side


def decided(made, sides, exchanges):
    """Decides about a build with these exchanges, and about an original with them; plans with them too."""
    original, side = sides
    build = side("small", exchanges)
    found, said = [], []
    for deed in (
        lambda: made.decide(original, build),
        lambda: made.decide(build, original),
        lambda: made.between(original, original, build),
        lambda: made.assume(original, build),
        lambda: made.follow_up(exchanges),
        lambda: made.unusable(exchanges),
    ):
        try:
            found.append(deed())
        except TwxAcceptError as error:
            said.append(str(error))
    assert [text for text in said if not text.isprintable() or len(text) > 2000] == []
    for verdict in found:
        if isinstance(verdict, Verdict):
            json.dumps(dict(verdict.statistics), allow_nan=False)
    return found


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), place=st.sampled_from(PLACES), value=JSON)
def test_any_json_at_any_place_is_decided_or_refused(made, sides, data, place, value):
    """A field of any answer may hold any JSON: it fails its trial, or the claim says why it cannot be decided."""
    exchanges = list(sides[0].exchanges["tool_calls"])
    at = data.draw(
        st.sampled_from([at for at, each in enumerate(exchanges) if each.request.key.arm in ARMS]), label="exchange"
    )
    exchanges[at] = replace(exchanges[at], answer=put(exchanges[at].answer, place, value))
    decided(made, sides, exchanges)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(message=JSON, finish=JSON, raw=st.text(st.characters(exclude_categories=()), max_size=40))
def test_any_message_over_any_raw_output_is_decided(made, evidence, message, finish, raw):
    """A server that answers every turn with one and the same nonsense fails, and the rounds come to an end."""

    def say(_, request):
        if request.path == "/detokenize":
            return {"prompt": raw}
        return {"choices": [{"index": 0, "message": message, "finish_reason": finish, "token_ids": [1]}]}

    exchanges = fake_calls.asked(made, ROWS, say)
    original = replace(evidence("original"), exchanges={"tool_calls": tuple(fake_calls.asked(made, ROWS))})
    build = replace(evidence("small"), exchanges={"tool_calls": tuple(exchanges)})
    assert made.decide(original, build).statistics["low_n"] == 3


DEEP = None
for _ in range(DEEPEST):
    DEEP = [DEEP]

HOSTILE = {
    "a number of 400 digits": ("function", {"name": "weather", "arguments": f'{{"city": "a", "days": {"9" * 400}}}'}),
    "a number of 5000 digits": ("function", {"name": "weather", "arguments": f'{{"days": {"9" * 5000}}}'}),
    "arguments without an end": ("function", {"name": "weather", "arguments": '{"city":' * 100_000}),
    "lists without an end": ("function", {"name": "weather", "arguments": "[" * 100_000}),
    "a long name": ("function", {"name": "w" * 1_000_000, "arguments": "{}"}),
    "control signs in a name": ("function", {"name": "\x1b[31m\n\u2028\ud800", "arguments": "{}"}),
    "half of a pair in arguments": ("function", {"name": "weather", "arguments": '{"city": "\\ud800"}'}),
    "an id as deep as can be kept": ("id", DEEP),
    "an id with line ends": ("id", "a\n\nb"),
}


@pytest.mark.parametrize(("field", "value"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_calls_fail_their_trial(made, sides, field, value):
    """Calls that are made to break a reader are wrong calls, whatever they hold."""
    exchanges = list(sides[0].exchanges["tool_calls"])
    at = [(each.request.key.item, each.request.key.arm) for each in exchanges].index(("one-call-000", "low"))
    place = ("choices", 0, "message", "tool_calls", 0, field)
    answer = put(exchanges[at].answer, place, value)
    exchanges[at] = replace(exchanges[at], answer=answer)
    verdict = decided(made, sides, exchanges)[0]
    assert verdict.statistics["low_b"] == (field != "id" or not isinstance(value, str))
    assert all(len(count.value) < 3_000_000 for item in verdict.items for count in item.body)


def test_many_calls_are_counted_in_time(made, sides):
    """Ten thousand calls in one message are a wrong number of calls, told in seconds."""
    exchanges = list(sides[0].exchanges["tool_calls"])
    at = [(each.request.key.item, each.request.key.arm) for each in exchanges].index(("one-call-000", "low"))
    calls = exchanges[at].answer["choices"][0]["message"]["tool_calls"] * 10_000
    exchanges[at] = replace(
        exchanges[at], answer=put(exchanges[at].answer, ("choices", 0, "message", "tool_calls"), calls)
    )
    assert decided(made, sides, exchanges)[0].statistics["low_b"] == 1


@pytest.mark.parametrize(
    ("value", "schema", "why"),
    [
        (10**400, {"multipleOf": 0.5}, "$: it holds a number that is too large to be checked"),
        ({"a": 1}, {"$ref": "#"}, "$: the schema refers to itself without end"),
    ],
)
def test_value_that_breaks_the_validator_is_invalid(value, schema, why):
    """A number that overflows, or a schema that has no end, is a reason and no error."""
    assert invalid(value, schema) == why


def test_schema_that_is_nested_without_end_is_unusable():
    """A schema deeper than the stack is none, and says so."""
    schema = {}
    for depth in range(5_000):
        schema = {"properties": {"a": schema}}
        if depth in (400, 4_999):
            assert unusable(schema).startswith("$: it is no JSON (maximum recursion")
