"""The end of a server: asked, outwaited, killed, and then checked that nothing is left."""

import contextlib
import os
import signal
import subprocess

import psutil

from twx_accept.errors import ServingError
from twx_accept.serving import guard
from twx_accept.serving.child import Child, lives

MARGIN_SECONDS = guard.LINGER_SECONDS + guard.KILL_SECONDS + 5.0
"""What the guard may need beyond the time that the server is given."""


def stop(child: Child, seconds: float) -> None:
    """Ends the server and everything below it. Close the client's connections first.

    SIGTERM goes to the API server alone, which then has ``seconds`` to drain (they must outlast
    ``--shutdown-timeout``); what lives after that is killed. The guard does this, so that it also happens if this
    process dies half-way. If the guard itself was killed, what was recorded while it lived is killed from here.

    Raises:
        ServingError: something survived SIGKILL.
    """
    child.record()
    child.ask_to_stop(seconds)
    try:
        child.guard.wait(seconds + MARGIN_SECONDS + child.after_seconds)
    except subprocess.TimeoutExpired:
        child.guard.kill()
        child.guard.wait()
    if child.guard.returncode == 0:
        return  # the guard's last word: nothing lives below it
    if survivors := kill(child):
        named = ", ".join(describe(process) for process in survivors)
        raise ServingError(
            f"these processes of the server survived SIGKILL: {named}; a driver may hold them. "
            f"Look with `ps -o stat,wchan -p PID`, and restart the machine if they stay."
        )


def kill(child: Child) -> list[psutil.Process]:
    """Kills what is still there of a server whose guard failed; returns what even SIGKILL did not end."""
    left = {process.pid: process for process in child.record()}
    left.update({process.pid: process for process in session_of(child.pid)})
    for process in left.values():
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            process.send_signal(signal.SIGKILL)
    _, alive = psutil.wait_procs(list(left.values()), timeout=guard.KILL_SECONDS)
    return [process for process in alive if lives(process)]


def session_of(leader: int | None) -> list[psutil.Process]:
    """The living processes of the session that ``leader`` began, whoever their parent is by now."""
    found = []
    for process in psutil.process_iter() if leader is not None else ():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(process.pid) == leader and lives(process):
                found.append(process)
    return found


def describe(process: psutil.Process) -> str:
    """``1234 (VLLM::Worker)``."""
    try:
        return f"{process.pid} ({process.name()})"
    except psutil.Error:
        return str(process.pid)
