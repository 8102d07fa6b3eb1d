"""With pytest-xdist, and two runs at once: one server for a build, and reports that hold everything."""

import json
from collections import Counter
from typing import Any

import junitparser

from fake_project import RIGHT, until


def test_parallel_processes_share_one_server_and_one_report(project: Any) -> None:
    """Each build is booted once, --fresh sets evidence aside once, and the report has every verdict and timing."""
    project.behave(builds={"weak": {"exit_at_start": 3}})
    ran = project.accept("-n", "2", "--fresh")
    assert ran.status == 1, ran.text
    assert ran.text.count("twx-accept: good: booting\n") == 1  # progress is seen from every process
    assert Counter(project.boots()) <= Counter({"original": 1, "damaged": 1, "good": 1, "weak": 2})
    assert project.outcomes() == RIGHT | {(claim, "weak"): "invalid" for claim, _ in RIGHT}
    report = project.report()
    assert report["missing"] == []
    assert report["run"]["control"] == "caught"
    assert report["run"]["registered"].startswith("before the run (ledger entry 1; ")
    assert report["run"]["attempts"]["good"] == 1
    phases = Counter((each["build"], each["phase"]) for each in report["run"]["timings"])
    assert phases["good", "boot"] == phases["good", "Quiz"] == 1
    (suite,) = junitparser.JUnitXml.fromfile(str(project.root / "reports" / "junit.xml"))
    assert (suite.tests, suite.failures, suite.errors) == (10, 0, 3)
    reasons = {each["build"]: each["reasons"] for each in project.report()["run"]["verdicts"] if each["reasons"]}
    assert "ended while it was starting" in reasons["weak"][0]
    assert project.servers() == []


def test_parallel_refusal_is_told_as_in_a_single_process(project: Any) -> None:
    """A mistake that only the tests show ends with status 4 and one sentence, and writes nothing."""
    body = (
        "import pytest\n\npytestmark = [pytest.mark.acceptance, pytest.mark.xfail]\n\ndef test_it(verdict):\n    pass\n"
    )
    (project.root / "tests" / "acceptance" / "test_wrong.py").write_text(body)
    before = project.tree()
    ran = project.accept("-n", "2")
    assert ran.status == 4, ran.text
    assert "is marked xfail: an acceptance test is decided or invalid" in ran.text
    assert "INTERNALERROR" not in ran.text
    assert project.tree() == before


def test_second_run_waits_for_the_first_and_finds_what_it_kept(project: Any) -> None:
    """The later of two runs says who holds the evidence, then decides from it; nothing is asked twice."""
    go = project.temporary / "go"
    project.behave(builds={"original": {"start_when": str(go)}})
    with project.started("-m", "acceptance", "--build", "good", "--junitxml", "first.xml") as first:
        assert project.wait_for("boot")
        with project.forked("-m", "acceptance", "--build", "good") as fork:
            assert until(
                lambda: fork.out.exists() and "waiting for the evidence" in fork.out.read_text(errors="replace")
            )
            go.touch()
            second = fork.wait()
        text, _ = first.communicate(timeout=60)
    assert (first.returncode, second.status) == (0, 0), text + second.text
    assert f"waiting for the evidence of original: process {first.pid}" in second.text
    assert Counter(project.boots()) == Counter(["original", "good"])
    assert len({json.dumps(each) for each in project.asked("good")}) == len(project.asked("good")) == 40
