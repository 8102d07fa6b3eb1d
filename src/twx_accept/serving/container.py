"""Serves a build from a container of docker or podman, on a Unix socket in a folder that both sides see."""

import os
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from twx_accept.domain.serving import RunningServer
from twx_accept.domain.suite import Build, Container, Engine, Suite
from twx_accept.errors import ServingError, SettingsMismatch, SuiteError
from twx_accept.serving import arguments, removal
from twx_accept.serving import container_command as command
from twx_accept.serving.cards import VISIBLE
from twx_accept.serving.child import Child
from twx_accept.serving.container_program import ContainerProgram, Image
from twx_accept.serving.describing import Start
from twx_accept.serving.launcher import ProgressCallback, Seen
from twx_accept.serving.leftovers import remove_leftovers, run_label
from twx_accept.serving.memory import Memory, cards_of, memory_of
from twx_accept.serving.running import Running, expect_build, next_log, socket_folder

REMOVE_SECONDS = 60.0
"""How long a container may take to be removed. Freeing hundreds of GB of memory is not instant."""


@dataclass(slots=True, kw_only=True)
class RunningContainer(Running):
    """One server in a container, and the ``label`` that only this container has."""

    program: ContainerProgram
    image: Image
    label: str

    def prove(self) -> None:
        """Holds the container's image against the one that the suite names.

        Raises:
            SettingsMismatch: it is another one.
            ServingError: the program does not tell.
        """
        (container, *_) = [*self.program.labelled(self.label), ""]
        found = self.program.image_of(container) if container else "none"
        if found != self.image.id:
            raise SettingsMismatch(
                f"the container runs the image {found}, not {self.image.id}, which the suite names. Remove the image "
                f"and fetch it again."
            )

    def expect_gone(self) -> None:
        """Removes the container if it is still there: its guard may have been killed.

        Raises:
            ServingError: it cannot be removed.
        """
        _expect_removed(self.program, self.label, self.start.build.name)


@dataclass(frozen=True, slots=True)
class ContainerLauncher:
    """The :class:`.launcher.Launcher` for an engine that lives in an image.

    ``memory`` gives the memory that an engine with those settings fills.
    """

    memory: Callable[[Engine], Memory] = memory_of

    def look(self, suite: Suite, build: Build) -> Seen:  # noqa: ARG002 - one engine serves every build
        """The image's digest, its python and the cards. See :meth:`.launcher.Launcher.look`."""
        engine, settings = suite.engine, settings_of(suite)
        program = ContainerProgram.find(settings.program)
        program.image(settings.image)
        told: dict[str, object] = {"image": settings.image.rpartition("@")[2]}
        if settings.options:
            told["options"] = list(settings.options)
        run = command.Run(
            program=program, engine=engine, settings=settings, labels=_fresh_labels(), visible=visible(engine)
        )
        return Seen(
            python=tuple(command.interpreter(run)),
            engine=told,
            cards=cards_of(engine),
            remove=lambda: _expect_removed(program, run.label, f"a question to {settings.python} in the image"),
        )

    @contextmanager
    def boot(self, suite: Suite, build: Build, *, folder: Path, progress: ProgressCallback) -> Iterator[RunningServer]:
        """Boots, proves, yields, stops, and waits for the memory. See :meth:`.launcher.Launcher.boot`.

        What killed test runs have left is removed first, and nothing else: a container that is not marked as theirs is
        never touched.
        """
        flags = arguments.flags_of(suite, build)
        engine, settings = suite.engine, settings_of(suite)
        expect_build(build)
        program = ContainerProgram.find(settings.program)
        image = program.image(settings.image)
        remove_leftovers(program)
        memory = self.memory(engine)
        arguments.expect_cards(engine, flags, memory.totals())
        before = memory.used()
        number, log = next_log(folder, build.name)
        model = build.path.resolve()
        start = Start(engine=engine, folder=suite.folder, build=build, model=model, flags=flags, number=number, log=log)
        with socket_folder() as place:
            run = command.Run(
                program=program,
                engine=engine,
                settings=settings,
                labels=_fresh_labels(),
                socket=place,
                cache=cache_of(settings),
                visible=visible(engine),
            )
            running = RunningContainer(
                start=start,
                child=_child(run, start),
                socket=place / "s",
                memory=memory,
                before=before,
                program=program,
                image=image,
                label=run.label,
            )
            with running.serving(progress) as server:
                yield server


def _fresh_labels() -> dict[str, str]:
    """The labels of one container: whose it is, and which it is."""
    return {command.RUN: run_label(), command.BOOT: uuid.uuid4().hex}


def _expect_removed(program: ContainerProgram, label: str, what: str) -> None:
    trouble = removal.remove(program.path, label, REMOVE_SECONDS)
    if trouble:
        raise ServingError(
            f"the container of {what} may be left: {trouble}. Look with `{program.name} ps --all --filter "
            f"label={label}`, and remove it by its id with `{program.name} rm --force`."
        )


def _child(run: command.Run, start: Start) -> Child:
    """The program that runs the container, under a guard that removes the container in the end."""
    words, environment = command.server(run, start.build, start.flags)
    after = [sys.executable, "-I", "-S", removal.__file__, run.program.path, run.label, str(REMOVE_SECONDS)]
    return Child(words, environment=environment, log=start.log, folder=start.folder, remove=run.socket, after=after)


def settings_of(suite: Suite) -> Container:
    """The suite's settings of the container.

    Raises:
        SuiteError: it has none.
    """
    if suite.engine.container is None:
        raise SuiteError(f"{suite.file}: names no image; add the table [engine.container]")
    return suite.engine.container


def visible(engine: Engine) -> str | None:
    """The cards that the engine may use, as CUDA_VISIBLE_DEVICES names them; None for all."""
    return engine.environment.get(VISIBLE, os.environ.get(VISIBLE))


def cache_of(settings: Container) -> Path:
    """The folder for compiled kernels, one for each image: what another image compiled must not be loaded.

    Raises:
        SuiteError: it cannot be made.
    """
    folder = settings.cache / settings.image.rpartition("sha256:")[2][:16]
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SuiteError(f"{folder}: cannot be made ({error}); name another engine.container.cache_folder") from error
    return folder.resolve()
