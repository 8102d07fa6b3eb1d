"""Trials are read as they stand, or refused with the row and the cure before anything is asked."""

import contextlib
import copy
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fake_calls
from twx_accept.claims.tool_calls.scoring import Wants
from twx_accept.claims.tool_calls.tasks import Task, load
from twx_accept.errors import DatasetError
from twx_accept.sources import FileOrHub
from twx_accept.trials.making import make
from twx_accept.trials.trial import lines

FIXTURES = Path(__file__).parents[4] / "fixtures" / "tools"


class Rows:
    """A source of these rows."""

    def __init__(self, rows):
        self.kept = rows

    def rows(self, source, split):
        """The rows, of the one split that there is."""
        assert (source, split) == ("trials", "test")
        return self.kept


def read(rows, per_case=None):
    """The trials of these rows."""
    return load(Rows(rows), "trials", per_case)


def refusal(rows):
    """What is said about rows that are refused: one line."""
    with pytest.raises(DatasetError) as caught:
        read(rows)
    message = str(caught.value)
    assert message.splitlines() == [message]
    assert message.startswith("trials: ")
    assert len(message) < 1500
    return message.removeprefix("trials: ")


def put(row, place, value):
    """The row with another value at a dotted place; ``...`` takes the place away."""
    made = copy.deepcopy(row)
    *path, last = [int(part) if part.isdigit() else part for part in place.split(".")]
    inner = made
    for part in path:
        inner = inner[part]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return made


ONE = fake_calls.trial("one_call", 1)
LOOP = fake_calls.trial("loop", 2)
TWO = fake_calls.trial("two_calls", 3)
FORBIDDEN = fake_calls.trial("forbidden", 4)


def test_shipped_trials_are_read_and_each_is_sent_as_it_stands():
    """All trials of the fixture pass every check, hundred of each case, and lose nothing on the way."""
    rows = FileOrHub(folder=FIXTURES.parent).rows("tools/trials.jsonl", "test")
    tasks = load(FileOrHub(folder=FIXTURES.parent), "tools/trials.jsonl", None)
    assert len(tasks) == len(rows) == 600
    assert {case: sum(task.case == case for task in tasks) for case in fake_calls.CASES} == dict.fromkeys(
        fake_calls.CASES, 100
    )
    for task, row in zip(tasks, rows, strict=True):
        assert (task.id, task.messages, task.tools) == (row["id"], row["messages"], row["tools"])
        assert [{"name": call.name, "arguments": call.arguments} for call in task.expected] == row["expected"]


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_made_can_be_read(seed, tmp_path):
    """Trials of any seed go from their maker through a file into the claim."""
    made = make(seed, 8)
    (tmp_path / "test.jsonl").write_text(lines(made))
    assert [task.id for task in load(FileOrHub(folder=tmp_path), str(tmp_path), None)] == [each.id for each in made]


def test_task_says_what_is_right_in_each_of_its_turns():
    """A call is right where one is expected, none where none is, and in a loop an answer with the value after it."""
    one, forbidden, loop = read([ONE, FORBIDDEN, LOOP])
    assert (one.first().wants, forbidden.first().wants) == (Wants.CALLS, Wants.NO_CALL)
    assert [call.name for call in one.first().expected] == ["weather"]
    assert one.first().tools["weather"] == fake_calls.CITY
    last = loop.final(frozenset({"call-0"}))
    assert (last.wants, last.accepted, last.earlier_ids) == (Wants.ANSWER, ("QX2",), frozenset({"call-0"}))
    assert loop.result == '{"code": "QX2"}'


def test_text_of_a_task_is_all_that_is_said():
    """What a system says before the user is part of what a reader sees."""
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello?"}]
    (task,) = read([{**ONE, "messages": messages}])
    assert task.text == "Be brief.\n\nHello?"


def test_first_trials_of_each_case_are_taken():
    """A smaller set is the first of each case, in the order of the source."""
    rows = fake_calls.trials(3)
    kept = [task.id for task in read(rows[::-1], 2)]
    assert kept == [row["id"] for row in rows[::-1] if not row["id"].endswith("000")]
    assert len(read(rows, 9)) == 18


def test_everything_that_is_right_shows_in_what_is_registered():
    """Case, calls, values, result and accepted answers each change what a trial is registered as; words do not."""
    (usual,) = read([LOOP])
    changes = {
        "id": "other",
        "expected.0.arguments": {"city": "Oslo"},
        "result.content": "{}",
        "answer_holds": ["QX2", "qx-2"],
    }
    others = [read([put(LOOP, place, value)])[0].right() for place, value in changes.items()]
    assert usual.right() not in others
    assert len({json.dumps(other) for other in others}) == len(others)
    assert read([put(LOOP, "messages.0.content", "Otherwise?")])[0].right() == usual.right()


NESTED = None
for _ in range(70):
    NESTED = {"properties": {"a": NESTED}}

WRONG = [
    (ONE, "id", ..., "id: is missing; add it"),
    (ONE, "id", "", "id: String should have at least 1 character"),
    (ONE, "id", 7, "id: Input should be a valid string (it is 7)"),
    (ONE, "case", "both_calls", "case: Input should be 'one_call', 'two_calls'"),
    (ONE, "case", ..., "case: is missing; add it"),
    (ONE, "messages", ..., "messages: is missing; add it"),
    (ONE, "messages", [], "messages: List should have at least 1 item"),
    (ONE, "messages", "Hello?", "messages: Input should be a valid list"),
    (ONE, "messages.0", "Hello?", "messages.0: Input should be"),
    (ONE, "messages.0.role", ..., "messages.0.role: is missing; add it"),
    (ONE, "messages.0.role", "assistant", "does not end with what a user says; end messages with a text"),
    (ONE, "messages.0.content", ..., "does not end with what a user says"),
    (ONE, "messages.0.content", " \n", "does not end with what a user says"),
    (ONE, "messages.0.content", ["Hello?"], "does not end with what a user says"),
    (ONE, "tools", [], "tools: List should have at least 1 item"),
    (ONE, "tools", None, "tools: Input should be a valid list"),
    (ONE, "tools.0.type", "tool", "tools.0.type: Input should be 'function'"),
    (ONE, "tools.0.function", ..., "tools.0.function: is missing; add it"),
    (ONE, "tools.0.function.name", "", "tools.0.function.name: String should have"),
    (ONE, "tools.0.function.parameters", [], "tools.0.function.parameters: Input should be a valid dictionary"),
    (ONE, "tools.0.function.parameters.type", "thing", "the schema of weather is none of JSON Schema Draft 2020-12"),
    (ONE, "tools.0.function.parameters.properties.city.pattern", "(", "the schema of weather is none of JSON Schema"),
    (ONE, "tools.0.function.parameters", {"$ref": "#"}, "refers to itself without end"),
    (ONE, "tools.0.function.parameters", {"$ref": "http://127.0.0.1:1/s"}, "refers to 'http://127.0.0.1:1/s', which"),
    (ONE, "tools.0.function.parameters", NESTED, "nested more than 64 levels deep; make it flatter"),
    (ONE, "tools.1.function.name", "weather", "offers two tools of one name; rename one"),
    (ONE, "expected", ..., "expected: is missing; add it"),
    (ONE, "expected", None, "expected: Input should be a valid list"),
    (ONE, "expected", [], "expects a call where none is right, or none where one is; mend expected or case"),
    (ONE, "expected.0.name", "wether", "expects wether, which it does not offer; offer it"),
    (ONE, "expected.0.arguments", {"city": 3}, "expects arguments of weather that its own schema refuses ($.city: 3"),
    (ONE, "expected.0.arguments", {"town": "Oslo"}, "expects arguments of weather that its own schema refuses"),
    (ONE, "expected.0.arguments", [], "expected.0.arguments: Input should be a valid dictionary"),
    (ONE, "expected", TWO["expected"], "is one call and expects 2 calls; mend expected or case"),
    (TWO, "expected.1", ..., "is two calls in one turn and expects 1 calls; mend expected or case"),
    (FORBIDDEN, "expected", ONE["expected"], "expects a call where none is right, or none where one is"),
    (LOOP, "expected", TWO["expected"], "is a two-turn loop and expects 2 calls; mend expected or case"),
    (LOOP, "result", ..., "is a loop without a result or without what its answer holds; add both"),
    (LOOP, "result", None, "is a loop without a result or without what its answer holds; add both"),
    (LOOP, "result.content", {"code": 1}, "result.content: Input should be a valid string"),
    (LOOP, "result.content", "", "result.content: String should have at least 1 character"),
    (LOOP, "answer_holds", [], "is a loop without a result or without what its answer holds; add both"),
    (LOOP, "answer_holds", [""], "answer_holds.0: String should have at least 1 character"),
    (LOOP, "answer_holds", "QX2", "answer_holds: Input should be a valid list"),
]


@pytest.mark.parametrize(("row", "place", "value", "told"), WRONG)
def test_wrong_row_is_named_with_what_is_wrong(row, place, value, told):
    """A row that is malformed, contradicts itself or cannot be answered is refused with its number and the field."""
    said = refusal([fake_calls.trial("nested", 9), put(row, place, value)])
    assert said.startswith("trial 2")
    assert told in said


def test_row_beyond_those_that_are_taken_is_checked_too():
    """A smaller set does not hide what is wrong in the larger one."""
    rows = [fake_calls.trial("one_call", number) for number in range(3)]
    with pytest.raises(DatasetError, match="trial 3"):
        read([*rows[:2], put(rows[2], "tools", [])], 1)


def test_source_without_trials_is_refused():
    """An empty source says how trials are made."""
    assert refusal([]) == "holds no trial; make some with `twx-accept trials make`"


@pytest.mark.parametrize("row", [{}, {"id": "a"}, {"question": "Why?", "choices": ["a"], "answer": 0}])
def test_rows_of_something_else_are_refused(row):
    """Rows that are no trials name the first fields that are missing."""
    assert refusal([row]).startswith("trial 1: ")
    assert "messages: is missing; add it" in refusal([row])


def test_ids_that_stand_twice_are_named():
    """Two trials of one id could not be told apart; five of them are named at most, in one line."""
    rows = fake_calls.trials(2)
    assert refusal([*rows, put(ONE, "id", "loop-001")]) == ("ids stand twice: 'loop-001'; give each trial its own")
    many = [put(fake_calls.trial("nested", number), "id", f"n{number % 9}") for number in range(18)]
    assert refusal(many).count("'n") == 5


def test_prompts_that_stand_twice_are_named():
    """One prompt under two ids is no second trial, however it is spaced; the same words with other tools are."""
    again = {**ONE, "id": "again"}
    spaced = {**again, "messages": [{**each, "content": f" {each['content'].upper()}\n"} for each in ONE["messages"]]}
    for each in (again, spaced):
        assert refusal([ONE, each]) == "'one-call-001', 'again' ask the same; give each trial a prompt of its own"
    assert len(read([ONE, {**again, "tools": ONE["tools"][::-1]}])) == 2


def test_hostile_row_is_told_in_one_line():
    """Line ends and control characters of a row do not reach the terminal, and no id may hold them."""
    said = refusal([put(ONE, "expected.0.name", "c\nd\x1b[31m")])
    assert said == "trial 1 ('one-call-001'): expects c\\nd\\x1b[31m, which it does not offer; offer it"
    for hostile in ("a\nb", "a\x1b[31m", "a\u2028b", "a" * 101):
        assert "has an id that no line can show; give it up to 100 characters" in refusal([put(ONE, "id", hostile)])


def test_rows_of_a_file_that_broke_off_are_refused(tmp_path):
    """Wherever a copy of the file broke off, its rows are trials or the line is named."""
    whole = "".join(json.dumps(row) + "\n" for row in (ONE, LOOP))
    file = tmp_path / "test.jsonl"
    for length in range(0, len(whole), 11):
        file.write_text(whole[:length])
        with contextlib.suppress(DatasetError):
            assert all(isinstance(task, Task) for task in load(FileOrHub(folder=tmp_path), str(file), None))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("weather"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PLACES = (
    "id",
    "case",
    "messages",
    "messages.0",
    "messages.0.content",
    "tools",
    "tools.0",
    "tools.0.function",
    "tools.0.function.parameters",
    "tools.0.function.parameters.properties",
    "tools.0.function.parameters.properties.city",
    "expected",
    "expected.0",
    "expected.0.arguments",
    "result",
    "result.content",
    "answer_holds",
)


@given(place=st.sampled_from(PLACES), value=VALUES)
def test_any_value_in_any_place_is_read_or_refused(place, value):
    """No value at any place of a row lets another error out than the one that names it."""
    with contextlib.suppress(DatasetError):
        (task,) = read([put(LOOP, place, value)])
        task.right()
