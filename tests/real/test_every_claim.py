"""Every claim of the embedded suite on a real vLLM server: small, whole, with the original served again."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from twx_accept import claims
from twx_accept.claims.made_up_facts import match_fact
from twx_accept.domain.evidence import Inventory
from twx_accept.domain.exchange import Exchange, Request
from twx_accept.domain.scope import Scope
from twx_accept.domain.suite import Asking
from twx_accept.evidence import Store
from twx_accept.session.appealing import appeal
from twx_accept.session.calibrating import kept
from twx_accept.session.progress import Silent
from twx_accept.session.repetition import FIRST, Repetition
from twx_accept.sources import FileOrHub
from twx_accept.suite import load

ROOT = Path(__file__).resolve().parents[2]
ENGINE = Path(os.environ.get("TWX_ACCEPT_ENGINE_PYTHON") or ROOT / ".venv-vllm" / "bin" / "python")
MODELS = ROOT / "models" / "smollm2"
CLAIMS = ("weight_size", "cache_headroom", "multiple_choice", "agreement", "made_up_facts", "tool_calls")

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(not ENGINE.exists(), reason="no engine: `make engine` makes it"),
    pytest.mark.skipif(not (MODELS / "smol-w8").is_dir(), reason="no models: `make models` makes them"),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    """One question of each subject, one passage of each kind, one trial of each case; its folder, record and output."""
    reports = tmp_path_factory.mktemp("every") / "reports"
    words = ("-m", "acceptance", "tests/acceptance", "-p", "no:cacheprovider", "--suite", "smollm2")
    chosen = ("--build", "smol-w8", "--limit-questions", "1", "--noise-floor", "--report-dir", str(reports))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *chosen],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return reports, json.loads((reports / "report.json").read_text(encoding="utf-8"))["run"], done.stdout


def figures(record: dict[str, Any], claim: str, part: str = "verdicts") -> dict[str, Any]:
    """The unrounded figures of a claim."""
    (found,) = [each["statistics"] for each in record[part] if each["claim"] == claim]
    return found


def test_every_claim_is_decided_on_one_boot(run: tuple[Path, dict[str, Any], str]) -> None:
    """Six claims, one server a build and one more for the floor; nothing is invalid, and what is too weak says so."""
    _, record, _ = run
    assert tuple(verdict["claim"] for verdict in record["verdicts"]) == CLAIMS
    assert "invalid" not in {verdict["outcome"] for verdict in record["verdicts"]}
    boots = [timing["build"] for timing in record["timings"] if timing["phase"] == "boot"]
    assert boots == ["original", "smol-w8", "original, again"]
    assert "uninformative" in next(each["labels"] for each in record["verdicts"] if each["claim"] == "tool_calls")


def test_drift_never_exceeds_the_full_divergence(run: tuple[Path, dict[str, Any], str]) -> None:
    """Position by position, over the whole vocabulary that the same server gives, the bound stays below."""
    _, record, _ = run
    found = figures(record, "agreement")
    assert found["full_prefixes"] >= 1
    assert 0 < found["full_ratio"] <= 1
    assert 0.5 < found["agreement"] < 1
    assert 0 < found["drift_at_least"] < 1
    (warnings,) = [each["warnings"] for each in record["verdicts"] if each["claim"] == "agreement"]
    assert not [warning for warning in warnings if "above" in warning]


def test_the_original_agrees_with_itself(run: tuple[Path, dict[str, Any], str]) -> None:
    """Asked everything again from a fresh boot, it departs from itself far less than the build does."""
    _, record, _ = run
    assert record["noise_floor"] == "measured"
    again, build = figures(record, "agreement", "floor"), figures(record, "agreement")
    assert again["agreement"] > 0.97
    assert again["drift_at_least"] < 0.1 * build["drift_at_least"]
    assert abs(figures(record, "multiple_choice", "floor")["difference"]) < 0.2


def test_tool_calls_are_read_beside_the_servers_parser(run: tuple[Path, dict[str, Any], str]) -> None:
    """Every turn has its raw output as text, both efforts rendered differently, and each case a stream."""
    reports, record, _ = run
    found = figures(record, "tool_calls")
    assert (found["low_n"], found["high_n"]) == (6, 6)
    (file,) = (reports / "evidence").glob("smollm2-smol-w8-*.sqlite")
    with sqlite3.connect(file) as db:
        arms = dict(
            db.execute("SELECT arm, COUNT(*) FROM exchanges WHERE claim = 'tool_calls' AND answer NOTNULL GROUP BY arm")
        )
    assert arms["low"] == arms["high"] == arms["low.raw"] == arms["high.raw"] == 6
    assert arms["low.stream"] == arms["high.stream"] == 6


def test_facts_are_written_and_matched(run: tuple[Path, dict[str, Any], str]) -> None:
    """Whatever a weak model writes is counted: facts, those made up, and what it recalls of what was planted."""
    _, record, _ = run
    found = figures(record, "made_up_facts")
    assert found["passages"] == 16
    assert found["m_original"] > 16
    assert 0 < found["recalled_original"] < found["planted"]
    assert found["check_against_the_next_passage"] < 0.05


def test_arrays_are_small(run: tuple[Path, dict[str, Any], str]) -> None:
    """82,712 positions would take less than 40 MB."""
    reports, record, _ = run
    (file,) = (reports / "evidence").glob("smollm2-smol-w8-*.sqlite")
    with sqlite3.connect(file) as db:
        (table,) = db.execute("SELECT name FROM sqlite_master WHERE name = 'distributions'").fetchone()
        columns = [name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")]
        blobs = " + ".join(f"COALESCE(LENGTH({name}), 0)" for name in columns if name not in ("run", "trial"))
        query = f"SELECT SUM({blobs}) FROM {table} WHERE arm NOT LIKE '%full%' AND arm NOT LIKE '%vocab%'"  # noqa: S608
        (size,) = db.execute(query).fetchone()
    assert size / figures(record, "agreement")["n"] * 82_712 < 40e6


@pytest.fixture(scope="module")
def judge() -> Iterator[str]:
    """A second server, on a port of this machine: the same small model, as whoever would be asked."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **{name: os.environ[name] for name in ("HOME", "PATH", "LANG", "TMPDIR") if name in os.environ},
        "VLLM_CPU_KVCACHE_SPACE": "1",
        "HF_HUB_OFFLINE": "1",
        "VLLM_NO_USAGE_STATS": "1",
    }
    flags = ("--host", "127.0.0.1", "--port", str(port), "--max-model-len", "2048", "--enforce-eager")
    model = ("--model", str(MODELS / "original"), "--served-model-name", "judge")
    server = subprocess.Popen(
        [str(ENGINE), "-m", "vllm.entrypoints.openai.api_server", *model, *flags],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and server.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2) as answer:
                    if answer.status == 200:
                        break
            except OSError:
                time.sleep(1)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, 15)
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, 9)


def test_a_judge_is_asked_about_what_is_undecided(judge: str, tmp_path: Path) -> None:
    """A real second server is asked about each undecided fact once, under its own name, and its word is kept."""
    open_ = undecided()
    lines = [{"id": f"p{number}", "text": passage} for number, (passage, _) in enumerate(open_)]
    source = tmp_path / "passages.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8")
    suite = load(ROOT / "fixtures" / "suites" / "smollm2.toml")
    settings = {
        **suite.claims["made_up_facts"],
        "source": str(source),
        "judge": {"model": "judge", "address": judge},
    }
    made = replace(suite, claims={"made_up_facts": settings})
    (claim,) = claims.of_suite(made, FileOrHub(folder=suite.folder), Scope())
    with Store(tmp_path / "e.sqlite", {"weights": {}}, Inventory(weights={}, digests={}, tensors={})) as store:
        store.keep([answered(request, open_[int(request.key.item[1:])][1]) for request in claim.opening()])
        part = Repetition(store, FIRST)
        wanted = claim.appeals(part.exchanges("made_up_facts"))
        assert len(wanted) == len(open_)
        asking = Asking(concurrency=4, prompts_per_request=1, timeout_seconds=120, attempts=2)
        appeal("build", claim, part, asking, Silent())
        said = [each for each in part.exchanges("made_up_facts") if each.request.key.arm == "judge"]
    assert len(said) == len(wanted)
    assert all(each.answer is not None and each.answer["model"] == "judge" for each in said)
    assert {claim.referee.ruling(each) for each in said} <= {"supported", "unsupported", "neither", "unclear"}


def test_a_judge_is_measured_on_labelled_facts(judge: str, tmp_path: Path) -> None:
    """Beside a build and alone, by the command, it is asked about the same facts, and a plan says what comes of it.

    A model of this size says none of the words, or one to everything: nothing is left of a point then.
    """
    source = labelled(tmp_path)
    suite = load(ROOT / "fixtures" / "suites" / "smollm2.toml")
    settings = {
        **suite.claims["made_up_facts"],
        "source": str(source / "passages.jsonl"),
        "labelled": str(source),
        "judge": {"model": "judge", "address": judge, "reads": "all"},
        "margin_points": 5.0,
        "recall_margin_points": 5.0,
        "recall_floor": 0.5,
    }
    made = replace(suite, claims={"made_up_facts": settings})
    (claim,) = claims.of_suite(made, FileOrHub(folder=suite.folder), Scope())
    asking = Asking(concurrency=4, prompts_per_request=1, timeout_seconds=120, attempts=2)
    with Store(tmp_path / "e.sqlite", {"weights": {}}, Inventory(weights={}, digests={}, tensors={})) as store:
        part = Repetition(store, FIRST)
        appeal("build", claim, part, asking, Silent())
        beside = claim.calibrated(part.exchanges("made_up_facts")).calibration
        asked = [each.request.key.arm for each in part.exchanges("made_up_facts")]
    assert asked == ["sealed"] * LABELS
    assert (beside.read, beside.unheard) == (LABELS, 0)
    where = ("--labelled", str(source), "--evidence", str(tmp_path / "evidence"))
    whom = ("--judge", judge, "--model", "judge", "--reads", "all", "--json")
    ran = subprocess.run(
        [sys.executable, "-c", "from twx_accept.cli import main; main()", "facts", "measure", *where, *whom],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    alone = json.loads(ran.stdout)["with_judge"]["all"]
    assert (alone["read"], alone["not_answered"]) == (LABELS, 0)
    assert -1 <= alone["lower"] <= alone["factor"] <= 1
    whole = claim.calibrated(kept(tmp_path / "evidence", claim.referee, claim.name))
    assert whole.calibration is not None
    assert whole.calibration.unheard == 0
    (told, *_) = whole.prospect("build", None).warnings
    assert any(said in told for said in ("is not measured yet", "cannot tell true facts", "a registered point"))


LABELS = 12
"""Labelled facts that the small judge is measured on: half of them true."""


def labelled(folder: Path) -> Path:
    """A folder with two passages and open facts about them, which are taken for sealed ones here."""
    passages, facts = (rows(name) for name in ("passages", "open"))
    ids = [row["id"] for row in passages[:2]]
    chosen = [
        row
        for label in ("supported", "unsupported")
        for row in [each for each in facts if each["passage"] in ids and each["label"] == label][: LABELS // 2]
    ]
    made = folder / "labelled"
    made.mkdir()
    planted = [row | {"facts": [{"text": row["text"].split(". ")[0]}]} for row in passages[:2]]
    for name, lines in (("passages", planted), ("sealed", chosen)):
        (made / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return made


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a file of labelled facts."""
    file = ROOT / "fixtures" / "facts" / "labelled" / f"{name}.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def undecided() -> list[tuple[str, str]]:
    """A few labelled facts that the matcher leaves undecided, each with its passage."""
    passages, facts = (rows(name) for name in ("passages", "open"))
    texts = {row["id"]: row["text"] for row in passages}
    found = {row["passage"]: row["fact"] for row in facts if open_to_doubt(row["fact"], texts[row["passage"]])}
    assert found, "the matcher leaves none of the labelled facts undecided"
    return [(texts[passage], fact) for passage, fact in list(found.items())[:3]]


def open_to_doubt(fact: str, passage: str) -> bool:
    """Whether the matcher leaves it undecided."""
    return match_fact(fact, passage).verdict == "undecided"


def answered(request: Request, fact: str) -> Exchange:
    """An answer that holds the fact."""
    message = {"role": "assistant", "content": f"{fact}\n"}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    answer = {"choices": choices, "usage": {"completion_tokens": 20}}
    return Exchange(request=request, answer=answer, failure=None, seconds=0.1, attempts=1)
