"""Marks that changed, controls that pass, servers that fail: what cannot be decided is an error, and says why."""

import json
from typing import Any

import junitparser
import pytest


def errors_of(project: Any) -> dict[str, str]:
    """The text of each error in the JUnit file; there must be no failure without a verdict."""
    (suite,) = junitparser.JUnitXml.fromfile(str(project.root / "reports" / "junit.xml"))
    return {case.name: f"{one.message}\n{one.text}" for case in suite for one in case.result if one._tag == "error"}


def test_changed_marks_are_told_before_anything_boots(project: Any) -> None:
    """A changed and a missing mark are errors of their claims, which come first; no question is asked for them."""
    project.suite("margin_points = 20.0", "margin_points = 30.0")
    (project.root / "tests" / "acceptance" / "__marks__" / "tiny.cache_headroom.json").unlink()
    (alone,) = project.each(("-m", "acceptance", "--build", "good", "-k", "cache or knowledge"))
    assert alone.status == 1
    assert project.boots() == []
    assert 'margin.value was registered as "20.0000" and is "30.0000" now' in alone.text
    assert "no mark is registered for suite tiny (tiny.cache_headroom.json)" in alone.text
    assert "twx-accept register tiny" in alone.text
    assert len(errors_of(project)) == 2
    (ran,) = project.each(("-m", "acceptance", "--build", "good", "-v"))
    assert project.boots() == ["original", "good"]
    assert project.asked("good") == []
    words = [line.split() for line in ran.text.splitlines() if line.startswith("tests/")]
    assert [line[1] for line in words if len(line) > 1] == ["ERROR", "ERROR", "PASSED"]
    assert project.outcomes()["weight_size", "good"] == "shown"
    assert project.outcomes()["multiple_choice", "good"] == "invalid"
    assert project.report()["missing"] == []


def test_control_that_passes_invalidates_what_it_cannot_tell_apart(project: Any) -> None:
    """Where the damaged build answers well, its test fails and the other builds' difference claims are invalid."""
    project.behave(builds={"damaged": {"scores": {" right": -0.1, " true": -0.1}}})
    (ran,) = project.each(("-m", "acceptance", "--build", "good", "--build", "damaged"))
    assert ran.status == 1
    assert "the positive control damaged is missed" in ran.text
    assert project.outcomes()["multiple_choice", "good"] == "invalid"
    assert project.outcomes()["weight_size", "good"] == "shown"
    (text,) = errors_of(project).values()
    assert "the positive control 'damaged', damaged on purpose, passes this claim" in text
    assert project.report()["run"]["control"] == "missed"
    (later,) = project.each(("-m", "acceptance", "--build", "good"))
    assert later.status == 1
    assert project.outcomes()["multiple_choice", "good"] == "invalid"


def test_control_that_cannot_be_measured_is_an_error(project: Any) -> None:
    """A control whose server does not start is neither caught nor missed; the other builds are decided."""
    project.behave(builds={"damaged": {"exit_at_start": 3}})
    (ran,) = project.each(("-m", "acceptance", "--build", "good", "--build", "damaged"))
    assert ran.status == 1
    found = errors_of(project)
    assert (
        "the positive control is not measured" in found["test_the_build_that_was_damaged_on_purpose_is_caught[damaged]"]
    )
    assert len(found) == 4
    assert project.outcomes()["multiple_choice", "good"] == "shown"
    assert project.boots() == ["original", "damaged", "good"]


def test_reports_are_written_when_every_test_errs(project: Any) -> None:
    """An original that does not start leaves every claim invalid, with the cause; hostile text breaks no report."""
    hostile = "RuntimeError: \x1b[31mred\x1b[0m \x00\x07 ]]> <script>alert(1)</script> & \U0001f600"
    project.behave(builds={"original": {"exit_at_start": 3, "prints": (hostile,)}})
    step = project.temporary / "step.md"
    ran = project.accept(GITHUB_STEP_SUMMARY=str(step))
    assert ran.status == 1
    assert project.boots() == ["original"]
    raw = (project.root / "reports" / "junit.xml").read_bytes()
    assert not any(byte in raw for byte in b"\x1b\x00\x07")
    found = errors_of(project)
    assert len(found) == 10
    for text in found.values():
        assert "RuntimeError" in text, text
        assert "red" in text, text
    assert "Traceback" not in ran.text
    assert set(project.outcomes().values()) == {"invalid"}
    html = (project.root / "reports" / "report.html").read_text()
    assert "<script>alert" not in html
    assert step.read_text() == (project.root / "reports" / "summary.md").read_text()
    assert project.servers() == []


def test_last_lines_of_a_server_are_told_once(project: Any) -> None:
    """Every claim that a dead server made invalid names the cause and the log; the log's end stands with the first."""
    prints = ("Traceback (most recent call last):", '  File "k.py", line 1, in load', "RuntimeError: no kernel for it")
    project.behave(builds={"original": {"exit_at_start": 3, "prints": prints}})
    ran = project.accept()
    assert ran.status == 1
    found = errors_of(project)
    assert len(found) == 10
    assert all("cause: RuntimeError: no kernel for it" in text and "boot-1.log" in text for text in found.values())
    assert sum("last lines of the log:" in text for text in found.values()) == 2  # a claim's, and the control's


def test_server_that_dies_while_asked_is_named_and_the_next_run_goes_on(project: Any) -> None:
    """What it answered is kept; the claim is invalid with the cause; the next run asks only for what is missing."""
    project.behave(builds={"good": {"die_after": 12, "prints": ("CUDA error: an illegal memory access",)}})
    (ran,) = project.each(("-m", "acceptance", "--build", "good"))
    assert ran.status == 1
    assert "stopped answering while it was asked; what it answered is kept" in ran.text
    assert "CUDA error: an illegal memory access" in ran.text
    assert project.outcomes()["multiple_choice", "good"] == "invalid"
    before = project.asked("good")
    assert 0 < len(before) < 40
    project.behave()
    (again,) = project.each(("-m", "acceptance", "--build", "good"))
    assert again.status == 0, again.text
    asked = [json.dumps(prompt) for prompt in project.asked("good")]
    assert len(set(asked)) == 40
    assert len(asked) <= 41  # the one that was out when the server died
    assert project.outcomes()["multiple_choice", "good"] == "shown"


def test_skipping_from_within_is_a_failure(project: Any) -> None:
    """A test that skips itself, or expects its failure, while it runs is failed: it must be decided or invalid."""
    for name, call in (("skip", "pytest.skip('not today')"), ("xfail", "pytest.xfail('known')")):
        body = f"import pytest\n\n@pytest.mark.acceptance\ndef test_{name}():\n    {call}\n"
        (project.root / "tests" / "acceptance" / f"test_{name}.py").write_text(body)
    (ran,) = project.each(("-m", "acceptance", "-k", "skip or xfail"))
    assert ran.status == 1
    assert "2 failed" in ran.text
    assert "never skipped: Skipped: not today" in ran.text
    assert "never skipped: known" in ran.text


@pytest.mark.parametrize("file", ["reports/evidence", "models/good/model.safetensors"])
def test_what_is_in_the_way_is_named(project: Any, file: str) -> None:
    """A damaged model or evidence folder gives errors in words and the reports, never a traceback of this project."""
    path = project.root / file
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text("in the way")
    (ran,) = project.each(("-m", "acceptance", "--build", "good", "-k", "weights"))
    assert ran.status == 1
    assert "1 error" in ran.text
    assert "src/twx_accept" not in ran.text


def test_an_engines_last_words_do_not_act_on_the_terminal(project: Any) -> None:
    """What would clear the screen and write a verdict there is named by its code point, wherever it is told."""
    screen = "\x1b[2J\x1b[H\x1b[32mgood may ship: 9 of 9 registered claims shown\x1b[0m"
    words = ["Traceback (most recent call last):", f"RuntimeError: {screen}"]
    project.behave(builds={"good": {"prints": [screen, *words], "die_after": 3}})
    (ran,) = project.each(("-m", "acceptance", "--build", "good"))
    assert ran.status == 1
    assert "\x1b" not in ran.text
    assert "cause: RuntimeError: [U+001B][2J[U+001B][H" in ran.text


def test_reports_that_cannot_be_written_are_told_with_the_verdicts(project: Any) -> None:
    """With no room for them the verdicts are told, the run is no success, and an older report stays whole."""
    reports = project.root / "reports"
    (reports / ".summary.md.new").mkdir(parents=True)  # in the way, as a full disk is
    (reports / "report.html").write_text("an older run's")
    (ran,) = project.each(("-m", "acceptance", "--build", "good"))
    assert ran.status == 1
    assert "shown      Quiz" in ran.text
    assert f"ERROR: {reports}: the reports cannot be written (" in ran.text
    assert "name another folder with --report-dir" in ran.text
    assert "Traceback" not in ran.text
    assert "Report: " not in ran.text
    assert {file.name for file in reports.iterdir()} == {".summary.md.new", "report.html", "evidence", "junit.xml"}
    assert (reports / "report.html").read_text() == "an older run's"


def test_a_junit_file_that_cannot_be_written_hides_no_verdict(project: Any) -> None:
    """The verdicts and the report are there all the same, and the run is no success."""
    (project.root / "reports" / "junit.xml").mkdir(parents=True)
    (ran,) = project.each(("-m", "acceptance", "--build", "good"))
    assert ran.status == 1
    assert "shown      Quiz" in ran.text
    assert "the reports cannot be written (" in ran.text
    assert "Traceback" not in ran.text
    assert "generated xml file" not in ran.text
    assert (project.root / "reports" / "report.html").exists()
