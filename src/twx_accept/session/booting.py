"""One boot on this machine: its cards are free before it, watched during it, and what was seen is kept with it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build, Engine, Suite
from twx_accept.serving import Launcher, ProgressCallback
from twx_accept.serving.memory import Memory, memory_of, wait_until_free
from twx_accept.serving.watching import watched
from twx_accept.session.repetition import Repetition


@dataclass(frozen=True, slots=True, kw_only=True)
class Booter:
    """Boots builds with a launcher. ``memory`` gives the memory that an engine fills."""

    launcher: Launcher
    logs: Path
    say: Callable[[str], None]
    memory: Callable[[Engine], Memory] = memory_of

    @contextmanager
    def booted(
        self, suite: Suite, build: Build, part: Repetition, progress: ProgressCallback
    ) -> Iterator[RunningServer]:
        """A ready server, whose boot is kept in ``part``, with the use of each card also where the context fails.

        Raises:
            CardsInUse: somebody else holds the cards and did not let go.
            ServingError: no server, or not the right one.
            EvidenceError: the boot cannot be written.
        """
        memory = self.memory(suite.engine)
        wait_until_free(memory, seconds=suite.engine.memory_seconds, say=self.say)
        boot = None
        try:
            with (
                watched(memory) as watch,
                self.launcher.boot(suite, build, folder=self.logs, progress=progress) as server,
            ):
                boot = part.add_boot(replace(server.boot, card_use=watch.use()))
                yield server
        finally:
            if boot is not None:
                part.amend_boot(replace(boot, card_use=watch.use()))
