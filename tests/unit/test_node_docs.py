"""The page about a node and the recipes for CI say what the code does."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from twx_accept.acceptance import options
from twx_accept.cli.app import app
from twx_accept.cli.doctor import span
from twx_accept.doctor import estimates

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "node.md").read_text(encoding="utf-8")
RECIPES = ("github-actions.yml", "gitlab-ci.yml")
BOOTS = 5


class Strict(yaml.SafeLoader):
    """YAML in which a name that stands twice is an error."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """A mapping whose names stand once."""
        names = [self.construct_object(key, deep=True) for key, _ in node.value]
        assert len(names) == len(set(names)), names
        return super().construct_mapping(node, deep)


def recipe(name: str) -> dict[Any, Any]:
    """A recipe, read."""
    found: dict[Any, Any] = yaml.load((DOCS / "ci" / name).read_text(encoding="utf-8"), Loader=Strict)  # noqa: S506 - safe
    return found


def test_the_page_links_to_what_there_is() -> None:
    """Each relative link leads to a file."""
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (DOCS / target).exists(), target


def test_the_cost_of_boots_is_that_of_the_estimates() -> None:
    """The table is what the doctor would say for weights of that size."""
    rows = re.findall(r"^\| ([\d,]+) GB \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 6
    (slow, fast), (quick, long) = estimates.READING, estimates.STARTING
    for size, one, five in rows:
        weights = float(size.replace(",", "")) * 1e9
        low, high = quick + weights / fast, long + weights / slow
        assert (one, five) == (span(low, high), span(BOOTS * low, BOOTS * high)), size


def test_the_cost_of_asking_is_that_of_the_estimates() -> None:
    """Each claim's row, for one build and for the suite's five boots."""
    rows = dict(re.findall(r"^\| (MMLU|facts|tool calls|agreement), (.+) \|$", PAGE, re.MULTILINE))
    names = {"MMLU": "multiple_choice", "facts": "made_up_facts", "tool calls": "tool_calls", "agreement": "agreement"}
    assert set(rows) == set(names)
    for row, claim in names.items():
        known = estimates.ASKING[claim]
        one, five = span(known.low, known.high), span(BOOTS * known.low, BOOTS * known.high)
        assert rows[row].endswith(f"| {one} | {five}"), row


def test_every_command_of_the_page_is_one() -> None:
    """Commands and their options exist under their names."""
    commands: Any = get_command(app)
    for recipe_text in (PAGE, *((DOCS / "ci" / name).read_text(encoding="utf-8") for name in RECIPES)):
        for name, rest in re.findall(r"twx-accept (?!\.)([a-z-]+)([^\n`#]*)", recipe_text):
            if name not in commands.commands:
                assert f"install --quiet twx-accept {name}" not in recipe_text
                continue
            known = {flag for each in commands.commands[name].params for flag in each.opts}
            assert set(re.findall(r"--[a-z-]+", rest)) <= known, (name, rest)


def test_every_option_of_an_acceptance_run_is_one(pytestconfig: pytest.Config) -> None:
    """The options of pytest that stand there are this plugin's or pytest's."""
    known = {f"--{name.replace('_', '-')}" for name in (*options.NEEDING_A_RUN, "suite", "report_dir")}
    texts = [PAGE, *((DOCS / "ci" / name).read_text(encoding="utf-8") for name in RECIPES)]
    used = {
        flag
        for text in texts
        for line in re.findall(r"pytest -[^\n`]*", text)
        for flag in re.findall(r"--[a-z-]+", line)
    }
    assert used
    assert used <= known
    assert pytestconfig


def removing(command: str) -> None:
    """Before anything can fail, what the job before has left to publish is removed, and its evidence is not."""
    for file in ("report.html", "report.json", "summary.md", "junit.xml"):
        assert file in command
    assert "rm -f" in command
    assert "evidence" not in command


def test_the_github_recipe_gates_and_publishes() -> None:
    """A node of one's own, one run at a time, no default deadline; the report is published whatever came of it."""
    found = recipe("github-actions.yml")
    assert list(found[True]) == ["workflow_dispatch"]  # YAML 1.1 reads the name `on` as true
    assert found["permissions"] == {"contents": "read"}
    assert found["concurrency"]["cancel-in-progress"] is False
    (job,) = found["jobs"].values()
    assert "self-hosted" in job["runs-on"]
    assert job["timeout-minutes"] > 360
    steps = {step.get("name", step.get("uses")): step for step in job["steps"]}
    removing(job["steps"][0]["run"])
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]) for step in job["steps"] if "uses" in step)
    assert all("continue-on-error" not in step for step in job["steps"])
    assert "pytest -m acceptance" in steps["Run"]["run"]
    assert "|| true" not in steps["Run"]["run"]
    assert "${{" not in "".join(step.get("run", "") for step in job["steps"])  # an input is never part of a script
    for name in ("Collect the report", "actions/upload-artifact@v4"):
        assert steps[name]["if"] == "always()"
    for file in ("report.html", "summary.md", "junit.xml"):
        assert file in steps["Collect the report"]["run"]


def test_the_gitlab_recipe_gates_and_publishes() -> None:
    """A runner with cards, one run at a time; JUnit and the page are published whatever came of it."""
    (job,) = recipe("gitlab-ci.yml").values()
    assert "allow_failure" not in job
    assert job["resource_group"]
    removing(job["before_script"][0])
    assert "pytest -m acceptance" in job["script"][-1]
    assert job["artifacts"]["when"] == "always"
    assert job["artifacts"]["reports"]["junit"] == "published/junit.xml"
    assert job["artifacts"]["paths"] == ["published/"]
    for file in ("report.html", "summary.md", "junit.xml"):
        assert file in " ".join(job["after_script"])
