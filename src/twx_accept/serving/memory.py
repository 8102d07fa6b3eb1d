"""Memory before a boot and after a stop: the next server must find what the last one found."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from twx_accept.domain.suite import Engine
from twx_accept.errors import CardsInUse, MemoryNotBack
from twx_accept.serving.arguments import environment
from twx_accept.serving.cards import VISIBLE, CardMemory
from twx_accept.serving.holding import CARD_SLACK_BYTES, GIB, Holder, Memory, told_holders

__all__ = [
    "CARD_SLACK_BYTES",
    "GIB",
    "CardMemory",
    "Holder",
    "HostMemory",
    "Memory",
    "cards_of",
    "has_cards",
    "memory_of",
    "wait_until_back",
    "wait_until_free",
]

HOST_SLACK_FRACTION = 0.05
"""What may be missing on the host, as a part of all memory (1 GiB at least)."""
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - looked at, never written to
LOOK_SECONDS = 0.25
MOST_HOLDERS = 5


class HostMemory:
    """The memory of the machine, for engines on the CPU.

    What a process alone holds goes with it, and that no process of a server is left is checked where it is stopped.
    What can stay is memory that belongs to no process: so the private memory of all living processes is taken off,
    and whatever else starts or grows on the machine meanwhile is not mistaken for the server's.
    """

    def used(self) -> tuple[int, ...]:
        """Bytes that are neither available to a new process nor private to a living one."""
        memory = psutil.virtual_memory()
        private = 0
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                held = process.memory_info()
                private += held.rss - held.shared
        return (max(0, memory.total - memory.available - private),)

    def totals(self) -> tuple[int, ...]:
        """No cards."""
        return ()

    def names(self) -> tuple[str, ...]:
        """The host."""
        return ("host",)

    def slack(self) -> int:
        """5% of all memory, at least 1 GiB."""
        return max(int(HOST_SLACK_FRACTION * psutil.virtual_memory().total), GIB)

    def holders(self) -> list[Holder]:
        """The largest files in shared memory, which outlive the processes that made them."""
        found = []
        for path in SHARED_MEMORY.iterdir() if SHARED_MEMORY.is_dir() else ():
            with contextlib.suppress(OSError):
                found.append(Holder(None, str(path), path.stat().st_size))
        return sorted(found, key=lambda holder: -holder.bytes)[:MOST_HOLDERS]


def has_cards(engine: Engine) -> bool:
    """Whether servers of this engine take cards of this machine."""
    return engine.device != "cpu" and engine.launcher != "attach"


def cards_of(engine: Engine) -> dict[str, Any]:
    """Number and kind of the cards that the engine sees, for the identity of what it answers; nothing without cards.

    Raises:
        ServingError: the driver does not show them.
    """
    return CardMemory(environment(engine).get(VISIBLE)).kind() if has_cards(engine) else {}


def memory_of(engine: Engine) -> Memory:
    """The memory that this engine fills."""
    return CardMemory(environment(engine).get(VISIBLE)) if has_cards(engine) else HostMemory()


def wait_until_free(
    memory: Memory,
    *,
    seconds: float,
    say: Callable[[str], None] = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
) -> float:
    """Waits until nobody uses the cards, and returns how long that took; the host is never waited for.

    An engine takes a share of the whole card, so what another process holds there would be missing from its cache, and
    the capacity that is measured would be the neighbour's doing.

    Args:
        memory: the cards.
        seconds: how long to wait.
        say: told once who is being waited for.
        sleep: how to wait.

    Raises:
        CardsInUse: ``seconds`` passed; names the cards, the bytes and who holds them.
    """
    begun = time.monotonic()
    while memory.totals():
        over = {i: used for i, used in enumerate(memory.used()) if used > memory.slack()}
        waited = time.monotonic() - begun
        if not over:
            return waited
        where = _places(memory, over)
        if waited >= seconds:
            raise CardsInUse(
                f"waited {waited:.0f} s for cards that somebody else uses: {where}, held by {told_holders(memory)}. "
                f"Stop that, give the engine other cards ({VISIBLE}), or raise memory_seconds if it will end."
            )
        say(f"waiting for cards that somebody else uses: {where}, held by {told_holders(memory)}")
        say = _say_nothing
        sleep(LOOK_SECONDS)
    return time.monotonic() - begun


def wait_until_back(
    memory: Memory, before: tuple[int, ...], *, seconds: float, sleep: Callable[[float], None] = time.sleep
) -> None:
    """Waits until no more is in use than ``before`` the boot, give or take the slack.

    Raises:
        MemoryNotBack: ``seconds`` passed; names the places and who holds memory now.
    """
    deadline = time.monotonic() + seconds
    while True:
        now = memory.used()
        above = {i: now[i] - was for i, was in enumerate(before) if now[i] - was > memory.slack()}
        if not above:
            return
        if time.monotonic() >= deadline:
            break
        sleep(LOOK_SECONDS)
    raise MemoryNotBack(
        f"{seconds:g} s after the server's end more memory is in use than before its boot ({_places(memory, above)}). "
        f"Held by: {told_holders(memory)}. "
        f"Stop what should not run beside the suite, or raise memory_seconds if it needs longer."
    )


def _places(memory: Memory, found: dict[int, int]) -> str:
    names = memory.names()
    return ", ".join(f"{names[i]}: {more / GIB:.1f} GiB" for i, more in found.items())


def _say_nothing(_: str) -> None:
    """Somebody is named once."""
