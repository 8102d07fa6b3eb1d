"""The command ``twx-accept facts measure``, with a judge that a test serves."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from fake_facts import labelled, towns
from fake_judge import judging
from twx_accept import cli
from twx_accept.errors import TwxAcceptError
from twx_accept.evidence import reading
from twx_accept.session import appealing

PLAIN, HARD = "plain", "synonym"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Labelled facts of eight towns, the same ones open and sealed: one true one of two is reworded."""
    rows = labelled(towns(8))
    for row in rows:
        row["kind"] = PLAIN if row["label"] == "supported" else "number_changed"
        if row["id"].endswith("-1"):
            row["fact"], row["kind"] = row["fact"].replace("has", "is home to"), HARD
    made = {"open": rows, "sealed": rows, "passages": towns(8)}
    for name, each in made.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in each))
    return tmp_path


def ask(folder: Path, *words: str) -> Any:
    """Runs it on the labelled facts of the folder; evidence goes below it."""
    where = ["--labelled", str(folder), "--evidence", str(folder / "evidence")]
    return CliRunner().invoke(cli.app, ["facts", "measure", *where, *words], env={"COLUMNS": "120"})


def knows(passage: str, fact: str) -> str:
    """A judge that knows."""
    return "supported" if fact.replace("is home to", "has").rstrip(".") in passage else "unsupported"


def test_the_matcher_alone_needs_no_server(folder: Path) -> None:
    """A table by kind and what a point is worth; nothing is written."""
    ran = ask(folder)
    assert ran.exit_code == 0, ran.output
    for said in ("40 labelled facts (sealed)", "plain", "reworded", "number changed", "not a fact", "a point is worth"):
        assert said in ran.stdout
    assert "with judge" not in ran.stdout
    assert not (folder / "evidence").exists()


def test_with_a_judge_both_are_told(folder: Path) -> None:
    """It reads what the matcher refuses; its answers are kept, and the second time nobody is asked."""
    with judging(knows) as told:
        words = ("--judge", told.address, "--model", "judge")
        ran, again = ask(folder, *words), ask(folder, *words, "--json")
        asked = len(told.heard)
    assert ran.exit_code == 0, ran.output
    assert "with judge" in ran.stdout
    assert f"asked {asked} now" in ran.stdout
    assert "0 not answered, 0 answered with none of its words" in ran.stdout
    found = json.loads(again.stdout)
    assert found["with_judge"]["refused"]["sensitivity"] == 1.0
    assert found["with_judge"]["refused"]["specificity"] >= found["matcher"]["specificity"]
    assert found["with_judge"]["refused"]["factor"] > found["matcher"]["factor"]
    assert set(found["with_judge"]) == {"undecided", "refused"}
    assert {body["max_tokens"] for body in told.heard} == {16}


def test_what_was_asked_for_less_serves_for_more(folder: Path) -> None:
    """Reading all asks only what reading the refused has not; then all three are told."""
    with judging(knows) as told:
        words = ("--judge", told.address, "--model", "judge")
        ask(folder, *words)
        before = len(told.heard)
        ran = ask(folder, *words, "--reads", "all", "--json")
        facts = {(body["messages"][0]["content"]) for body in told.heard}
    assert set(json.loads(ran.stdout)["with_judge"]) == {"undecided", "refused", "all"}
    assert before < len(told.heard) == len(facts)


def test_sealed_facts_are_never_printed(folder: Path) -> None:
    """Not by measuring, not by ``show``, not by ``export``; the store keeps them, as open ones are shown."""
    for split, shown in (("sealed", False), ("open", True)):
        evidence = folder / "evidence" / "judges"
        with judging(lambda passage, fact: 422 if "9412" in fact else knows(passage, fact), split) as told:
            ran = ask(folder, "--judge", told.address, "--model", split, "--split", split)
        assert "houses" not in ran.output
        assert ("(first: HTTP 422)" in str(ran.exception)) is not shown
        (file,) = evidence.glob(f"{split}-*.sqlite")
        item = reading.items(file)[0]
        told_of = CliRunner().invoke(cli.app, ["show", str(file), item]).output
        assert ("Statement" in told_of) is shown
        assert ("never shown one by one" in told_of) is not shown
        out = folder / f"{split}.parquet"
        assert CliRunner().invoke(cli.app, ["export", str(file), str(out)]).exit_code == 0
        rows = pq.read_table(out).to_pylist()
        assert all((row["request"] is not None) is shown for row in rows)
        assert all((row["answer"] is not None) is shown for row in rows if row["failure"] is None)
        (failure,) = [row["failure"] for row in rows if row["failure"]]
        assert failure.startswith("HTTP 422")
        assert ("houses" in failure) is shown


def test_a_judge_that_is_not_there_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Soon, and not once for each fact."""
    monkeypatch.setattr(appealing, "PAUSES", ())
    ran = ask(folder, "--judge", "http://127.0.0.1:9", "--model", "judge")
    assert isinstance(ran.exception, TwxAcceptError)
    assert "nobody listens at http://127.0.0.1:9" in str(ran.exception)


def test_a_judge_that_refuses_some_is_told(folder: Path) -> None:
    """The table stands, and the command fails with the cure."""
    with judging(lambda passage, fact: None if "9412" in fact else knows(passage, fact)) as told:
        ran = ask(folder, "--judge", told.address, "--model", "judge")
    assert isinstance(ran.exception, TwxAcceptError)
    assert "the judge judge has not answered 1 of the" in str(ran.exception)
    assert told.address in str(ran.exception)
    assert "1 not answered" in ran.stdout


def test_a_judge_that_says_yes_leaves_nothing(folder: Path) -> None:
    """That is a measurement: it is told, and no error."""
    with judging(lambda *_: "supported") as told:
        ran = ask(folder, "--judge", told.address, "--model", "judge", "--reads", "all", "--json")
    found = json.loads(ran.stdout)["with_judge"]["all"]
    assert ran.exit_code == 0
    assert (found["sensitivity"], found["specificity"], found["factor"]) == (0.0, 1.0, 0.0)
    assert found["lower"] < 0


def test_a_first_look_takes_some_of_every_kind(folder: Path) -> None:
    """Evenly, at distances; fewer than there are kinds are refused."""
    found = json.loads(ask(folder, "--lines", "8", "--json").stdout)
    assert found["facts"] == 8
    counts = {(row["label"], row["kind"]): row["facts"] for row in found["matcher"]["kinds"]}
    assert counts["supported", "plain"] == counts["supported", "reworded"] == 2
    assert counts["unsupported", "all"] == counts["not_a_fact", "all"] == 2
    told = "8 of 40 labelled facts (sealed), as many of each kind: no measure of all\n"
    assert ask(folder, "--lines", "8").stdout.startswith(told)
    assert "take at least one of each" in str(ask(folder, "--lines", "3").exception)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--judge", "http://x"), "a judge needs both"),
        (("--model", "m"), "a judge needs both"),
        (("--judge", "x", "--model", "m"), "address: "),
        (("--judge", "http://x", "--model", ""), "model: "),
        (("--judge", "http://x", "--model", "m", "--reads", "most"), "reads: "),
        (("--judge", "http://x", "--model", "m", "--max-tokens", "0"), "max_tokens: "),
        (("--split", "secret"), "secret.jsonl"),
        (("no-such-suite",), "no-such-suite"),
    ],
)
def test_mistakes_name_the_value(folder: Path, words: tuple[str, ...], said: str) -> None:
    """One line, before anything is asked."""
    ran = ask(folder, *words)
    assert isinstance(ran.exception, TwxAcceptError), ran.output
    assert said in str(ran.exception)
    assert "\n" not in str(ran.exception)


def test_a_suite_brings_its_judge_and_its_facts(folder: Path) -> None:
    """The suite's judge is asked as the suite registers it; what the command line says takes its place."""
    with judging(knows) as told:
        suite = folder / "s.toml"
        suite.write_text(
            '[suite]\nname = "s"\ntitle = "S"\nversion = 1\noriginal = "a"\n[engine]\npython = "python"\n'
            '[[builds]]\nname = "a"\npath = "a"\n[[builds]]\nname = "b"\npath = "b"\n'
            '[claims.made_up_facts]\nsource = "none.jsonl"\nlabelled = "."\n'
            f'[claims.made_up_facts.judge]\nmodel = "judge"\naddress = "{told.address}"\n'
            'reads = "all"\nmax_tokens = 5\n'
        )
        evidence = ["--evidence", str(folder / "evidence")]
        ran = CliRunner().invoke(cli.app, ["facts", "measure", str(suite), "--json", *evidence])
        assert ran.exit_code == 0, ran.exception
        assert {body["max_tokens"] for body in told.heard} == {5}
        assert "all" in json.loads(ran.stdout)["with_judge"]
        more = ["--reads", "undecided", "--max-tokens", "9"]
        CliRunner().invoke(cli.app, ["facts", "measure", str(suite), "--json", *evidence, *more])
        assert {body["max_tokens"] for body in told.heard} <= {5, 9}


def test_a_plan_reckons_with_what_was_measured(folder: Path) -> None:
    """Before it says what is missing and how to measure it; after it what a point is worth."""
    (folder / "towns.jsonl").write_text("".join(json.dumps(row) + "\n" for row in towns()))
    with judging(knows) as told:
        suite = folder / "s.toml"
        suite.write_text(
            '[suite]\nname = "s"\ntitle = "S"\nversion = 1\noriginal = "a"\n[engine]\npython = "python"\n'
            '[[builds]]\nname = "a"\npath = "a"\n[[builds]]\nname = "b"\npath = "b"\n'
            '[claims.made_up_facts]\nsource = "towns.jsonl"\nlabelled = "."\nmargin_points = 20.0\n'
            "recall_margin_points = 20.0\nrecall_floor = 0.5\n[claims.made_up_facts.judge]\n"
            f'model = "judge"\naddress = "{told.address}"\nreads = "refused"\n'
        )

        def run(*words: str) -> str:
            where = ["--evidence", str(folder / "evidence")]
            return CliRunner().invoke(cli.app, [*words, *where], env={"COLUMNS": "120"}).stdout

        before = run("plan", str(suite))
        assert "the judge judge is not measured yet (0 of " in before
        assert "`twx-accept facts measure SUITE` asks it about the labelled facts" in before
        run("facts", "measure", str(suite), "--lines", "8")
        half = run("plan", str(suite))
        assert "is not measured yet (" in half
        assert "(0 of" not in half
        run("facts", "measure", str(suite))
        after = run("plan", str(suite))
    assert "the matcher with judge has sensitivity 1.00 and specificity 1.00: a registered point is worth 1.00" in after
    assert "matcher and judge" in after


def test_help_teaches() -> None:
    """What is measured, where it is kept, and a command to type."""
    said = CliRunner().invoke(cli.app, ["facts", "measure", "--help"], env={"COLUMNS": "120"}).output
    for word in ("--judge", "--reads", "TWX_ACCEPT_JUDGE_KEY", "sealed", "twx-accept facts measure kimi-k3.1"):
        assert word in said
