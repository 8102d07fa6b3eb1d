"""Draws in a row: each takes the next number of its stream."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from twx_accept import uniform

T = TypeVar("T")


class Draw:
    """A stream of draws that its key decides."""

    def __init__(self, *key: str | int) -> None:
        self._key = "/".join(str(part) for part in key).encode()
        self._count = 0

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound`` - 1, each equally likely. ``bound`` is 1 to 2**64."""
        return uniform.below(bound, self._texts())

    def _texts(self) -> Iterator[bytes]:
        while True:
            self._count += 1
            yield self._key + b"#" + str(self._count - 1).encode()

    def number(self, low: int, high: int, step: int = 1) -> int:
        """One of ``low``, ``low + step``, and so on up to ``high``, which is included where a step reaches it."""
        return low + step * self.below((high - low) // step + 1)

    def chance(self, percent: int) -> bool:
        """True in ``percent`` of 100 draws."""
        return self.below(100) < percent

    def one(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """``count`` different places of the options, in random order (count <= len(options))."""
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All of the options, in random order."""
        return self.some(options, len(options))
