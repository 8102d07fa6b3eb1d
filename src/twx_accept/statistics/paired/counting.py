"""From two lists of marked items to the four counts of a paired comparison."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from twx_accept.errors import PairingError

LISTED = 20
"""How many ids an error names of each kind; it always says how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedCounts:
    """How the items fall into the four cells of right and wrong on both sides.

    Attributes:
        both_right: Items right for both.
        b: Items right only for the original.
        c: Items right only for the build.
        both_wrong: Items wrong for both.
    """

    both_right: int
    b: int
    c: int
    both_wrong: int

    @property
    def n(self) -> int:
        """Items in all."""
        return self.both_right + self.b + self.c + self.both_wrong


def count_pairs(original: Iterable[tuple[str, bool]], build: Iterable[tuple[str, bool]]) -> PairedCounts:
    """Match the items of two sides by their ids and count who was right.

    The order of the items does not matter. An item that stands on one side only is never dropped: which items are
    missing may depend on how the build did, so that dropping them would bend the comparison.

    Args:
        original: One (id, right) for each item that the original answered.
        build: One (id, right) for each item that the build answered.

    Raises:
        PairingError: An id stands twice on one side or on one side only; the error lists them.
    """
    by_original = _by_id("original", original)
    by_build = _by_id("build", build)
    missing = [
        f"missing from the {side}: {_listed(sorted(ids))}"
        for side, ids in (
            ("build", by_original.keys() - by_build.keys()),
            ("original", by_build.keys() - by_original.keys()),
        )
        if ids
    ]
    if missing:
        raise PairingError(f"the two sides do not hold the same items: {'; '.join(missing)}")
    cells = Counter((right, by_build[item]) for item, right in by_original.items())
    return PairedCounts(
        both_right=cells[True, True],
        b=cells[True, False],
        c=cells[False, True],
        both_wrong=cells[False, False],
    )


def _by_id(side: str, outcomes: Iterable[tuple[str, bool]]) -> dict[str, bool]:
    answered = list(outcomes)
    doubled = sorted(item for item, times in Counter(item for item, _ in answered).items() if times > 1)
    if doubled:
        raise PairingError(f"items that stand more than once in the {side}: {_listed(doubled)}")
    return {item: bool(right) for item, right in answered}


def _listed(ids: list[str]) -> str:
    shown = ", ".join(ids[:LISTED])
    return shown if len(ids) <= LISTED else f"{shown} and {len(ids) - LISTED} more"
