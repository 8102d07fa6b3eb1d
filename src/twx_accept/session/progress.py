"""What a person sees while a run works: one live line on a terminal, one line a step elsewhere."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import IO, Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class Counter(Protocol):
    """Told how many more requests are done."""

    def __call__(self, done: int) -> None:
        """Count them."""
        ...


class Reporter(Protocol):
    """Shows how a run gets on."""

    def say(self, text: str) -> None:
        """One line that stays."""
        ...

    def status(self, text: str) -> None:
        """What is going on right now; replaced by the next one."""
        ...

    def rest(self) -> None:
        """Nothing is going on any more: take down what is live."""
        ...

    def asking(self, label: str, total: int) -> AbstractContextManager[Counter]:
        """A bar with rate and time left, for as long as its context lasts."""
        ...


def reporter(stream: IO[str], *, quiet: bool, before: Callable[[], None] = lambda: None) -> Reporter:
    """A live reporter on a terminal; one that prints finished steps only elsewhere and under CI.

    Args:
        stream: where to write: the terminal's own, not one that a test runner captures.
        quiet: print nothing but finished steps, whatever the stream is.
        before: called before anything is written, to end a line that somebody else has begun.
    """
    console = Console(file=stream, highlight=False, emoji=False)
    if quiet or not console.is_terminal or os.environ.get("CI"):
        return Lines(console, before)
    return Live(console, before)


class Silent:
    """Shows nothing."""

    def say(self, text: str) -> None:
        """Nothing."""

    def status(self, text: str) -> None:
        """Nothing."""

    def rest(self) -> None:
        """Nothing."""

    @contextmanager
    def asking(self, label: str, total: int) -> Iterator[Counter]:  # noqa: ARG002 - part of the protocol
        """Nothing."""
        yield lambda done: None  # noqa: ARG005 - part of the protocol


class Lines:
    """One line for each finished step: what a log of CI needs."""

    def __init__(self, console: Console, before: Callable[[], None]) -> None:
        self._console, self._before = console, before

    def say(self, text: str) -> None:
        """One line."""
        self._before()
        self._console.print(f"twx-accept: {text}", markup=False, soft_wrap=True)

    def status(self, text: str) -> None:
        """Nothing: a log has no use for what passes."""

    def rest(self) -> None:
        """Nothing is live."""

    @contextmanager
    def asking(self, label: str, total: int) -> Iterator[Counter]:  # noqa: ARG002 - part of the protocol
        """Nothing while it works; whoever asks says what came of it."""
        yield lambda done: None  # noqa: ARG005 - part of the protocol


class Live:
    """A spinner while something is awaited, and a bar with rate and time left while requests are out."""

    def __init__(self, console: Console, before: Callable[[], None]) -> None:
        self._console, self._before = console, before
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def say(self, text: str) -> None:
        """One line that stays, above whatever is live."""
        self.rest()
        self._before()
        self._console.print(f"twx-accept: {text}", markup=False, soft_wrap=True)

    def status(self, text: str) -> None:
        """A spinner with the text."""
        if self._progress is None:
            self._before()
            columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
            self._progress = Progress(*columns, console=self._console, transient=True)
            self._task = self._progress.add_task(text, total=None)
            self._progress.start()
        elif self._task is not None:
            self._progress.update(self._task, description=text)

    @contextmanager
    def asking(self, label: str, total: int) -> Iterator[Counter]:
        """A bar with the rate in questions a second and the time left."""
        self.rest()
        self._before()
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self._console, transient=True) as progress:
            task = progress.add_task(label, total=total, rate="")

            def count(done: int) -> None:
                speed = progress.tasks[0].speed
                progress.update(task, advance=done, rate=f"{speed:.1f}/s" if speed else "")

            yield count

    def rest(self) -> None:
        """Take the live line down."""
        if self._progress is not None:
            self._progress.stop()
            self._progress, self._task = None, None
