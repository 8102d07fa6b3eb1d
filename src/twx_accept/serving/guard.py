"""Holds one server so that it cannot outlive the test run. Standard library only, run by path: it starts in no time.

::

    test run ──(pipe: "stop SECONDS")──> guard ──(dies with it)──> API server ──> engine ──> workers
        ^──(pipe: "started PID", "died STATUS")──┘

The guard is a *subreaper*: whatever loses its parent below it becomes its child, so that the tree under the guard is
always the whole server, also after the API server was killed and its engine was not. Three ways lead to the end:

- the test run asks for it, or it is dead: its pipe has closed, or the guard has another parent;
- the API server ends by itself: what it left behind is killed;
- the guard itself is killed: the kernel sends SIGTERM to the API server. (A test run that still lives then kills
  what it had recorded; see :mod:`twx_accept.serving.stopping`.)

Where the server lives in a container, what the guard holds is the program that started it, and the container may
outlive that: a last command (``--after``) removes it, on each of the first two ways.
"""

import argparse
import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

POLL_SECONDS = 0.1
LINGER_SECONDS = 1.0
"""What helpers of a server that has ended (the tracker of its shared memory, for one) get to tidy up."""
ABANDONED_SECONDS = 5.0
"""Between SIGTERM and SIGKILL for the server of a test run that was killed."""
KILL_SECONDS = 20.0
"""How long SIGKILL may take. Freeing hundreds of GB of memory or leaving a driver call is not instant."""

AFTER_SECONDS = 90.0
"""How long the last command may take: removing a container waits for all of its memory to be freed."""

EXIT_SURVIVORS = 70
EXIT_NOT_STARTED = 71
EXIT_LEFT = 72


def prctl(option: int, value: int) -> None:
    """Calls prctl of Linux; a kernel that refuses is ignored, since the other ways to the end still hold."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def parents() -> dict[int, int]:
    """Maps every living process to its parent. Zombies are left out: nothing is left of them to kill."""
    found: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name in parentheses may itself hold spaces and parentheses: read from the last one on.
            state, parent = entry.joinpath("stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state not in ("Z", "X"):
                found[int(entry.name)] = int(parent)
    return found


def descendants(root: int) -> list[int]:
    """Every living process below ``root``, the nearest first."""
    parent_of = parents()
    below, generation = [], [root]
    while generation:
        generation = [pid for pid, parent in parent_of.items() if parent in generation]
        below += generation
    return below


class Held:
    """The server as the guard holds it.

    ``status`` is its exit status (negative: by that signal) once it has ended; ``sent`` are the signals that the guard
    gave it.
    """

    def __init__(self, command: Sequence[str], log: int) -> None:
        self.status: int | None = None
        self.sent: set[int] = set()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGTERM),  # safe: the guard has one thread
        )
        self.pid = process.pid
        process.returncode = 0  # reaped below, together with everything that this process inherits

    def reap(self) -> None:
        """Collects whatever has ended, and the server's exit status when it is among that."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self.pid:
                    self.status = os.waitstatus_to_exitcode(status)

    def wait(self, seconds: float, done: Callable[[], bool]) -> bool:
        """Reaps until ``done`` or until ``seconds`` have passed; the answer is whether it is done."""
        deadline = time.monotonic() + seconds
        while True:
            self.reap()
            if done():
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(POLL_SECONDS / 2)

    def end(self, grace_seconds: float) -> bool:
        """Asks the server to stop, kills what is left after ``grace_seconds``; False if something cannot be killed."""
        me = os.getpid()
        if self.status is None:
            self.send(self.pid, signal.SIGTERM)
            self.wait(grace_seconds, lambda: self.status is not None)
        if self.status is not None:
            self.wait(LINGER_SECONDS, lambda: not descendants(me))

        def all_killed() -> bool:
            left = descendants(me)
            for pid in left:
                self.send(pid, signal.SIGKILL)
            return not left

        return self.wait(KILL_SECONDS, all_killed)

    def send(self, pid: int, number: signal.Signals) -> None:
        """A signal to a process that may be gone already."""
        if pid == self.pid:
            self.sent.add(number)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)

    def died(self) -> bool:
        """Whether it ended by a signal that it did not get from here, or before it got one."""
        return self.status is not None and (not self.sent or (self.status < 0 and -self.status not in self.sent))


def say(text: str) -> None:
    """A line to the test run, which may be gone."""
    with contextlib.suppress(OSError):
        os.write(sys.stdout.fileno(), f"{text}\n".encode())


def until_over(held: Held, parent: int) -> float:
    """Waits until the server has ended or must; the answer is how many seconds it gets between SIGTERM and SIGKILL."""
    signalled: list[int] = []
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: signalled.append(number))
    while True:
        held.reap()
        # A pipe alone is not enough: a process that the test run forked may hold it open.
        if held.status is not None or os.getppid() != parent or signalled:
            return ABANDONED_SECONDS
        readable, _, _ = select.select([sys.stdin], [], [], POLL_SECONDS)
        if readable:
            return asked(os.read(sys.stdin.fileno(), 64))


def asked(word: bytes) -> float:
    """The seconds of ``stop SECONDS``; a pipe that ends without it was left by a test run that was killed."""
    order, _, seconds = word.partition(b" ")
    try:
        return float(seconds) if order == b"stop" else ABANDONED_SECONDS
    except ValueError:
        return ABANDONED_SECONDS


def hold(command: Sequence[str], *, log: Path, parent: int) -> int:
    """Starts the command, holds it until it is over, ends it and everything below it."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        held = Held(command, output)
    except OSError as error:
        os.write(output, f"{command[0]} cannot be started: {error}\n".encode())
        say("died 127")
        return EXIT_NOT_STARTED
    say(f"started {held.pid}")
    grace_seconds = until_over(held, parent)
    # A server that dies closes its connections a moment before it is dead, and the test run may be quicker.
    if held.wait(2 * POLL_SECONDS, held.died):
        say(f"died {held.status}")
        return 0 if held.end(grace_seconds) else EXIT_SURVIVORS
    gone = held.end(grace_seconds)
    if held.died():
        say(f"died {held.status}")
    return 0 if gone else EXIT_SURVIVORS


def run_last(command: Sequence[str], log: Path) -> bool:
    """Runs the last command, if there is one; False where it failed or did not end."""
    if not command:
        return True
    with log.open("ab") as output:
        try:
            ran = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=AFTER_SECONDS, check=False
            )
        except (OSError, subprocess.SubprocessError) as error:
            output.write(f"{command[0]}: {error}\n".encode())
            return False
    return ran.returncode == 0


def main(arguments: Sequence[str]) -> int:
    """Command line: the settings, ``--``, and the server's command."""
    parser = argparse.ArgumentParser(prog="guard", description="Hold one server for the life of its parent.")
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--remove", type=Path, default=None, help="a folder to empty and remove in the end")
    parser.add_argument("--after", type=json.loads, default=[], help="a last command, as a JSON list")
    parser.add_argument("command", nargs="+")
    given = parser.parse_args(arguments)
    gone = False
    try:
        try:
            status = hold(given.command, log=given.log, parent=given.parent)
        finally:
            gone = run_last(given.after, given.log)
        return status if gone or status else EXIT_LEFT
    finally:
        if given.remove is not None:
            with contextlib.suppress(OSError):
                for left in given.remove.iterdir():
                    left.unlink()
                given.remove.rmdir()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
