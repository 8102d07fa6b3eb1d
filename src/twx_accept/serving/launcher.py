"""What the session needs of a launcher. One way of serving a build is one class in one file."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build, Suite
from twx_accept.serving.ending import finally_do

ProgressCallback = Callable[[str, float], None]
"""Gets the phase of a start, for a person to read, and the seconds since its begin, about once a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is known of an engine before a build is served, for the identity of what will be answered.

    ``python`` is the command that runs the engine's Python, empty where nothing of it can be run from here. ``engine``
    is what else tells engines apart: an image's digest, a version that a server tells. ``cards`` are as
    :func:`.memory.cards_of` gives them. ``weights`` says in words what is served where that cannot be looked at, and
    is empty where it lies in the build's folder. ``deployment`` tells one server that somebody else started from the
    next one in its place; it is in the identity, and need not be the same for two builds. ``remove`` removes what hangs
    after ``python`` was run.
    """

    python: tuple[str, ...] = ()
    engine: Mapping[str, Any] = field(default_factory=dict)
    cards: Mapping[str, Any] = field(default_factory=dict)
    weights: str = ""
    deployment: Mapping[str, str] = field(default_factory=dict)
    remove: Callable[[], None] = lambda: None

    @contextmanager
    def asked(self) -> Iterator[tuple[str, ...]]:
        """``python``, for as long as it is asked: whoever waits for it kills a command, which may not be all of it.

        Raises:
            ServingError: what hangs in the end cannot be removed.
        """
        with finally_do(self.remove):
            yield self.python


class Launcher(Protocol):
    """Brings a build up, and takes it down again."""

    def look(self, suite: Suite, build: Build) -> Seen:
        """What is known of the engine before the build is served. Nothing is booted for it.

        Raises:
            SuiteError: the suite asks for something that is not there.
            ServingError: what would tell does not answer.
        """

    def boot(
        self, suite: Suite, build: Build, *, folder: Path, progress: ProgressCallback
    ) -> AbstractContextManager[RunningServer]:
        """A server of the build that is ready and proven, for as long as the context lasts.

        ``folder`` is where the log of the boot is kept. Close every connection before the context ends. After it
        nothing of a server that was started here is left, neither processes nor memory.

        Raises:
            SuiteError: the suite asks for something that cannot be served.
            ServingError: it could not be started, proven or stopped; each kind is a class of its own.
        """
