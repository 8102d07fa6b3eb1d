"""A trial is right only where name, number and shape of calls are, and says why it is not."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.claims.tool_calls.reading import read
from twx_accept.claims.tool_calls.scoring import Expected, Reason, Trial, Wants, score, truncated

CASES = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}
TOOLS = {"weather": CITY, "now": {}}
OSLO = ("weather", {"city": "Oslo"})
NOW = ("now", {})


def trial(*expected, wants=Wants.CALLS, **fields):
    """A trial that expects these calls."""
    calls = tuple(Expected(name=name, arguments=arguments) for name, arguments in expected)
    return Trial(item="trial", wants=wants, tools=TOOLS, expected=calls, **fields)


ONE = trial(OSLO)
NONE = trial(wants=Wants.NO_CALL)


def of_case(case, message):
    """Trial, message, finish reason and reading of a known case, which gives only what it is about."""
    given_ = case["input"]
    calls = given_.get("calls", [{"name": "t", "arguments": given_["arguments"]}] if "arguments" in given_ else [])
    expected = given_.get("expected", [{"name": call["name"]} for call in calls] or [{"name": "t"}])
    names = {call["name"] for call in [*calls, *expected]}
    wants = Wants.NO_CALL if given_.get("case") == "forbidden" else Wants.CALLS
    asked = Trial(
        item=case["id"],
        wants=wants,
        tools={name: given_.get("schema", {}) for name in names},
        expected=tuple(Expected(name=call["name"], arguments=call.get("arguments")) for call in expected)
        if wants is Wants.CALLS
        else (),
    )
    made = given_.get("message") or message([(call["name"], call["arguments"]) for call in calls])
    reading = read(given_["raw"], "kimi_k3") if "raw" in given_ else None
    return score(asked, made, given_.get("finish_reason", "tool_calls"), reading=reading)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_known_cases(case, message):
    """Each case that somebody met, or that could be met, is scored as it should be."""
    found, right = of_case(case, message), case["right"]
    assert found.right == (right["score"] == "right")
    if "reason" in right:
        assert found.reason == right["reason"]
    assert found.parser_loss == (right.get("counted_as") == "parser loss")
    assert found.rescued == found.parser_loss
    if "not" in right:
        assert found.reason != right["not"]
    if case["id"] == "two-calls-any-order":
        assert found.values_right


def test_right_calls_are_right(message):
    """Calls in any order, with content beside them or none, are right; values are told beside."""
    found = score(trial(OSLO, NOW), message([NOW, OSLO], content="Let me look."), "tool_calls")
    assert (found.right, found.reason, found.values_right) == (True, None, True)
    found = score(ONE, message([("weather", {"city": "Bergen"})]), "tool_calls")
    assert (found.right, found.values_right) == (True, False)
    assert score(trial(("weather", None)), message([OSLO]), "tool_calls").values_right is None


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (("Weather", {"city": "Oslo"}), Reason.UNDECLARED),
        (("now", {"city": "Oslo"}), Reason.NAME),
        (("weather", ""), Reason.NOT_JSON),
        (("weather", '{"city": "Oslo"'), Reason.NOT_JSON),
        (("weather", '{"city": "Oslo"} and so on'), Reason.NOT_JSON),
        (("weather", '{"city": "Oslo", "city": "Oslo"}'), Reason.NOT_JSON),
        (("weather", '{"city": "Oslo", "days": NaN}'), Reason.NOT_JSON),
        (("weather", '"{\\"city\\": \\"Oslo\\"}"'), Reason.NO_OBJECT),
        (("weather", "[]"), Reason.NO_OBJECT),
        (("weather", "null"), Reason.NO_OBJECT),
        (("weather", {}), Reason.INVALID),
        (("weather", {"city": 5}), Reason.INVALID),
        (("weather", {"city": "Oslo", "days": "5"}), Reason.INVALID),
        (("weather", {"city": "Oslo", "days": True}), Reason.INVALID),
        (("weather", {"city": "Oslo", "country": "Norway"}), Reason.INVALID),
    ],
)
def test_one_wrong_call_says_why(message, call, reason):
    """Name, JSON, object and schema are told apart."""
    found = score(ONE, message([call]), "tool_calls")
    assert (found.right, found.reason) == (False, reason)
    assert not found.parser_loss


def test_an_expectation_that_is_not_offered_is_not_met(message):
    """A name that the trial expects and does not offer is wrong too: nobody declared it."""
    asked = Trial(item="trial", wants=Wants.CALLS, tools={}, expected=(Expected(name="weather"),))
    assert score(asked, message([OSLO]), "tool_calls").reason is Reason.UNDECLARED


def test_the_path_to_what_is_invalid_is_told(message):
    """The detail names the tool, the path and the fault."""
    found = score(ONE, message([("weather", {"city": "Oslo", "days": "5"})]), "tool_calls")
    assert found.detail == "weather: $.days: '5' is not of type 'integer'"


@pytest.mark.parametrize("ids", [["", "b"], [None, "b"], ["a", "a"], [" ", "b"], [5, "b"], ["a", "old"], [["a"], "b"]])
def test_ids_are_there_and_their_own(message, ids):
    """An id is text, not empty, and in no other call of the conversation."""
    asked = trial(OSLO, NOW, earlier_ids=frozenset({"old"}))
    assert score(asked, message([OSLO, NOW], ids=ids), "tool_calls").reason is Reason.ID
    assert score(asked, message([OSLO, NOW], ids=["a", "b"]), "tool_calls").right


@pytest.mark.parametrize(
    ("calls", "finish"),
    [([OSLO], "stop"), ([], "tool_calls"), ([], "abort"), ([OSLO], None), ([], 5), ([OSLO], ["tool_calls"])],
)
def test_the_finish_reason_agrees_with_the_calls(message, calls, finish):
    """``tool_calls`` stands where calls are, ``stop`` where none are, and nothing else passes."""
    assert score(trial(*calls), message(calls, content="Hi"), finish).reason is Reason.FINISH_REASON


def test_an_answer_that_was_cut_off_is_wrong(message):
    """However right it looks: the engine writes ``tool_calls`` over ``length``, so the tokens are counted."""
    assert score(ONE, message([OSLO]), "tool_calls", cut=True).reason is Reason.TRUNCATED
    assert truncated("length", 5, 10)
    assert truncated("tool_calls", 10, 10)
    assert not truncated("tool_calls", 9, 10)
    assert not truncated(None, None, 10)
    assert not truncated(["length"], "10", 10)


@pytest.mark.parametrize(
    ("content", "reasoning", "reason"),
    [
        ("Hello! How are you?", "I should greet.", None),
        ("", None, Reason.EMPTY),
        (" \n\t\u00a0", None, Reason.EMPTY),
        (None, "Hello!", Reason.EMPTY),
        ("Hi<|close|>message<|sep|>", None, Reason.MARKER_IN_CONTENT),
        ("Hi<|im_end|>", None, Reason.MARKER_IN_CONTENT),
        ("</think>Hi", None, Reason.MARKER_IN_CONTENT),
        ("Hi", "plan<|open|>response<|sep|>", Reason.MARKER_IN_REASONING),
        ("Hi", "plan<|open|>tools<|sep|>", Reason.HALF_WRITTEN),
        ("Hi<|tool_calls_section_begin|>", None, Reason.HALF_WRITTEN),
        ("Hi<tool_call>", None, Reason.HALF_WRITTEN),
        ('{"name": "weather", "arguments": {"city": "Oslo"}}', None, Reason.AS_TEXT),
        ('Sure.\n```json\n{"name": "weather", "arguments": {"ci', None, Reason.AS_TEXT),
        ('I call [{"arguments": {}, "name" : "now"}]', None, Reason.AS_TEXT),
        ('{"name": "hello", "arguments": {}}', None, Reason.AS_TEXT),
        ('The format is {"name": "hello", "arguments": {}}.', None, None),
        ('Your profile says {"name": "weather"}.', None, None),
        ("2 < 3 and a |> b, <b>bold</b>, <|>", None, None),
    ],
)
def test_only_a_positive_answer_abstains(message, content, reasoning, reason):
    """Where no tool is to be called, words are right; an empty answer, a marker or a call in any shape is not."""
    found = score(NONE, message(content=content, reasoning=reasoning), "stop")
    assert (found.right, found.reason, found.values_right) == (reason is None, reason, None)


def test_a_forbidden_call_is_wrong(message):
    """Whatever is said beside it."""
    assert score(NONE, message([OSLO], content="Hello!"), "tool_calls").reason is Reason.FORBIDDEN


def test_a_final_answer_is_words_that_hold_the_value(message):
    """The second turn of a loop: no call, not empty; whether the value is in it is told beside."""
    asked = trial(wants=Wants.ANSWER, accepted=("17.3", "17,3"))
    good, other = message(content="It is 17,3 degrees."), message(content="It is warm.")
    assert [(score(asked, made, "stop").right, score(asked, made, "stop").values_right) for made in (good, other)] == [
        (True, True),
        (True, False),
    ]
    assert score(asked, message([OSLO]), "tool_calls").reason is Reason.FORBIDDEN
    assert score(asked, message(content=""), "stop").reason is Reason.EMPTY


FENCED = 'I will look.\n```json\n{"name": "weather", "arguments": {"city": "Oslo"}}\n```'


@pytest.mark.parametrize("asked", [ONE, NONE, trial(wants=Wants.ANSWER)])
def test_a_call_in_a_code_fence_is_no_abstention(message, asked):
    """A model that writes its calls into a fence calls nothing, and does not decline either."""
    found = score(asked, message(content=FENCED), "stop", reading=read(FENCED, "hermes"))
    assert (found.right, found.reason, found.parser_loss, found.rescued) == (False, Reason.AS_TEXT, False, False)


@pytest.mark.parametrize("form", ["kimi_k2", "kimi_k3", "hermes"])
def test_what_the_parser_lost_is_counted_apart(rendered, message, form):
    """The raw output is right, the message is not: wrong, a loss, and rescued by our reading."""
    reading = read(rendered[form]([OSLO, NOW]), form)
    both = trial(OSLO, NOW)
    assert score(both, message([OSLO, NOW]), "tool_calls", reading=reading).right
    for calls, finish in [([OSLO], "tool_calls"), ([], "stop"), ([NOW, ("weather", {"city": "5"})], "tool_calls")]:
        found = score(both, message(calls, content="Hi"), finish, reading=reading)
        assert (found.right, found.reason) == (False, Reason.LOST)
        assert (found.parser_loss, found.rescued, found.mended) == (True, True, False)
    found = score(ONE, message([OSLO]), "tool_calls", reading=reading)
    assert (found.reason, found.parser_loss, found.rescued) == (Reason.LOST, True, False)
    found = score(NONE, message(content="Hi"), "stop", reading=reading)
    assert (found.right, found.parser_loss, found.rescued) == (False, True, False)


def test_types_that_a_parser_changed_are_a_loss(rendered, message):
    """A number that the model wrote as text is wrong, even where the parser made it right."""
    raw = rendered["kimi_k2"]([("weather", {"city": "Oslo", "days": "5"})])
    made = message([("weather", {"city": "Oslo", "days": 5})])
    found = score(ONE, made, "tool_calls", reading=read(raw, "kimi_k2"))
    assert (found.right, found.reason, found.rescued) == (False, Reason.LOST, False)
    raw = rendered["kimi_k2"]([("weather", {"city": "Oslo", "days": 5.0})])
    assert score(ONE, made, "tool_calls", reading=read(raw, "kimi_k2")).right


def test_a_malformed_call_that_a_parser_mended_is_wrong(message):
    """One key twice, which the parser made one: the message alone would have been right."""
    raw = '<tool_call>{"name": "weather", "arguments": {"city": "Rome", "city": "Oslo"}}</tool_call>'
    found = score(ONE, message([OSLO]), "tool_calls", reading=read(raw, "hermes"))
    assert (found.reason, found.mended, found.parser_loss) == (Reason.MENDED, True, False)
    found = score(ONE, message([OSLO]), "tool_calls", reading=read("nothing of the kind", "hermes"))
    assert (found.reason, found.mended) == (Reason.MENDED, True)


def test_half_a_call_that_a_parser_dropped_is_wrong(message):
    """Nothing in the message shows it; the raw output does."""
    raw = "<|close|>think<|sep|><|open|>response<|sep|>Hi<|close|>response<|sep|><|open|>tools<|sep|>"
    found = score(NONE, message(content="Hi"), "stop", reading=read(raw, "kimi_k3"))
    assert (found.right, found.reason, found.mended) == (False, Reason.HALF_WRITTEN, True)


def test_older_servers_say_reasoning_content():
    """Either field is looked at."""
    assert (
        score(NONE, {"content": "Hi", "reasoning_content": "<|im_start|>"}, "stop").reason is Reason.MARKER_IN_REASONING
    )
    assert score(NONE, {"content": "Hi", "reasoning_content": "plan"}, "stop").right


@pytest.mark.parametrize(
    "made",
    [
        None, "Hi", [], 5, {"content": 5}, {"content": ["Hi"]}, {"reasoning": {}}, {"tool_calls": {}},
        {"tool_calls": "x"}, {"tool_calls": [None]}, {"tool_calls": [{}]}, {"tool_calls": [{"function": None}]},
        {"tool_calls": [{"function": {"name": None, "arguments": "{}"}}]},
        {"tool_calls": [{"function": {"name": "now", "arguments": {}}}]},
        {"tool_calls": [{"type": "custom", "function": {"name": "now", "arguments": "{}"}}]},
    ],
)  # fmt: skip
@pytest.mark.parametrize("asked", [ONE, NONE, trial(wants=Wants.ANSWER, accepted=("x",))])
def test_a_message_of_wrong_types_is_wrong(asked, made):
    """What is no message gets a reason and a field, and is never an abstention."""
    found = score(asked, made, "stop")
    assert (found.right, found.reason) == (False, Reason.NO_MESSAGE)
    assert found.detail


def nested(depth):
    """A list in a list in a list."""
    value = []
    for _ in range(depth):
        value = [value]
    return value


def test_values_without_end_are_only_told_by_type():
    """An id or a finish reason that is nested without end breaks nothing."""
    deep = nested(100_000)
    made = {"tool_calls": [{"id": deep, "type": "function", "function": {"name": "weather", "arguments": "{}"}}]}
    assert score(trial(("weather", None)), made, deep).detail == "1 calls and finish_reason list"
    made["tool_calls"][0]["type"] = deep
    assert score(ONE, made, "tool_calls").reason is Reason.NO_MESSAGE


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
FUNCTIONS = st.fixed_dictionaries(
    {}, optional={"name": st.sampled_from(["weather", "now", ""]) | JSON, "arguments": st.just("{}") | st.text() | JSON}
)
MESSAGES = JSON | st.fixed_dictionaries(
    {},
    optional={
        "content": JSON | st.sampled_from(["Hi", "<|open|>", "<tool_call>", '{"name": "now", "arguments": {}}']),
        "reasoning": JSON,
        "reasoning_content": JSON,
        "tool_calls": JSON
        | st.lists(
            st.fixed_dictionaries(
                {}, optional={"id": JSON, "type": st.just("function") | JSON, "function": FUNCTIONS | JSON}
            ),
            max_size=3,
        ),
    },
)


@given(
    made=MESSAGES,
    finish=JSON | st.sampled_from(["stop", "tool_calls", "length"]),
    asked=st.sampled_from([ONE, NONE, trial(OSLO, NOW), trial(wants=Wants.ANSWER, accepted=("Hi",))]),
    raw=st.none() | st.text() | st.sampled_from(["<tool_call>", FENCED]),
    cut=st.booleans(),
)
def test_no_message_breaks_the_scorer(made, finish, asked, raw, cut):
    """Any JSON gets a score with a reason where it is wrong, in words that can be printed and kept."""
    found = score(asked, made, finish, cut=cut, reading=None if raw is None else read(raw, "hermes"))
    assert found.right == (found.reason is None)
    assert found.detail.isprintable()
    assert not (found.right and cut)
    found.detail.encode()
