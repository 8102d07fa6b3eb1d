"""One boot on this machine: its cards are free before it, watched during it, and what was seen is kept with it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build, Engine
from twx_accept.errors import AnswersSpoilt
from twx_accept.serving import Launcher, ProgressCallback
from twx_accept.serving.memory import Memory, memory_of, wait_until_free
from twx_accept.serving.watching import watched
from twx_accept.session.repetition import Repetition
from twx_accept.session.slots import Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Booter:
    """Boots builds with a launcher. ``memory`` gives the memory that an engine fills."""

    launcher: Launcher
    logs: Path
    memory: Callable[[Engine], Memory] = memory_of

    def wait(self, slot: Slot, say: Callable[[str], None]) -> None:
        """Waits until the cards of a slot are free: its lock keeps out this tool's own servers alone.

        Raises:
            CardsInUse: somebody else holds them and did not let go.
        """
        engine = slot.suite.engine
        wait_until_free(self.memory(engine), seconds=engine.memory_seconds, say=say)

    @contextmanager
    def booted(self, slot: Slot, build: Build, part: Repetition, progress: ProgressCallback) -> Iterator[RunningServer]:
        """A ready server, whose boot is kept in ``part``, with the use of each card also where the context fails.

        Where its answers cannot be trusted, it and they are set aside: another one has to be booted for them.

        Raises:
            ServingError: no server, or not the right one.
            EvidenceError: the boot cannot be written.
        """
        boot = None
        try:
            with (
                watched(self.memory(slot.suite.engine), also=slot.look) as watch,
                part.trusting(),  # a launcher may look at its server once more in the end
                self.launcher.boot(slot.suite, build, folder=self.logs, progress=progress) as server,
                part.trusting(),  # at once, not after a stop that takes a minute in which all may be killed
            ):
                boot = part.add_boot(replace(server.boot, card_use=watch.use(), beside=slot.others()))
                yield server
        except AnswersSpoilt as error:
            boot = boot and replace(boot, spoilt=str(error))
            raise
        finally:
            if boot is not None:
                part.amend_boot(replace(boot, card_use=watch.use(), beside=slot.others()))
