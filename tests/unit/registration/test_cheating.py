"""Each way of moving a mark after a result was seen, and what stops or reveals it."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from twx_accept import ledger

RUN = ("-m", "acceptance", "--build", "good", "-k", "knowledge")
MARGIN = "margin_points = 20.0"


def ledger_of(project: Any) -> Path:
    """The project's ledger."""
    return Path(project.root / "tests" / "acceptance" / "__marks__" / "tiny.ledger.jsonl")


def snapshot_of(project: Any) -> Path:
    """The mark of the claim that the runs here decide."""
    return Path(project.root / "tests" / "acceptance" / "__marks__" / "tiny.multiple_choice.json")


def verdict(project: Any) -> Any:
    """The one verdict of the last run."""
    (found,) = project.report()["run"]["verdicts"]
    return found


@pytest.fixture(scope="module")
def decided(make_project: Any) -> Any:
    """A project that has run, with everything shown; tests copy it."""
    project = make_project()
    (ran,) = project.each(RUN)
    assert ran.status == 0, ran.text
    assert verdict(project)["outcome"] == "shown"
    return project


def test_a_run_says_when_its_marks_were_registered_and_which_attempt_it_is(decided: Any) -> None:
    """The record names the ledger's entry and counts the first attempt."""
    run = decided.report()["run"]
    assert run["registered"].startswith("before the run (ledger entry 1; head ")
    assert run["attempts"]["good"] == 1


def test_mark_and_snapshot_edited_together_differ_from_the_ledger(project: Any) -> None:
    """A mark that was changed in both files is still not the registered one; nothing is asked."""
    project.suite(MARGIN, "margin_points = 30.0")
    file = snapshot_of(project)
    file.write_text(file.read_text().replace('"20.0000"', '"30.0000"'))
    (ran,) = project.each(RUN)
    assert ran.status == 1
    assert "the mark is not the one in the ledger" in ran.text
    assert project.boots() == []


def test_mark_registered_after_the_run_is_exploratory_until_a_fresh_run(project: Any) -> None:
    """Evidence that was begun first decides nothing under the new mark; a fresh run does, as another attempt."""
    project.each(RUN)
    project.suite(MARGIN, "margin_points = 30.0")
    project.register()
    (ran,) = project.each(RUN)
    assert ran.status == 1
    found = verdict(project)
    assert (found["outcome"], "exploratory" in found["labels"]) == ("invalid", True)
    assert "was registered (entry 2) after the evidence" in ran.text
    assert project.report()["run"]["registered"].startswith("exploratory")
    (again,) = project.each((*RUN, "--fresh"))
    assert again.status == 0, again.text
    assert verdict(project)["outcome"] == "shown"
    assert project.report()["run"]["attempts"]["good"] == 2
    assert list((project.root / "reports" / "evidence").glob("tiny-good-*.superseded-1.sqlite"))


def test_running_again_until_it_passes_is_counted(project: Any) -> None:
    """Every fresh run of the same weights is one more attempt, and a build that is renamed goes on counting."""
    project.each(RUN, (*RUN, "--fresh"))
    assert project.report()["run"]["attempts"]["good"] == 2
    for file in ("fixtures/suites/tiny.toml", "engine/script.json"):
        if (project.root / file).exists():
            project.change(file, '"good"', '"better"')
    project.suite("good = 0.65", "better = 0.65")
    project.behave(builds={"better": {"scores": {" right": -0.1, " true": -0.1}}})
    project.register()
    (ran,) = project.each(("-m", "acceptance", "--build", "better", "-k", "knowledge", "--fresh"))
    assert project.report()["run"]["attempts"]["better"] == 3, ran.text


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace("a test", "nobody"), "was edited after it was written"),
        (lambda text: text[:-2], "the last line is cut"),
        (lambda _: "", "has no registration"),
    ],
)
def test_a_ledger_that_was_tampered_with_is_named(decided: Any, change: Any, told: str) -> None:
    """An edited, a truncated and an emptied ledger are told, and the claim is invalid."""
    before = ledger_of(decided).read_text()
    try:
        ledger_of(decided).write_text(change(before))
        (ran,) = decided.each(RUN)
    finally:
        ledger_of(decided).write_text(before)
    assert ran.status == 1
    assert told in ran.text
    assert verdict(decided)["outcome"] == "invalid"


def test_a_ledger_cut_after_the_run_lacks_the_head_that_evidence_recorded(project: Any) -> None:
    """Entries cut off the end leave a valid chain, and evidence that was begun under the longer one says so."""
    project.suite(MARGIN, "margin_points = 25.0")
    project.register()
    (ran,) = project.each(RUN)
    assert ran.status == 0, ran.text
    first, _ = ledger_of(project).read_text().splitlines(keepends=True)
    ledger_of(project).write_text(first)
    project.suite("margin_points = 25.0", MARGIN)
    snapshot_of(project).write_text(snapshot_of(project).read_text().replace('"25.0000"', '"20.0000"'))
    (cut,) = project.each(RUN)
    assert cut.status == 1
    assert "the ledger was cut, or begun anew" in cut.text
    assert verdict(project)["outcome"] == "invalid"


def test_another_flag_is_another_identity_and_another_attempt(project: Any) -> None:
    """A seed that is changed after a run was seen finds no evidence, and asking anew is counted."""
    project.each(RUN)
    project.suite("seed = 0", "seed = 1")
    (ran,) = project.each(RUN)
    assert ran.status == 0, ran.text
    assert project.boots() == ["original", "good"] * 2
    run = project.report()["run"]
    assert run["attempts"] == {"original": 2, "good": 2}


def test_a_mark_that_stays_needs_no_new_evidence_when_another_is_registered(project: Any) -> None:
    """Registering one claim's new mark makes that claim exploratory and leaves the others decided."""
    project.each(("-m", "acceptance", "--build", "good"))
    project.suite("good = 0.65", "good = 0.60")
    project.register()
    (ran,) = project.each(("-m", "acceptance", "--build", "good"))
    assert ran.status == 1
    outcomes = project.outcomes()
    assert (outcomes["weight_size", "good"], outcomes["multiple_choice", "good"]) == ("invalid", "shown")
    parallel = project.accept("--build", "good", "-n", "1")
    assert parallel.status == 1
    assert project.outcomes() == outcomes
    labels = {each["claim"]: each["labels"] for each in project.report()["run"]["verdicts"]}
    assert labels["weight_size"] == ["exploratory"]


def test_another_suites_ledger_boots_nothing(project: Any) -> None:
    """A whole ledger that is another suite's makes every claim, and the control, an error before anything boots."""
    file = ledger_of(project)
    (line,) = file.read_text().splitlines()
    file.unlink()
    ledger.load(file).appended("registration", json.loads(line)["body"] | {"suite": "other"})
    (ran,) = project.each(("-m", "acceptance", "--build", "damaged"))
    assert ran.status == 1
    assert "this is another ledger" in ran.text
    assert "4 errors" in ran.text
    assert project.boots() == []
    assert not list((project.root / "reports").glob("evidence/*.sqlite"))


def test_touched_questions_are_another_set(project: Any) -> None:
    """A question that was changed has another digest than the registered one; nothing is asked."""
    project.change("fixtures/questions/test.jsonl", "right", "fight")
    (ran,) = project.each(RUN)
    assert ran.status == 1
    assert "questions.sha256 was registered as" in ran.text
    assert project.boots() == []


def test_a_partial_run_before_the_registration_is_disclosed_and_spoils_what_it_touched(project: Any) -> None:
    """What a partial run had asked before the mark was registered is told, and must not decide."""
    project.each((*RUN, "--limit-questions", "2"))
    project.suite(MARGIN, "margin_points = 25.0")
    project.register()
    (ran,) = project.each(RUN)
    assert ran.status == 0, ran.text
    run = project.report()["run"]
    assert any("good: 1 partial run with these weights" in line for line in run["disclosures"])
    assert any("were asked in a partial run before the registration" in line for line in verdict(project)["warnings"])


def test_who_edits_the_log_of_attempts_is_found(project: Any) -> None:
    """The log is chained, and evidence and log must tell the same story."""
    project.each(RUN)
    log = project.root / "reports" / "evidence" / "attempts.jsonl"
    text = log.read_text()
    log.write_text(text.replace('"number": 1', '"number": 7', 1))
    (edited,) = project.each(RUN)
    assert edited.status == 1
    assert "attempts.jsonl:1: " in edited.text
    log.write_text("".join(text.splitlines(keepends=True)[:1]))
    (cut,) = project.each(RUN)
    assert cut.status == 1
    assert "one of them was changed" in cut.text


def test_the_original_in_the_place_of_a_build_is_told(project: Any) -> None:
    """A build's folder that is a link to the original's makes every claim invalid, its size too."""
    good = project.root / "models" / "good"
    shutil.rmtree(good)
    good.symlink_to("original")
    project.suite("good = 0.65", "good = 1.0")
    project.register()
    (ran,) = project.each(("-m", "acceptance", "--build", "good"))
    assert ran.status == 1
    assert "good is original: it has the same weights and configuration" in ran.text
    assert {project.outcomes()[claim, "good"] for claim in ("weight_size", "multiple_choice")} == {"invalid"}


def test_files_beside_the_measured_ones_cannot_be_what_is_served(project: Any) -> None:
    """Small files to be measured and large ones to be loaded: a load format that reads the latter is told."""
    (project.root / "models" / "good" / "pytorch_model.bin").write_bytes(b"large" * 1000)
    place = 'path = "../../models/good"\ncontrol = false\n'
    project.suite(place, f'{place}[builds.flags]\nload_format = "npcache"\n')
    (ran,) = project.each(RUN)
    assert ran.status == 1
    assert "load_format=npcache does not read the .safetensors files that were measured" in ran.text


def test_runs_of_other_weights_under_the_same_name_are_disclosed(project: Any) -> None:
    """Weights that were saved again begin to count anew, and the report says how many runs went by their name."""
    file = project.root / "models" / "good" / "model.safetensors"
    first = file.read_bytes()
    project.each(RUN)
    for last in (b"1", b"2"):
        file.write_bytes(first[:-1] + last)
        project.each((*RUN, "--limit-questions", "1") if last == b"1" else RUN)
    run = project.report()["run"]
    assert run["attempts"]["good"] == 1
    assert "good: 2 runs of other weights under this name" in run["disclosures"]


def test_judging_again_wants_the_noise_floor_that_the_suite_requires(project: Any) -> None:
    """A run that was stopped before the original was served again has evidence that decides nothing, here as there."""
    project.suite('original = "original"', 'original = "original"\nnoise_floor = "required"')
    project.register()
    (ran,) = project.each(RUN)
    assert ran.status == 0, ran.text
    (file,) = (project.root / "reports" / "evidence").glob("tiny-original-*.sqlite")
    with sqlite3.connect(file) as db:
        db.execute("DELETE FROM exchanges WHERE run = 2")
    for words in ((), ("--as-of", "2")):
        judged = project.twx("judge", "tiny", *words)
        assert judged.status == 1, judged.text
        assert "noise floor: the suite requires it" in judged.text
    project.suite('\nnoise_floor = "required"', "")
    judged = project.twx("judge", "tiny", "--as-of", "2")
    assert judged.status == 1, judged.text


def test_judging_by_an_older_registration_takes_its_controls_from_there(decided: Any) -> None:
    """A build that is no longer marked as damaged on purpose is still the control of the registration that decides."""
    suite = decided.root / "fixtures" / "suites" / "tiny.toml"
    before = suite.read_text()
    try:
        suite.write_text(before.replace("control = true", "control = false"))
        judged = decided.twx("judge", "tiny", "--as-of", "1")
    finally:
        suite.write_text(before)
    assert "Positive control: not measured" in judged.text


def test_weights_that_are_exchanged_while_they_are_served_are_told(project: Any) -> None:
    """What was hashed before the boot must lie there after it: else nobody knows what answered, and it is set aside."""
    with project.forked(*RUN) as fork:
        assert project.wait_for("boot", "good")
        (project.root / "models" / "good" / "model.safetensors").write_bytes(b"another model")
        ran = fork.wait()
    assert ran.status == 1
    assert "good: model.safetensors changed after it was hashed" in ran.text
    (file,) = (project.root / "reports" / "evidence").glob("tiny-good-*.sqlite")
    with sqlite3.connect(file) as db:
        assert db.execute("SELECT COUNT(*) FROM exchanges").fetchone() == (0,)


def test_a_suite_about_size_alone_says_that_it_is(project: Any) -> None:
    """Where no claim is about answers, the report says what its verdict cannot mean."""
    suite = project.root / "fixtures" / "suites" / "tiny.toml"
    text = suite.read_text()
    suite.write_text(text[: text.index("[claims.cache_headroom]")] + text[text.index("\n[[builds]]") :])
    project.register()
    (ran,) = project.each(("-m", "acceptance", "--build", "good"))
    assert "To know: No registered claim is about answers" in ran.text


def test_whoever_deletes_everything_can_begin_again(project: Any) -> None:
    """Nothing on the owner's own disk reveals it: this is what a signed tag that others have fetched is for.

    A report folder of its own is enough to begin the count of attempts anew.
    """
    project.each(RUN, (*RUN, "--report-dir", "elsewhere"))
    elsewhere = json.loads((project.root / "elsewhere" / "report.json").read_text())
    assert elsewhere["run"]["attempts"]["good"] == 1
    shutil.rmtree(project.root / "reports")
    ledger_of(project).unlink()
    project.suite(MARGIN, "margin_points = 30.0")
    project.register()
    (ran,) = project.each(RUN)
    assert ran.status == 0, ran.text
    assert project.report()["run"]["attempts"]["good"] == 1
