"""The JUnit file: what CI servers read, valid by the schema of pytest's xunit2, whatever a model wrote."""

import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import junitparser
import pytest
import xmlschema
from hypothesis import given

import junit_schema
from any_run import ANY, CONTROL, SIX, runs, six
from twx_accept.domain.run import RunRecord
from twx_accept.domain.verdict import Outcome
from twx_accept.report import junit

EVIL = "\x1b[31mred\x1b[0m ]]> <b>&amp; \x00\x0b\x85\u202e\ud800\ufffe\uffff \U0001f600 end"


@pytest.fixture(scope="module")
def xunit2() -> xmlschema.XMLSchema:
    """The schema that pytest holds its own files against."""
    return junit_schema.xunit2()


def read(xunit2: xmlschema.XMLSchema, rendered: str) -> list[junitparser.TestCase]:
    """The testcases of a file that is valid, small, rightly counted and has each name once."""
    xunit2.validate(rendered)
    assert len(rendered.encode()) < junit.LIMIT
    (suite,) = junitparser.JUnitXml.fromstring(rendered.encode())
    cases = list(suite)
    kinds = [type(result) for case in cases for result in case.result]
    assert suite.tests == len(cases)
    assert suite.failures == kinds.count(junitparser.Failure)
    assert suite.errors == kinds.count(junitparser.Error)
    assert suite.skipped == kinds.count(junitparser.Skipped)
    assert len({(case.classname, case.name) for case in cases}) == len(cases)
    return cases


def said(case: junitparser.TestCase) -> str:
    """The text of a testcase: of its problem, else its output."""
    return case.result[0].text if case.result else str(case.system_out)


def test_one_testcase_a_claim_and_build(xunit2: xmlschema.XMLSchema) -> None:
    """Six claims about three builds, each with its verdict, mark and counts in the text, and the control's own."""
    run = six()
    cases = read(xunit2, junit.render(run))
    assert {(case.classname, case.name) for case in cases} == {
        *((f"twx_accept.{claim}", f"{title} [{build}]") for claim, title, *_ in SIX for build in run.builds),
        ("twx_accept.positive_control", f"caught [{CONTROL}]"),
    }
    for case in cases[:-1]:
        assert said(case).startswith(("shown: ", "shown (control): ", "failed (control): "))
        assert "\nmark: at most 1.00 points below the original\n" in said(case)
        assert "n = 14042, b = 301, c = 218, lower = -0.00912, p_margin = 0.0064" in said(case)
    assert not any(case.result for case in cases)
    assert "the positive control was caught" in said(cases[-1])


@pytest.mark.parametrize(
    ("outcome", "gates", "kind"),
    [
        (Outcome.SHOWN, True, None),
        (Outcome.REPORTED, True, None),
        (Outcome.NOT_SHOWN, True, junitparser.Failure),
        (Outcome.FAILED, True, junitparser.Failure),
        (Outcome.NOT_SHOWN, False, None),
        (Outcome.INVALID, True, junitparser.Error),
        (Outcome.INVALID, False, junitparser.Error),
    ],
)
def test_outcomes_become_what_ci_shows(
    xunit2: xmlschema.XMLSchema, outcome: Outcome, kind: Any, *, gates: bool
) -> None:
    """Failed and not shown are failures where they gate, invalid is an error always, with the reason first."""
    run = six(items=0)
    *rest, last = run.verdicts
    changed = replace(
        last, outcome=outcome, gates=gates, reasons=("the plan broke",) if kind is junitparser.Error else ()
    )
    cases = read(xunit2, junit.render(replace(run, verdicts=(*rest, changed))))
    (case,) = (each for each in cases if each.name == "Agreement [twx2.5]")
    if kind is None:
        assert not case.result
        return
    (result,) = case.result
    assert type(result) is kind
    assert result.message.startswith("the plan broke" if kind is junitparser.Error else "TWX2.5 is 0.59 points below")
    assert result.text.startswith(f"{outcome}: TWX2.5 is 0.59 points below")
    assert "\nmark: " in result.text


@pytest.mark.parametrize(
    ("control", "kind"), [("caught", None), ("missed", junitparser.Failure), ("not measured", junitparser.Skipped)]
)
def test_a_missed_control_is_a_failure(xunit2: xmlschema.XMLSchema, control: str, kind: Any) -> None:
    """The control has a testcase of its own; what it fails is no failure of the run."""
    *_, case = read(xunit2, junit.render(replace(six(items=0), control=control)))
    assert [type(each) for each in case.result] == ([] if kind is None else [kind])


def test_what_was_not_run_is_an_error(xunit2: xmlschema.XMLSchema) -> None:
    """A run that was stopped does not look whole."""
    run = six(items=0)
    cases = read(xunit2, junit.render(replace(run, verdicts=run.verdicts[:-2], interrupted=True)))
    errors = [case for case in cases if case.result]
    assert [case.name for case in errors] == ["Tool calls [twx2.5]", "Agreement [twx2.5]"]
    assert all(type(case.result[0]) is junitparser.Error for case in errors)
    assert errors[0].result[0].message == "INCOMPLETE: Tool calls of TWX2.5 was not run"


def test_names_that_collide_stay_apart(xunit2: xmlschema.XMLSchema) -> None:
    """Titles that are equal, or equal as far as a name goes, give as many testcases."""
    run = six(items=0)
    for title in ("one", "long " * 100, EVIL, ""):
        verdicts = tuple(replace(each, claim="c", title=title, build="twx3") for each in run.verdicts[-6:])
        assert len(read(xunit2, junit.render(replace(run, verdicts=verdicts, planned=())))) == 7


@ANY
@given(runs())
def test_whatever_a_model_wrote_the_file_is_valid(xunit2: xmlschema.XMLSchema, run: RunRecord) -> None:
    """Any texts and numbers give a valid file whose testcases are all there."""
    cases = read(xunit2, junit.render(run))
    assert len(cases) >= len(run.verdicts) + len(run.missing())
    assert junit.render(run) == junit.render(run)


@pytest.mark.parametrize("character", ['"', "&", "\N{GRINNING FACE}", "\x00", "\n"])
def test_the_file_stays_under_its_size(xunit2: xmlschema.XMLSchema, character: str) -> None:
    """Texts are cut before testcases are, and testcases that have no room are told, the worst of them."""
    run = six(items=0)
    first = replace(run.verdicts[-1], outcome=Outcome.FAILED, sentence=character * 20_000, reasons=(character * 9_000,))
    for count, title in ((1, ""), (400, ""), (1_600, ""), (1_600, character * 300)):
        verdicts = tuple(replace(first, claim=f"claim_{n}", title=f"{title}Claim {n}") for n in range(count))
        cases = read(xunit2, junit.render(replace(run, verdicts=verdicts, planned=())))
        assert all(type(case.result[0]) is junitparser.Failure for case in cases[: min(count, len(cases))])
        if count < 1_500:
            assert len(cases) == count + 1
        else:
            assert cases[-1].result[0].message == f"{count + 2 - len(cases):,} more testcases are in report.json"


def test_the_file_is_written_quickly() -> None:
    """All six claims of three builds take a moment."""
    run, started = six(), time.perf_counter()
    size = len(junit.render(run).encode())
    seconds = time.perf_counter() - started
    print(f"{size / 1000:.1f} kB in {seconds:.3f} s")
    assert seconds < 2
    assert size < 60_000


TESTS = """
import pytest
from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.acceptance.junit import text_of
from twx_accept.report.text import xml_safe

EVIL = {evil!r}

@pytest.fixture
def verdict(request):
    outcome = Outcome(request.node.name.partition("[")[2][:-1])
    made = Verdict(
        claim="c", title="C", build="b", outcome=outcome, sentence=EVIL, mark=EVIL, reasons=(EVIL,),
        statistics={{"n": EVIL}},
    )
    if outcome is Outcome.INVALID:
        pytest.fail("invalid: " + EVIL, pytrace=False)
    request.node.add_report_section("setup", "stdout", xml_safe(text_of(made)))
    return made

@pytest.mark.parametrize("_", [each.value for each in Outcome])
def test_it(verdict, _):
    print(EVIL.encode(errors="replace").decode())
    assert verdict.passes, verdict.sentence
"""


def test_pytests_own_file_is_valid_too(xunit2: xmlschema.XMLSchema, tmp_path: Path) -> None:
    """Verdicts with any text in them go through pytest's writer into a file that fits its schema."""
    (tmp_path / "test_it.py").write_text(TESTS.format(evil=EVIL), encoding="ascii", errors="backslashreplace")
    (tmp_path / "pytest.ini").write_text("[pytest]\njunit_logging = system-out\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml", "junit.xml"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    rendered = (tmp_path / "junit.xml").read_text(encoding="utf-8")
    xunit2.validate(rendered)
    (suite,) = junitparser.JUnitXml.fromstring(rendered.encode())
    assert (suite.tests, suite.failures, suite.errors) == (5, 2, 1), ran.stdout
    for case in suite:
        if not any(type(each) is junitparser.Error for each in case.result):
            assert "mark: " in str(case.system_out)
            assert "reason: " in str(case.system_out)


def test_no_element_has_what_only_some_readers_know(xunit2: xmlschema.XMLSchema) -> None:
    """No properties, which consumers drop, and no entities or comments."""
    rendered = junit.render(six())
    xunit2.validate(rendered)
    tags = {each.tag for each in ET.fromstring(rendered).iter()}  # noqa: S314 - written above
    assert tags == {
        "testsuites",
        "testsuite",
        "testcase",
        "system-out",
    }
    assert "<!" not in rendered
