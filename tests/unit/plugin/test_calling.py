"""Tool calls from end to end: a suite with the claim, run through pytest against the stand-in."""

import json
from collections.abc import Callable
from typing import Any

import junitparser
import pytest

import fake_calls
from fake_project import RIGHT

CLAIM = """
[claims.tool_calls]
source = "../trials"
format = "hermes"
max_tokens = 1000
sampling = { temperature = 0.0 }
margin_points = 30.0
efforts = { low = { reasoning_effort = "low" }, high = { reasoning_effort = "high" } }

[claims.cache_headroom]
"""
TEST = """
import pytest

@pytest.mark.acceptance
@pytest.mark.claim("tool_calls")
def test_tool_calls(verdict):
    assert verdict.passes, verdict.sentence
"""
PER_CASE = 4
CHAT = "/v1/chat/completions"


def told(row: dict[str, Any]) -> dict[str, Any]:
    """The trial in words that the stand-in follows."""
    orders = [f"call {call['name']} {json.dumps(call['arguments'])}" for call in row["expected"]]
    return {**row, "messages": [{"role": "user", "content": "\n".join([f"Trial {row['id']}:", *orders])}]}


@pytest.fixture(scope="module")
def make_calling(make_project: Callable[[], Any]) -> Callable[..., Any]:
    """Makes projects whose suite has the claim, registered; ``weak`` forgets one number, ``damaged`` every call."""

    def make(**behaviour: Any) -> Any:
        project = make_project()
        rows = [told(row) for row in fake_calls.trials(PER_CASE)]
        (project.root / "fixtures" / "trials").mkdir()
        (project.root / "fixtures" / "trials" / "test.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows)
        )
        (project.root / "tests" / "acceptance" / "test_tool_calls.py").write_text(TEST)
        project.suite("\n[claims.cache_headroom]\n", CLAIM)
        builds = {"weak": {"forgets": "City1"}, "damaged": {"forgets": "call "}}
        for build, changes in behaviour.pop("builds", {}).items():
            builds[build] = builds.get(build, {}) | changes
        project.behave(builds=builds, **behaviour)
        return project.register()

    return make


def asked(project: Any, build: str, path: str) -> int:
    """How often a build was asked at that path."""
    return sum(each["detail"]["path"] == path for each in project.events("request", build))


def errors_of(project: Any) -> dict[str, str]:
    """The text of each error in the JUnit file."""
    (suite,) = junitparser.JUnitXml.fromfile(str(project.root / "reports" / "junit.xml"))
    return {case.name: f"{one.message}\n{one.text}" for case in suite for one in case.result if one._tag == "error"}


@pytest.fixture(scope="module")
def whole(make_calling: Callable[..., Any]) -> Any:
    """A project after a run of everything."""
    project = make_calling()
    project.ran = project.accept()
    return project


def test_claim_is_decided_beside_the_others(whole: Any) -> None:
    """Known answers give known outcomes for tool calls too, and the control is caught by them."""
    assert whole.outcomes() == RIGHT | {
        ("tool_calls", "good"): "shown",
        ("tool_calls", "weak"): "not shown",
        ("tool_calls", "damaged"): "failed",
    }, whole.ran.text
    assert whole.report()["run"]["control"] == "caught"
    assert "<Tool calls of weak: not shown>" in whole.ran.text
    assert whole.servers() == []


def test_every_trial_is_asked_once_at_each_effort(whole: Any) -> None:
    """24 trials at two efforts, the loops' second turns and a stream of each case; all of it decoded."""
    turns, loops, streams = 2 * 6 * PER_CASE, 2 * PER_CASE, 2 * 6
    assert asked(whole, "good", CHAT) == turns + loops + streams
    assert asked(whole, "good", "/detokenize") == turns + loops + 2
    assert asked(whole, "damaged", CHAT) == turns + streams


def test_figures_say_what_was_lost(whole: Any) -> None:
    """The trials that a build forgets are those that it loses, and streams say what whole answers say."""
    found = {each["build"]: each for each in whole.report()["run"]["verdicts"] if each["claim"] == "tool_calls"}
    numbers = {
        build: [each["statistics"][f"{effort}_b"] for effort in ("low", "high")] for build, each in found.items()
    }
    assert numbers == {"good": [0, 0], "weak": [5, 5], "damaged": [20, 20]}
    html = (whole.root / "reports" / "report.html").read_text()
    assert "the stream says what the whole answer says" in html
    assert "differ in" not in html
    assert "reasoning_effort" in html  # the prompt as the model read it


def test_second_run_asks_nothing(whole: Any) -> None:
    """With everything kept the claim is decided again without a server."""
    before, boots = whole.outcomes(), whole.boots()
    (ran,) = whole.each(("-m", "acceptance"))
    assert ran.status == 1
    assert whole.boots() == boots
    assert whole.outcomes() == before


def test_server_that_refuses_tools_is_told_with_the_cure(make_calling: Callable[..., Any]) -> None:
    """Two requests find it out; the claim is invalid for every build with what to do, and the others are decided."""
    project = make_calling(tools=False)
    (ran,) = project.each(("-m", "acceptance", "--build", "good", "--build", "weak"))
    assert ran.status == 1
    assert project.outcomes() == {
        **{at: outcome for at, outcome in RIGHT.items() if at[1] != "damaged"},
        ("tool_calls", "good"): "invalid",
        ("tool_calls", "weak"): "invalid",
    }
    assert {build: asked(project, build, CHAT) for build in ("original", "good", "weak")} == dict.fromkeys(
        ("original", "good", "weak"), 2
    )
    assert asked(project, "good", "/detokenize") == 0
    found = errors_of(project)
    assert len(found) == 2
    for text in found.values():
        assert "original refuses one-call-000 at low effort (HTTP 400: " in text
        assert "serve with enable_auto_tool_choice and the model's tool_call_parser among the suite's flags" in text


def test_one_build_that_refuses_tools_is_invalid_alone(make_calling: Callable[..., Any]) -> None:
    """A build whose server takes no tools is named; the other builds have their verdicts."""
    project = make_calling(builds={"good": {"tools": False}})
    (ran,) = project.each(("-m", "acceptance", "--build", "good", "--build", "weak"))
    assert ran.status == 1
    found = project.outcomes()
    assert (found["tool_calls", "good"], found["tool_calls", "weak"]) == ("invalid", "not shown")
    assert found["multiple_choice", "good"] == "shown"
    (text,) = errors_of(project).values()
    assert "good refuses one-call-000 at low effort" in text


def test_trials_that_are_wrong_are_told_before_anything_boots(make_calling: Callable[..., Any]) -> None:
    """A row that cannot be asked is an error of usage that names it."""
    project = make_calling()
    project.change("fixtures/trials/test.jsonl", '"case": "two_calls"', '"case": "two_cals"')
    (ran,) = project.each(("-m", "acceptance"))
    assert ran.status == 4
    assert "../trials: trial 5: case: Input should be 'one_call'" in ran.text
    assert project.boots() == []
