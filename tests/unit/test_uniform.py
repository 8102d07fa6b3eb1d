"""Whole numbers from hashes."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

from hypothesis import given
from hypothesis import strategies as st

from twx_accept import uniform


def texts(key: str, first: int = 0) -> Iterator[bytes]:
    """Texts that never end."""
    return (f"{key} {number}".encode() for number in count(first))


@given(bound=st.integers(1, 2**64), key=st.text(st.characters(codec="utf-8"), max_size=5))
def test_numbers_lie_below_their_bound_and_repeat(bound: int, key: str) -> None:
    """Any bound up to the largest is kept, and the same texts give the same number."""
    assert 0 <= uniform.below(bound, texts(key)) == uniform.below(bound, texts(key)) < bound


def test_every_number_is_as_likely_as_the_next() -> None:
    """Of 7,000 draws each of seven numbers gets about a seventh."""
    drawn = Counter(uniform.below(7, texts("x", place * 100)) for place in range(7000))
    assert sorted(drawn) == list(range(7))
    assert max(drawn.values()) - min(drawn.values()) < 200


def test_a_hash_that_would_favour_small_numbers_is_passed_over() -> None:
    """What lies above the largest multiple of the bound is not folded back; the next text decides."""
    bound = 2**63 + 1  # its largest multiple is itself, so that nearly half of all hashes lie above it
    above = [text for text in islice(texts("favour"), 50) if word(text) >= bound]
    under = next(text for text in texts("favour") if word(text) < bound)
    assert len(above) > 5
    assert uniform.below(bound, [*above, under]) == word(under)


def word(text: bytes) -> int:
    """The number that a text's hash begins with."""
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")
