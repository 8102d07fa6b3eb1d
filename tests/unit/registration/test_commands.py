"""The commands around a run: judging again, planning, showing, exporting, waiving, registering, starting a project."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import datasets
import duckdb
import pytest
from typer.testing import CliRunner

from twx_accept import cli
from twx_accept.domain.evidence import Inventory, Origin
from twx_accept.domain.exchange import Exchange, Failure, Key, Request
from twx_accept.evidence import Store

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def decided(make_project: Any) -> Any:
    """A project in a repository whose whole suite has run."""
    project = make_project()
    project.commit()
    (ran,) = project.each(("-m", "acceptance"))
    assert "1 failed" in ran.text or "2 failed" in ran.text, ran.text
    return project


def verdicts(file: Path) -> str:
    """The verdicts of a report, as JSON text."""
    return json.dumps(json.loads(file.read_text())["run"]["verdicts"], sort_keys=True)


def evidence(project: Any, build: str) -> Path:
    """The evidence file of a build."""
    (file,) = (project.root / "reports" / "evidence").glob(f"tiny-{build}-*.sqlite")
    return Path(file)


def test_judging_again_needs_neither_engine_nor_models_and_says_the_same(decided: Any, tmp_path: Path) -> None:
    """From copied evidence the verdicts are the run's own to the byte; a build that may not ship is status 1."""
    away = tmp_path / "evidence"
    shutil.copytree(decided.root / "reports" / "evidence", away)
    for name in ("models", "engine"):
        (decided.root / name).rename(decided.root / f"{name}.away")
    try:
        ran = decided.twx("judge", "tiny", "--evidence", str(away), "--out", str(tmp_path / "out"))
    finally:
        for name in ("models", "engine"):
            (decided.root / f"{name}.away").rename(decided.root / name)
    assert ran.status == 1, ran.text
    assert "good may ship" in ran.text
    assert "weak may not ship" in ran.text
    assert verdicts(tmp_path / "out" / "report.json") == verdicts(decided.root / "reports" / "report.json")


def test_judging_with_several_processes_says_the_same(decided: Any, tmp_path: Path) -> None:
    """The records are the same to the byte but for their date and command, and every claim is in them."""
    records = []
    for count in ("1", "3", "8"):
        ran = decided.twx("judge", "tiny", "--workers", count, "--out", str(tmp_path / count))
        assert ran.status == 1, ran.text
        record = json.loads((tmp_path / count / "report.json").read_text())["run"]
        records.append({name: value for name, value in record.items() if name not in ("date", "command")})
    assert len({json.dumps(record) for record in records}) == 1
    assert {each["claim"] for each in records[0]["verdicts"]} == {"weight_size", "cache_headroom", "multiple_choice"}
    assert records[0]["contrasts"]
    assert decided.twx("judge", "tiny", "--workers", "0").status == 2


def test_damaged_evidence_is_told_by_whichever_process_reads_it(decided: Any, tmp_path: Path) -> None:
    """An answer that cannot be read is one line and status 2, with one process and with several."""
    away = tmp_path / "evidence"
    shutil.copytree(decided.root / "reports" / "evidence", away)
    (file,) = away.glob("tiny-good-*.sqlite")
    with sqlite3.connect(file) as db:
        db.execute("UPDATE exchanges SET answer = x'00' WHERE claim = 'multiple_choice'")
    db.close()
    for count in ("1", "3"):
        ran = decided.twx("judge", "tiny", "--evidence", str(away), "--workers", count, "--out", str(tmp_path / "out"))
        assert ran.status == 2, ran.text
        assert ran.text.count("\n") == 1, ran.text
        assert file.name in ran.text
    assert not (tmp_path / "out").exists()


def test_judging_without_evidence_is_one_line(decided: Any, tmp_path: Path) -> None:
    """An empty folder and a damaged file are told in a line, with status 2."""
    empty = decided.twx("judge", "tiny", "--evidence", str(tmp_path), "--out", str(tmp_path / "out"))
    assert (empty.status, empty.text.count("\n")) == (2, 1)
    assert "holds no evidence of a whole run" in empty.text
    (tmp_path / "tiny-good-x.sqlite").write_bytes(b"SQLite format 3\0 and then rubbish")
    damaged = decided.twx("judge", "tiny", "--evidence", str(tmp_path), "--out", str(tmp_path / "out"))
    assert damaged.status == 2
    assert "Traceback" not in damaged.text


def test_judging_as_of_an_older_registration_shows_what_it_would_have_decided(project: Any) -> None:
    """Under the first mark the build was shown; the mark in force now refuses its older evidence."""
    project.each(("-m", "acceptance", "--build", "good"))
    before = verdicts(project.root / "reports" / "report.json")
    project.suite("margin_points = 20.0", "margin_points = 25.0")
    project.register()
    now = project.twx("judge", "tiny", "--out", "now")
    then = project.twx("judge", "tiny", "--out", "then", "--as-of", "1")
    assert (now.status, then.status) == (1, 0)
    assert "exploratory" in now.text
    assert "good may ship" in then.text
    assert verdicts(project.root / "then" / "report.json") == before
    assert "decided by the marks of ledger entry 1, which are superseded: those in force are in entry 2" in then.text
    unknown = project.twx("judge", "tiny", "--as-of", "9")
    assert unknown.status == 2
    assert "entry 9 is no registration; there are: 1 " in unknown.text


def test_plan_gives_the_power_at_the_expected_loss(decided: Any) -> None:
    """The plan names power, n and cost from evidence and measured rates; assumptions can be given instead."""
    seen = json.loads(decided.twx("plan", "tiny", "--json").text)
    (quiz,) = [each for each in seen["prospects"]["good"] if each["claim"] == "multiple_choice"]
    assert quiz["planned_n"] == 40
    assert quiz["assumption"]["source"] == "seen in the evidence of 40 questions"
    assert seen["seconds"] > 0
    given = json.loads(decided.twx("plan", "tiny", "--json", "--discordance", "0.1", "--loss", "2").text)
    (quiz,) = [each for each in given["prospects"]["good"] if each["claim"] == "multiple_choice"]
    assert quiz["assumption"] == {"discordance": 0.1, "loss": 0.02, "source": "given"}
    assert given["joint"]["good"] == pytest.approx(quiz["power"])
    assert "all claims together" in decided.twx("plan", "tiny").text
    wrong = (("--loss", "2"), ("--discordance", "0.01", "--loss", "2"), ("--discordance", "0.1", "--loss", "nan"))
    for words in wrong:
        refused = decided.twx("plan", "tiny", *words)
        assert (refused.status, refused.text.count("\n")) == (2, 1), refused.text


def test_plan_warns_where_even_a_perfect_build_cannot_reach_the_mark(project: Any) -> None:
    """A margin that so few questions cannot resolve is told before anything boots."""
    project.suite("margin_points = 20.0", "margin_points = 1.0")
    assert "40 items cannot show this mark even for a build that answers every one" in project.twx("plan", "tiny").text
    assert project.boots() == []


def test_plan_learns_from_a_partial_run_and_multiplies_what_it_can_show(project: Any) -> None:
    """A partial run says discordance and rate; the joint power is the product; a title in brackets is shown whole."""
    project.suite('title = "Quiz"', 'title = "[/red] Quiz"')
    ran = project.each(("-m", "acceptance", "--build", "weak", "--limit-questions", "8"))[0]
    assert ran.status == 0, ran.text
    made = json.loads(project.twx("plan", "tiny", "--json").text)
    quiz = {build: prospects[-1] for build, prospects in made["prospects"].items()}
    assert quiz["weak"]["assumption"] == {
        "discordance": 0.125,
        "loss": 0.125,
        "source": "seen in the evidence of 32 questions",
    }
    assert quiz["good"]["assumption"]["source"] == "assumed, for want of evidence"
    assert made["joint"]["weak"] == pytest.approx(quiz["weak"]["power"])
    assert made["seconds"] > 0
    told = project.twx("plan", "tiny").text
    assert "[/red] Quiz" in told
    assert "measured in reports/evidence" in told


def test_hostile_evidence_is_shown_as_text_and_exported_whole(project: Any) -> None:
    """Escapes, marks of direction and lone surrogates in ids and failures act nowhere and stop no command."""
    hostile, item = "q-\x1b[31m\u202e\ud800", "q-\x1b[31m\u202e"
    file = project.root / "hostile.sqlite"
    key = Key(claim="multiple_choice", item=item)
    asked = Request(key=key, path="/v1/completions", body={"prompt": hostile}, phase="p")
    failure = Failure(kind="HTTP 500", message=hostile, lasting=True)
    kept = Exchange(request=asked, answer=None, failure=failure, seconds=0.1, attempts=1)
    origin = Origin(
        suite="tiny", build="b\x1b]0;", weights="w", control=False, partial="", ledger="", attempt=1, began="\x07"
    )
    with Store(file, {"weights": {}}, Inventory(weights={}, digests={}, tensors={}), begin=lambda: origin) as store:
        store.keep([kept])
    for name in (item, "none"):
        said = show(file, name)
        assert not {"\x1b", "\u202e", "\ud800", "\x07"} & set(said), said
        assert "[U+001B][31m[U+202E]" in said
    assert project.twx("export", "hostile.sqlite", "hostile.parquet").status == 0
    rows = duckdb.sql(f"SELECT item, failure FROM '{project.root / 'hostile.parquet'}'").fetchall()  # noqa: S608
    assert rows == [(item, "HTTP 500: q-\x1b[31m\u202e\\ud800")]
    (project.root / "in the way").write_text("")
    refused = project.twx("export", "hostile.sqlite", "in the way/out.parquet")
    assert (refused.status, refused.text.count("\n")) == (2, 1), refused.text


def show(file: Path, item: str) -> str:
    """What `twx-accept show` says, in this process: no command line can hold a lone surrogate."""
    ran = CliRunner().invoke(cli.app, ["show", str(file), item])
    return ran.output + str(ran.exception or "")


def test_show_prints_one_item_and_names_others_where_there_is_none(decided: Any) -> None:
    """Every exchange of an item is printed; an unknown item is a line with examples."""
    file = str(evidence(decided, "good"))
    shown = decided.twx("show", file, "q-03").text
    assert "q-03 of good (suite tiny" in shown
    assert "What is number 3?" in shown
    assert "logprob_token_ids" in shown
    unknown = decided.twx("show", file, "q-99")
    assert (unknown.status, unknown.text.count("\n")) == (2, 1)
    assert "no item 'q-99' among 40; for example: q-00" in unknown.text


def test_export_is_opened_by_datasets_and_duckdb(decided: Any, tmp_path: Path) -> None:
    """Parquet with one row an exchange, which both read."""
    out = tmp_path / "good.parquet"
    assert decided.twx("export", str(evidence(decided, "good")), str(out)).status == 0
    rows = duckdb.sql(f"SELECT COUNT(*), COUNT(DISTINCT item), COUNT(answer) FROM '{out}'").fetchall()  # noqa: S608
    assert rows == [(240, 40, 240)]
    data = datasets.load_dataset("parquet", data_files=str(out), split="train", cache_dir=str(tmp_path / "cache"))
    assert json.loads(data[0]["answer"])
    assert decided.twx("export", str(evidence(decided, "good")), str(out)).status == 2


def test_waiver_needs_a_reason_and_a_name_and_stands_in_the_report(decided: Any, tmp_path: Path) -> None:
    """A waiver is an entry of the ledger and is told by the report; the verdict stays what it is."""
    assert "a waiver needs a reason and a name" in decided.twx("waive", "tiny", "weak", "multiple_choice").text
    assert "no build 'none'" in decided.twx("waive", "tiny", "none", "multiple_choice").text
    words = ("--reason", "behind a flag", "--name", "Ada Example")
    assert decided.twx("waive", "tiny", "weak", "multiple_choice", *words).status == 0
    decided.twx("judge", "tiny", "--out", str(tmp_path))
    run = json.loads((tmp_path / "report.json").read_text())["run"]
    (waiver,) = run["waivers"]
    assert (waiver["build"], waiver["reason"], waiver["by"]) == ("weak", "behind a flag", "Ada Example")
    assert {v["outcome"] for v in run["verdicts"] if v["build"] == "weak"} == {"failed", "reported", "not shown"}


def test_registering_needs_a_clean_tree_a_repository_and_a_change(project: Any) -> None:
    """Outside a repository, in a dirty tree and without a change nothing is registered; else an entry is added."""
    assert "is in no git repository" in project.twx("register", "tiny").text
    project.commit()
    assert "every mark is registered as it stands (entry 1)" in project.twx("register", "tiny").text
    project.suite("margin_points = 20.0", "margin_points = 21.0")
    assert "the tree is dirty (fixtures/suites/tiny.toml)" in project.twx("register", "tiny").text
    project.commit()
    ran = project.twx("register", "tiny", "--by", "Ada Example")
    assert ran.status == 0, ran.text
    assert "ledger entry 2, head " in ran.text
    checked = project.twx("ledger", "tiny").text
    assert "registration by Ada Example" in checked
    assert "the chain holds" in checked
    assert project.boots() == []


def test_shipped_ledgers_verify_in_a_clone() -> None:
    """Each suite of this repository carries a ledger whose chain holds and which says what its marks say."""
    for suite in ("smollm2", "kimi-k3.1"):
        words = [sys.executable, "-c", "from twx_accept.cli import main; main()", "ledger", suite]
        ran = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert "the chain holds" in ran.stdout


def test_a_project_starts_from_the_built_wheel(tmp_path: Path) -> None:
    """Installed from the wheel alone, `init` writes a project that collects its tests and verifies its ledger."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), str(REPOSITORY)]
    subprocess.run(wheel, check=True, capture_output=True)
    (built,) = tmp_path.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(tmp_path / "site"), str(built)], check=True)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}

    def run(folder: Path, *words: str) -> str:
        ran = subprocess.run(
            [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    command = ("-c", "import twx_accept; print(twx_accept.__file__); from twx_accept.cli import main; main()")
    assert str(tmp_path / "site") in run(tmp_path, *command, "init", "project")
    project = tmp_path / "project"
    assert "the chain holds" in run(project, *command, "ledger", "smollm2")
    collected = run(project, "-m", "pytest", "-m", "acceptance", "--collect-only", "-q")
    assert "test_knowledge_is_within_the_margin_of_the_original[smol-w8]" in collected
    again = subprocess.run(
        [sys.executable, *command, "init", "project"], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    assert again.returncode == 2
    assert b"is there already; name an empty folder" in again.stderr
