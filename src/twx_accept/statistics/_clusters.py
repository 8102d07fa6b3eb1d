"""One side of a clustered comparison: its successes and items, cluster by cluster."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from twx_accept.errors import StatisticsError
from twx_accept.statistics import _checks

Counts = Sequence[SupportsIndex] | NDArray[np.integer]
"""One count for each cluster, all sides in the same order of clusters."""


@dataclass(frozen=True, slots=True)
class Side:
    """Successes and items of one side.

    Attributes:
        x: Successes of each cluster, shape (G,).
        m: Items of each cluster, shape (G,), 0 where the side has none there.
    """

    x: NDArray[np.int64]
    m: NDArray[np.int64]

    @property
    def items(self) -> int:
        """Items over all clusters."""
        return int(self.m.sum())

    @property
    def ratio(self) -> float:
        """Successes over items, all clusters together: an item counts the same wherever it stands."""
        return int(self.x.sum()) / self.items

    @property
    def influence(self) -> NDArray[np.float64]:
        """How far each cluster pulls the ratio, (x_i - r m_i)/M; shape (G,), summing to 0."""
        return (self.x - self.ratio * self.m) / self.items


def checked_side(suffix: str, x: Counts, m: Counts) -> Side:
    """Check the counts of one side; an error names the argument (x or m and ``suffix``), the cluster and the value."""
    if len(x) != len(m):
        raise StatisticsError(f"x{suffix} has {len(x)} clusters and m{suffix} has {len(m)}: give one count of each")
    pairs = [
        (_checks.count(f"x{suffix}[{i}]", successes), _checks.count(f"m{suffix}[{i}]", items))
        for i, (successes, items) in enumerate(zip(x, m, strict=True))
    ]
    for i, (successes, items) in enumerate(pairs):
        if successes > items:
            raise StatisticsError(f"x{suffix}[{i}] = {successes} exceeds m{suffix}[{i}] = {items}")
    counts = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    side = Side(counts[:, 0], counts[:, 1])
    if side.items == 0:
        raise StatisticsError(f"m{suffix} sums to 0: without an item there is no ratio")
    return side


def checked_sides(x_original: Counts, m_original: Counts, x_build: Counts, m_build: Counts) -> tuple[Side, Side]:
    """Check both sides of a comparison and their common clusters; returns the original and the build.

    Clusters in which neither side has an item say nothing, and are left out.
    """
    original = checked_side("_original", x_original, m_original)
    build = checked_side("_build", x_build, m_build)
    if len(original.m) != len(build.m):
        raise StatisticsError(
            f"the original has {len(original.m)} clusters and the build {len(build.m)}: both need the same clusters"
        )
    informative = (original.m + build.m) > 0
    return (
        Side(original.x[informative], original.m[informative]),
        Side(build.x[informative], build.m[informative]),
    )


def at_least(clusters: int, least: int, cure: str) -> None:
    """Refuse too few clusters."""
    if clusters < least:
        raise StatisticsError(f"{clusters} clusters with items: {cure} needs {least} or more")
