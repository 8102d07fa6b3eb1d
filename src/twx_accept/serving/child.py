"""A server process under its guard, seen from the test run."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from twx_accept.serving import guard


class Child:
    """A command that was started under a guard (:mod:`twx_accept.serving.guard`), in a session of its own.

    ``log`` gets what it prints; ``folder`` is what relative paths on its command line are relative to; ``remove`` is
    a folder that the guard removes in the end, also when this process is killed, and ``after`` a last command that it
    runs. Only :func:`twx_accept.serving.stopping.stop` ends it.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        log: Path,
        folder: Path,
        remove: Path | None = None,
        after: Sequence[str] = (),
    ) -> None:
        options = [f"--log={log}", f"--parent={os.getpid()}"]
        options += [f"--remove={remove}"] if remove is not None else []
        options += [f"--after={json.dumps(list(after))}"] if after else []
        self.log = log
        self.after_seconds = guard.AFTER_SECONDS if after else 0.0
        self.guard = subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, *options, "--", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
            start_new_session=True,  # Ctrl-C is for the test run, which then stops the server in order
        )
        assert self.guard.stdout is not None  # noqa: S101 - asked for above
        os.set_blocking(self.guard.stdout.fileno(), False)
        self._said = b""
        self._recorded: dict[int, psutil.Process] = {}

    @property
    def pid(self) -> int | None:
        """The server's process id, once the guard has started it."""
        return self._word("started")

    @property
    def death(self) -> int | None:
        """The exit status of a server that ended unasked (negative: killed by that signal), else None.

        It says nothing about health: an engine that dies after it was ready ends with 0.
        """
        return self._word("died")

    @property
    def over(self) -> bool:
        """Whether the server has ended, or nobody guards it any more."""
        return self.death is not None or self.guard.poll() is not None

    def record(self) -> list[psutil.Process]:
        """Remembers everything that lives below the guard, and returns all that was ever seen there and still lives.

        While the guard lives nothing can leave its tree; the memory is for the case that the guard is killed.
        """
        with contextlib.suppress(psutil.NoSuchProcess):
            for process in psutil.Process(self.guard.pid).children(recursive=True):
                self._recorded.setdefault(process.pid, process)
        self._recorded = {pid: process for pid, process in self._recorded.items() if lives(process)}
        return list(self._recorded.values())

    def ask_to_stop(self, seconds: float) -> None:
        """Tells the guard to end the server, with ``seconds`` to drain. It does so whatever becomes of this process."""
        assert self.guard.stdin is not None  # noqa: S101 - asked for in __init__
        with contextlib.suppress(OSError, ValueError):
            self.guard.stdin.write(f"stop {seconds}\n".encode())
            self.guard.stdin.flush()
        with contextlib.suppress(OSError, ValueError):
            self.guard.stdin.close()

    def _word(self, word: str) -> int | None:
        """The number after ``word`` in what the guard said so far."""
        if self.guard.stdout is not None and not self.guard.stdout.closed:
            self._said += self.guard.stdout.read() or b""
        for line in self._said.decode(errors="replace").splitlines():
            said, _, number = line.partition(" ")
            if said == word and number.lstrip("-").isdigit():
                return int(number)
        return None


def lives(process: psutil.Process) -> bool:
    """Whether this very process (not another with its number) is still there and more than a zombie."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
