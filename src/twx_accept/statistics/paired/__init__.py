"""The same items answered by both sides: each item is a pair, and only the discordant pairs tell them apart."""

from twx_accept.statistics.paired.comparison import (
    agresti_min_interval,
    bonett_price_interval,
    newcombe_interval,
    wald_interval,
)
from twx_accept.statistics.paired.counting import PairedCounts, count_pairs
from twx_accept.statistics.paired.equality import McNemar, mcnemar
from twx_accept.statistics.paired.margin_test import (
    Equivalence,
    NonInferiority,
    break_even_design_effect,
    equivalence,
    noninferiority,
)
from twx_accept.statistics.paired.score import tango_interval, tango_z
from twx_accept.statistics.paired.unconditional import (
    ExactUnconditional,
    exact_unconditional,
    exact_unconditional_equality,
    exact_unconditional_lower,
)

__all__ = [
    "Equivalence",
    "ExactUnconditional",
    "McNemar",
    "NonInferiority",
    "PairedCounts",
    "agresti_min_interval",
    "bonett_price_interval",
    "break_even_design_effect",
    "count_pairs",
    "equivalence",
    "exact_unconditional",
    "exact_unconditional_equality",
    "exact_unconditional_lower",
    "mcnemar",
    "newcombe_interval",
    "noninferiority",
    "tango_interval",
    "tango_z",
    "wald_interval",
]
