"""A run is a success only where its verdicts say so, whatever tests, helpers or options of pytest make of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from twx_accept.acceptance.ending import chosen

WEAK = ("-m", "acceptance", "--build", "weak")
GOOD = ("-m", "acceptance", "--build", "good")
ASSERTS = "assert verdict.passes, verdict.sentence"

NO_VERDICT = """
from types import SimpleNamespace
import pytest
@pytest.fixture
def verdict(build_name):
    return SimpleNamespace(passes=True, sentence="")
"""
ALL_PASS = """
import pytest
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport():
    report = yield
    report.outcome, report.longrepr = "passed", None
    return report
"""


@pytest.fixture(scope="module")
def kept(make_project: Callable[[], Any]) -> Any:
    """A project with everything asked, so that a run boots nothing."""
    project = make_project()
    project.each(("-m", "acceptance"))
    return project


@contextmanager
def changed(file: Path, text: str) -> Iterator[None]:
    """A file with another content as long as the context lasts; none means that it is gone."""
    before = file.read_text() if file.exists() else None
    file.unlink(missing_ok=True)
    if text:
        file.write_text(text)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
        if before is not None:
            file.write_text(before)


def acceptance(project: Any, name: str) -> Path:
    """A file beside the acceptance tests."""
    return Path(project.root / "tests" / "acceptance" / name)


def test_a_test_without_its_assertion_fails_all_the_same(kept: Any) -> None:
    """Where a test's body was emptied, its verdict still fails it, in the JUnit file too."""
    file = acceptance(kept, "test_multiple_choice.py")
    with changed(file, file.read_text().replace(ASSERTS, "pass")):
        (ran,) = kept.each((*WEAK, "-k", "knowledge"))
    assert ran.status == 1
    assert "the test passed, and its verdict is not shown: weak is 10.00 points below the original" in ran.text
    assert '<failure message="the test passed' in (kept.root / "reports" / "junit.xml").read_text()


def test_a_verdict_from_another_fixture_is_none(kept: Any) -> None:
    """A fixture of the same name that says yes decides nothing: every test fails and nothing may ship."""
    with changed(acceptance(kept, "conftest.py"), NO_VERDICT):
        (ran,) = kept.each(GOOD)
    assert ran.status == 1
    assert "it was given no verdict of this run" in ran.text
    assert "good may not ship: INCOMPLETE" in ran.text


@pytest.mark.parametrize(
    ("helper", "words"),
    [(ALL_PASS, ()), ("", ("--setup-only",)), ("", ("--setup-plan",))],
    ids=["a hook that passes everything", "--setup-only", "--setup-plan"],
)
def test_the_status_is_that_of_the_verdicts(kept: Any, helper: str, words: tuple[str, ...]) -> None:
    """Hooks that turn reports round and options that run no test's body do not make a success of a failed run."""
    with changed(acceptance(kept, "conftest.py"), helper):
        (ran,) = kept.each((*WEAK, *words))
    assert ran.status == 1, ran.text
    assert "weak may not ship" in ran.text
    rows = {each["label"]: each["values"]["weak"] for each in kept.report()["run"]["settings"]}
    assert rows["conftest.py and other plugins"].startswith("tests/acceptance/conftest.py (sha256 ") is bool(helper)
    assert "Not a success: Weight size of weak " in ran.text


def test_a_missed_control_is_no_success(make_project: Callable[[], Any]) -> None:
    """Where the control's own test was emptied, a run in which the control passes is not one."""
    project = make_project()
    project.behave(builds={"damaged": {"scores": {" right": -0.1, " true": -0.1}}})
    project.change("tests/acceptance/test_positive_control.py", 'assert control == "caught"', "assert control")
    (ran,) = project.each(("-m", "acceptance", "--build", "damaged"))
    assert ran.status == 1, ran.text
    assert "Not a success: the positive control was missed" in ran.text


def test_a_claim_without_its_test_is_no_success(kept: Any) -> None:
    """A suite's claim whose test is gone leaves the run incomplete, and that is a failure."""
    with changed(acceptance(kept, "test_multiple_choice.py"), ""):
        (ran,) = kept.each(GOOD)
    assert ran.status == 1, ran.text
    assert "good may not ship: INCOMPLETE, Quiz not run" in ran.text
    assert "Not a success: Quiz of good has no verdict" in ran.text


def test_what_a_variable_deselects_is_not_chosen(kept: Any) -> None:
    """Tests that PYTEST_ADDOPTS leaves out are missing, and the report's command says what it held."""
    ran = kept.accept("--build", "good", PYTEST_ADDOPTS="-k 'not knowledge'")
    assert ran.status == 1, ran.text
    assert "Not a success: Quiz of good has no verdict" in ran.text
    assert kept.report()["run"]["command"] == (
        "PYTEST_ADDOPTS='-k '\"'\"'not knowledge'\"'\"'' pytest -m acceptance --build good"
    )


@pytest.mark.parametrize("option", ["--collect-only", "--fixtures", "--markers", "--version"])
def test_a_variable_cannot_turn_a_run_into_none(kept: Any, option: str) -> None:
    """An option that runs no test ends well; where the command line has it not, that would be taken for a pass."""
    ran = kept.accept("--build", "good", PYTEST_ADDOPTS=option)
    assert ran.status == 4, ran.text
    assert f"{option} is set by PYTEST_ADDOPTS or an ini file" in ran.text


def test_a_variable_cannot_make_a_run_partial_and_well(kept: Any) -> None:
    """A partial run ends well, and gates nothing: nobody who did not ask for one may take it for a pass."""
    ran = kept.accept("--build", "weak", "--report-dir", "few", PYTEST_ADDOPTS="--limit-questions=1")
    assert ran.status == 1, ran.text
    assert "Not a success: it is partial (1 question a subject) unasked" in ran.text


def test_collecting_alone_may_be_asked_for(kept: Any) -> None:
    """On the command line it is what somebody wants."""
    (ran,) = kept.each((*GOOD, "--collect-only"))
    assert ran.status == 0, ran.text


@pytest.mark.parametrize(
    ("words", "some"),
    [
        ("-m acceptance", False),
        ("-m acceptance --build good --report-dir x -p no:warnings -n 2", False),
        ("-macceptance", False),
        ("-m=acceptance tests/acceptance", False),
        ("-m acceptance -k weights", True),
        ("-m acceptance -kweights", True),
        ("-m acceptance --deselect=tests/a.py", True),
        ("-m acceptance tests/acceptance/test_weight_size.py", True),
        ("-m acceptance tests/acceptance/test_weight_size.py::test_a[good]", True),
        ("-m acceptance --lf", True),
    ],
)
def test_some_tests_are_chosen_by_the_command_line_alone(words: str, some: bool) -> None:
    """Names, places and expressions that leave tests out are told from everything else."""
    assert chosen(words.split()) is some


def test_an_expression_besides_acceptance_chooses() -> None:
    """A marker expression that takes fewer than all acceptance tests chooses among them."""
    assert chosen(["-m", "acceptance and not control"])
