"""Cards as slots: who serves a build holds the cards that it takes, and nobody else is given them meanwhile.

A slot is as many cards as one server of the build takes. Builds that need fewer cards than there are can be served side
by side, by several processes of pytest-xdist or several runs. Each card is a lock of the operating system's, free when
its holder dies, however it dies. A host without cards, and a server that somebody else started, are one slot.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from twx_accept.domain.suite import Build, Engine, Suite
from twx_accept.errors import CardsInUse, EvidenceLocked, ServingError, TwxAcceptError
from twx_accept.evidence.lock import held, held_for, holder
from twx_accept.nodes import cards_here
from twx_accept.serving.arguments import environment, flags_of
from twx_accept.serving.cards import VISIBLE, Card, CardMemory
from twx_accept.serving.memory import has_cards

ORDER = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
"""So that CUDA numbers cards as NVML does, which chose them."""
LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Where this machine's locks lie, and how long to wait for one."""

    lock: Path
    wait_seconds: float

    def of(self, card: Card) -> Path:
        """The lock of a card, by its own name: an index may mean another card in another run."""
        return self.lock.with_name(f"card-{card.uuid.replace('/', '_')}.lock")

    @property
    def queue(self) -> Path:
        """The lock of whoever is next to choose cards."""
        return self.lock.with_name("cards.lock")


@dataclass(slots=True, kw_only=True)
class Slot:
    """What one server may use, held by this process. ``suite`` is the one to serve: its engine sees these cards alone.

    ``beside`` gathers what else was served on this machine while the slot was held.
    """

    suite: Suite
    cards: tuple[Card, ...] = ()
    machine: Machine
    beside: set[str] = field(default_factory=set)

    def look(self) -> None:
        """Note what is served on other cards now."""
        mine = {self.machine.of(card) for card in self.cards}
        for lock in self.machine.lock.parent.glob("card-*.lock") if self.cards else ():
            if lock not in mine and (what := held_for(lock)):
                self.beside.add(what)

    def named(self) -> str:
        """Its cards, in words."""
        names = ", ".join(card.name for card in self.cards)
        return f"card{'s' if len(self.cards) > 1 else ''} {names}"

    def others(self) -> tuple[str, ...]:
        """What else was served so far, in a stable order."""
        self.look()
        return tuple(sorted(self.beside))


def needed(suite: Suite, build: Build) -> int | None:
    """How many cards of this machine a server of the build takes; None where the engine itself chooses them (Ray).

    Raises:
        SuiteError: the flags are not to be had, or contradict each other.
    """
    return cards_here(flags_of(suite, build))


def pool(engine: Engine) -> tuple[Card, ...]:
    """The cards to use: those that the suite names, else those that ``CUDA_VISIBLE_DEVICES`` lets through, else all.

    Raises:
        ServingError: the driver does not show them, or one is outside of what this process may use.
    """
    visible = environment(engine).get(VISIBLE)
    if not engine.cards:
        return CardMemory(visible).cards
    named = CardMemory(",".join(engine.cards)).cards
    allowed = (
        {card.uuid for card in CardMemory(visible).cards} if visible is not None else {each.uuid for each in named}
    )
    if outside := [card.name for card in named if card.uuid not in allowed]:
        raise ServingError(
            f"engine.cards names {', '.join(outside)}, and {VISIBLE}={visible} does not let it through. "
            f"Name others, or unset {VISIBLE}."
        )
    return named


def like(suite: Suite, build: Build) -> Suite:
    """The suite as its engine sees a slot for the build, whichever cards that will be: for what does not depend on it.

    Raises:
        ServingError: the driver does not show the cards, there are too few, or it may be one kind or another.
        SuiteError: as :func:`needed`.
    """
    if not has_cards(suite.engine):
        return suite
    there = pool(suite.engine)
    number = enough(there, needed(suite, build), build)
    if number < len(there) and len(kinds := {card.kind for card in there}) > 1:
        listed = ", ".join(sorted(f"{model} with {total / 1e9:.0f} GB" for model, total in kinds))
        raise ServingError(
            f"{build.name} takes {number} of {len(there)} cards, and they are of several kinds ({listed}): answers "
            f"would depend on which were free. Name cards of one kind in engine.cards, or in {VISIBLE}."
        )
    return given(suite, there[:number])


def given(suite: Suite, cards: Sequence[Card]) -> Suite:
    """The suite whose engine sees these cards alone."""
    visible = {VISIBLE: ",".join(card.name for card in cards), **ORDER}
    engine = replace(suite.engine, environment={**suite.engine.environment, **visible}, cards=())
    return replace(suite, engine=engine)


def enough(there: Sequence[Card], number: int | None, build: Build) -> int:
    """The number of cards to take: what is needed, or all where the engine itself chooses.

    Raises:
        ServingError: there are fewer.
    """
    if number is None:
        return len(there)
    if number > len(there):
        listed = ", ".join(card.name for card in there)
        raise ServingError(
            f"{build.name} takes {number} cards, and there are {len(there)} ({listed}). Lower the parallel sizes in "
            f"the suite's flags, or let it have more cards (engine.cards, {VISIBLE})."
        )
    return number


def slots(suite: Suite) -> int:
    """How many servers of this suite can live side by side; 1 where that is not known."""
    if not has_cards(suite.engine):
        return 1
    try:
        sizes = [needed(suite, build) for build in (suite.original, *suite.builds)]
        there = len(pool(suite.engine))
    except TwxAcceptError:
        return 1  # whoever needs a card tells what is wrong
    return 1 if None in sizes else there // max(1, *filter(None, sizes))


@contextmanager
def taken(suite: Suite, build: Build, name: str, machine: Machine, say: Callable[[str], None]) -> Iterator[Slot]:
    """A slot for a server of the build, for as long as the context lasts.

    Whoever waits keeps the cards that became free so far, and is first in a line, so that a build that needs many cards
    is not overtaken for ever by those that need few.

    Args:
        suite: its engine and flags say what is needed.
        build: the build.
        name: what is served, for those that wait.
        machine: where the locks lie.
        say: told once who is being waited for, and how long it took.

    Raises:
        CardsInUse: no slot in time; names who holds which cards.
        EvidenceLocked: the same of a host without cards.
        ServingError: there are too few cards, or the driver does not show them.
    """
    what = f"{name} (suite {suite.name})"
    if not has_cards(suite.engine):
        with held(
            machine.lock,
            "this machine (one server at a time)",
            wait_seconds=machine.wait_seconds,
            say=say,
            purpose=what,
        ):
            yield Slot(suite=suite, machine=machine)
        return
    there = pool(suite.engine)
    number = enough(there, needed(suite, build), build)
    with ExitStack() as stack:
        with held(machine.queue, "the choice of cards", wait_seconds=machine.wait_seconds, say=say, purpose=what):
            cards = _take(stack, there, number, machine, what, say)
        yield Slot(suite=given(suite, cards), cards=cards, machine=machine)


def _take(
    stack: ExitStack, there: Sequence[Card], number: int, machine: Machine, what: str, say: Callable[[str], None]
) -> tuple[Card, ...]:
    """The first cards that are free, one after another; only whoever holds the queue does this."""
    begun, told = time.monotonic(), False
    mine: list[Card] = []
    while True:
        for card in there:
            if card not in mine and len(mine) < number and _locked(stack, card, machine, what):
                mine.append(card)
        waited = time.monotonic() - begun
        if len(mine) == number:
            if told:
                say(f"waited {waited:.0f} s for {', '.join(card.label for card in mine)}")
            return tuple(sorted(mine, key=there.index))
        others = "; ".join(f"{card.label}: {holder(machine.of(card))}" for card in there if card not in mine)
        if waited >= machine.wait_seconds:
            raise CardsInUse(
                f"waited {waited:.0f} s for {number} of {len(there)} cards; others hold {others}. "
                f"Wait for them to end, or stop them, and run again."
            )
        if not told:
            say(f"waiting for {number} of {len(there)} cards; others hold {others}")
            told = True
        time.sleep(LOOK_SECONDS)


def _locked(stack: ExitStack, card: Card, machine: Machine, what: str) -> bool:
    try:
        stack.enter_context(held(machine.of(card), card.label, wait_seconds=0, say=lambda _: None, purpose=what))
    except EvidenceLocked:
        return False
    return True
