"""What is left of a server when the test run is killed: nothing."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from fake_vllm import Script
from twx_accept.domain.suite import Suite
from twx_accept.serving import guard
from twx_accept.serving.child import lives

STAND_IN = """
    import json, os, sys, time
    from pathlib import Path
    import psutil
    from twx_accept.domain.suite import Asking, Build, Engine, Suite
    from twx_accept.serving import ProcessLauncher

    python, folder = map(Path, sys.argv[1:])
    original = Build(name="m", title="m", path=folder, flags={}, digests={})
    engine = Engine(python=python, device="cpu", environment={}, ready_seconds=20, stop_seconds=600, memory_seconds=5)
    suite = Suite(
        name="s", title="s", version=1, demonstration=True, file=folder, folder=folder, original=original, builds=(),
        engine=engine, asking=Asking(concurrency=1, prompts_per_request=1, timeout_seconds=5, attempts=1),
        flags={"seed": 0}, may_differ=(), claims={},
    )
    with ProcessLauncher().boot(suite, original, folder=folder / "evidence", progress=lambda *now: None) as server:
        if os.environ.get("FORK") and os.fork() == 0:
            time.sleep(60)
        pids = [process.pid for process in psutil.Process().children(recursive=True)]
        print(json.dumps([pids, str(server.socket.parent)]), flush=True)
        time.sleep(600)
"""


@pytest.fixture
def stand_in(make_suite: Callable[..., Suite], tmp_path: Path) -> Any:
    """Starts a stand-in of a test run with a server: (its process, the processes below it, the socket's folder)."""
    started = []

    def start(script: Script, **environment: str) -> tuple[Any, list[psutil.Process], Path]:
        python = make_suite(script).engine.python
        program = tmp_path / "run.py"
        program.write_text(textwrap.dedent(STAND_IN))
        run = subprocess.Popen(
            [sys.executable, str(program), str(python), str(tmp_path)],
            stdout=subprocess.PIPE,
            env={**os.environ, **environment},
        )
        started.append(run)
        assert run.stdout is not None
        pids, folder = json.loads(run.stdout.readline())
        return run, [psutil.Process(pid) for pid in pids], Path(folder)

    yield start
    for run in started:
        run.kill()
        run.wait()
        run.stdout.close()


@pytest.mark.parametrize(
    ("script", "within"),
    [(Script(), 3.0), (Script(ignore_sigterm=True, orphan=True), guard.ABANDONED_SECONDS + 3)],
    ids=["well-behaved", "stubborn"],
)
def test_a_killed_test_run_leaves_no_server(stand_in: Any, script: Script, within: float) -> None:
    """SIGKILL of the test run ends the server, a child of it in another session, the guard, and the socket's folder."""
    run, processes, folder = stand_in(script)
    assert len(processes) >= 2
    run.send_signal(signal.SIGKILL)
    _, alive = psutil.wait_procs(processes, timeout=within)
    assert not alive
    assert not folder.exists()


def test_a_pipe_that_a_forked_child_holds_open_does_not_keep_the_server(stand_in: Any) -> None:
    """A process that the test run forked keeps its pipes open: the guard sees the death all the same."""
    run, processes, _ = stand_in(Script(), FORK="1")
    forked = [process for process in processes if _is_fork(process)]
    run.send_signal(signal.SIGKILL)
    _, alive = psutil.wait_procs([process for process in processes if process not in forked], timeout=4)
    for process in forked:
        process.kill()
    assert forked
    assert not alive


def _is_fork(process: psutil.Process) -> bool:
    return any(word.endswith("run.py") for word in process.cmdline())


def test_a_terminated_guard_takes_the_server_along(stand_in: Any) -> None:
    """SIGTERM to the guard (a machine that shuts down) ends the server too."""
    run, processes, _ = stand_in(Script())
    (holder,) = (process for process in processes if "guard.py" in " ".join(process.cmdline()))
    holder.terminate()
    psutil.wait_procs(processes, timeout=4)
    assert not [process for process in processes if lives(process)]
    assert run.poll() is None


@pytest.mark.parametrize(
    ("word", "seconds"), [(b"stop 45.0\n", 45.0), (b"", None), (b"stop\n", None), (b"stop later\n", None), (b"x", None)]
)
def test_only_a_whole_order_gives_the_server_time(word: bytes, seconds: float | None) -> None:
    """A pipe that ends, or says something else, is a test run that died: its server is hurried."""
    assert guard.asked(word) == (guard.ABANDONED_SECONDS if seconds is None else seconds)


def test_a_command_that_cannot_start_is_in_the_log(tmp_path: Path) -> None:
    """The guard says that the server died, and the log why."""
    log = tmp_path / "log"
    done = subprocess.run(
        [sys.executable, guard.__file__, f"--log={log}", f"--parent={os.getpid()}", "--", "/nowhere/python"],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert (done.returncode, done.stdout) == (guard.EXIT_NOT_STARTED, b"died 127\n")
    assert "/nowhere/python cannot be started" in log.read_text()


def test_names_with_parentheses_do_not_hide_a_process(tmp_path: Path) -> None:
    """A process may call itself anything; its parent is still read right."""
    program = tmp_path / "a) S 1 (b"
    program.symlink_to("/bin/sleep")
    process = subprocess.Popen([str(program), "30"])
    try:
        time.sleep(0.1)
        assert guard.parents()[process.pid] == os.getpid()
        assert process.pid in guard.descendants(os.getpid())
    finally:
        process.kill()
        process.wait()
    assert process.pid not in guard.descendants(os.getpid())


@pytest.mark.parametrize(
    ("status", "sent", "died"),
    [
        (None, set(), False),
        (0, set(), True),
        (-9, set(), True),
        (0, {signal.SIGTERM}, False),
        (1, {signal.SIGTERM}, False),
        (-15, {signal.SIGTERM}, False),
        (-9, {signal.SIGTERM}, True),
        (-9, {signal.SIGTERM, signal.SIGKILL}, False),
        (-11, {signal.SIGTERM}, True),
    ],
)
def test_a_death_is_told_from_a_stop(status: int | None, sent: set[int], died: bool) -> None:
    """A server that ends unasked, or by a signal that the guard did not send, has died, however close the stop was."""
    held = object.__new__(guard.Held)
    held.status, held.sent = status, sent
    assert held.died() == died
