"""The original served again, from the command line to the report; resumed, kept, required."""

import json
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from fake_project import RIGHT


@pytest.fixture(scope="module")
def project(make_project: Callable[[], Any]) -> Any:
    """A project in which the floor was measured."""
    made = make_project()
    made.first = made.accept("--noise-floor")
    return made


def runs_of(project: Any) -> dict[int, int]:
    """How many exchanges of each repetition the original's evidence holds."""
    (file,) = (project.root / "reports" / "evidence").glob("tiny-original-*.sqlite")
    with sqlite3.connect(file) as db:
        return dict(db.execute("SELECT run, COUNT(*) FROM exchanges GROUP BY run ORDER BY run"))


def judged(project: Any) -> tuple[str, list[Any]]:
    """What judging again from the kept evidence says of the noise floor, with one process and with many."""
    runs = []
    for count in ("1", "8"):
        project.twx("judge", "tiny", "--workers", count)
        run = json.loads((project.root / "reports" / "judged" / "report.json").read_text(encoding="utf-8"))["run"]
        runs.append({name: value for name, value in run.items() if name not in ("date", "command")})
    assert runs[0] == runs[1]
    return runs[0]["noise_floor"], runs[0]["floor"]


def test_the_original_is_asked_everything_twice(project: Any) -> None:
    """It is booted first and last, its two runs lie side by side, and the verdicts are what they would be without."""
    assert project.boots()[0] == project.boots()[-1] == "original"
    assert project.boots().count("original") == 2
    kept = runs_of(project)
    assert kept[1] == kept[2] > 0
    assert project.outcomes() == RIGHT
    report = project.report()["run"]
    assert report["noise_floor"] == "measured"
    assert {each["claim"]: each["outcome"] for each in report["floor"]}["multiple_choice"] == "shown"
    assert {each["build"] for each in report["timings"] if each["phase"] == "boot"} >= {"original, again"}
    assert "then original again" in project.first.text


def test_what_is_kept_serves_the_next_run(project: Any) -> None:
    """Without the option nothing is booted, and the floor that is there whole still counts."""
    before = len(project.boots())
    project.accept()
    assert len(project.boots()) == before
    assert project.report()["run"]["noise_floor"] == "measured"


def test_half_a_floor_is_finished_and_no_half_counts(project: Any) -> None:
    """What is missing of it is asked by a run that wants it; another says that it was not measured."""
    (file,) = (project.root / "reports" / "evidence").glob("tiny-original-*.sqlite")
    with sqlite3.connect(file) as db:
        db.execute("DELETE FROM exchanges WHERE run = 2 AND item IN (SELECT MIN(item) FROM exchanges WHERE run = 2)")
    assert runs_of(project)[2] < runs_of(project)[1]
    project.accept()
    assert project.report()["run"]["noise_floor"] == "not measured"
    assert judged(project) == ("not measured", []), "claims that ask nothing have all of it"
    before = len(project.boots())
    project.accept("--noise-floor")
    assert project.boots()[before:] == ["original"]
    assert runs_of(project)[2] == runs_of(project)[1]
    assert project.report()["run"]["noise_floor"] == "measured"
    told, floor = judged(project)
    assert told == "measured"
    assert floor == project.report()["run"]["floor"]


def test_the_option_alone_is_refused(project: Any) -> None:
    """Outside an acceptance run it says nothing, and says so."""
    ran = project.pytest("--noise-floor")
    assert ran.status == 4
    assert "--noise-floor: only an acceptance run takes this" in ran.text


def test_several_processes_measure_it_once(make_project: Callable[[], Any]) -> None:
    """With pytest-xdist the original is still booted first and last, once each, and every process holds it against."""
    made = make_project()
    ran = made.accept("--noise-floor", "-n", "2")
    assert made.outcomes() == RIGHT, ran.text
    assert made.boots()[0] == made.boots()[-1] == "original"
    assert sorted(made.boots()) == sorted(["original", "original", "damaged", "good", "weak"])
    assert made.report()["run"]["noise_floor"] == "measured"
    kept = runs_of(made)
    assert kept[1] == kept[2]
