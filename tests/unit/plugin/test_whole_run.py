"""One whole run, looked at from all sides: what it decided, wrote and said; then the same again, and afresh."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import junitparser
import pytest

from fake_project import RIGHT


@dataclass(frozen=True)
class Whole:
    """The run and everything that is looked at after it."""

    project: Any
    ran: Any
    boots: list[str]
    report: dict[str, Any]
    outcomes: dict[tuple[str, str], str]
    step: str
    junit: str


@pytest.fixture(scope="module")
def whole(make_project: Callable[[], Any]) -> Whole:
    """A run of everything."""
    project = make_project()
    step = project.temporary / "step.md"
    step.write_text("before\n")
    ran = project.accept("--durations=1", GITHUB_STEP_SUMMARY=str(step))
    return Whole(
        project=project,
        ran=ran,
        boots=project.boots(),
        report=project.report(),
        outcomes=project.outcomes(),
        step=step.read_text(),
        junit=(project.root / "reports" / "junit.xml").read_text(),
    )


def test_every_claim_comes_out_as_it_must(whole: Whole) -> None:
    """Known answers give known outcomes and the status of failed tests, and the report names who may ship."""
    assert whole.ran.status == 1
    assert whole.outcomes == RIGHT
    assert {build["name"]: build["may_ship"] for build in whole.report["builds"]} == {
        "damaged": False,
        "good": True,
        "weak": False,
    }
    assert whole.report["missing"] == []
    assert whole.report["run"]["control"] == "caught"
    assert whole.report["run"]["command"] == "pytest -m acceptance --durations=1"


def test_each_build_is_booted_once_in_order(whole: Whole) -> None:
    """The original first, then the control, then the builds; every server serves all claims and is gone."""
    assert whole.boots == ["original", "damaged", "good", "weak"]
    assert whole.project.servers() == []
    assert all(len(whole.project.asked(build)) == 40 for build in whole.boots)


def test_a_failing_test_says_why_in_a_sentence(whole: Whole) -> None:
    """The failure has the verdict's sentence and its figures, and no giant object or traceback of this project."""
    assert "weak has 0.00 GB of weights, 0.511 of the original's 0.00 GB; the mark is 0.300." in whole.ran.text
    assert "weak is 10.00 points below the original." in whole.ran.text
    assert "<Quiz of weak: not shown>" in whole.ran.text
    assert "Figure(" not in whole.ran.text
    assert "site-packages" not in whole.ran.text
    assert "src/twx_accept" not in whole.ran.text


def test_terminal_tells_what_runs_and_what_came_of_it(whole: Whole) -> None:
    """Header, a line for each finished step, one line a claim and build, and where the report is."""
    lines = whole.ran.text.splitlines()
    assert "twx-accept: suite tiny: original, then damaged (control), good, weak; 3 claims a build" in lines
    for build in whole.boots:
        assert f"twx-accept: {build}: booting" in lines
        assert any(line.startswith(f"twx-accept: {build}: Quiz: 240 requests in ") for line in lines)
    assert "good may ship: 2 of 2 registered claims shown" in lines
    assert f"Report: {whole.project.root / 'reports' / 'report.html'}" in lines
    assert not any("Unused snapshot" in line or "--snapshot-update" in line for line in lines)


def test_junit_has_a_case_for_each_claim_and_build(whole: Whole) -> None:
    """Names are unique, failures are failures, and the verdict with its mark stands in the failure or system-out."""
    (suite,) = junitparser.JUnitXml.fromstring(whole.junit)
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (10, 2, 0, 0)
    names = [f"{case.classname}.{case.name}" for case in suite]
    assert len(set(names)) == 10
    said = {case.name: str(case.system_out) for case in suite if "control" not in case.classname}
    assert len(said) == 9
    for name, text in said.items():
        build = name.partition("[")[2].rstrip("]")
        assert build in text
        assert "\nmark: " in text, name
    assert any("failed: weak has" in text and "mark: at most 0.300" in text for text in said.values())
    assert len(whole.junit) < 1_000_000


def test_junit_holds_only_what_its_readers_know(whole: Whole) -> None:
    """Elements and attributes are those that the common schema of CI servers allows, each where it allows them."""
    allowed = {
        "testsuites": ({"testsuite"}, {"name"}),
        "testsuite": (
            {"testcase"},
            {"name", "errors", "failures", "skipped", "tests", "time", "timestamp", "hostname"},
        ),
        "testcase": ({"failure", "error", "system-out", "system-err"}, {"name", "classname", "time"}),
        "failure": (set(), {"message"}),
        "error": (set(), {"message"}),
        "system-out": (set(), set()),
    }
    for element in ET.fromstring(whole.junit).iter():  # noqa: S314 - written by the run above
        children, attributes = allowed[element.tag]
        assert {child.tag for child in element} <= children
        assert set(element.attrib) <= attributes


def test_all_reports_are_written_and_say_the_same(whole: Whole) -> None:
    """HTML, JSON and Markdown are there, and a CI job's page gets the Markdown after what it has."""
    reports = whole.project.root / "reports"
    page = (reports / "summary.md").read_text()
    assert whole.step == "before\n" + page
    html = (reports / "report.html").read_text()
    assert whole.report["headline"] in html
    assert not list(reports.glob(".*"))
    assert "INCOMPLETE" not in html + page


def test_second_run_boots_nothing_and_finds_the_same(whole: Whole) -> None:
    """With everything kept no server starts, and the report differs in nothing but date, command and timings."""
    project = whole.project
    (ran,) = project.each(("-m", "acceptance"))
    assert ran.status == 1
    assert project.boots() == whole.boots
    first, second = (json.loads(json.dumps(report)) for report in (whole.report, project.report()))
    assert second["run"]["timings"] == []
    assert second["run"]["command"] == "pytest -p no:warnings -m acceptance"
    for report in (first, second):
        for name in ("date", "timings", "command"):
            del report["run"][name]
    assert first == second


def test_partial_run_decides_nothing_and_keeps_its_evidence_apart(whole: Whole) -> None:
    """A limited run passes whatever comes out, says that it is partial, has no test of the control, and boots anew."""
    project = whole.project
    before = len(project.boots())
    kept = {path.name: path.read_bytes() for path in (project.root / "reports" / "evidence").glob("*.sqlite")}
    (ran,) = project.each(("-m", "acceptance", "--limit-questions", "2", "--build", "weak", "--report-dir", "partial"))
    assert ran.status == 0, ran.text
    assert project.boots()[before:] == ["original", "weak"]
    report = json.loads((project.root / "partial" / "report.json").read_text())
    assert all(each["labels"][-1] == "partial" and not each["gates"] for each in report["run"]["verdicts"])
    assert [build["may_ship"] for build in report["builds"]] == [False]
    assert "partial run (2 questions a subject)" in ran.text
    assert {path.name: path.read_bytes() for path in (project.root / "reports" / "evidence").glob("*.sqlite")} == kept


def test_questions_from_elsewhere_are_found_and_kept_apart(whole: Whole) -> None:
    """A question set outside the project is read from a path after a blank; two sets of one name never mix."""
    project = whole.project
    for folder, number in (("a", 8), ("b", 12)):
        set_ = project.questions(f"../{folder}/quiz", number).resolve()
        line = ("-m", "acceptance", "--build", "good", "--report-dir", str(project.root / "others"))
        (ran,) = project.each((*line, "--questions", str(set_)))
        assert ran.status == 0, ran.text
        assert f"rootdir: {project.root}" in ran.text
        report = json.loads((project.root / "others" / "report.json").read_text())
        assert report["run"]["partial"] == "questions from quiz"
        figures = {each["claim"]: each["statistics"] for each in report["run"]["verdicts"]}
        assert figures["multiple_choice"]["n"] == number


def test_some_claims_alone_pass_and_leave_the_rest_open(whole: Whole) -> None:
    """Marks that no chosen test uses are no failure; what was not run is named, and nothing may ship."""
    (ran,) = whole.project.each(("-m", "acceptance", "--build", "good", "-k", "weights", "--report-dir", "some"))
    assert ran.status == 0, ran.text
    assert "good may not ship: INCOMPLETE, Cache headroom and Quiz not run" in ran.text


def test_fresh_run_asks_again_and_sets_the_old_evidence_aside(whole: Whole) -> None:
    """Everything is booted and asked again; the old files keep their content under another name."""
    project, evidence = whole.project, whole.project.root / "reports" / "evidence"
    before, old = len(project.boots()), {path.stem: path.read_bytes() for path in evidence.glob("tiny-good-*.sqlite")}
    ran = project.accept("--fresh", "--build", "good")
    assert ran.status == 0, ran.text
    assert project.boots()[before:] == ["original", "good"]
    assert "kept evidence is set aside" in ran.text
    for stem, content in old.items():
        assert (evidence / f"{stem}.superseded-1.sqlite").read_bytes() == content


def test_the_report_names_what_was_read_and_what_may_differ(whole: Whole) -> None:
    """A mark's title is the suite's own word; beside it stand the source it names and the flags that are excused.

    Evidence may be older than the run, and says when it began.
    """
    rows = {(each["group"], each["label"]): set(each["values"].values()) for each in whole.report["run"]["settings"]}
    assert rows["Mark: Quiz", "source, as the suite names it"] == {"../questions"}
    assert all(began.startswith("20") for began in rows["Evidence", "begun"])
    assert rows["Evidence", "ledger head then"] == {whole.report["registered"].split()[-1].rstrip(")")}
    assert rows["Suite", "flags in which builds may differ"] == {"quantization, load_format"}
