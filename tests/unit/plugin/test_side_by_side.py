"""Builds side by side on disjoint cards, with pytest-xdist: real processes, cards that a stand-in for NVML shows."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fake_nvml import GIB
from fake_project import RIGHT, Project
from fake_vllm import engine_python

TESTS = Path(__file__).resolve().parents[2]
CONFTEST = """
import sys
from pathlib import Path

sys.path.insert(0, {tests!r})
from fake_nvml import SharedNvml

sys.modules["pynvml"] = SharedNvml(Path({folder!r}), {count})
"""


def with_cards(project: Project, count: int, **script: Any) -> Project:
    """The project on a machine with so many cards, of which each build takes two."""
    folder = project.temporary / "cards"
    folder.mkdir()
    (project.root / "conftest.py").write_text(CONFTEST.format(tests=str(TESTS), folder=str(folder), count=count))
    project.suite('device = "cpu"', 'device = "cuda"')
    project.suite("[flags]\n", "[flags]\ntensor_parallel_size = 2\n")
    script = replace(project.script, cards=str(folder), start_seconds=0.7, **script)
    engine_python(project.root / "engine", script, device="cuda")
    return project


def at_once(project: Project) -> Iterator[dict[str, set[str]]]:
    """The cards of each build that is served, after each event of the journal."""
    now: dict[str, set[str]] = {}
    for each in project.events():
        if each["event"] == "cards":
            now[each["build"]] = set(each["detail"].split(","))
            yield dict(now)
        if each["event"] == "stop":
            del now[each["build"]]


def test_builds_that_fit_are_served_side_by_side_and_the_report_says_so(project: Any) -> None:
    """Two of four cards each: two processes serve two builds at a time, never two on one card, each build once."""
    ran = with_cards(project, 4).accept("-n", "2")
    decided = {pair: outcome for pair, outcome in project.outcomes().items() if pair[0] != "cache_headroom"}
    assert decided == {pair: outcome for pair, outcome in RIGHT.items() if pair[0] != "cache_headroom"}
    served = list(at_once(project))
    assert max(map(len, served)) == 2, ran.text
    assert all(len(set().union(*now.values())) == sum(map(len, now.values())) for now in served)
    assert {frozenset(each) for now in served for each in now.values()} <= {frozenset("01"), frozenset("23")}
    assert sorted(project.boots()) == ["damaged", "good", "original", "weak"]
    run = project.report()["run"]
    (said,) = [each for each in run["disclosures"] if each.startswith("Not served one after another")]
    assert "(suite tiny)" in said
    assert {len(boot["cards"]) for boot in run["boots"]} == {2}
    assert {(card["before"], card["peak"], card["after"]) for boot in run["boots"] for card in boot["cards"]} == {
        (0, 60 * GIB, 0)
    }
    machine = {row["label"]: row["values"] for row in run["settings"] if row["group"] == "Machine"}
    assert set(machine["cards"].values()) == {f"[['NVIDIA B300', {80 * GIB}], ['NVIDIA B300', {80 * GIB}]]"}


def test_where_all_cards_are_needed_builds_go_one_after_another(project: Any) -> None:
    """Two cards of two: two processes wait for each other, and the report has nothing to say about it."""
    ran = with_cards(project, 2).accept("-n", "2", "--build", "good")
    assert max(map(len, at_once(project))) == 1, ran.text
    assert not [each for each in project.report()["run"]["disclosures"] if "side by side" in each]


def test_too_few_cards_are_told_before_anything_boots(project: Any) -> None:
    """The number that there is, the number that is needed and the cure are in every verdict."""
    ran = with_cards(project, 1).accept("--build", "good")
    assert "takes 2 cards, and there are 1 (0). Lower the parallel sizes" in ran.text
    assert project.boots() == []


@pytest.mark.parametrize("visible", ["2,3", "GPU-00000002,GPU-00000003"])
def test_cards_that_the_environment_allows_are_the_ones_that_are_used(project: Any, visible: str) -> None:
    """CUDA_VISIBLE_DEVICES is obeyed, by index or by the beginning of a name, and the engine gets indices."""
    with_cards(project, 4).accept("--build", "good", CUDA_VISIBLE_DEVICES=visible)
    assert {each["detail"] for each in project.events("cards")} == {"2,3"}


def test_cards_of_a_killed_run_are_used_again(project: Any) -> None:
    """Its slot is free at once, its server gone a moment later; the next run finds the cards as it needs them."""
    with_cards(project, 2, stop_seconds=1.5)
    with project.started("-m", "acceptance", "--build", "good") as first:
        assert project.wait_for("ready")
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        ran = project.accept("--build", "good")
    assert project.outcomes()["multiple_choice", "good"] == "shown", ran.text
    assert project.boots()[:2] == ["original", "original"]
    uses = [card for boot in project.report()["run"]["boots"] for card in boot["cards"]]
    assert {(card["before"], card["after"]) for card in uses[-2:]} == {(0, 0)}


def test_cards_of_a_neighbour_are_waited_for_with_its_name(project: Any) -> None:
    """The run says who holds which card, boots nothing beside it, and goes on by itself when it is gone."""
    with_cards(project, 2)
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as neighbour:
        (project.temporary / "cards" / f"1-{neighbour.pid}").write_text(str(GIB))
        with project.started("-m", "acceptance", "--build", "good") as run:
            said = next((line for line in run.stdout if "waiting for cards that somebody else uses" in line), "")
            assert f"card 1: 1.0 GiB, held by {neighbour.pid} (" in said
            assert project.boots() == []
            neighbour.kill()
            neighbour.wait()
            run.communicate(timeout=90)
    assert project.boots() == ["original", "good"]
    assert project.outcomes()["multiple_choice", "good"] == "shown"
