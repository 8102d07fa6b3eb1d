"""The same items answered by both sides: each item is a pair, and only the discordant pairs tell them apart."""

from twx_accept.statistics.paired.equality import McNemar, mcnemar
from twx_accept.statistics.paired.margin_test import (
    Equivalence,
    NonInferiority,
    break_even_design_effect,
    equivalence,
    noninferiority,
)
from twx_accept.statistics.paired.score import tango_interval, tango_z

__all__ = [
    "Equivalence",
    "McNemar",
    "NonInferiority",
    "break_even_design_effect",
    "equivalence",
    "mcnemar",
    "noninferiority",
    "tango_interval",
    "tango_z",
]
