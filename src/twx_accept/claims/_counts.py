"""The 2 x 2 table of items that both sides were asked."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The 2 x 2 table of a paired comparison of ``n`` questions."""

    both: int
    only_original: int
    only_build: int
    neither: int

    @property
    def n(self) -> int:
        """All questions."""
        return self.both + self.only_original + self.only_build + self.neither

    @classmethod
    def of(cls, outcomes: Sequence[tuple[bool, bool]]) -> "Counts":
        """Counts (right for the original, right for the build)."""
        return cls(
            both=outcomes.count((True, True)),
            only_original=outcomes.count((True, False)),
            only_build=outcomes.count((False, True)),
            neither=outcomes.count((False, False)),
        )
