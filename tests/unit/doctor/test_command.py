"""The command: what it prints, and its exit status."""

import json
from typing import Any


def test_a_good_node_exits_0_and_says_what_the_run_will_be(project: Any) -> None:
    """A line a finding, then the run and its cost."""
    ran = project.twx("doctor", "tiny")
    assert ran.status == 0, ran.text
    assert "ok           weights      good: 1 file, 0 MB, 1 tensors, every header whole\n" in ran.text
    assert "The run, from nothing: 4 boots (original, good, weak, damaged)" in ran.text
    assert "Each build is asked " in ran.text
    assert ran.text.rstrip().endswith("Nothing stands in the way.")
    assert project.boots() == []
    assert not (project.root / "reports").exists()


def test_a_fault_exits_1_with_the_cure_under_it(project: Any) -> None:
    """The other checks are made all the same, and a boot with random weights is not tried."""
    (project.root / "models" / "good" / "config.json").unlink()
    ran = project.twx("doctor", "tiny", "--dummy-boot")
    assert ran.status == 1
    assert "fault        weights      good: no config.json\n" + " " * 26 + "fetch the build again\n" in ran.text
    assert "not checked  dummy boot   original: 1 fault above\n" in ran.text
    assert "A run would stop; mend the faults." in ran.text
    assert project.boots() == []


def test_json_holds_everything(project: Any) -> None:
    """For a program: findings with level and cure, the run with its parts; the exit status is the same."""
    (project.root / "models" / "weak" / "tokenizer.json").write_text("[]")
    ran = project.twx("doctor", "tiny", "--json")
    found = json.loads(ran.text)
    assert (ran.status, found["suite"], found["faults"]) == (1, "tiny", 1)
    (fault,) = [each for each in found["findings"] if each["level"] == "fault"]
    assert fault == {
        "check": "tokenizer",
        "level": "fault",
        "what": "weak: tokenizer.json is not the original's",
        "cure": "put the original's there: every claim would be invalid, since the builds would read other tokens",
    }
    assert found["run"]["boots"] == ["original", "good", "weak", "damaged"]


def test_a_dummy_boot_of_the_builds_that_are_named(project: Any) -> None:
    """The original where none is named; others each in a boot of their own."""
    assert project.twx("doctor", "tiny", "--dummy-boot").status == 0
    ran = project.twx("doctor", "tiny", "--dummy-boot", "--build", "good", "--build", "weak", "--build", "good")
    assert ran.status == 0, ran.text
    assert project.boots() == ["original", "good", "weak"]
    assert "ok           dummy boot   weak: Quiz: " in ran.text
    logs = {path.name for path in (project.root / "reports" / "evidence" / "doctor").iterdir()}
    assert {"good-boot-1.log", "weak-boot-1.log"} <= logs  # a fault names one


def test_what_is_asked_wrongly_exits_2(project: Any) -> None:
    """An unknown suite or build, and a build without a boot, are told in one line."""
    for words, said in (
        (("nothing",), "no suite"),
        (("tiny", "--dummy-boot", "--build", "x"), "--build x: no such build; the suite has: original, good"),
        (("tiny", "--build", "good"), "add --dummy-boot"),
    ):
        ran = project.twx("doctor", *words)
        assert ran.status == 2
        assert said in ran.text


def test_what_files_say_cannot_act_on_the_terminal(project: Any) -> None:
    """A name from elsewhere is shown, never obeyed."""
    folder = project.root / "models" / "good"
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": "\u001b[2J\nok"}}))
    ran = project.twx("doctor", "tiny")
    assert ran.status == 1
    assert "\u001b[2J" not in ran.text
