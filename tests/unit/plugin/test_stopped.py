"""Runs that are stopped: by Ctrl-C, which leaves a report, and by SIGKILL, which leaves everything it was told."""

import json
import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable
from typing import Any

from fake_project import until

SLOW = {"path": "/v1/completions", "action": "slow", "seconds": 0.02}


def test_ctrl_c_leaves_a_report_that_names_what_did_not_run(project: Any) -> None:
    """Stopped while the second build is asked: status 2, INCOMPLETE with the claims that are open, no server left."""
    project.behave(builds={"weak": {"faults": ({**SLOW, "seconds": 0.1},), "stop_seconds": 0.2}})
    with project.forked("-m", "acceptance", "--build", "good", "--build", "weak") as process:
        assert until(lambda: len(project.asked("weak")) > 5)
        os.kill(process.pid, signal.SIGINT)
        status, text = process.wait().status, process.wait().text
    assert status == 2, text
    assert "INCOMPLETE: 3 claims not run" in text
    report = project.report()
    assert report["run"]["interrupted"] is True
    assert report["missing"] == [
        {"claim": claim, "build": "weak"} for claim in ("Weight size", "Cache headroom", "Quiz")
    ]
    assert "INCOMPLETE" in (project.root / "reports" / "report.html").read_text()
    assert until(lambda: project.servers() == [], 5)
    assert "Traceback" not in text


def test_sigterm_ends_a_run_as_ctrl_c_does(project: Any) -> None:
    """A job that is cancelled while its original boots: status 2, INCOMPLETE, no server left, nothing more hashed."""
    project.behave(start_seconds=30)
    with project.forked("-m", "acceptance", "--build", "good") as process:
        assert project.wait_for("boot", "original")
        os.kill(process.pid, signal.SIGTERM)
        status, text = process.wait().status, process.wait().text
    assert status == 2, text
    assert "Stopped by SIGTERM." in text
    assert "INCOMPLETE: 3 claims not run" in text
    assert project.report()["run"]["interrupted"] is True
    assert until(lambda: project.servers() == [], 5)
    assert "original: the names of the flags are not checked" in text, "said of each build that is looked at"
    assert "good: the names of the flags are not checked" not in text


def test_sigterm_while_questions_are_asked_leaves_no_traceback(project: Any) -> None:
    """The requests in flight end as they do on Ctrl-C, and what was answered is kept."""
    project.behave(faults=({**SLOW, "seconds": 0.1},))
    with project.forked("-m", "acceptance", "--build", "good") as process:
        assert until(lambda: len(project.asked("original")) > 5)
        os.kill(process.pid, signal.SIGTERM)
        status, text = process.wait().status, process.wait().text
    assert status == 2, text
    assert "Stopped by SIGTERM." in text
    assert "INCOMPLETE: 3 claims not run" in text
    assert "Traceback" not in text
    assert until(lambda: project.servers() == [], 5)


def moments(project: Any) -> dict[str, Callable[[], bool]]:
    """Ten moments in the life of a run of one build, each later than the one before."""
    return {
        "before the boot": lambda: (project.root / "reports" / "evidence").exists(),
        "during the boot": lambda: bool(project.events("boot", "original")),
        "when it is ready": lambda: bool(project.events("ready", "original")),
        "among the tokens": lambda: len(project.events("request", "original")) >= 40,
        "at the first question": lambda: len(project.asked("original")) >= 1,
        "among the questions": lambda: len(project.asked("original")) >= 15,
        "at the last question": lambda: len(project.asked("original")) >= 40,
        "at the second boot": lambda: bool(project.events("boot", "good")),
        "among its questions": lambda: len(project.asked("good")) >= 20,
        "while it stops": lambda: bool(project.events("stop", "good")),
    }


def test_kill_at_any_moment_loses_only_what_was_in_flight(make_project: Callable[[], Any]) -> None:
    """Killed at ten moments, one after the other, and run again: no server is left, and nothing is asked in vain."""
    project, whole = make_project(), make_project()
    project.behave(faults=(SLOW,), start_seconds=0.2, stop_seconds=0.2)
    line = ("-m", "acceptance", "--build", "good")
    kills = 0
    for name, come in moments(project).items():
        with project.forked(*line) as process:
            assert until(come), name
            process.kill()
            assert process.wait().status == -signal.SIGKILL, f"the run was over {name}"
            kills += 1
        assert until(lambda: project.servers() == [], 8), f"a server outlives the run that was killed {name}"
    (last,) = project.each(line)
    assert last.status == 0, last.text
    for build in ("original", "good"):
        times = Counter(json.dumps(prompt) for prompt in project.asked(build))
        assert len(times) == 40
        assert sum(times.values()) - 40 <= kills  # at most the one that was in flight, at each kill
    (other,) = whole.each(line)
    assert other.status == 0
    assert figures(project) == figures(whole)
    for file in (project.root / "reports" / "evidence").glob("*.sqlite"):
        with sqlite3.connect(file) as store:
            counts = "SELECT COUNT(*), COUNT(DISTINCT item || arm), COUNT(answer) FROM exchanges"
            assert store.execute(counts).fetchone() == (240, 240, 240)


def figures(project: Any) -> list[Any]:
    """What was decided on which numbers."""
    return [(each["claim"], each["outcome"], each["statistics"]) for each in project.report()["run"]["verdicts"]]
