"""What came of the gain that the saved weight bytes predict."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from twx_accept.claims._exact import decimal
from twx_accept.domain.evidence import Boot
from twx_accept.domain.verdict import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """Tokens of the original and the build, the caches and the saved weights in GiB a card where known.

    GiB are as the engine prints them, in decimals, so that a share of exactly the mark is exactly that.
    """

    before: int
    after: int
    cache_gib: Fraction | None
    saved_gib: Fraction | None
    cache_gib_after: Fraction | None = None

    @classmethod
    def between(cls, before: int, left: Boot, after: int, right: Boot) -> Self:
        """The gain from the original's boot to the build's; a CPU engine is told its cache, so nothing is predicted."""
        told = right.device == "cpu"
        known = not told and left.weights_gib and right.weights_gib
        return cls(
            before=before,
            after=after,
            cache_gib=None if told else least(left.cache_gib),
            saved_gib=decimal(max(left.weights_gib)) - decimal(max(right.weights_gib)) if known else None,
            cache_gib_after=None if told else least(right.cache_gib),
        )

    @property
    def predicted(self) -> Fraction | None:
        """Tokens if every byte that the weights save on a card became cache; None where that is unknown."""
        if not self.cache_gib or self.saved_gib is None:
            return None
        return self.before + self.before * self.saved_gib / self.cache_gib

    @property
    def share(self) -> Fraction | None:
        """What came of the predicted gain; None where it is unknown, or nothing was saved."""
        if self.predicted is None or self.predicted <= self.before:
            return None
        return (self.after - self.before) / (self.predicted - self.before)

    @property
    def smaller_tokens(self) -> float | None:
        """By what share a token takes less of the build's cache than of the original's; None where that is unknown."""
        if not self.cache_gib or not self.cache_gib_after:
            return None
        return float(1 - self.cache_gib_after / self.after * self.before / self.cache_gib)

    def outcome(self, mark: float) -> Outcome:
        """At least the mark; where no bytes were saved there is no gain to show, however the cache came out."""
        if self.share is None:
            return Outcome.NOT_SHOWN
        return Outcome.SHOWN if self.share >= decimal(mark) else Outcome.FAILED


def least(sizes: Sequence[float]) -> Fraction | None:
    """The card with the least room decides for all of them."""
    return decimal(min(sizes)) if sizes else None
