"""Whole runs from containers and on servers that were there already."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import Any

import pytest

from fake_docker import FakeDaemon, FakeImage
from fake_project import RIGHT, SCORES, Project
from fake_vllm import FakeServer, Fault, Script, engine_python

REFERENCE = f"registry.example.org/vllm@sha256:{'a' * 64}"
PROCESS = '[engine]\npython = "../../engine/python"\n'
HELP = "options:\n  --model MODEL\n  --served-model-name NAME\n  --max-model-len LEN\n  --seed SEED\n  --uds UDS\n"


@contextmanager
def containers(project: Project, **daemon: Any) -> Iterator[FakeDaemon]:
    """The project with its engine in an image, for as long as the daemon runs."""
    python = project.root / "engine" / "python"
    image = FakeImage(programs={"python3": python}, digests=(REFERENCE,))
    with FakeDaemon(project.temporary / "bin", {REFERENCE: image}, **daemon) as docker:
        table = f'[engine.container]\nimage = "{REFERENCE}"\nprogram = "{docker.program}"\n'
        project.suite(PROCESS, '[engine]\nlauncher = "container"\n')
        project.suite("[flags]\n", f"{table}\n[flags]\n")
        yield docker


@contextmanager
def attached(project: Project, **script: Any) -> Iterator[Mapping[str, FakeServer]]:
    """The project with a server for each build that is there already, over TCP."""
    with ExitStack() as stack:
        servers, lines = {}, []
        for name, scores in SCORES.items():
            server = FakeServer(Script(scores=scores, **script), served=name, tcp=True)
            servers[name] = stack.enter_context(server)
            lines.append(f'{name} = {{ url = "{server.base_url}/v1" }}\n')
        project.suite(PROCESS, '[engine]\nlauncher = "attach"\n')
        project.suite("[flags]\n", f"[engine.attach.builds]\n{''.join(lines)}\n[flags]\n")
        yield servers


def test_a_suite_is_decided_from_containers(project: Project) -> None:
    """Every build has a container of its own, one after another; the image is in the identity, and nothing is left."""
    with containers(project) as docker:
        ran = project.accept()
        assert project.outcomes() == RIGHT, ran.text
        assert not docker.containers()
        served = [each for each in docker.history if "mount" in each.options]
        assert len(served) == 4
        again = project.accept()  # the same verdicts, one of which is a failure
        assert (again.status, len([each for each in docker.history if "mount" in each.options])) == (ran.status, 4)
    settings = {each["label"]: each["values"] for each in project.report()["run"]["settings"]}
    assert settings["image"]["original"] == REFERENCE.partition("@")[2]
    assert settings["vllm"]["good"] == "0.32.0"
    assert settings["launcher"]["good"] == "container"


def test_another_image_is_another_engine(project: Project) -> None:
    """Evidence from one image never answers for another, though its versions are the same."""
    with containers(project) as docker:
        project.accept("--build", "good")
        before = len(docker.history)
        other = REFERENCE.replace("a" * 64, "b" * 64)
        docker.images[other] = replace(docker.images[REFERENCE], digests=(other,))
        project.suite(REFERENCE, other)
        ran = project.accept("--build", "good")
        assert len([each for each in docker.history[before:] if "mount" in each.options]) >= 2, ran.text


def test_a_killed_run_leaves_no_container_and_goes_on(project: Project) -> None:
    """SIGKILL while a container is asked: it is removed, and the next run asks only for what is missing."""
    with containers(project) as docker:
        with project.started("-m", "acceptance", "--build", "good") as run:
            assert project.wait_for("request", "original", 10)
            run.kill()
            run.wait()
        deadline_met = project.wait_for("stop", "original")
        assert deadline_met
        done = project.accept("--build", "good")
        assert project.outcomes()["multiple_choice", "good"] == "shown", done.text
        assert not docker.containers()
    asked = [str(prompt) for prompt in project.asked("original")]
    assert len(asked) - len(set(asked)) <= 1  # what was in flight when it was killed


@pytest.mark.parametrize(
    ("daemon", "told"),
    [({"taken": True}, "is already in use"), ({"podman": True}, None)],
    ids=["a name that is taken", "podman"],
)
def test_what_goes_wrong_with_containers_is_in_the_report(project: Project, daemon: Any, told: str | None) -> None:
    """A container that cannot be made makes every claim invalid, in docker's own words; podman serves like docker."""
    with containers(project, **daemon):
        ran = project.accept("--build", "good")
    if told is None:
        assert project.outcomes()["multiple_choice", "good"] == "shown", ran.text
    else:
        assert set(project.outcomes().values()) == {"invalid"}
        assert told in ran.text


def test_attached_servers_are_asked_and_what_is_not_proven_is_said(project: Project) -> None:
    """Questions are decided as ever, sizes are not, and every report says that nothing was booted and what is open."""
    with attached(project) as servers:
        ran = project.accept()
        found = project.outcomes()
        asked = len(servers["good"].seen)
        project.accept()
        assert len([path for path, body in servers["good"].seen[asked:] if body is not None]) == 0
    assert {pair: found[pair] for pair in found if pair[0] == "multiple_choice"} == {
        pair: outcome for pair, outcome in RIGHT.items() if pair[0] == "multiple_choice"
    }, ran.text
    assert {outcome for (claim, _), outcome in found.items() if claim == "weight_size"} == {"invalid"}
    assert {outcome for (claim, _), outcome in found.items() if claim == "cache_headroom"} == {"reported"}
    assert not project.boots()
    said = [each for each in project.report()["run"]["disclosures"] if "attached" in each]
    assert [each.partition(":")[0] for each in said] == ["original", "damaged", "good", "weak"]
    for text in (said[0], (project.root / "reports" / "report.html").read_text(), ran.text):
        assert "attached; nothing was booted; not proven: which weights" in text
    invalid = [v for v in project.report()["run"]["verdicts"] if v["claim"] == "weight_size"]
    assert "does not show its weight files" in invalid[0]["reasons"][0]
    assert "that answers kept by an earlier run are this deployment's (it shows no start; --fresh asks" in said[0]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        ({"corrupted": 3}, "the engine counted 3 requests with NaN in their logits"),
        ({"more_metrics": "process_start_time_seconds 1.8e9\n"}, "was another server in the end"),
    ],
    ids=["NaN", "another start"],
)
def test_answers_that_cannot_be_trusted_are_asked_again(
    project: Project, monkeypatch: pytest.MonkeyPatch, spoil: Mapping[str, Any], told: str
) -> None:
    """What shows after a stage or in the end sets aside all that was kept meanwhile; no later run passes on it."""
    answer = FakeServer.answer

    def spoilt(self: FakeServer, path: str, body: Any) -> Any:
        if self.served == "good" and sum(seen == "/v1/completions" for seen, _ in self.seen) == 20:
            self.script = replace(self.script, **spoil)
        return answer(self, path, body)

    with attached(project, more_metrics="process_start_time_seconds 1.7e9\n") as servers:
        monkeypatch.setattr(FakeServer, "answer", spoilt)
        ran = project.accept("--build", "good")
        assert told in " ".join(ran.text.split())
        assert project.outcomes()["multiple_choice", "good"] == "invalid"
        stored = next((project.root / "reports" / "evidence").glob("tiny-good-*.sqlite"))
        with closing(sqlite3.connect(stored)) as db:
            kept = db.execute("SELECT COUNT(*) FROM exchanges").fetchone()[0]
            aside = db.execute("SELECT COUNT(*) FROM rejected").fetchone()[0]
        assert (kept, aside > 0) == (0, True)
        monkeypatch.setattr(FakeServer, "answer", answer)
        good, asked = servers["good"], len(servers["good"].seen)
        good.script = replace(good.script, corrupted=0)
        again = project.accept("--build", "good")
        assert project.outcomes()["multiple_choice", "good"] == "shown", again.text
        bodies = [body for path, body in good.seen[asked:] if path == "/v1/completions"]
        assert len(bodies) >= 40  # every question, not only those that were open


def test_answers_of_another_deployment_are_never_taken(project: Project) -> None:
    """A server that was started again may serve other weights under the same name: everything is asked once more."""
    with attached(project, more_metrics="process_start_time_seconds 1.7e9\n") as servers:
        project.accept("--build", "good")
        first = len(questions(servers["good"]))
        project.accept("--build", "good")
        assert (first > 0, len(questions(servers["good"]))) == (True, first)
        good = servers["good"]
        good.script = replace(good.script, more_metrics="process_start_time_seconds 1.8e9\n")
        project.accept("--build", "good")
        assert len(questions(good)) == 2 * first
    said = [each for each in project.report()["run"]["disclosures"] if "attached" in each]
    assert not any("kept by an earlier run" in each for each in said)
    settings = {each["label"]: each["values"]["good"] for each in project.report()["run"]["settings"]}
    assert (settings["address"], settings["start"]) == (servers["good"].base_url, "1800000000.0")


def questions(server: FakeServer) -> list[str]:
    """What a server was asked that has an answer to keep."""
    return [path for path, body in server.seen if body is not None]


def test_the_cache_of_attached_servers_is_not_gated(project: Project) -> None:
    """On cards the claim needs what only a log says; where the server hides its cache there is no figure at all."""
    project.suite('device = "cpu"', 'device = "cuda"')
    with attached(project, settings={"device_config": {"device": "cuda"}}):
        project.accept("--build", "good")
        (verdict,) = [v for v in project.report()["run"]["verdicts"] if v["claim"] == "cache_headroom"]
        assert (verdict["outcome"], "no address shows" in verdict["reasons"][0]) == ("invalid", True)


def test_an_attached_server_that_hides_its_metrics_has_no_capacity(project: Project) -> None:
    """Reported or not, a size that nobody shows is no size."""
    with attached(project, faults=(Fault(path="/metrics", action="status", status=404),)):
        project.accept("--build", "good")
        (verdict,) = [v for v in project.report()["run"]["verdicts"] if v["claim"] == "cache_headroom"]
    assert verdict["outcome"] == "invalid"
    assert "its server does not show its cache: let this machine reach its /metrics" in verdict["reasons"][0]


def test_a_key_is_in_no_file_of_a_run(project: Project) -> None:
    """Neither evidence nor report, log or suite holds the key that was sent."""
    with attached(project, api_key="hidden-words"):
        project.accept("--build", "good", TWX_ACCEPT_ATTACH_KEY="hidden-words")
        assert project.outcomes()["multiple_choice", "good"] == "shown"
        refused = project.accept("--build", "weak", TWX_ACCEPT_ATTACH_KEY="other-words")
        assert "does not take the key in TWX_ACCEPT_ATTACH_KEY" in refused.text
    for name, content in project.tree().items():
        assert b"hidden-words" not in content, name
        assert b"other-words" not in content, name


def test_a_flag_that_the_engine_does_not_know_is_refused_before_anything_boots(project: Project) -> None:
    """The engine's help is asked once, and the error names the flag and what may be meant."""
    engine_python(project.root / "engine", replace(project.script, help=HELP))
    project.suite("max_model_len = 2048", "max_model_length = 2048")
    ran = project.accept("--build", "good")
    assert "vLLM 0.32.0 does not know --max-model-length (did you mean max_model_len?)" in ran.text
    assert set(project.outcomes().values()) == {"invalid"}
    assert not project.boots()
    project.suite("max_model_length = 2048", "max_model_len = 2048")
    project.accept("--build", "good")
    assert project.outcomes()["multiple_choice", "good"] == "shown"
