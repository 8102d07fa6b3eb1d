"""Kills a run again and again, each time in another place, and runs it on: nothing may stay, nothing be asked twice.

usage: python scripts/kill_and_resume.py --suite SUITE --build NAME [--kill server engine worker pytest]
           [--limit-questions N] [--every N] [--tests TEST ...] [--reports DIR]

A small run begins. Each time the build has `--every` more answers in its evidence, the next place gets SIGKILL; then it
is watched until every process of the server is gone and every card has its memory back, and the same command runs
again. After the last place it runs to its end. Says for each kill how many answers were kept and what the cards held,
and in the end how many answers there are, whether any key stands twice, whether a kept answer ever changed, and
whether the last run asked for just what was missing. What was done is kept in DIR/kill_and_resume.json as well as in
the evidence, and a second call goes on with the places that are missing.

Exit status 1 if something stayed, was asked twice, was lost or changed.
"""

import argparse
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psutil

from twx_accept.errors import ServingError
from twx_accept.serving.cards import VISIBLE, CardMemory
from twx_accept.serving.holding import CARD_SLACK_BYTES

ROOT = Path(__file__).resolve().parents[1]
PLACES = ("server", "engine", "worker", "pytest")


def main() -> int:
    """Kill in each place that was asked for, then run to the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--tests", nargs="+", default=["tests/acceptance"], help="those of the claims that it makes")
    parser.add_argument("--kill", nargs="+", choices=PLACES, default=["server", "engine", "pytest"])
    parser.add_argument("--limit-questions", type=int, default=10)
    parser.add_argument("--every", type=int, default=100, help="more answers of the build before each kill")
    parser.add_argument("--reports", type=Path, default=ROOT / "reports" / "killed")
    given = parser.parse_args()
    given.reports.mkdir(parents=True, exist_ok=True)
    notes = given.reports / "kill_and_resume.json"
    done: dict[str, Any] = json.loads(notes.read_text("utf-8")) if notes.exists() else {}
    for place, exercise in [*((place, kill) for place in given.kill), ("end", finish)]:
        if place not in done:
            done[place] = exercise(place, given)
            notes.write_text(json.dumps(done, indent=1), "utf-8")
        print(place, json.dumps(done[place]), flush=True)
    return 0 if all(each["right"] for each in done.values()) else 1


def command(given: argparse.Namespace) -> list[str]:
    """The run."""
    return [
        *(sys.executable, "-m", "pytest", "-m", "acceptance", *given.tests, "-p", "no:cacheprovider", "-q"),
        *("--suite", given.suite, "--build", given.build, "--report-dir", str(given.reports)),
        *("--limit-questions", str(given.limit_questions)),
    ]


def kill(place: str, given: argparse.Namespace) -> dict[str, Any]:
    """A run that ends by a kill, and what stayed of it."""
    kept, before = answers(given.reports, given.build), card_mib()
    with (given.reports / f"{place}.log").open("wb") as log:
        run = subprocess.Popen(command(given), cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        server = wait_for(run, given.reports, given.build, len(kept) + given.every)
        family = [server, *server.children(recursive=True)]
        victim = psutil.Process(run.pid) if place == "pytest" else member(family, place, last_log(given))
        during, begun = card_mib(), time.monotonic()
        victim.send_signal(signal.SIGKILL)
        took = watch(family, before, begun)
        status = run.wait(timeout=600)
    after = answers(given.reports, given.build)
    return {
        "kept_before": len(kept),
        "kept_after": len(after),
        "changed": len(set(kept) - set(after)),
        "run_exit": status,
        "seconds_until_gone_and_memory_back": took,
        "card_mib": {"before": before, "at_kill": during, "after": card_mib()},
        "right": took is not None and set(kept) <= set(after) and status != 0,
    }


def finish(_place: str, given: argparse.Namespace) -> dict[str, Any]:
    """The run that asks for the rest."""
    kept, before = answers(given.reports, given.build), card_mib()
    run = subprocess.run(command(given), cwd=ROOT, capture_output=True, text=True, check=False, timeout=1800)
    (given.reports / "end.log").write_text(run.stdout + run.stderr, "utf-8")
    after = answers(given.reports, given.build)
    asked, twice = asked_for(given.reports, given.build), len(after) - len({row[:5] for row in after})
    return {
        "kept_before": len(kept),
        "asked": asked,
        "answers": len(after),
        "keys_twice": twice,
        "changed": len(set(kept) - set(after)),
        "run_exit": run.returncode,
        "card_mib": {"before": before, "after": card_mib()},
        "right": run.returncode in (0, 1)  # 1: a claim was not shown
        and (len(kept) + asked, twice) == (len(after), 0)
        and set(kept) <= set(after),
    }


def wait_for(run: "subprocess.Popen[bytes]", reports: Path, build: str, wanted: int) -> psutil.Process:
    """The server of the build, once the build has that many answers."""
    while run.poll() is None:
        if len(answers(reports, build)) >= wanted:
            for process in psutil.Process(run.pid).children(recursive=True):
                with suppress(psutil.Error):
                    line = process.cmdline()
                    if "--served-model-name" in line and build in line and "-m" in line:
                        return process
        time.sleep(0.02)
    raise SystemExit(f"the run ended with {run.returncode} before {build} had {wanted} answers; give a smaller --every")


def member(family: list[psutil.Process], place: str, log: str) -> psutil.Process:
    """The process of a server that is meant: itself, its engine, or the last of its workers.

    The engine's log says which process is which: titles need a library that an engine may lack.
    """
    if place == "server":
        return family[0]
    prefix = {"engine": "EngineCore", "worker": "Worker"}[place]
    named = {int(pid) for pid in re.findall(rf"\({prefix}\w* pid=(\d+)\)", log)}
    found = [each for each in family if each.pid in named]
    if not found:
        raise SystemExit(f"no process of the server is a {prefix} by its log; these are its processes: {family}")
    return found[-1]


def watch(family: list[psutil.Process], before: list[int], begun: float) -> float | None:
    """Seconds until no process of the server is left and each card is as it was; None if that takes two minutes."""
    while time.monotonic() - begun < 120:
        living = [each for each in family if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]
        above = [now - was for now, was in zip(card_mib(), before, strict=True)]
        if not living and all(mib * 2**20 <= CARD_SLACK_BYTES for mib in above):
            return round(time.monotonic() - begun, 2)
        time.sleep(0.1)
    return None


def last_log(given: argparse.Namespace) -> str:
    """What the build's running server has said."""
    logs = (given.reports / "evidence" / "logs").glob(f"{given.build}-boot-*.log")
    return max(logs, key=lambda log: log.stat().st_mtime).read_text("utf-8", errors="replace")


def evidence(reports: Path, build: str) -> Path | None:
    """The build's evidence file, if it is there."""
    return next((reports / "evidence").glob(f"*-{build}-*-partial-*.sqlite"), None)


def answers(reports: Path, build: str) -> list[tuple[Any, ...]]:
    """The build's answers by key, each with what was answered."""
    file = evidence(reports, build)
    if file is None:
        return []
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
            return store.execute(
                "SELECT claim, item, arm, trial, run, answer FROM exchanges WHERE answer IS NOT NULL"
            ).fetchall()
    except sqlite3.Error:  # not begun yet
        return []


def asked_for(reports: Path, build: str) -> int:
    """How many requests the last run sent to the build."""
    report = json.loads((reports / "report.json").read_text("utf-8"))
    return sum(timing["asked"] for timing in report["run"]["timings"] if timing["build"] == build)


def card_mib() -> list[int]:
    """The memory in use on each card that CUDA_VISIBLE_DEVICES lets through, in MiB; empty without a card."""
    try:
        return [used // 2**20 for used in CardMemory(os.environ.get(VISIBLE)).used()]
    except ServingError:  # no driver, or none that answers: a machine without a card
        return []


if __name__ == "__main__":
    sys.exit(main())
