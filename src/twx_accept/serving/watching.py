"""The memory of cards around one boot: before it, at its peak, and after it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from twx_accept.domain.evidence import CardUse
from twx_accept.errors import ServingError
from twx_accept.serving.holding import Memory

SAMPLE_SECONDS = 1.0


@dataclass(slots=True)
class Watch:
    """What was seen of the cards so far; bytes in use by whomever, one value a card.

    ``after`` is empty until the server is gone. A driver that stops answering ends the sampling and nothing else:
    ``lost`` is then why.
    """

    memory: Memory
    before: tuple[int, ...]
    peak: tuple[int, ...]
    after: tuple[int, ...] = ()
    lost: str = ""
    also: Callable[[], None] | None = None
    _over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Samples until nobody wants to know any more."""
        while not self._over.wait(SAMPLE_SECONDS) and not self.lost:
            self.sample()
            if self.also is not None:
                self.also()

    def sample(self) -> tuple[int, ...]:
        """One look; empty where the driver does not answer."""
        try:
            now = self.memory.used()
        except ServingError as error:
            self.lost = str(error)
            return ()
        self.peak = tuple(map(max, self.peak, now))
        return now

    def end(self) -> None:
        """No more samples."""
        self._over.set()

    def use(self) -> tuple[CardUse, ...]:
        """What there is to write down of each card. What was not measured is None."""
        if not self.before:
            return ()
        after = self.after or (None,) * len(self.before)
        rows = zip(self.memory.names(), self.memory.totals(), self.before, self.peak, after, strict=True)
        return tuple(
            CardUse(card=name, total=total, before=was, peak=most, after=now) for name, total, was, most, now in rows
        )


@contextmanager
def watched(memory: Memory, also: Callable[[], None] | None = None) -> Iterator[Watch]:
    """Samples the cards once a second, in a thread of its own, for as long as the context lasts.

    ``also`` is called after each look; it must not raise.
    A host without cards is not sampled. Let the context end after the server has: what is then in use is ``after``.
    A peak between two samples is not seen.
    """
    if not memory.totals():
        yield Watch(memory, (), ())
        return
    before = memory.used()
    watch = Watch(memory, before, before, also=also)
    thread = threading.Thread(target=watch.run, name="memory of the cards", daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        watch.end()
        thread.join()
        watch.after = watch.sample()
