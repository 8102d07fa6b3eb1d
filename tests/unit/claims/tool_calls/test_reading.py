"""Raw output is read strictly: well-formed calls come back exactly, all else is named and never raises."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twx_accept.claims.tool_calls.reading import FORMATS, Kind, read

MARKERS = [
    "<|open|>", "<|close|>", "<|sep|>", "<|end_of_msg|>", "<|tool_calls_section_begin|>", "<|tool_call_begin|>",
    "<|tool_call_argument_begin|>", "<|tool_call_end|>", "<|tool_calls_section_end|>", "<|im_end|>", "[EOS]",
    "<tool_call>", "</tool_call>", "<think>", "</think>", "<|open|>tools<|sep|>", "<|close|>tools<|sep|>",
    '<|open|>call tool="t" index="1"<|sep|>', "<|close|>call<|sep|>", "<|close|>argument<|sep|>",
    '<|open|>argument key="a" type="number"<|sep|>', '<|open|>argument key="b" type="string"<|sep|>',
    '<|open|>json type="object"<|sep|>', "<|close|>json<|sep|>", "<|open|>response<|sep|>", "<|close|>response<|sep|>",
    "<|open|>think<|sep|>", "<|close|>think<|sep|>", "<|close|>message<|sep|>", "functions.t:0", '{"a": 1}', "5",
    '{"name": "t", "arguments": {"a": 1}}', " ", "\n", "words", "\ud800", "<|", "|>", '"', "{", "<|im_start|>",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(MARKERS), max_size=40).map("".join)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="<>|[]"), max_size=20)
NAMES = st.text("abcdefghijklmnopqrstuvwxyz_.-0123456789", min_size=1, max_size=12)
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
CALLS = st.lists(st.tuples(NAMES, st.dictionaries(WORDS, VALUES, max_size=4)), max_size=4)
BEGINS = {"kimi_k2": "<|tool_call_begin|>", "kimi_k3": "<|open|>call", "hermes": "<tool_call>"}
EVERY = pytest.mark.parametrize("form", sorted(FORMATS))


def held(reading):
    """The calls of a reading, by name and value."""
    return [(call.name, json.loads(call.arguments)) for call in reading.calls]


def kinds(reading):
    """What is wrong with it, in the order in which it was found."""
    return [problem.kind for problem in reading.problems]


@EVERY
@given(calls=CALLS, content=WORDS, reasoning=WORDS)
def test_what_is_well_formed_comes_back_exactly(rendered, form, calls, content, reasoning):
    """Calls, content and reasoning written as the template writes them are read as they were, without a problem."""
    reading = read(rendered[form](calls, content, reasoning), form)
    assert held(reading) == calls
    assert [type(value) for _, values in held(reading) for value in values.values()] == [
        type(value) for _, values in calls for value in values.values()
    ]
    assert reading.problems == ()
    assert (reading.content.strip(), reading.reasoning) == (content.strip(), reasoning)


@EVERY
@settings(max_examples=30)
@given(calls=CALLS.filter(bool))
def test_a_text_that_is_cut_holds_no_other_call(rendered, form, calls):
    """Cut at every character, a text never yields more calls than the whole, nor others; a begun call is told."""
    raw = rendered[form](calls, "Let me look.")
    whole = read(raw, form).calls
    for end in range(len(raw)):
        cut = read(raw[:end], form)
        assert cut.calls == whole[: len(cut.calls)]
        if raw[:end].count(BEGINS[form]) > len(cut.calls):
            assert cut.malformed


@EVERY
@given(soup=SOUP, end=st.integers(0, 400), thinking=st.none() | st.booleans())
def test_soup_of_markers_is_read(form, soup, end, thinking):
    """Whatever stands in the text, it is read; what was a call before more text came is one after."""
    whole, cut = read(soup, form, thinking=thinking), read(soup[:end], form, thinking=thinking)
    assert whole.calls[: len(cut.calls)] == cut.calls
    assert all(0 <= problem.at <= len(soup) for problem in whole.problems)
    for call in whole.calls:
        assert call.name
        json.loads(call.arguments)


@EVERY
@given(text=st.text())
def test_any_text_is_read(form, text):
    """Text that no template wrote raises nothing."""
    read(text, form)


@EVERY
@pytest.mark.parametrize("marker", [*MARKERS, '<|open|>call tool="', "<tool_call>{", '<tool_call>["', "[" * 50, "<|a"])
def test_reading_takes_linear_time(form, marker):
    """A hundred kilobytes of any one marker are read in less than two seconds."""
    began = time.process_time()
    read(marker * (100_000 // len(marker)), form)
    read("<|open|>tools<|sep|><|tool_calls_section_begin|>" + marker * (100_000 // len(marker)), form)
    assert time.process_time() - began < 2


def k3(*parts, closed=True):
    """A message of Kimi K3 whose section of calls holds these parts."""
    tail = "<|close|>call<|sep|><|close|>tools<|sep|>" if closed else ""
    head = "<|close|>think<|sep|><|open|>response<|sep|><|close|>response<|sep|><|open|>tools<|sep|>"
    return read(f'{head}<|open|>call tool="t" index="1"<|sep|>{"".join(parts)}{tail}', "kimi_k3")


def argument(kind, text, key="n"):
    """An argument of Kimi K3."""
    return f'<|open|>argument key="{key}" type="{kind}"<|sep|>{text}<|close|>argument<|sep|>'


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("string", "5", "5"),
        ("string", " a&amp;b\n", " a&amp;b\n"),
        ("number", "5", 5),
        ("number", "1.0", 1.0),
        ("boolean", "true", True),
        ("null", "null", None),
        ("object", '{"a": [1]}', {"a": [1]}),
        ("array", "[]", []),
    ],
)
def test_kimi_k3_reads_an_argument_by_its_type(kind, text, value):
    """A string stands as it is; all else is JSON of the type that it says."""
    assert held(k3(argument(kind, text))) == [("t", {"n": value})]


@pytest.mark.parametrize(
    ("kind", "text", "wrong"),
    [
        ("number", "five", Kind.NOT_JSON),
        ("number", "NaN", Kind.NOT_JSON),
        ("number", "true", Kind.WRONG_TYPE),
        ("number", '"5"', Kind.WRONG_TYPE),
        ("boolean", "1", Kind.WRONG_TYPE),
        ("boolean", "True", Kind.NOT_JSON),
        ("object", "[]", Kind.WRONG_TYPE),
        ("object", '{"a": 1', Kind.NOT_JSON),
        ("object", '{"a": 1, "a": 2}', Kind.DUPLICATE_KEY),
        ("null", "", Kind.NOT_JSON),
        ("integer", "5", Kind.WRONG_TYPE),
        ("string", "\ud800", Kind.NOT_JSON),
        ("string", "a<|close|>b", Kind.HALF_WRITTEN),
        ("array", "[" * 70 + "]" * 70, Kind.NOT_JSON),
    ],
)
def test_kimi_k3_makes_no_string_of_what_is_no_json(kind, text, wrong):
    """A value that is no JSON of its type makes the call none, where vLLM's parser makes it a string."""
    reading = k3(argument(kind, text))
    assert reading.calls == ()
    assert kinds(reading)[0] is wrong
    assert reading.malformed


@pytest.mark.parametrize(
    ("raw", "wrong"),
    [
        (k3(argument("number", "1"), argument("number", "2")), [Kind.DUPLICATE_KEY]),
        (k3("words"), [Kind.STRAY_IN_CALL]),
        (k3('<|open|>argument key="n" type="string"<|sep|>Oslo'), [Kind.HALF_WRITTEN]),
        (k3(argument("string", "Oslo"), closed=False), [Kind.HALF_WRITTEN, Kind.SECTION_OPEN]),
        (k3('<|open|>argument type="string"<|sep|>Oslo<|close|>argument<|sep|>'), [Kind.HALF_WRITTEN]),
        (k3(argument("number", "1"), '<|open|>json type="object"<|sep|>{}<|close|>json<|sep|>'), [Kind.HALF_WRITTEN]),
        (k3('<|open|>json type="array"<|sep|>[]<|close|>json<|sep|>'), [Kind.WRONG_TYPE]),
    ],
)
def test_kimi_k3_names_what_makes_a_call_none(raw, wrong):
    """Half-written, doubled or stray parts make a call none, and are told."""
    assert raw.calls == ()
    assert kinds(raw) == wrong


def test_kimi_k3_reads_a_call_of_one_json_tag():
    """The template writes arguments that it could not parse as one tag; so may the model."""
    reading = k3('<|open|>json type="object"<|sep|>{"a": 1}<|close|>json<|sep|>')
    assert held(reading) == [("t", {"a": 1})]
    assert reading.problems == ()


def test_kimi_k3_unescapes_attributes_once(tag):
    """Quotation marks and ampersands in names and keys come back, and only once."""
    raw = tag("tools") + tag("call", tool='a"&quot;', index=1) + "<|close|>call<|sep|><|close|>tools<|sep|>"
    assert read(raw, "kimi_k3", thinking=False).calls[0].name == 'a"&quot;'


CALL_K3 = '<|open|>call tool="t" index="1"<|sep|><|close|>call<|sep|>'
SECTION_K3 = f"<|open|>tools<|sep|>{CALL_K3}<|close|>tools<|sep|>"
CALL_K2 = "<|tool_call_begin|>functions.t:0<|tool_call_argument_begin|>{}<|tool_call_end|>"
SECTION_K2 = f"<|tool_calls_section_begin|>{CALL_K2}<|tool_calls_section_end|>"
CALL_HERMES = '<tool_call>{"name": "t", "arguments": {}}</tool_call>'


@pytest.mark.parametrize(
    ("form", "raw", "calls", "wrong"),
    [
        ("kimi_k3", f"plan{SECTION_K3}", 1, [Kind.IN_THINKING, Kind.THINKING_OPEN]),
        ("kimi_k3", f"plan{SECTION_K3}<|close|>think<|sep|>", 1, [Kind.IN_THINKING]),
        ("kimi_k3", f"plan, words<|close|>response<|sep|>{SECTION_K3}", 1, [Kind.THINKING_OPEN]),
        ("kimi_k3", f"plan<|open|>response<|sep|>Hi<|close|>response<|sep|>{SECTION_K3}", 1, [Kind.THINKING_OPEN]),
        ("kimi_k3", "plan", 0, [Kind.THINKING_OPEN]),
        ("kimi_k3", f"<|close|>think<|sep|>{CALL_K3}", 0, [Kind.OUTSIDE, Kind.OUT_OF_PLACE]),
        ("kimi_k3", f"<|close|>think<|sep|>{SECTION_K3}{SECTION_K3}", 2, [Kind.SECOND_SECTION]),
        ("kimi_k3", f"<|close|>think<|sep|>{SECTION_K3.replace(CALL_K3, CALL_K3 * 2)}", 2, [Kind.INDEX]),
        ("kimi_k3", f"<|close|>think<|sep|><|open|>tools<|sep|>{CALL_K3}", 1, [Kind.SECTION_OPEN]),
        ("kimi_k3", "<|close|>think<|sep|><|open|>tools<|sep|>", 0, [Kind.HALF_WRITTEN]),
        ("kimi_k3", "<|close|>think<|sep|><|open|>tools<|sep|><|close|>tools<|sep|>", 0, [Kind.EMPTY_SECTION]),
        ("kimi_k3", f"<|close|>think<|sep|><|close|>message<|sep|>{SECTION_K3}", 0,
         [Kind.OUT_OF_PLACE, Kind.AFTER_END, Kind.OUT_OF_PLACE, Kind.OUT_OF_PLACE]),
        ("kimi_k3", "<|close|>think<|sep|><|open|>response<|sep|>Hi<|im_end|><|close|>response<|sep|>", 0,
         [Kind.UNKNOWN_MARKER]),
        ("kimi_k3", f"<|close|>think<|sep|>{SECTION_K3.replace('tool=', 'name=')}", 0, [Kind.BAD_NAME]),
        ("kimi_k3", f"<|close|>think<|sep|>{SECTION_K3.replace('<|close|>call<|sep|>', '')}", 0, [Kind.HALF_WRITTEN]),
        ("kimi_k3", "<|close|>think<|sep|><|sep|><|open|>words<|sep|>", 0, [Kind.OUT_OF_PLACE, Kind.OUT_OF_PLACE]),
        ("kimi_k2", "</think>" + SECTION_K2.replace("{}", '{"a": 1, "a": 2}'), 0, [Kind.DUPLICATE_KEY]),
        ("kimi_k2", f"plan{SECTION_K2}", 1, [Kind.IN_THINKING, Kind.THINKING_OPEN]),
        ("kimi_k2", f"</think>{CALL_K2}", 0, [Kind.OUTSIDE, Kind.OUT_OF_PLACE, Kind.OUT_OF_PLACE]),
        ("kimi_k2", f"</think>{SECTION_K2}{SECTION_K2}", 2, [Kind.SECOND_SECTION]),
        ("kimi_k2", f"</think>{SECTION_K2.replace('functions.t:0', 'functions.t')}", 0, [Kind.BAD_NAME]),
        ("kimi_k2", f"</think>{SECTION_K2.replace('{}', '')}", 0, [Kind.NOT_JSON]),
        ("kimi_k2", f"</think>{SECTION_K2.replace('{}', '{} {}')}", 0, [Kind.NOT_JSON]),
        ("kimi_k2", f"</think>{SECTION_K2.replace('<|tool_call_end|>', '')}", 0, [Kind.HALF_WRITTEN]),
        ("kimi_k2", f"</think>{SECTION_K2.replace('<|tool_call_end|>', CALL_K2)}", 1, [Kind.HALF_WRITTEN]),
        ("kimi_k2", f"</think><|im_end|>{CALL_K2}", 0, [Kind.AFTER_END, Kind.STRAY_TEXT, Kind.OUT_OF_PLACE,
         Kind.STRAY_TEXT, Kind.OUT_OF_PLACE]),
        ("hermes", f"<think>plan{CALL_HERMES}", 1, [Kind.IN_THINKING, Kind.THINKING_OPEN]),
        ("hermes", f"<tool_call>{CALL_HERMES}", 1, [Kind.HALF_WRITTEN]),
        ("hermes", f"{CALL_HERMES}</tool_call>", 1, [Kind.OUT_OF_PLACE]),
        ("hermes", CALL_HERMES.removesuffix("</tool_call>"), 0, [Kind.HALF_WRITTEN]),
        ("hermes", CALL_HERMES.replace("}}", "}, }"), 0, [Kind.NOT_JSON]),
        ("hermes", CALL_HERMES.replace("{}", '{"a": 1, "a": 2}'), 0, [Kind.DUPLICATE_KEY]),
        ("hermes", CALL_HERMES.replace("{}", '{"a": NaN}'), 0, [Kind.NOT_JSON]),
        ("hermes", CALL_HERMES.replace('"t"', "5"), 0, [Kind.BAD_NAME]),
        ("hermes", '<tool_call>[{"name": "t"}]</tool_call>', 0, [Kind.BAD_NAME]),
        ("hermes", f"Hi<|im_end|>{CALL_HERMES}", 0, [Kind.AFTER_END, Kind.STRAY_TEXT, Kind.OUT_OF_PLACE]),
    ],
)  # fmt: skip
def test_what_stands_wrong_is_named(form, raw, calls, wrong):
    """A call is kept wherever it stands in its message; what is wrong around it, or with it, is told in order."""
    reading = read(raw, form)
    assert (len(reading.calls), kinds(reading)) == (calls, wrong)


@pytest.mark.parametrize(
    ("raw", "content", "reasoning"),
    [
        ("Hi<|close|>response<|sep|>", "Hi", ""),
        ("<|open|>response<|sep|>Hi<|close|>response<|sep|>", "Hi", ""),
        (
            "<|open|>think<|sep|>plan<|close|>think<|sep|><|open|>response<|sep|>Hi<|close|>response<|sep|>",
            "Hi",
            "plan",
        ),
    ],
)
def test_kimi_k3_begins_where_the_prompt_leaves_off(raw, content, reasoning):
    """With thinking turned off the text begins in the response, unless the model opens a channel first."""
    reading = read(raw + SECTION_K3, "kimi_k3", thinking=False)
    assert (reading.content, reading.reasoning, len(reading.calls), reading.problems) == (content, reasoning, 1, ())


def test_a_call_inside_the_thinking_says_so():
    """A call that the thinking holds is marked as one."""
    assert [call.thought for call in read(f"plan{SECTION_K3}", "kimi_k3").calls] == [True]
    assert [call.thought for call in read(f"</think>{SECTION_K2}", "kimi_k2").calls] == [False]


def test_kimi_k2_cuts_the_name_from_the_id():
    """The name may hold dots and colons, the word before it may be missing, and the index is the last part."""
    for identifier, name in [("functions.a.b:3", "a.b"), ("functions.ns:a:3", "ns:a"), ("a:3", "a")]:
        (call,) = read(f"</think>{SECTION_K2.replace('functions.t:0', identifier)}", "kimi_k2").calls
        assert (call.name, call.id, call.index) == (name, identifier, 3)


def test_details_are_short_and_can_be_printed():
    """A problem quotes what was written, on one line that is not longer than a line should be."""
    (problem,) = read("<tool_call>" + "\n\ud800" * 10_000 + "</tool_call>", "hermes").problems
    assert len(problem.detail) < 1500
    problem.detail.encode()
    assert problem.detail.isprintable()
