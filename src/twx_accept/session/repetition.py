"""One repetition of everything that a build is asked, as if there were no other.

The noise floor asks the original everything once more, from a fresh boot, and keeps it as run 2 beside the first.
Claims know nothing of that: they plan, score and decide with keys of run 1.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from twx_accept.domain.evidence import Boot
from twx_accept.domain.exchange import Exchange, Key, Request
from twx_accept.errors import AnswersSpoilt
from twx_accept.evidence import Store

FIRST, AGAIN = 1, 2
"""The run that decides, and the one that measures how far the original departs from itself."""


def name_of(build: str, run: int) -> str:
    """What a build's repetition is called. No build can be called so: names hold no comma."""
    return build if run == FIRST else f"{build}, again"


@dataclass(frozen=True, slots=True)
class Repetition:
    """The part of a store that belongs to one run; every key that goes in or comes out is one of run 1."""

    store: Store
    run: int
    since_boot: list[Key] = field(default_factory=list, init=False, repr=False, compare=False)
    """What was kept since the last boot: answers of the server that lives now."""
    _known: dict[str, tuple[Exchange, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was read of a claim, until more of it is kept or set aside: where nothing is open all is read once."""

    def boots(self) -> tuple[Boot, ...]:
        """The boots that were started for it, without those whose answers cannot be trusted."""
        return tuple(boot for boot in self.store.boots() if boot.run == self.run and not boot.spoilt)

    def add_boot(self, boot: Boot) -> Boot:
        """Write what a boot proved; returns it as it is kept, under a number of its own."""
        kept = replace(boot, number=len(self.store.boots()) + 1, run=self.run)
        self.store.add_boot(kept)
        self.since_boot.clear()
        return kept

    def amend_boot(self, boot: Boot) -> None:
        """Write a kept boot again, with what is known only at its end."""
        self.store.amend_boot(boot)

    def exchanges(self, claim: str) -> tuple[Exchange, ...]:
        """The exchanges of a claim in the order of their keys."""
        if claim not in self._known:
            self._known[claim] = tuple(exchange.in_run(FIRST) for exchange in self.store.exchanges(claim, self.run))
        return self._known[claim]

    def missing(self, requests: Sequence[Request]) -> list[Request]:
        """Which of these requests have no answer yet."""
        asked = self.store.missing([request.in_run(self.run) for request in requests])
        return [request.in_run(FIRST) for request in asked]

    def keep(self, exchanges: Iterable[Exchange]) -> None:
        """Write exchanges in one transaction."""
        written = list(exchanges)
        self._forget(exchange.request.key for exchange in written)
        self.store.keep(exchange.in_run(self.run) for exchange in written)
        self.since_boot.extend(exchange.request.key for exchange in written)

    def reject(self, keys: Iterable[Key]) -> None:
        """Set answers aside that cannot be used."""
        chosen = list(keys)
        self._forget(chosen)
        self.store.reject(key.in_run(self.run) for key in chosen)

    def _forget(self, keys: Iterable[Key]) -> None:
        for claim in {key.claim for key in keys}:
            self._known.pop(claim, None)

    @contextmanager
    def trusting(self) -> Iterator[None]:
        """Set aside what was kept since the last boot where it comes out that none of it can be trusted."""
        try:
            yield
        except AnswersSpoilt:
            self.reject(self.since_boot)
            raise

    def count(self, claim: str) -> int:
        """How many exchanges of a claim are kept."""
        return self.store.count(claim, self.run)
