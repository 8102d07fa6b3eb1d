"""What was computed from one build's exchanges serves every build that it is compared with.

Deciding goes claim by claim and pair by pair, so that the original is looked at once for each build. Values are found
by the identity of what they were computed from, which is held as long as the value is, so that no other object can take
its place; nothing that is computed from here can be changed.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")

MOST = 16
"""Values that are held, the newest: more builds than are ever compared in one run."""


class Memo(Generic[V]):
    """Values by what they were computed from."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, ...], tuple[tuple[object, ...], V]] = {}

    def of(self, *sources: object, make: Callable[[], V]) -> V:
        """The value of those very objects, made where it is not held."""
        at = tuple(map(id, sources))
        if at not in self._kept:
            value = make()
            while len(self._kept) >= MOST:
                self._kept.pop(next(iter(self._kept)))
            self._kept[at] = sources, value
        return self._kept[at][1]
