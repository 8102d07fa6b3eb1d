"""Two builds against each other: what is said of a pair, beside what is said of each against the original."""

from dataclasses import dataclass

from twx_accept.domain.verdict import Count, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """One figure of two builds, the other minus the one, on the same items.

    ``figure`` tells several figures of one claim apart ("low effort"), empty where there is one. ``difference`` with
    its bounds, and ``margin``, are in ``unit``; bounds are None where nothing is left to chance. ``p`` is two-sided,
    against equality; ``p_equivalence`` the larger of the two one-sided tests at the registered ``margin``, None where
    none is registered. ``adjusted`` and ``adjusted_equivalence`` are the same after Holm over all pairs of builds.
    ``alpha`` is the level of each one-sided test. ``counts`` are what is behind it.
    """

    claim: str
    title: str
    one: str
    other: str
    figure: str = ""
    difference: float
    lower: float | None = None
    upper: float | None = None
    unit: Unit = Unit.POINTS
    p: float | None = None
    margin: float | None = None
    p_equivalence: float | None = None
    alpha: float = 0.025
    adjusted: float | None = None
    adjusted_equivalence: float | None = None
    counts: tuple[Count, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the two are shown to lie within the registered margin of each other, both ways and over all pairs."""
        return self.adjusted_equivalence is not None and self.adjusted_equivalence < self.alpha
