"""The standard normal distribution, by the names that the methods use."""

from scipy.special import ndtr, ndtri


def upper_tail(z: float) -> float:
    """P(Z >= z), accurate far into the tail."""
    return float(ndtr(-z))


def cumulative(z: float) -> float:
    """P(Z <= z)."""
    return float(ndtr(z))


def critical_value(tail: float) -> float:
    """Return the z that a standard normal variable exceeds with probability ``tail``."""
    return float(-ndtri(tail))


def two_sided_critical_value(confidence: float) -> float:
    """Return the z that leaves (1 - ``confidence``)/2 in each tail."""
    return critical_value((1.0 - confidence) / 2.0)
