"""Serves a build with a vLLM process on this machine, on a Unix socket that only its owner can reach."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build, Engine, Suite
from twx_accept.errors import SuiteError
from twx_accept.serving import arguments
from twx_accept.serving.child import Child
from twx_accept.serving.describing import Start
from twx_accept.serving.launcher import ProgressCallback, Seen
from twx_accept.serving.memory import Memory, cards_of, memory_of
from twx_accept.serving.running import Running, expect_build, next_log, socket_folder


@dataclass(frozen=True, slots=True)
class ProcessLauncher:
    """The :class:`.launcher.Launcher` for an engine that lives in an environment of its own on this machine.

    ``memory`` gives the memory that an engine with that environment fills.
    """

    memory: Callable[[Engine], Memory] = memory_of

    def look(self, suite: Suite, build: Build) -> Seen:  # noqa: ARG002 - one engine serves every build
        """The engine's python and its cards. See :meth:`.launcher.Launcher.look`."""
        return Seen(python=(str(suite.engine.python),), cards=cards_of(suite.engine))

    @contextmanager
    def boot(self, suite: Suite, build: Build, *, folder: Path, progress: ProgressCallback) -> Iterator[RunningServer]:
        """Boots, proves, yields, stops, and waits for the memory. See :meth:`.launcher.Launcher.boot`.

        If the server ends by itself while the context lasts, the end of the context raises ServerDied, whatever its
        exit status; where the context is left by an error, that error gets the news as a note.
        """
        flags = arguments.flags_of(suite, build)
        engine = suite.engine
        expect_python(engine)
        expect_build(build)
        memory = self.memory(engine)
        arguments.expect_cards(engine, flags, memory.totals())
        before = memory.used()
        number, logfile = next_log(folder, build.name)
        start = Start(
            engine=engine, folder=suite.folder, build=build, model=build.path, flags=flags, number=number, log=logfile
        )
        with socket_folder() as place:
            child = Child(
                arguments.command(engine, build, place / "s", flags),
                environment=arguments.environment(engine),
                log=logfile,
                folder=suite.folder,
                remove=place,
            )
            running = Running(start=start, child=child, socket=place / "s", memory=memory, before=before)
            with running.serving(progress) as server:
                yield server


def expect_python(engine: Engine) -> None:
    """Checks that there is an engine to start.

    Raises:
        SuiteError: there is none.
    """
    if not engine.python.is_file() or not os.access(engine.python, os.X_OK):
        raise SuiteError(f"the engine's python {engine.python} is no program. Install vLLM in an environment, name it.")
