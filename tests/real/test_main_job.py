"""The main job on a real vLLM server with the embedded model: decided, kept, resumed after a kill."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE = Path(os.environ.get("TWX_ACCEPT_ENGINE_PYTHON") or ROOT / ".venv-vllm" / "bin" / "python")
MODELS = ROOT / "models" / "smollm2"
QUESTIONS_A_SUBJECT = 2

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(not ENGINE.exists(), reason="no engine: `make engine` makes it"),
    pytest.mark.skipif(not (MODELS / "smol-w8").is_dir(), reason="no models: `make models` makes them"),
]


def suite_file(folder: Path) -> Path:
    """The embedded suite at concurrency 1 and one prompt a request, where a run repeats to the last bit.

    Without the claims for which a model has to write: at concurrency 1 they would take longer than all else together.
    """
    text = (
        suite_text()
        .replace("concurrency = 32", "concurrency = 1")
        .replace("prompts_per_request = 16", "prompts_per_request = 1")
    )
    file = folder / "smollm2.toml"
    file.write_text(text[: text.index("# A 135M model reads")], encoding="utf-8")
    return file


def suite_text() -> str:
    """The embedded suite with whole paths."""
    text = (ROOT / "fixtures" / "suites" / "smollm2.toml").read_text(encoding="utf-8")
    return text.replace('"../../', f'"{ROOT}/').replace('"../', f'"{ROOT}/fixtures/')


def command(reports: Path, suite: Path) -> list[str]:
    """The command line of a small run."""
    return [
        *(sys.executable, "-m", "pytest", "-m", "acceptance", "tests/acceptance", "-p", "no:cacheprovider"),
        *("--suite", str(suite), "--build", "smol-w8", "--limit-questions", str(QUESTIONS_A_SUBJECT)),
        *("--report-dir", str(reports)),
    ]


def run(reports: Path, suite: Path) -> "subprocess.CompletedProcess[str]":
    """Run it to its end."""
    return subprocess.run(command(reports, suite), cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)


def evidence(reports: Path, build: str) -> Path:
    """The evidence file of a build."""
    (file,) = (reports / "evidence").glob(f"smollm2-{build}-*.sqlite")
    return file


def rows(reports: Path, build: str) -> list[tuple[Any, ...]]:
    """Every exchange of a build about questions, by key."""
    with sqlite3.connect(evidence(reports, build)) as db:
        return db.execute(
            "SELECT item, arm, trial, run, asked FROM exchanges WHERE claim = 'multiple_choice' ORDER BY 1, 2, 3, 4"
        ).fetchall()


def boots(reports: Path, build: str) -> int:
    """How often a build was booted."""
    with sqlite3.connect(evidence(reports, build)) as db:
        return int(db.execute("SELECT COUNT(*) FROM boots").fetchone()[0])


def statistics(reports: Path) -> dict[str, Any]:
    """The unrounded figures of every claim."""
    report = json.loads((reports / "report.json").read_text(encoding="utf-8"))
    return {verdict["claim"]: verdict["statistics"] for verdict in report["run"]["verdicts"]}


def servers_of(reports: Path) -> list[psutil.Process]:
    """Processes that belong to a run, by the folder that its log is in."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        line = " ".join(process.info["cmdline"] or [])
        if "api_server" in line and str(MODELS) in line and process.status() != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found if reports.exists() else []


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, "subprocess.CompletedProcess[str]"]:
    """A run from nothing to its end: its reports, its suite and what pytest said."""
    folder = tmp_path_factory.mktemp("whole")
    suite = suite_file(folder)
    return folder / "reports", suite, run(folder / "reports", suite)


def test_original_and_build_are_served_asked_and_decided(
    whole: tuple[Path, Path, "subprocess.CompletedProcess[str]"],
) -> None:
    """A real server answers for both, every claim gets a verdict, and a partial run gates nothing."""
    reports, _, done = whole
    assert done.returncode == 0, done.stdout + done.stderr
    figures = statistics(reports)
    assert figures["multiple_choice"]["n"] == 12 * QUESTIONS_A_SUBJECT
    assert figures["multiple_choice"]["right_original"] > 0.5 * figures["multiple_choice"]["n"]
    assert figures["weight_size"]["bytes"] < figures["weight_size"]["bytes_original"]
    assert figures["cache_headroom"]["tokens"] > 0
    assert "partial" in done.stdout
    for name in ("report.html", "report.json", "summary.md", "junit.xml"):
        assert (reports / name).stat().st_size > 500


def test_a_second_run_boots_nothing_and_says_the_same(
    whole: tuple[Path, Path, "subprocess.CompletedProcess[str]"],
) -> None:
    """With everything kept, the same command decides from the evidence alone."""
    reports, suite, _ = whole
    before = statistics(reports)
    done = run(reports, suite)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (boots(reports, "original"), boots(reports, "smol-w8")) == (1, 1)
    assert statistics(reports) == before


def test_a_run_that_was_killed_leaves_no_server_and_goes_on_where_it_was(
    whole: tuple[Path, Path, "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> None:
    """After SIGKILL no server stays, only what is missing is asked, and every figure is the same."""
    reports, suite = tmp_path / "reports", whole[1]
    killed = subprocess.Popen(command(reports, suite), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wanted = 12 * QUESTIONS_A_SUBJECT * 5 + 6  # all tokens and some of the answers
    deadline = time.monotonic() + 400
    while time.monotonic() < deadline:
        try:
            if len(rows(reports, "smol-w8")) >= wanted:
                break
        except (ValueError, sqlite3.Error):  # not begun yet
            pass
        assert killed.poll() is None, "the run ended before it was killed"
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    kept = rows(reports, "smol-w8")
    assert wanted <= len(kept) < 12 * QUESTIONS_A_SUBJECT * 6
    deadline = time.monotonic() + 60
    while servers_of(reports) and time.monotonic() < deadline:
        time.sleep(0.5)
    assert not servers_of(reports)

    done = run(reports, suite)
    assert done.returncode == 0, done.stdout + done.stderr
    after = rows(reports, "smol-w8")
    assert len({row[:4] for row in after}) == len(after) == 12 * QUESTIONS_A_SUBJECT * 6
    assert set(kept) <= set(after)
    assert boots(reports, "original") == 1
    report = json.loads((reports / "report.json").read_text(encoding="utf-8"))
    timings = [timing for timing in report["run"]["timings"] if timing["build"] == "smol-w8"]
    asked = sum(timing["asked"] for timing in timings if timing["phase"] == "Everyday questions")
    assert asked == len(after) - len(kept)
    assert statistics(reports) == statistics(whole[0])
