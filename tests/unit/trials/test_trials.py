"""The trials of tool calling: what a set holds, and that a seed decides it."""

import json
import re
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

from twx_accept import trials
from twx_accept.errors import UsageError
from twx_accept.sources import FileOrHub

TOOLS = Path(__file__).resolve().parents[3] / "fixtures" / "tools"
CASES = ["one_call", "two_calls", "nested", "forbidden", "choice_of_twenty", "loop"]
SEEDS = [1, 2, 77]


@pytest.fixture(scope="module")
def fixture():
    """The rows of the shipped fixture, read as a suite reads them."""
    return FileOrHub(folder=TOOLS).rows("trials.jsonl", "test")


@pytest.fixture(scope="module", params=SEEDS)
def rows(request):
    """The rows of a full set, of the shipped seed and of others."""
    return [trial.row() for trial in trials.make(request.param, 100)]


def of(rows, case):
    """The rows of one case."""
    return [row for row in rows if row["case"] == case]


def prompt(row):
    """What the user says in a row."""
    return row["messages"][-1]["content"]


def names(row):
    """The tools that a row offers, in their order."""
    return [tool["function"]["name"] for tool in row["tools"]]


def test_the_fixture_is_what_its_seed_makes() -> None:
    """The shipped fixture is reproduced byte for byte from seed 1."""
    assert (TOOLS / "trials.jsonl").read_bytes() == trials.lines(trials.make(1, 100)).encode()


def test_the_fixture_reads_back_as_a_source(fixture) -> None:
    """A suite reads the fixture through its sources and finds the rows that were made."""
    assert [dict(row) for row in fixture] == [trial.row() for trial in trials.make(1, 100)]


def test_a_set_has_the_cases_in_order(rows) -> None:
    """Six cases follow each other with a hundred trials each, whose ids count within the case."""
    assert [row["id"] for row in rows] == [
        f"{case.replace('_', '-')}-{number:03}" for case in CASES for number in range(1, 101)
    ]
    assert [row["case"] for row in rows] == [case for case in CASES for _ in range(100)]


def test_a_smaller_set_is_part_of_a_larger_one() -> None:
    """Five trials a case are the first five of each case of a larger set with the same seed."""
    large, small = trials.make(9, 40), trials.make(9, 5)
    assert list(small) == [trial for trial in large if int(trial.id[-3:]) <= 5]


def test_another_seed_makes_other_prompts() -> None:
    """Two seeds share hardly a prompt beyond those general questions that have no values."""
    first, second = ({trial.prompt for trial in trials.make(seed, 100) if trial.expected} for seed in (1, 2))
    assert len(first & second) <= 5


def test_no_prompt_stands_twice(rows) -> None:
    """All prompts differ, nearly all of them even when every digit counts as the same."""
    prompts = [prompt(row) for row in rows]
    assert len(set(prompts)) == 600
    assert len({re.sub(r"\d", "0", text) for text in prompts}) >= 590


def test_most_wordings_differ_within_a_case(rows) -> None:
    """Of a case's prompts without codes, numbers, dates, paths and quoted names, at least half differ still."""
    for case in CASES:
        bare = {re.sub(r"'[^']*'|\S*[\d/@]\S*", "_", prompt(row)) for row in of(rows, case)}
        assert len(bare) >= 50, (case, len(bare))


def test_prompts_are_neither_short_nor_long(rows) -> None:
    """Every prompt has 8 to 120 words, no slot left open, and no space too many."""
    for row in rows:
        text = prompt(row)
        assert 8 <= len(text.split()) <= 120, text
        assert "{" not in text, text
        assert text == text.strip(), text
        assert "  " not in text, text
        assert not re.search(r"[.?!,] ?[.,;?!]", text), text


def test_expected_calls_are_valid_and_offered(rows) -> None:
    """Each right call is of a tool that is offered, and valid under that tool's schema."""
    for row in rows:
        offered = {tool["function"]["name"]: tool["function"]["parameters"] for tool in row["tools"]}
        assert len(offered) == len(row["tools"])
        for call in row["expected"]:
            jsonschema.Draft202012Validator(offered[call["name"]]).validate(call["arguments"])


def test_values_of_a_call_are_said_in_the_prompt(rows) -> None:
    """Every text and number of a right call that no enumeration or date rewords stands in the prompt as it is."""
    for row in rows:
        text = prompt(row).casefold()
        for call in row["expected"]:
            for value in leaves(call["arguments"]):
                if isinstance(value, bool) or re.fullmatch(r"\d{4}-\d\d-\d\d|[a-z0-9]+(_[a-z0-9]+)*", str(value)):
                    continue
                assert f"{value}".casefold().removesuffix(".0") in text, (row["id"], value)


def leaves(value):
    """The values within objects and lists."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from leaves(part)
    else:
        yield value


def test_each_case_wants_its_number_of_calls(rows) -> None:
    """Two calls are wanted in their case and differ, none where a tool is forbidden, one everywhere else."""
    for case in CASES:
        wanted = {"two_calls": 2, "forbidden": 0}.get(case, 1)
        for row in of(rows, case):
            assert len({json.dumps(call) for call in row["expected"]}) == len(row["expected"]) == wanted
    twice = sum(row["expected"][0]["name"] == row["expected"][1]["name"] for row in of(rows, "two_calls"))
    assert twice == 50


def test_each_case_offers_its_number_of_tools(rows) -> None:
    """Twenty tools are offered in their case, and three to five elsewhere, at all places of the list."""
    for row in rows:
        assert len(row["tools"]) == 20 if row["case"] == "choice_of_twenty" else 3 <= len(row["tools"]) <= 5
    places = Counter(names(row).index(row["expected"][0]["name"]) for row in of(rows, "choice_of_twenty"))
    assert len(places) >= 15


def test_tools_out_of_twenty_are_alike(rows) -> None:
    """The right tool out of twenty has at least three others of its own domain beside it."""
    domains = {name: tool.domain for name, tool in trials.load(TOOLS).tools.items()}
    for row in of(rows, "choice_of_twenty"):
        assert [domains[name] for name in names(row)].count(row["domain"]) >= 4


def test_nested_calls_have_structure(rows) -> None:
    """Each nested call has a list of objects and an object within its arguments or within that list."""
    for row in of(rows, "nested"):
        arguments = row["expected"][0]["arguments"]
        lists = [value for value in arguments.values() if isinstance(value, list)]
        inner = [value for part in lists for item in part for value in item.values()]
        assert lists
        assert all(isinstance(item, dict) for part in lists for item in part)
        assert any(isinstance(value, dict) for value in (*arguments.values(), *inner))


def test_what_a_loop_looks_for_is_only_in_its_result(rows) -> None:
    """The value of a loop's answer stands in the tool's result, and in no message and no tool that is offered."""
    for row in of(rows, "loop"):
        result = json.loads(row["result"]["content"])
        assert row["result"]["name"] == row["expected"][0]["name"]
        assert row["answer_holds"][0] in map(str, leaves(result))
        before = json.dumps([row["messages"], row["tools"]]).casefold()
        for spelling in row["answer_holds"]:
            assert spelling.casefold() not in before, row["id"]
            assert len(spelling) >= 4
    assert all("result" not in row and "answer_holds" not in row for row in rows if row["case"] != "loop")


def test_right_answers_are_spread(rows) -> None:
    """At least fifty tools over all twelve domains are right answers, none of them too often."""
    used = Counter(call["name"] for row in rows for call in row["expected"])
    assert len(used) >= 50
    assert max(used.values()) <= 25
    assert len({row["domain"] for row in rows if row["expected"]}) == 12


@pytest.mark.parametrize("per_case", [0, -1, 1000])
def test_a_number_of_trials_that_cannot_be(per_case) -> None:
    """Fewer than one trial a case, or more than an id counts, are refused with the number and the range."""
    with pytest.raises(UsageError, match=f"^{per_case} trials a case: give a number from 1 to 999$"):
        trials.make(1, per_case)


def test_more_prompts_than_there_are() -> None:
    """A set that the wordings cannot fill with prompts that differ is refused, naming the case and the cure."""
    with pytest.raises(UsageError, match=r"^case \w+: after \d+ trials .* make fewer a case, or add wordings$"):
        trials.make(1, 999)
