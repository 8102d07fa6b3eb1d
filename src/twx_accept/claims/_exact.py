"""Registered numbers as they were written: a mark is a decimal, and meeting it exactly is meeting it."""

from fractions import Fraction


def decimal(value: float) -> Fraction:
    """The number as it is written, where binary fractions would miss a decimal by a hair."""
    return Fraction(str(value))


def fixed(value: float, digits: int) -> str:
    """A registered number with that many decimals, or with all it has: no change of a mark may hide in rounding."""
    text = f"{value:.{digits}f}"
    return text if float(text) == value else repr(value)
