"""Registered numbers, exactly."""

from fractions import Fraction

import pytest

from twx_accept.claims import _exact


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(5.0, 4, "5.0000"), (0.95, 4, "0.9500"), (0.00005, 4, "5e-05"), (1.00001, 4, "1.00001"), (0.65, 6, "0.650000")],
)
def test_registered_numbers_lose_nothing(value, digits, text):
    """A mark is registered with its usual decimals, or with all it has where they would round."""
    assert _exact.fixed(value, digits) == text
    assert float(_exact.fixed(value, digits)) == value


def test_decimals_are_what_they_look_like():
    """A tenth is a tenth: three of them are three tenths."""
    assert _exact.decimal(0.1) * 3 == _exact.decimal(0.3) == Fraction(3, 10)
