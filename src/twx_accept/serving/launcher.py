"""What the session needs of a launcher. One way of serving a build is one class in one file."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build, Suite

ProgressCallback = Callable[[str, float], None]
"""Gets the phase of a start, for a person to read, and the seconds since its begin, about once a second."""


class Launcher(Protocol):
    """Brings a build up, and takes it down again."""

    def boot(
        self, suite: Suite, build: Build, *, folder: Path, progress: ProgressCallback
    ) -> AbstractContextManager[RunningServer]:
        """A server of the build that is ready and proven, for as long as the context lasts.

        ``folder`` is where the log of the boot is kept. Close every connection before the context ends. After it
        nothing of the server is left, neither processes nor memory.

        Raises:
            SuiteError: the suite asks for something that cannot be served.
            ServingError: it could not be started, proven or stopped; each kind is a class of its own.
        """
