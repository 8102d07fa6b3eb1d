"""What a person sees while a run works: one live line on a terminal; elsewhere a line a step, and one a minute."""

import os
import time
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

from twx_accept.report.format import duration
from twx_accept.report.hostile import plain

LINE_SECONDS = 60.0
"""Between the lines of a log while a step lasts: who waits for hours sees that it goes on, and how long it takes."""

WAVE = 2048
"""Answers: most suites have fewer out at once, which come back together, so that the first of them tell no pace."""


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
    """A live reporter on a terminal; elsewhere and under CI one that prints finished steps, and a line a minute.

    Args:
        stream: where to write: the terminal's own, not one that a test runner captures.
        quiet: print lines, whatever the stream is.
        before: called before anything is written, to end a line that somebody else has begun.
    """
    console = Console(file=stream, highlight=False, emoji=False)
    if quiet or not console.is_terminal or os.environ.get("CI"):
        return Lines(console, before)
    return Live(console, before)


def _line(text: str) -> str:
    """What is said, with what would act on a terminal named: an engine's log and a server's answers are in it."""
    return plain(f"twx-accept: {text}")


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
    """What a log of CI needs: one line for each finished step, and one a minute while a long one lasts."""

    def __init__(
        self, console: Console, before: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._console, self._before, self._clock = console, before, clock
        self._last: float | None = None

    def say(self, text: str) -> None:
        """One line."""
        self._last = self._clock()
        self._before()
        self._console.print(_line(text), markup=False, soft_wrap=True)

    def status(self, text: str) -> None:
        """A line where none was written for a minute; a log has no use for the rest of what passes."""
        if self._is_due():
            self.say(text)

    def rest(self) -> None:
        """Nothing is live."""

    @contextmanager
    def asking(self, label: str, total: int) -> Iterator[Counter]:
        """A line a minute, with the rate and the time left; whoever asks says in the end what came of it."""
        self._is_due()  # or the first line would come at once where nothing was said before
        begun, counted = self._clock(), 0

        def count(done: int) -> None:
            nonlocal counted
            counted += done
            if self._is_due():
                pace = ""
                if counted and counted >= min(total / 4, WAVE):
                    rate = counted / max(self._clock() - begun, 1e-9)
                    pace = f" ({rate:.1f}/s), about {duration((total - counted) / rate)} left"
                self.say(f"{label}: {counted:,} of {total:,}{pace}")

        yield count

    def _is_due(self) -> bool:
        """Whether nothing was written for a minute; the minute begins with the first that could have been."""
        now = self._clock()
        if self._last is None:
            self._last = now
        return now - self._last >= LINE_SECONDS


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
        self._console.print(_line(text), markup=False, soft_wrap=True)

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
