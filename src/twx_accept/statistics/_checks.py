"""Refusals of impossible input, shared by all methods: each names the value and the cure."""

import math
import operator
from typing import SupportsIndex

from twx_accept.errors import StatisticsError
from twx_accept.statistics.types import Margin


def count(name: str, value: SupportsIndex) -> int:
    """Return ``value`` as a whole number of 0 or more, or refuse it by its name."""
    given: object = value
    if isinstance(given, bool):
        raise StatisticsError(f"{name} = {given!r} is a truth value: give the count itself")
    try:
        whole = operator.index(value)
    except TypeError:
        raise StatisticsError(f"{name} = {given!r} is not a whole number: give a count") from None
    if whole < 0:
        raise StatisticsError(f"{name} = {whole} is negative: counts start at 0")
    return whole


def sample_size(name: str, value: SupportsIndex) -> int:
    """Return ``value`` as a whole number of 1 or more, or refuse it by its name."""
    size = count(name, value)
    if size == 0:
        raise StatisticsError(f"{name} = 0: nothing was observed, so nothing can be decided")
    return size


def discordant(b: SupportsIndex, c: SupportsIndex) -> tuple[int, int]:
    """Check the two discordant counts of a paired comparison."""
    return count("b", b), count("c", c)


def pairs(b: SupportsIndex, c: SupportsIndex, n: SupportsIndex) -> tuple[int, int, int]:
    """Check the discordant counts of a paired comparison against its number of pairs."""
    only_original, only_build = discordant(b, c)
    total = sample_size("n", n)
    if only_original + only_build > total:
        raise StatisticsError(
            f"b + c = {only_original + only_build} exceeds n = {total}: n counts all pairs, the agreeing ones too"
        )
    return only_original, only_build, total


def successes(name: str, x: SupportsIndex, size_name: str, n: SupportsIndex) -> tuple[int, int]:
    """Check a number of successes against the number of trials it came from."""
    right = count(name, x)
    total = sample_size(size_name, n)
    if right > total:
        raise StatisticsError(f"{name} = {right} exceeds {size_name} = {total}")
    return right, total


def number(name: str, value: float, low: float, high: float) -> float:
    """Return ``value`` if it is a number from ``low`` to ``high``, ends included; NaN never is."""
    given: object = value
    if isinstance(given, bool) or not isinstance(given, int | float) or math.isnan(given):
        raise StatisticsError(f"{name} = {given!r} is not a number")
    if not low <= given <= high:
        raise StatisticsError(f"{name} = {given!r} must lie between {low:g} and {high:g}")
    return float(given)


def inside(name: str, value: float, low: float, high: float) -> float:
    """Return ``value`` if it lies strictly between ``low`` and ``high``."""
    checked = number(name, value, low, high)
    if not low < checked < high:
        raise StatisticsError(f"{name} = {checked!r} must lie strictly between {low:g} and {high:g}")
    return checked


def confidence_level(value: float) -> float:
    """Check a two-sided confidence, as in 0.95."""
    return inside("confidence", value, 0.0, 1.0)


def one_sided_alpha(value: float) -> float:
    """Check a one-sided error rate, as in 0.025; from 0.5 on, a bound would pass the estimate itself."""
    return inside("alpha", value, 0.0, 0.5)


def margin_fraction(value: Margin) -> float:
    """Return the margin as a fraction; a bare number is refused, for nobody can tell its unit."""
    given: object = value
    if not isinstance(given, Margin):
        raise StatisticsError(f"margin {given!r} carries no unit: write Margin.points(1) for one point")
    return given.fraction
