"""The process launcher, with a stand-in for vLLM that misbehaves."""

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from fake_vllm import Fault, Script
from twx_accept.domain.suite import Suite
from twx_accept.errors import (
    MemoryNotBack,
    NotReady,
    ServerDied,
    ServingError,
    SettingsMismatch,
    SuiteError,
    WrongServer,
)
from twx_accept.serving import ProcessLauncher, check
from twx_accept.serving.client import Client

MakeSuite = Callable[..., Suite]


def below(pid: int | None = None) -> set[int]:
    """The living processes below one, or below this one."""
    found = set()
    for process in psutil.Process(pid or os.getpid()).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if process.status() != psutil.STATUS_ZOMBIE:
                found.add(process.pid)
    return found


def alive(pids: set[int]) -> set[int]:
    """Those of the processes that still live."""
    found = set()
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                found.add(pid)
    return found


class Boots:
    """Boots a suite's original and remembers what was seen."""

    def __init__(self, folder: Path, memory: Any) -> None:
        self.folder = folder
        self.phases: list[tuple[str, float]] = []
        self.launcher = ProcessLauncher(memory=lambda _engine: memory)

    def __call__(self, suite: Suite) -> Any:
        """The context of a boot."""
        return self.launcher.boot(
            suite, suite.original, folder=self.folder, progress=lambda *now: self.phases.append(now)
        )


@pytest.fixture
def boots(tmp_path: Path, still: Any) -> Boots:
    """Boots with memory in which nothing moves; fails the test if a process is left behind."""
    return Boots(tmp_path / "evidence", still)


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Any:
    """Every test here must leave no process behind, whatever it did to the server."""
    before = below()
    yield
    deadline = time.monotonic() + 2
    while below() - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not below() - before


def test_a_ready_server_answers_and_says_what_it_is(make_suite: MakeSuite, boots: Boots) -> None:
    """A boot yields a server that answers under the build's name, with its settings, version, cache and log."""
    suite = make_suite(flags={"seed": 0, "max_model_len": 2048, "served_by": "x"})
    with boots(suite) as server:
        assert check(server).text
        boot = server.boot
    assert (boot.number, boot.engine_version, boot.device, boot.capacity_tokens) == (1, "0.32.0", "cpu", 46592)
    assert boot.settings["model_config"] == {"model": str(suite.original.path), "seed": 0, "max_model_len": 2048}
    assert boot.cache["block_size"] == "128"
    assert boot.notes == ("could not check served_by='x': the engine shows no such setting",)
    assert boot.log == "original-boot-1.log"
    assert boots.phases[0][0] == "starting"


def test_relative_paths_are_relative_to_the_suite(make_suite: MakeSuite, boots: Boots) -> None:
    """The server works in the suite's folder, where its flags find their files, and imports nothing from there."""
    suite = make_suite()
    with boots(suite):
        servers = [psutil.Process(pid) for pid in below()]
        assert {process.cwd() for process in servers} == {str(suite.folder)}
        assert {process.environ()["PYTHONSAFEPATH"] for process in servers} == {"1"}


def test_boots_are_numbered_and_keep_their_logs(make_suite: MakeSuite, boots: Boots) -> None:
    """A second boot of a build gets its own number and log; the first log stays as it was."""
    suite = make_suite(Script(prints=("hello",)))
    for number in (1, 2):
        with boots(suite) as server:
            assert server.boot.number == number
    assert [path.read_text() for path in sorted(boots.folder.iterdir())] == ["hello\n", "hello\n"]


def test_only_the_owner_reaches_the_socket(make_suite: MakeSuite, boots: Boots, monkeypatch: Any) -> None:
    """The socket lies in a folder of mode 0700 with a short path, also where the usual folder's path is too long."""
    monkeypatch.setattr("tempfile.tempdir", "/tmp/" + "long/" * 20)  # noqa: S108 - never written to
    with boots(make_suite()) as server:
        assert len(os.fsencode(server.socket)) < 100
        assert stat.S_IMODE(server.socket.parent.stat().st_mode) == 0o700
    assert not server.socket.parent.exists()


@pytest.mark.parametrize("status", [0, 1, 77])
def test_a_server_that_ends_while_starting_is_found_at_once(make_suite: MakeSuite, boots: Boots, status: int) -> None:
    """Within two seconds of an end during the start, also with status 0, the error names the cause and the log."""
    prints = (
        "(EngineCore pid=7) ERROR 11-30 02:54:38 [core.py:1] Traceback (most recent call last):",
        "(EngineCore pid=7) ERROR 11-30 02:54:38 [core.py:1]   File 'core.py', line 1, in run",
        "(EngineCore pid=7) ERROR 11-30 02:54:38 [core.py:1] ValueError: no such kernel",
        "Traceback (most recent call last):",
        "  File 'api.py', line 1, in run",
        "RuntimeError: Engine core initialization failed. See root cause above.",
    )
    begun = time.monotonic()
    with (
        pytest.raises(ServerDied, match="cause: ValueError: no such kernel") as caught,
        boots(make_suite(Script(exit_at_start=status, prints=prints, start_seconds=0.5), ready_seconds=60.0)),
    ):
        pytest.fail("it never was ready")
    assert time.monotonic() - begun < 2.5
    assert f"exit status {status}" in str(caught.value)
    assert str(boots.folder / "original-boot-1.log") in str(caught.value)


def test_another_model_on_the_socket_is_never_asked(make_suite: MakeSuite, boots: Boots) -> None:
    """A server under another name is named in the error and gets no question."""
    with pytest.raises(WrongServer, match="somebody-elses"), boots(make_suite(Script(models=("somebody-elses",)))):
        pytest.fail("somebody else's server was used")


def test_a_second_model_beside_ours_is_wrong_too(make_suite: MakeSuite, boots: Boots) -> None:
    """Exactly one name is expected: a server with adapters beside the build is another server."""
    with pytest.raises(WrongServer), boots(make_suite(Script(models=("original", "adapter")))):
        pytest.fail("a server of two models was used")


@pytest.mark.parametrize(
    ("script", "missing"),
    [
        (Script(never_ready=True), "not answered"),
        (Script(health=503), "not 503"),
        (Script(faults=(Fault(path="/v1/completions", action="empty"),)), "a first token"),
        (Script(faults=(Fault(path="/v1/completions", action="status", status=500),)), "status 500"),
        (Script(faults=(Fault(path="/v1/completions", action="truncate"),)), "not answered"),
        (Script(faults=(Fault(path="/v1/models", action="garbage"),)), "no JSON"),
        (Script(faults=(Fault(path="/health", action="drop"),)), "not answered"),
    ],
)
def test_a_server_that_is_never_ready_meets_its_deadline(
    make_suite: MakeSuite, boots: Boots, script: Script, missing: str
) -> None:
    """Whatever keeps a living server from being ready ends at the deadline, and the error says what was missing."""
    with pytest.raises(NotReady, match=missing), boots(make_suite(script, ready_seconds=4.0)):
        pytest.fail("it never was ready")


def test_passing_trouble_does_not_keep_a_server_from_being_ready(make_suite: MakeSuite, boots: Boots) -> None:
    """A server that first refuses, breaks off and fails, and then answers, is ready."""
    faults = (
        Fault(path="/health", action="drop", times=1),
        Fault(path="/v1/models", action="truncate", times=1),
        Fault(path="/v1/completions", action="status", status=503, times=1),
    )
    with boots(make_suite(Script(faults=faults, start_seconds=0.3))) as server:
        assert check(server).text


def test_a_slow_first_token_does_not_hide_a_death(make_suite: MakeSuite, boots: Boots) -> None:
    """A process that ends while its first answer is awaited is found at once."""
    begun = time.monotonic()
    with pytest.raises(ServerDied, match="exit status 0"), boots(make_suite(Script(die_after=0), ready_seconds=60.0)):
        pytest.fail("it never was ready")
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"model_config": {"seed": 1}}, "seed: given 0, runs with 1"),
        ({"model_config": {"max_model_len": 1024}}, "max_model_len: given 2048, runs with 1024"),
        ({"model_config": {"model": "elsewhere"}}, "runs with 'elsewhere'"),
        ({"device_config": {"device": "cuda"}}, "runs on 'cuda'"),
    ],
)
def test_other_settings_than_given_are_refused(
    make_suite: MakeSuite, boots: Boots, settings: dict[str, Any], named: str
) -> None:
    """An engine that runs with other settings, another model or another device is refused with both values."""
    with pytest.raises(SettingsMismatch, match=named), boots(make_suite(Script(settings=settings))):
        pytest.fail("its settings are not what it was given")


def test_an_engine_that_ignores_a_variable_is_refused(make_suite: MakeSuite, boots: Boots) -> None:
    """A variable that the engine read otherwise than it was given is a mismatch too."""
    suite = make_suite(Script(environment={"VLLM_CPU_INT4_W4A8": True}), environment={"VLLM_CPU_INT4_W4A8": "0"})
    with pytest.raises(SettingsMismatch, match="VLLM_CPU_INT4_W4A8: given 0, runs with True"), boots(suite):
        pytest.fail("it runs W4A8")


def test_without_server_info_the_log_is_the_witness(make_suite: MakeSuite, boots: Boots) -> None:
    """Where the engine does not show its configuration, printed arguments count, and the rest is noted as unchecked."""
    prints = ("(APIServer pid=1) INFO 11-30 02:54:38 [api_utils.py:286] non-default args: {'max_model_len': 2048}",)
    with boots(make_suite(Script(server_info=False, prints=prints))) as server:
        notes = server.boot.notes
    assert server.boot.settings == {"non_default_args": {"max_model_len": 2048}}
    assert "could not check seed=0: the engine shows no such setting" in notes
    assert not any("max_model_len" in note for note in notes)


def test_a_server_that_ends_while_needed_is_reported(make_suite: MakeSuite, boots: Boots) -> None:
    """A server that exits 0 while it is asked is reported as dead when the context ends."""
    with (
        pytest.raises(ServerDied, match="ended while it was needed: exit status 0"),
        boots(make_suite(Script(die_after=1))) as server,
        suppress(ServerDied),
    ):
        check(server)


def test_a_death_is_a_note_on_the_error_that_it_caused(make_suite: MakeSuite, boots: Boots) -> None:
    """The error that is under way is kept; why the server died stands beside it."""
    with (
        pytest.raises(ServerDied, match="was not answered") as caught,
        boots(make_suite(Script(die_after=1))) as server,
    ):
        check(server)
    assert "ended while it was needed" in caught.value.__notes__[0]


def test_a_server_that_ignores_sigterm_is_killed(make_suite: MakeSuite, boots: Boots) -> None:
    """What does not end on SIGTERM within stop_seconds is killed, its stubborn child too."""
    with boots(make_suite(Script(ignore_sigterm=True, orphan=True), stop_seconds=0.5)):
        begun = time.monotonic()
    assert 0.5 <= time.monotonic() - begun < 4


def test_what_a_dead_server_leaves_is_killed(make_suite: MakeSuite, boots: Boots) -> None:
    """After SIGKILL of the API server nothing of it lives before the context has ended, whatever session it is in."""
    with pytest.raises(ServerDied, match="killed by signal 9"), boots(make_suite(Script(orphan=True))):
        tree = kill_one("--uds")
    assert not alive(tree)


def kill_one(word: str) -> set[int]:
    """Kills the first process below this one that has ``word`` on its command line; returns all that were there."""
    tree = below()
    lines = {pid: " ".join(psutil.Process(pid).cmdline()) for pid in tree}
    guards = {pid for pid, line in lines.items() if "guard.py" in line}
    os.kill(next(pid for pid, line in lines.items() if word in line and (pid in guards) == (word == "guard.py")), 9)
    time.sleep(0.4)
    return tree


def test_a_killed_guard_leaves_nothing_either(make_suite: MakeSuite, boots: Boots) -> None:
    """If the guard itself is killed, the server goes with it, and the rest is killed from here."""
    with (
        pytest.raises(ServerDied, match="guards it was killed"),
        boots(make_suite(Script(orphan=True, ignore_sigterm=True))),
    ):
        tree = kill_one("guard.py")
    assert not alive(tree)


def test_memory_that_does_not_come_back_stops_the_run(make_suite: MakeSuite, boots: Boots, still: Any) -> None:
    """After the server's end its memory must be back within the deadline."""
    with pytest.raises(MemoryNotBack, match=r"1\.0 GiB"), boots(make_suite()):
        still.used = lambda: (2**30,)


def test_a_flag_that_may_not_differ_is_refused_before_anything_starts(make_suite: MakeSuite, boots: Boots) -> None:
    """A build with a flag of its own that builds may not differ in never boots."""
    suite = make_suite()
    suite = replace(suite, original=replace(suite.original, flags={"max_model_len": 4096}))
    with pytest.raises(SettingsMismatch, match=r"max_model_len=4096.*2048"), boots(suite):
        pytest.fail("it was booted")
    assert not boots.folder.exists()


@pytest.mark.parametrize("absent", ["engine", "build"])
def test_what_is_absent_is_named_before_anything_starts(make_suite: MakeSuite, boots: Boots, absent: str) -> None:
    """An engine or a build that is not there is the suite's error, and no server's."""
    suite = make_suite()
    if absent == "engine":
        suite = replace(suite, engine=replace(suite.engine, python=Path("/nowhere/python")))
    else:
        suite = replace(suite, original=replace(suite.original, path=Path("/nowhere/model")))
    with pytest.raises(SuiteError, match="/nowhere/"), boots(suite):
        pytest.fail("it was booted")


def test_an_interrupted_start_leaves_nothing(make_suite: MakeSuite, still: Any, tmp_path: Path) -> None:
    """Ctrl-C during a start stops the server, which gets no more time than it needs."""

    def interrupt(_phase: str, seconds: float) -> None:
        if seconds > 0.3:
            raise KeyboardInterrupt

    suite = make_suite(Script(never_ready=True, orphan=True))
    launcher = ProcessLauncher(memory=lambda _engine: still)
    with (
        pytest.raises(KeyboardInterrupt),
        launcher.boot(suite, suite.original, folder=tmp_path / "evidence", progress=interrupt),
    ):
        pytest.fail("it never was ready")


def test_a_hostile_answer_does_not_fill_the_memory(make_suite: MakeSuite, boots: Boots, monkeypatch: Any) -> None:
    """An answer that is far too large is cut off and is an error."""
    with boots(make_suite(flags={})) as server, Client.of(server) as client:
        monkeypatch.setattr("twx_accept.serving.client.LARGEST_ANSWER", 100)
        with pytest.raises(ServingError, match="more than 100 bytes"):
            client.json("/v1/completions", {"model": "original", "prompt": "a", "max_tokens": 999})
