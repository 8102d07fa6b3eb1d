"""The life of a server that was started here, from its start to the moment its memory is back, whatever started it."""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build
from twx_accept.errors import SuiteError
from twx_accept.serving.child import Child
from twx_accept.serving.client import Client
from twx_accept.serving.describing import Start, describe
from twx_accept.serving.ending import finally_do
from twx_accept.serving.launcher import ProgressCallback
from twx_accept.serving.memory import Memory, wait_until_back
from twx_accept.serving.readiness import died, wait_until_ready
from twx_accept.serving.stopping import stop

BASE_URL = "http://localhost"
"""The host name that requests carry over the socket; nothing resolves it."""
LONGEST_SOCKET_PATH = 100
"""Bytes. The kernel takes 107."""
HURRY_SECONDS = 10.0
"""Between SIGTERM and SIGKILL for a server that never became ready: it has no requests to drain, and may hang."""


@dataclass(slots=True, kw_only=True)
class Running:
    """One server under its guard, on a socket. ``before`` is the memory in use before it was started."""

    start: Start
    child: Child
    socket: Path
    memory: Memory
    before: tuple[int, ...]
    was_ready: bool = False

    def server(self, progress: ProgressCallback) -> RunningServer:
        """Waits until the server is ready and proves its settings."""
        name, seconds = self.start.build.name, self.start.engine.ready_seconds
        with Client(base_url=BASE_URL, socket=self.socket) as client:
            took = wait_until_ready(self.child, client, name, seconds=seconds, progress=progress)
            self.was_ready = True
            self.child.record()
            self.prove()
            boot = describe(client, self.start, ready_seconds=took, cards=self.memory.totals())
        return RunningServer(base_url=BASE_URL, socket=self.socket, model=name, api_key="", boot=boot)

    def prove(self) -> None:
        """What there is to prove besides the engine's own settings."""

    def expect_gone(self) -> None:
        """Checks that nothing is left of it besides processes.

        Raises:
            ServingError: something is.
        """

    @contextmanager
    def serving(self, progress: ProgressCallback) -> Iterator[RunningServer]:
        """The server, ready and proven, which ends with the context; an error under way keeps what goes wrong then."""
        with finally_do(self.end):
            yield self.server(progress)

    def end(self) -> None:
        """Stops the server and waits for its memory; each of the steps is taken whatever came of the one before it.

        Raises:
            ServerDied: it had ended by itself.
            ServingError: something of it survived.
            MemoryNotBack: its memory did not come back.
        """
        engine, unasked = self.start.engine, self.child.over
        with finally_do(self._wait_for_memory), finally_do(self.expect_gone):
            stop(self.child, engine.stop_seconds if self.was_ready else min(engine.stop_seconds, HURRY_SECONDS))
        if self.was_ready and (unasked or self.child.death is not None):
            raise died(self.child, self.start.build.name, "while it was needed")

    def _wait_for_memory(self) -> None:
        wait_until_back(self.memory, self.before, seconds=self.start.engine.memory_seconds)


def expect_build(build: Build) -> None:
    """Checks that there is a build to serve.

    Raises:
        SuiteError: there is none.
    """
    if not build.path.is_dir():
        raise SuiteError(f"build {build.name!r} has no folder {build.path}. Correct its path, or make the model first.")


def next_log(folder: Path, build: str) -> tuple[int, Path]:
    """The number of this boot and its log, a new file: ``NAME-boot-1.log``. Earlier logs are never written over."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^A-Za-z0-9._-]", "_", build)
    number = 1
    while True:
        path = folder / f"{stem}-boot-{number}.log"
        try:
            path.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return number, path.resolve()


@contextmanager
def socket_folder() -> Iterator[Path]:
    """A fresh folder that only its owner can enter, with a path that is short enough for a socket."""
    usual = tempfile.gettempdir()
    short = len(os.fsencode(usual)) + len("/twx-01234567/s") <= LONGEST_SOCKET_PATH
    place = usual if short else "/tmp"  # noqa: S108 - a fresh folder in it, of mode 0700
    with tempfile.TemporaryDirectory(prefix="twx-", dir=place, ignore_cleanup_errors=True) as folder:
        yield Path(folder)
