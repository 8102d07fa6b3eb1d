"""Which tests an expression asks for, and which command lines are refused before anything boots or is written."""

import json
import shutil
from typing import Any

import pytest

NOTHING = 5
USAGE = 4


def run_each(project: Any, *lines: tuple[str, ...]) -> list[Any]:
    """Runs the command lines and checks that none of them booted or wrote anything."""
    before = project.tree()
    ran = project.each(*lines)
    assert project.tree() == before
    assert project.boots() == []
    return list(ran)


def test_acceptance_tests_run_only_where_the_expression_asks_for_them(untouched: Any) -> None:
    """Plain runs and expressions that do not turn on the marker leave acceptance tests out and read no suite."""
    asking = ["acceptance", "acceptance and not x", "not slow and acceptance", "x or acceptance", "(acceptance)"]
    silent = ["", "not acceptance", "slow", "not slow", "not (slow or acceptance)", "not (acceptance)", "x or not x"]
    lines = [("-m", text, "--collect-only", "-q") for text in [*asking, *silent]]
    ran = run_each(untouched, *lines)
    for text, each in zip([*asking, *silent], ran, strict=True):
        assert ("[good]" in each.text) is (text in asking), (text, each.text)
        assert ("suite tiny" in each.text) is False  # -q prints no header


def test_plain_run_reads_no_suite(project: Any) -> None:
    """A suite file that cannot be read is none of a plain run's business."""
    (project.root / "fixtures" / "suites" / "tiny.toml").write_text("no toml [")
    plain, asked = project.each((), ("-m", "acceptance"))
    assert plain.status == 0
    acceptance = len(list((project.root / "tests" / "acceptance").glob("test_*.py")))
    assert f"1 passed, {acceptance} deselected" in plain.text
    assert asked.status == USAGE
    assert "is no valid TOML" in asked.text


def test_options_of_an_acceptance_run_are_refused_without_one(untouched: Any) -> None:
    """Somebody who forgets ``-m acceptance`` is told, and does not get a green run of something else."""
    for ran in run_each(untouched, ("--build", "good"), ("--fresh", "-m", "slow"), ("--limit-questions", "1")):
        assert ran.status == USAGE
        assert "add `-m acceptance`" in ran.text


def test_builds_are_chosen_by_repeating_the_option(untouched: Any) -> None:
    """Every named build is decided once, the control first, whatever the order of the names."""
    (ran,) = run_each(
        untouched,
        ("-m", "acceptance", *("--build=good", "--build=damaged", "--build=good"), "--collect-only", "-q"),
    )
    found = [line.partition("[")[2].rstrip("]") for line in ran.text.splitlines() if "::" in line]
    assert found == ["damaged"] * 4 + ["good"] * 3


@pytest.mark.parametrize("together", [False, True])
def test_no_control_among_the_chosen_builds(untouched: Any, together: bool) -> None:
    """Without a chosen control its test is left out, also where empty parameters are an error."""
    more = ("-o", "empty_parameter_set_mark=fail_at_collect") if together else ()
    (ran,) = run_each(untouched, ("-m", "acceptance", "--build", "good", "--collect-only", "-q", *more))
    assert ran.status == 0
    assert "test_positive_control" not in ran.text


def test_wrong_names_list_the_known_ones(untouched: Any) -> None:
    """An unknown build or suite, and the original named as a build, end with status 4 and what is known."""
    wrong = {
        ("--build", "god"): "tiny: damaged, good, weak",
        ("--suite", "big"): "tiny: damaged, good, weak",
        ("--suite", "tiny", "--build", "big"): "good, weak, damaged",
        ("--build", "original"): "is the original of suite 'tiny'",
        ("--suite", "none/here.toml"): "none/here.toml: no such file",
    }
    ran = run_each(untouched, *(("-m", "acceptance", *line) for line in wrong))
    for said, each in zip(wrong.values(), ran, strict=True):
        assert each.status == USAGE
        if ":" in said and "," in said:
            assert all(name in each.text for name in ("good", "weak", "damaged")), each.text
        else:
            assert said in each.text


def test_questions_that_cannot_be_used_are_told_in_one_line(untouched: Any) -> None:
    """A limit that is no count, and a missing, empty or malformed question set, end with status 4 and their value."""
    folder = untouched.temporary / "questions"
    for name, text in (("empty", ""), ("broken", '{"subject": "a"\n'), ("strange", json.dumps({"subject": "a"}))):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "test.jsonl").write_text(text)
    wrong = {
        ("--limit-questions", "0"): "--limit-questions 0: give a whole number",
        ("--limit-questions", "-1"): "--limit-questions -1: give a whole number",
        ("--limit-questions", "few"): "--limit-questions few: give a whole number",
        ("--limit-questions", "²"): "--limit-questions ²: give a whole number",
        ("--questions", str(folder / "absent")): "absent: no such file or folder",
        ("--questions", ""): "--questions is empty",
        ("--questions", str(folder / "empty")): "test.jsonl: is empty",
        ("--questions", str(folder / "broken")): "test.jsonl:1: is no JSON object",
        (
            "--questions",
            str(folder / "strange"),
        ): "row 0): no column question and no choices and no answer; rows need subject, ",
    }
    ran = run_each(untouched, *(("-m", "acceptance", *line) for line in wrong))
    for said, each in zip(wrong.values(), ran, strict=True):
        assert each.status == USAGE
        told = [line for line in each.text.splitlines() if line]
        assert len(told) == 1, each.text
        assert told[0].startswith("ERROR: ")
        assert said in told[0]


def test_folders_that_cannot_be_used_are_told_before_anything_boots(project: Any) -> None:
    """A build's folder that is absent, empty or a file, and reports where a file is, end with status 4 and the cure."""
    models = project.root / "models"
    for name in ("good", "weak", "damaged"):
        shutil.rmtree(models / name)
    (models / "weak").mkdir()
    (models / "damaged").write_text("a file")
    wrong = {
        ("--build", "good"): f"builds.good.path: there is no folder {models / 'good'}; mend the path",
        ("--build", "weak"): f"builds.weak.path: is an empty folder: {models / 'weak'}; mend the path",
        ("--build", "damaged"): f"builds.damaged.path: is no folder: {models / 'damaged'}; mend the path",
        ("--report-dir", "pytest.ini"): "pytest.ini: is a file, and reports and evidence go into a folder",
        ("--report-dir", "pytest.ini/deep"): "pytest.ini: is a file, and reports and evidence go into a folder",
    }
    ran = run_each(project, *(("-m", "acceptance", *line) for line in wrong))
    for said, each in zip(wrong.values(), ran, strict=True):
        assert each.status == USAGE
        (told,) = [line for line in each.text.splitlines() if line]
        assert said in told
    (listed,) = run_each(project, ("-m", "acceptance", "--collect-only", "-q"))
    assert listed.status == 0, "what would run can be listed on a machine without the models"


def test_build_in_two_suites_needs_the_suite(project: Any) -> None:
    """A name in two suites is asked back for; a suite's name or its file's path settles it."""
    suites = project.root / "fixtures" / "suites"
    shutil.copy(suites / "tiny.toml", suites / "twin.toml")
    project.change("fixtures/suites/twin.toml", 'name = "tiny"', 'name = "twin"')
    (project.root / "elsewhere" / "suites").mkdir(parents=True)
    shutil.copy(suites / "tiny.toml", project.root / "elsewhere" / "suites" / "own.toml")
    project.change("elsewhere/suites/own.toml", 'name = "tiny"', 'name = "own"')
    project.change("elsewhere/suites/own.toml", '"../questions"', '"../../fixtures/questions"')
    look = ("--collect-only", "-q")
    ran = run_each(
        project,
        ("-m", "acceptance", "--build", "good"),
        ("-m", "acceptance"),
        ("-m", "acceptance", "--build", "good", "--suite", "twin", *look),
        ("-m", "acceptance", "--build", "good", "--suite", "elsewhere/suites/own.toml", *look),
    )
    assert [each.status for each in ran] == [USAGE, USAGE, 0, 0]
    assert "is in several suites (tiny, twin); say which with --suite" in ran[0].text
    assert "several suites are here" in ran[1].text


def test_what_softens_a_test_is_refused(project: Any) -> None:
    """Expected failures, skips, repetitions, and two tests for one thing are refused before anything is written."""
    plugin = (
        "def pytest_addoption(parser):\n"
        "    parser.addoption('--reruns', type=int)\n"
        "    parser.addini('retries', 'as some plugins call it')\n"
        "def pytest_configure(config):\n"
        "    config.addinivalue_line('markers', 'flaky: repeats')\n"
    )
    (project.root / "conftest.py").write_text(plugin)
    body = "import pytest\n\npytestmark = [pytest.mark.acceptance, {}]\n\ndef test_it({}):\n    pass\n"
    claim = 'pytest.mark.claim("weight_size")'
    files = {
        "xfail": body.format("pytest.mark.xfail", "verdict"),
        "skipif": body.format("pytest.mark.skipif(False, reason='')", "verdict"),
        "flaky": body.format("pytest.mark.flaky", "verdict"),
        "both decide weight_size for": body.format(claim, "verdict"),
        "about the claim 'poetry', which there is not (suite 'tiny' makes: cache_headroom,": body.format(
            'pytest.mark.claim("poetry")', "verdict"
        ),
        "names no claim": body.format("pytest.mark.x", "verdict"),
    }
    for at, text in enumerate(files.values()):
        (project.root / "tests" / "acceptance" / f"test_wrong_{at}.py").write_text(text)
    ignore = [f"--ignore=tests/acceptance/test_wrong_{at}.py" for at in range(len(files))]
    lines = [("-m", "acceptance", *(word for word in ignore if f"_{at}." not in word)) for at in range(len(files))]
    options = [("--reruns", "2"), ("-o", "retries=3"), ("--snapshot-update",)]
    ran = run_each(project, *lines, *(("-m", "acceptance", *ignore, *option) for option in options))
    for said, each in zip(
        [*files, "reruns is refused", "retries is refused", "--snapshot-update is"], ran, strict=True
    ):
        assert each.status == USAGE, each.text
        assert said in each.text


def test_nothing_to_run_leaves_the_last_reports_alone(project: Any) -> None:
    """A run that chose no test, or that was refused after collection, replaces no report of the run before it."""
    reports = project.root / "reports"
    reports.mkdir()
    for name in ("junit.xml", "report.html", "report.json"):
        (reports / name).write_text("the last run's")
    ran = run_each(project, ("-m", "acceptance", "-k", "nothing"), ("-m", "acceptance", "tests/absent"))
    assert [each.status for each in ran] == [NOTHING, USAGE]


def test_plain_update_of_snapshots_spares_the_marks(project: Any) -> None:
    """Updating snapshots in a run without acceptance tests neither rewrites nor deletes a mark, used or not."""
    marks = project.root / "tests" / "acceptance" / "__marks__"
    shutil.copy(marks / "tiny.weight_size.json", marks / "other.weight_size.json")
    (project.root / "tests" / "test_plain.py").write_text("def test_plain(snapshot):\n    assert 1 == snapshot\n")
    before = {path.name: path.read_bytes() for path in marks.iterdir()}
    ran = project.each(("--snapshot-update",), ("--snapshot-update", "tests/acceptance"), ("--snapshot-update", "-q"))
    assert [each.status for each in ran] == [0, NOTHING, 0]
    assert {path.name: path.read_bytes() for path in marks.iterdir()} == before


def test_help_teaches_the_options(untouched: Any) -> None:
    """``pytest --help`` has a group of these options, each with what it does and what it defaults to."""
    (ran,) = run_each(untouched, ("--help",))
    for word in (
        "--suite=NAME",
        "--build=NAME",
        "--fresh",
        "--questions=SOURCE",
        "--limit-questions=N",
        "--report-dir",
    ):
        assert word in ran.text
    assert "acceptance of compressed models (with -m acceptance)" in ran.text
