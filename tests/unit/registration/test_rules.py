"""What a suite lays down for all of its claims is registered with them: claims, control, what may differ."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from twx_accept import cli, starter

CLAIM = """
[claims.cache_headroom]
mark = 0.95
"""
RUN = ("-m", "acceptance", "--build", "good")
USAGE = 4


def origins(project: Any) -> set[str]:
    """The ledger heads under which the evidence of a project was begun, as the log of attempts has them."""
    log = project.root / "reports" / "evidence" / "attempts.jsonl"
    return {json.loads(line)["body"]["ledger"] for line in log.read_text().splitlines()}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (CLAIM, "", "it no longer makes the claim 'cache_headroom'"),
        ("control = true", "control = false", 'controls was registered as ["damaged"] and is [] now'),
        ("version = 1\n", 'version = 1\nmay_differ = ["seed"]\n', "may_differ was registered as"),
    ],
)
def test_a_suite_that_asks_less_than_it_registered_is_refused(project: Any, old: str, new: str, told: str) -> None:
    """A claim or control taken out, and a flag that may differ now, stop the run and `judge` before anything boots."""
    project.suite(old, new)
    single, checked = project.each(RUN)[0], project.twx("ledger", "tiny")
    assert (single.status, checked.status) == (USAGE, 2)
    for ran in (single, checked, project.twx("judge", "tiny")):
        assert f"suite tiny is not the one that is registered (entry 1): {told}" in ran.text
    (partial,) = project.each((*RUN, "--limit-questions", "1", "--collect-only"))
    assert partial.status == 0, partial.text
    project.register()
    (registered,) = project.each((*RUN, "--collect-only"))
    assert registered.status == 0, registered.text
    assert project.boots() == []


def test_a_rule_that_is_loosened_after_the_run_makes_its_evidence_exploratory(project: Any) -> None:
    """What may differ decides with the mark: registered anew, it is younger than the evidence."""
    project.each((*RUN, "-k", "knowledge"))
    project.suite("version = 1\n", 'version = 1\nmay_differ = ["seed"]\n')
    project.register()
    (ran,) = project.each((*RUN, "-k", "knowledge"))
    assert ran.status == 1
    assert "was registered (entry 2) after the evidence of original was begun" in ran.text


def test_a_run_of_the_control_alone_begins_its_evidence_under_the_ledger(project: Any) -> None:
    """The next run decides from it: it is not taken for evidence that was begun before the registration."""
    (alone,) = project.each(("-m", "acceptance", "--build", "damaged", "-k", "damaged_on_purpose"))
    assert alone.status == 0, alone.text
    line = (project.root / "tests" / "acceptance" / "__marks__" / "tiny.ledger.jsonl").read_text()
    assert origins(project) == {json.loads(line)["sha256"]}
    boots = project.boots()
    (ran,) = project.each(("-m", "acceptance", "--build", "damaged"))
    assert ran.status == 0, ran.text
    assert project.boots() == boots
    ledger = project.root / "tests" / "acceptance" / "__marks__" / "tiny.ledger.jsonl"
    ledger.write_text(line[:-9])
    (cut,) = project.each(("-m", "acceptance", "--build", "damaged", "-k", "damaged_on_purpose", "--fresh"))
    assert cut.status == 1
    assert "the last line is cut" in cut.text
    assert project.boots() == boots


def test_a_signed_tag_carries_the_head_and_the_commit_of_the_ledger(project: Any) -> None:
    """Without a key the entry stays and a line says what is missing; later `--tag` signs what is committed."""
    project.commit()
    project.suite("margin_points = 20.0", "margin_points = 15.0")
    project.commit()
    refused = project.twx("register", "tiny", "--tag", GIT_CONFIG_GLOBAL="/dev/null", GNUPGHOME=str(project.temporary))
    assert refused.status == 2
    assert "ledger entry 2, head " in refused.text
    (said,) = [line for line in refused.text.splitlines() if line.startswith("twx-accept: ")]
    assert "git cannot sign the tag twx-accept/tiny/2" in said
    commit = project.commit()
    key = project.temporary / "key"
    keygen = shutil.which("ssh-keygen")
    if keygen is None:
        pytest.skip("no ssh-keygen is here to make a key with")
    subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    for name, value in {
        "gpg.format": "ssh",
        "user.signingkey": str(key),
        "user.name": "A",
        "user.email": "a@b",
    }.items():
        project.git("config", name, value)
    ran = project.twx("register", "tiny", "--tag")
    assert ran.status == 0, ran.text
    assert ran.text.startswith("signed tag twx-accept/tiny/2: push it")
    head = re.search(r"head ([0-9a-f]{64})", refused.text)
    assert head is not None
    text = project.git("tag", "--list", "--format=%(contents)", "twx-accept/tiny/2")
    assert head[1] in text
    assert "BEGIN SSH SIGNATURE" in text
    assert project.git("rev-list", "-n1", "twx-accept/tiny/2").strip() == commit


def test_commands_work_from_elsewhere(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `--root` the reports of `judge` lie in that project, and an empty ledger says what to do."""
    project.each((*RUN, "-k", "weights"))
    elsewhere = project.root / "models"
    monkeypatch.chdir(elsewhere)
    ran = CliRunner().invoke(cli.app, ["judge", "tiny", "--root", ".."])
    assert ran.exit_code == 0, ran.output
    assert (project.root / "reports" / "judged" / "report.json").is_file()
    assert not (elsewhere / "reports").exists()
    (project.root / "tests" / "acceptance" / "__marks__" / "tiny.ledger.jsonl").unlink()
    assert "nothing is registered yet; `twx-accept register tiny` does so" in project.twx("ledger", "tiny").text


def test_a_started_project_can_be_registered_after_its_tests_were_collected(tmp_path: Path) -> None:
    """What Python and the run leave behind is ignored by git, so that the tree is clean."""
    starter.write(tmp_path / "mine")
    ignored = (tmp_path / "mine" / ".gitignore").read_text().splitlines()
    assert {"/reports/", "/models/", "__pycache__/"} <= set(ignored)
