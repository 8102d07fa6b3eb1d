"""The container launcher, with stand-ins for docker and podman that really run the processes."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from fake_docker import FakeDaemon, FakeImage
from fake_vllm import Script, engine_python
from twx_accept.domain.suite import Container, Suite
from twx_accept.errors import (
    MemoryNotBack,
    NotReady,
    ServerDied,
    ServingError,
    SettingsMismatch,
    SuiteError,
    UsageError,
)
from twx_accept.evidence import identity as evidence_identity
from twx_accept.evidence.identity import engine_versions
from twx_accept.serving import ContainerLauncher, check, container, container_program, known_flags, removal, running
from twx_accept.serving.leftovers import gone, run_label
from twx_accept.session.identifying import identify

MakeSuite = Callable[..., Suite]
DIGEST = "a" * 64
REFERENCE = f"registry.example.org/vllm@sha256:{DIGEST}"


class Bench:
    """A stand-in, suites whose engine is an image of it, and a launcher."""

    def __init__(self, folder: Path, make_suite: MakeSuite, memory: Any) -> None:
        self.folder, self.make_suite = folder, make_suite
        self.launcher = ContainerLauncher(memory=lambda _engine: memory)
        self.docker: FakeDaemon | None = None

    def suite(self, script: Script | None = None, *, engine: Any = None, image: Any = None, **daemon: Any) -> Suite:
        """A suite, and the stand-in that it names, with one image in it."""
        python = engine_python(self.folder / "engine", script)
        there = FakeImage(programs={"python3": python}, digests=(REFERENCE,))
        images = {REFERENCE: replace(there, **(image or {}))} if image is not False else {}
        self.docker = FakeDaemon(self.folder / "bin", images, **daemon)
        settings = Container(
            image=REFERENCE,
            program=str(self.docker.program),
            python="python3",
            shared_memory_gib=2.0,
            cache=self.folder / "cache",
        )
        given = {key: value for key, value in (engine or {}).items() if key not in Container.__slots__}
        own = {key: value for key, value in (engine or {}).items() if key in Container.__slots__}
        suite = self.make_suite(script, **given)
        return replace(suite, engine=replace(suite.engine, launcher="container", container=replace(settings, **own)))

    def boot(self, suite: Suite, progress: Any = lambda *_now: None) -> Any:
        """The context of a boot."""
        return self.launcher.boot(suite, suite.original, folder=self.folder / "logs", progress=progress)


@pytest.fixture
def bench(tmp_path: Path, make_suite: MakeSuite, still: Any) -> Iterator[Bench]:
    """A bench; after the test neither a container nor a process of one is there."""
    made = Bench(tmp_path, make_suite, still)
    yield made
    if made.docker is not None:
        assert made.docker.stuck or not made.docker.containers()
        assert made.docker.stuck or not made.docker.processes()


def test_a_build_is_served_from_its_image(bench: Bench) -> None:
    """A container is ready, proven and answers over the socket; in its end nothing of it is left."""
    suite = bench.suite()
    with bench.docker, bench.boot(suite) as server:
        assert check(server).text
        boot = server.boot
        assert len(bench.docker.containers()) == 1
    assert (boot.launcher, boot.engine_version, boot.capacity_tokens) == ("container", "0.32.0", 46592)
    assert boot.settings["model_config"]["model"] == str(suite.original.path)
    assert boot.log == "original-boot-1.log"


def test_a_container_sees_little_of_the_machine(bench: Bench) -> None:
    """No network, no rights, the caller's user, weights read-only, and its two folders, one of which stays."""
    suite = bench.suite(Script(stop_seconds=0.0))
    with bench.docker, bench.boot(suite) as server:
        (ran,) = bench.docker.history
        options, socket = ran.options, server.socket
    assert options["network"] == ["none"]
    assert options["cap-drop"] == ["ALL"]
    assert set(options["security-opt"]) == {"no-new-privileges", "label=disable"}
    assert options["user"] == [f"{os.getuid()}:{os.getgid()}"]
    assert options["pull"] == ["never"]
    assert options["shm-size"] == [f"{2 * 2**30}b"]
    assert "gpus" not in options
    cache = bench.folder / "cache" / DIGEST[:16]
    assert options["mount"] == [
        f"type=bind,source={suite.original.path},target={suite.original.path},readonly",
        f"type=bind,source={socket.parent},target=/twx/socket",
        f"type=bind,source={cache},target=/twx/cache",
    ]
    assert cache.is_dir()
    assert not socket.parent.exists()


def test_no_value_of_a_variable_stands_on_a_command_line(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite's variables reach the engine by name alone; those of this run and of the program do not reach it."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not yours")
    monkeypatch.setenv("DOCKER_CONFIG", str(bench.folder))
    suite = bench.suite(engine={"environment": {"HF_TOKEN": "hidden-words", "VLLM_X": "1"}})
    with bench.docker, bench.boot(suite):
        lines = [words(process) for process in psutil.Process().children(recursive=True)]
        lines += [words(process) for process in bench.docker.processes()]
    assert any("--env=HF_TOKEN " in line for line in lines)
    assert not any("hidden-words" in line for line in lines)
    (inside,) = bench.docker.environments
    assert (inside["HF_TOKEN"], inside["VLLM_X"], inside["HF_HUB_OFFLINE"]) == ("hidden-words", "1", "1")
    assert (inside["HOME"], inside["VLLM_HOST_IP"]) == ("/twx/cache", "127.0.0.1")
    assert not {"AWS_SECRET_ACCESS_KEY", "DOCKER_CONFIG"} & set(inside)


def test_a_variable_that_the_program_needs_is_given_to_the_engine_alone(bench: Bench) -> None:
    """A PATH for the engine is not the PATH by which docker is run."""
    suite = bench.suite(engine={"environment": {"PATH": "/opt/engine:/usr/bin:/bin"}})
    with bench.docker, bench.boot(suite):
        pass
    assert bench.docker.environments[0]["PATH"] == "/opt/engine:/usr/bin:/bin"


@pytest.mark.parametrize(
    ("podman", "visible", "words"),
    [
        (False, "0,3", {"gpus": ['"device=0,3"']}),
        (False, "GPU-7f", {"gpus": ['"device=GPU-7f"']}),
        (False, None, {"gpus": ["all"]}),
        (True, "0,3", {"device": ["nvidia.com/gpu=0", "nvidia.com/gpu=3"]}),
        (True, None, {"device": ["nvidia.com/gpu=all"]}),
    ],
)
def test_a_container_gets_the_cards_of_its_slot(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, podman: bool, visible: str | None, words: dict[str, Any]
) -> None:
    """The cards are those that CUDA_VISIBLE_DEVICES names, which itself stays outside: inside they count from 0."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    environment = {} if visible is None else {"CUDA_VISIBLE_DEVICES": visible}
    suite = bench.suite(engine={"environment": environment}, podman=podman)
    engine = replace(suite.engine, device="cuda")
    suite = replace(suite, engine=engine, flags={})
    monkeypatch.setattr(container.arguments, "expect_cards", lambda *_: None)
    with bench.docker, pytest.raises(SettingsMismatch, match="runs on 'cpu'"), bench.boot(suite):
        pytest.fail("the stand-in runs on a CPU")
    (ran,) = bench.docker.history
    assert {name: ran.options.get(name) for name in words} == words
    assert "CUDA_VISIBLE_DEVICES" not in bench.docker.environments[0]


def test_an_engine_without_any_card_is_refused(bench: Bench) -> None:
    """An empty CUDA_VISIBLE_DEVICES for an engine on cards is the suite's error."""
    suite = bench.suite(engine={"environment": {"CUDA_VISIBLE_DEVICES": ""}})
    suite = replace(suite, engine=replace(suite.engine, device="cuda"))
    with bench.docker, pytest.raises(SuiteError, match="CUDA_VISIBLE_DEVICES is empty"):
        bench.launcher.look(suite, suite.original)


@pytest.mark.parametrize(
    ("daemon", "words"),
    [
        ({"podman": True, "rootless": True}, {"userns": ["keep-id"], "user": [f"{os.getuid()}:{os.getgid()}"]}),
        ({"podman": True}, {"userns": None, "user": [f"{os.getuid()}:{os.getgid()}"]}),
        ({"security": ["name=rootless"]}, {"userns": None, "user": ["0:0"]}),
        ({"security": ["name=userns"]}, {"userns": ["host"], "user": [f"{os.getuid()}:{os.getgid()}"]}),
    ],
    ids=["rootless podman", "podman", "rootless docker", "docker with remapped users"],
)
def test_the_engine_is_the_callers_user_outside(bench: Bench, daemon: Any, words: Any) -> None:
    """Whichever way users are mapped, the socket and the cache belong to the caller."""
    suite = bench.suite(**daemon)
    with bench.docker, bench.boot(suite):
        (ran,) = bench.docker.history
    assert {name: ran.options.get(name) for name in words} == words


def test_an_engine_on_several_nodes_gets_the_hosts_network(bench: Bench) -> None:
    """Only an engine that spans nodes has a network."""
    suite = bench.suite()
    flags = {"distributed_executor_backend": "ray"}
    with bench.docker, bench.boot(replace(suite, flags=flags)):
        (ran,) = bench.docker.history
    assert ran.options["network"] == ["host"]
    assert "VLLM_HOST_IP" not in bench.docker.environments[0]


def test_what_links_lead_to_is_mounted_too(bench: Bench, tmp_path: Path) -> None:
    """A model of a hub's cache is a folder of links into another: both are there, read-only, and so is a template."""
    blobs, snapshot = tmp_path / "hub" / "blobs", tmp_path / "hub" / "snapshots" / "main"
    blobs.mkdir(parents=True)
    snapshot.mkdir(parents=True)
    (blobs / "abc").write_text("{}")
    (snapshot / "config.json").symlink_to("../../blobs/abc")
    template = tmp_path / "t.jinja"
    template.write_text("x")
    suite = bench.suite()
    suite = replace(
        suite,
        original=replace(suite.original, path=snapshot),
        flags={"chat_template": str(template), "speculative_config": {"model": str(blobs)}, "seed": 0},
    )
    with bench.docker, bench.boot(suite):
        (ran,) = bench.docker.history
    read_only = {each.split(",")[1].removeprefix("source=") for each in ran.options["mount"] if "readonly" in each}
    assert read_only == {str(snapshot), str(blobs), str(template)}


def test_a_path_that_no_mount_can_hold_is_refused(bench: Bench, tmp_path: Path) -> None:
    """Docker and podman read mounts as comma-separated values."""
    (tmp_path / "a,b").mkdir()
    suite = bench.suite()
    suite = replace(suite, original=replace(suite.original, path=tmp_path / "a,b"))
    with bench.docker, pytest.raises(SuiteError, match="holds a comma"), bench.boot(suite):
        pytest.fail("it cannot be mounted")


def test_the_identity_holds_the_digest_and_the_versions_in_the_image(bench: Bench) -> None:
    """The image's digest, not its name, and the options are what tells engines apart; its python tells its versions."""
    suite = bench.suite(engine={"options": ("--ulimit=memlock=-1",)})
    with bench.docker:
        seen = bench.launcher.look(suite, suite.original)
        versions = engine_versions(seen.python)
        assert not bench.docker.containers()
    assert seen.engine == {"image": f"sha256:{DIGEST}", "options": ["--ulimit=memlock=-1"]}
    assert versions == {"python": "3.12.0", "vllm": "0.32.0"}


PYTHON = """#!/bin/sh
case "$*" in
  *{hangs}*) exec sleep 600 ;;
  *--help=all*) printf '  --model X\\n  --served-model-name X\\n  --max-model-len X\\n  --seed X\\n' ;;
  *) echo '{{"python": "3.12.0", "vllm": "0.32.0"}}' ;;
esac
"""


def identified(bench: Bench, hangs: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said while a build is identified whose image has a python that hangs at some word."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(bench.folder / "helps"))
    python = bench.folder / "python"
    python.write_text(PYTHON.format(hangs=hangs))
    python.chmod(0o755)
    suite = replace(bench.suite(image={"programs": {"python3": python}}), flags={"seed": 0})
    said: list[str] = []
    with bench.docker:
        try:
            for _ in range(2):
                identify(suite, suite.original, bench.launcher, hashing=lambda *_: None, say=said.append)
        finally:
            assert not bench.docker.containers()
    return said


def test_a_python_that_hangs_in_its_image_is_removed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline ends docker's own program; the container, which holds the cards, is removed after it."""
    monkeypatch.setattr(evidence_identity, "PROBE_SECONDS", 1.0)
    with pytest.raises(UsageError, match=r"does not run .*timed out"):
        identified(bench, "importlib", monkeypatch)


def test_a_help_that_hangs_in_its_image_is_removed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not checked for it is said, and its container is removed."""
    monkeypatch.setattr(known_flags, "HELP_SECONDS", 1.0)
    said = identified(bench, "help=all", monkeypatch)
    assert [each.partition(":")[0] for each in said] == ["the names of the flags are not checked"] * 2


def test_what_asks_an_images_python_is_found_if_the_run_is_killed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has this run's label and one of its own, and a help that was read is kept all the same."""
    assert identified(bench, "nothing", monkeypatch) == []
    versions, help_text, again = (ran.labels for ran in bench.docker.history)
    assert {each["twx-accept.run"] for each in (versions, help_text, again)} == {run_label()}
    assert versions["twx-accept.boot"] == help_text["twx-accept.boot"] != again["twx-accept.boot"]


def test_docker_that_is_not_installed_is_the_suites_error(bench: Bench) -> None:
    """The error names the program and the other ways."""
    suite = bench.suite(engine={"program": "no-such-docker"})
    with pytest.raises(SuiteError, match="'no-such-docker', which is not installed here"), bench.boot(suite):
        pytest.fail("there is no docker")


@pytest.mark.parametrize("podman", [False, True])
def test_a_daemon_that_is_down_is_named(bench: Bench, podman: bool) -> None:
    """Docker's own exit status is 0 then; the error is one all the same, with the cure."""
    suite = bench.suite(podman=podman)  # and it is not started
    with pytest.raises(ServingError, match=r"Cannot connect.*Start it"), bench.boot(suite):
        pytest.fail("nobody runs containers")


def test_a_daemon_that_never_answers_is_not_waited_for(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small call has a deadline."""
    monkeypatch.setattr(container_program, "CALL_SECONDS", 0.5)
    suite = bench.suite(silent=True)
    with bench.docker, pytest.raises(ServingError, match=r"info.* did not end within 0.5 s"), bench.boot(suite):
        pytest.fail("nobody runs containers")


def test_a_daemon_on_another_machine_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It sees neither the weights nor the socket."""
    monkeypatch.setenv("DOCKER_HOST", "ssh://node7")
    suite = bench.suite()
    with pytest.raises(SuiteError, match="DOCKER_HOST is ssh://node7"), bench.boot(suite):
        pytest.fail("it is elsewhere")


def test_an_image_that_is_absent_is_not_fetched(bench: Bench) -> None:
    """A boot downloads nothing; the error names the command that does."""
    suite = bench.suite(image=False)
    told = rf"No such image.*docker pull {REFERENCE}"
    with bench.docker, pytest.raises(ServingError, match=told), bench.boot(suite):
        pytest.fail("there is no image")
    assert not (bench.folder / "logs").exists()


def test_an_image_with_another_digest_is_refused(bench: Bench) -> None:
    """What stands under the name must have the digest."""
    other = f"registry.example.org/vllm@sha256:{'b' * 64}"
    suite = bench.suite(image={"digests": (other,)})
    with bench.docker, pytest.raises(ServingError, match="not the one that the suite names"), bench.boot(suite):
        pytest.fail("it is another image")
    assert not bench.docker.history


def test_a_container_of_another_image_is_refused(bench: Bench) -> None:
    """The running container's image is held against the one that was looked at."""
    suite = bench.suite(image={"runs": "2" * 64})
    with bench.docker, pytest.raises(SettingsMismatch, match="runs the image 2222"), bench.boot(suite):
        pytest.fail("it is another image")


def test_a_daemon_that_fails_right_after_a_boot_is_told_in_a_line(bench: Bench) -> None:
    """What the program says is the error's, with the cure; the container is removed all the same."""
    suite = bench.suite()
    told = r"`.*docker ps --filter label=.*` failed: .*the daemon is restarting. See why"

    def progress(*_now: object) -> None:  # what was left has been looked for, and the container is on its way
        bench.docker.fails[:] = ["ps"]

    with bench.docker, pytest.raises(ServingError, match=told), bench.boot(suite, progress):
        pytest.fail("its image is not known")


def test_a_name_that_is_taken_harms_nobody(bench: Bench) -> None:
    """The error is docker's own, and the container that has the name is left alone."""
    suite = bench.suite(taken=True)
    with bench.docker:
        other = subprocess.Popen(
            [
                bench.docker.program,
                "run",
                "--label=somebody=else",
                "--entrypoint=python3",
                REFERENCE,
                "--served-model-name",
            ]
        )
        other.kill()
        other.wait()
        with pytest.raises(ServerDied, match=r"name .* is already in use"), bench.boot(suite):
            pytest.fail("its name is taken")


def test_a_container_that_dies_is_reported(bench: Bench) -> None:
    """A server that ends while it is asked is reported when the context ends, with the end of its log."""
    suite = bench.suite(Script(die_after=1))
    with bench.docker, pytest.raises(ServerDied, match="was not answered") as caught, bench.boot(suite) as server:
        check(server)
    assert "ended while it was needed" in caught.value.__notes__[0]


def test_a_container_that_never_starts_its_engine_is_found_at_once(bench: Bench) -> None:
    """A program that the image lacks ends the start, with docker's words."""
    suite = bench.suite(engine={"python": "python9", "ready_seconds": 60.0})
    with bench.docker, pytest.raises(ServerDied, match="executable not found"), bench.boot(suite):
        pytest.fail("there is no such python")


def test_a_container_that_is_never_ready_is_removed(bench: Bench) -> None:
    """The deadline ends it, whatever it does about signals."""
    suite = bench.suite(Script(never_ready=True, ignore_sigterm=True, orphan=True), engine={"ready_seconds": 1.0})
    with (
        bench.docker,
        pytest.raises(NotReady),
        bench.boot(replace(suite, engine=replace(suite.engine, stop_seconds=0.3))),
    ):
        pytest.fail("it never was ready")


def test_a_container_that_does_not_stop_is_killed(bench: Bench) -> None:
    """What does not end on SIGTERM is removed by force, its children with it."""
    suite = bench.suite(Script(ignore_sigterm=True, orphan=True), engine={"stop_seconds": 0.3})
    with bench.docker, bench.boot(suite):
        assert len(bench.docker.processes()) >= 1


def test_a_container_that_cannot_be_removed_is_named(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the daemon cannot remove it, the error says how to look and what to do."""
    monkeypatch.setattr(container, "REMOVE_SECONDS", 0.5)
    suite = bench.suite(stuck=True)
    with bench.docker, pytest.raises(ServingError, match=r"may be left: .*docker rm --force"), bench.boot(suite):
        pass


def test_a_killed_guard_leaves_no_container(bench: Bench) -> None:
    """Where nobody guards the container any more, the test run removes it."""
    suite = bench.suite()
    with bench.docker, pytest.raises(ServerDied, match="guards it was killed"), bench.boot(suite):
        kill_guards()


def test_a_stop_that_fails_skips_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The container is removed and the memory is waited for all the same; the first error stays, the next is a note."""

    def stuck(*_given: object) -> None:
        kill_guards()
        raise ServingError("a process survived")

    waited: list[object] = []

    def wait(*given: object, **_: object) -> None:
        waited.append(given)
        raise MemoryNotBack("the memory is not back")

    monkeypatch.setattr(running, "stop", stuck)
    monkeypatch.setattr(running, "wait_until_back", wait)
    suite = bench.suite(Script(ignore_sigterm=True))
    with bench.docker, pytest.raises(ServingError, match="a process survived") as caught, bench.boot(suite):
        pass
    assert waited
    assert caught.value.__notes__ == ["the memory is not back"]


def words(process: psutil.Process) -> str:
    """The command line of a process; of one that is over by now, as commands of the stand-in are, nothing."""
    with suppress(psutil.NoSuchProcess):
        return " ".join(process.cmdline())
    return ""


def kill_guards() -> None:
    """Kills whatever guards a server of this process."""
    for process in psutil.Process().children(recursive=True):
        if "guard.py" in words(process):
            process.kill()
    time.sleep(0.5)


KILLED = """
    import sys, time
    from pathlib import Path
    sys.path[:0] = [{tests!r}]
    from dataclasses import replace
    import pickle
    suite, folder = pickle.loads(Path(sys.argv[1]).read_bytes())
    from twx_accept.serving import ContainerLauncher
    with ContainerLauncher().boot(suite, suite.original, folder=folder, progress=lambda *_: None):
        print("ready", flush=True)
        time.sleep(600)
"""


@pytest.fixture
def killed_run(tmp_path: Path) -> Iterator[Callable[[Suite], "subprocess.Popen[bytes]"]]:
    """Starts a test run of its own with a container, up to where it is ready."""
    import pickle

    started: list[subprocess.Popen[bytes]] = []

    def start(suite: Suite) -> "subprocess.Popen[bytes]":
        (tmp_path / "suite").write_bytes(pickle.dumps((suite, tmp_path / "logs")))
        program = textwrap.dedent(KILLED).format(tests=str(Path(__file__).parents[2]))
        run = subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "suite")], stdout=subprocess.PIPE)
        started.append(run)
        assert run.stdout is not None
        assert run.stdout.readline() == b"ready\n"
        return run

    yield start
    for run in started:
        run.kill()
        run.wait()


def until(done: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Waits for something."""
    deadline = time.monotonic() + seconds
    while not done() and time.monotonic() < deadline:
        time.sleep(0.05)
    return done()


def test_a_killed_test_run_leaves_no_container(bench: Bench, killed_run: Any) -> None:
    """SIGKILL of the test run: its guard removes the container, also one that ignores SIGTERM."""
    suite = bench.suite(Script(ignore_sigterm=True, orphan=True))
    with bench.docker:
        run = killed_run(suite)
        assert bench.docker.containers()
        below = psutil.Process(run.pid).children(recursive=True)
        run.send_signal(signal.SIGKILL)
        assert until(lambda: not bench.docker.containers() and not bench.docker.processes())
        assert not psutil.wait_procs(below, timeout=10)[1]  # the guard and the program have ended too


def test_the_next_boot_removes_what_a_dead_run_has_left(bench: Bench, killed_run: Any) -> None:
    """If test run and guard are both killed, a stubborn container is left, and the next boot removes it: no other's."""
    suite = bench.suite(Script(ignore_sigterm=True))
    with bench.docker:
        run = killed_run(suite)
        below = psutil.Process(run.pid).children(recursive=True)
        for process in [run, *below]:
            process.kill()
        run.wait()
        time.sleep(0.5)
        (left,) = bench.docker.containers()
        words = ["run", "--label=twx-accept.run=elsewhere.1.1", "--entrypoint=python3", REFERENCE, "-c", "x"]
        assert subprocess.run([bench.docker.program, *words], check=False, stdout=subprocess.DEVNULL).returncode == 0
        (other,) = set(bench.docker.containers()) - {left}  # without --rm it stays
        with bench.boot(suite):
            assert left not in bench.docker.containers()
            assert other in bench.docker.containers()
        bench.docker._there.pop(other)


def test_a_label_tells_only_a_dead_run() -> None:
    """This process lives; one with another start under its number is gone; what is of elsewhere cannot be told."""
    mine = run_label()
    assert not gone(mine)
    assert gone(f"{mine}9")
    assert not gone(f"elsewhere.{os.getpid()}.1")
    assert not gone("")


def test_removal_says_why_it_failed(tmp_path: Path) -> None:
    """As a command of its own it exits 1 and names the trouble; 0 where nothing has the label."""
    nobody = tmp_path / "docker"
    nobody.write_text("#!/bin/sh\necho 'no daemon' >&2\nexit 1\n")
    nobody.chmod(0o755)
    told = removal.remove(str(nobody), "a=b", 0.0)
    assert told == "no daemon"
    assert "No such file" in removal.remove(str(tmp_path / "absent"), "a=b", 0.0)
    quiet = subprocess.run(
        [sys.executable, "-I", "-S", removal.__file__, "/bin/true", "a=b", "0"], capture_output=True, check=False
    )
    assert (quiet.returncode, quiet.stderr) == (0, b"")


def test_the_stand_in_is_json_all_the_way(bench: Bench) -> None:
    """What the launcher reads of images is what docker prints."""
    bench.suite()
    with bench.docker:
        told = subprocess.run(
            [bench.docker.program, "image", "inspect", REFERENCE], capture_output=True, check=True, text=True
        )
    assert json.loads(told.stdout)[0]["RepoDigests"] == [REFERENCE]
