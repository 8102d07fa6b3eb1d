"""Two groups of unrelated items: the build's successes against the original's, each out of its own trials.

Use it where the items of the two sides do not correspond (facts that each model chose to write). Items that do
correspond are compared in ``paired``, which is sharper; items that come in groups need ``clustered``, without which
these methods err far more often than they say. Every difference is build minus original.
"""

from twx_accept.statistics.independent.closed_form import agresti_caffo_interval, newcombe_hybrid_interval
from twx_accept.statistics.independent.exact import Alternative, Boschloo, boschloo, fisher
from twx_accept.statistics.independent.score import (
    ScoreTest,
    farrington_manning,
    farrington_manning_interval,
    miettinen_nurminen_interval,
    score_test,
)

__all__ = [
    "Alternative",
    "Boschloo",
    "ScoreTest",
    "agresti_caffo_interval",
    "boschloo",
    "farrington_manning",
    "farrington_manning_interval",
    "fisher",
    "miettinen_nurminen_interval",
    "newcombe_hybrid_interval",
    "score_test",
]
