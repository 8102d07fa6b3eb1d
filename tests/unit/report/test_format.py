"""How figures read."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twx_accept.domain.verdict import Quantity, Unit
from twx_accept.report import format as fmt


@pytest.mark.parametrize(
    ("value", "unit", "digits", "text"),
    [
        (480.0, Unit.COUNT, 2, "480"),
        (14042, Unit.COUNT, 2, "14,042"),
        (2.5, Unit.COUNT, 1, "2.5"),
        (163_512_880, Unit.BYTES, 3, "0.164 GB"),
        (1_150e9, Unit.BYTES, 0, "1,150 GB"),
        (1152, Unit.BYTES, 2, "1.15 kB"),
        (12, Unit.BYTES, 2, "12 B"),
        (0, Unit.BYTES, 2, "0.00 GB"),
        (1.5, Unit.GIB, 2, "1.50 GiB"),
        (52224, Unit.TOKENS, 2, "52,224 tokens"),
        (0.6077, Unit.RATIO, 3, "0.608"),
        (0.9688, Unit.SHARE, 2, "96.88%"),
        (-0.591, Unit.POINTS, 2, "\N{MINUS SIGN}0.59 points"),
        (0.21, Unit.POINTS, 2, "+0.21 points"),
        (-0.001, Unit.POINTS, 2, "0.00 points"),
        (-0.0, Unit.RATIO, 3, "0.000"),
        (0.000311, Unit.PROBABILITY, 2, "0.0003"),
        (0.00640, Unit.PROBABILITY, 2, "0.0064"),
        (0.0344, Unit.PROBABILITY, 2, "0.034"),
        (0.9337, Unit.PROBABILITY, 2, "0.93"),
        (1e-11, Unit.PROBABILITY, 2, "< 0.0001"),
        (-1.2345, Unit.LOGPROB, 4, "\N{MINUS SIGN}1.2345 nats"),
        (12, Unit.SECONDS, 1, "12.0 s"),
        (3.25, Unit.RATE, 2, "3.25 per second"),
        (math.nan, Unit.POINTS, 2, "undefined"),
        (-math.inf, Unit.BYTES, 2, "undefined"),
    ],
)
def test_a_quantity_has_its_unit(value: float, unit: Unit, digits: int, text: str) -> None:
    """Each unit reads as people write it."""
    assert fmt.quantity(Quantity(value=value, unit=unit, digits=digits)) == text


@given(st.floats(), st.sampled_from(Unit), st.integers(0, 6))
def test_zero_is_never_negative(value: float, unit: Unit, digits: int) -> None:
    """A figure that rounds to zero has no sign, whatever its unit."""
    text = fmt.quantity(Quantity(value=value, unit=unit, digits=digits))
    assert any(digit in text for digit in "123456789") or not text.startswith(("-", "+", "\N{MINUS SIGN}"))
    assert "-" not in text  # a hyphen is no minus sign


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (4.21, "4.2 s"),
        (59.97, "1 min 00 s"),
        (187, "3 min 07 s"),
        (3599.6, "1 h 00 min"),
        (7500, "2 h 05 min"),
        (math.nan, "undefined"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    """Durations carry over to minutes and hours without a 60 in any place."""
    assert fmt.duration(seconds) == text


@pytest.mark.parametrize(
    ("iso", "text"),
    [
        ("2026-11-30T03:02:23+00:00", "30 November 2026, 03:02 UTC"),
        ("2026-02-01T23:59:59.123456Z", "1 February 2026, 23:59 UTC"),
        ("2026-11-30T03:02+05:30", "30 November 2026, 03:02 UTC+05:30"),
        ("2026-13-30T03:02:23+00:00", "2026-13-30T03:02:23+00:00"),
        ("yesterday", "yesterday"),
    ],
)
def test_dates(iso: str, text: str) -> None:
    """A moment reads as a date; what is none stays as it is."""
    assert fmt.date(iso) == text


def test_lists_and_plurals() -> None:
    """Words join into sentences."""
    assert fmt.listed([]) == ""
    assert fmt.listed(["a", "b", "c"]) == "a, b and c"
    assert fmt.plural(1, "claim") == "1 claim"
    assert fmt.plural(1200, "claim") == "1,200 claims"
