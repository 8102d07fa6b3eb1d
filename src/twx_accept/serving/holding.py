"""What memory is here: places that hold bytes, and who holds them."""

from dataclasses import dataclass
from typing import Protocol

GIB = 2**30
CARD_SLACK_BYTES = 256 * 2**20
"""What may be in use on a card that nobody uses: a driver keeps some of what it took."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds memory, or without ``pid`` a file in shared memory that does.

    ``bytes`` is 0 where the driver does not tell.
    """

    pid: int | None
    name: str
    bytes: int

    def __str__(self) -> str:
        size = f"{self.bytes / GIB:.1f} GiB" if self.bytes else "an amount that the driver does not tell"
        return f"{self.name} ({size})" if self.pid is None else f"{self.pid} ({self.name}, {size})"


class Memory(Protocol):
    """Memory of one kind of device: of the host, or of the cards that one engine may use."""

    def used(self) -> tuple[int, ...]:
        """Bytes in use now, of the host or of each card."""

    def totals(self) -> tuple[int, ...]:
        """Bytes of each card; empty for the host, which has none."""

    def slack(self) -> int:
        """Bytes by which each place may lie above what it was."""

    def holders(self) -> list[Holder]:
        """Who holds most of it now."""

    def names(self) -> tuple[str, ...]:
        """What each place is called where its cards are listed: ``card 3``, or ``host``."""


def told_holders(memory: Memory) -> str:
    """Who holds memory now, in words."""
    return ", ".join(map(str, memory.holders())) or "nobody that is visible from here"
