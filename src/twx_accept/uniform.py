"""Whole numbers from hashes, each as likely as the next: the same on every version of Python and every platform.

``random`` promises the same floats for a seed, but not the same choices, and a set has no order; material that is made
from a seed and registered by its digest may depend on neither.
"""

import hashlib
from collections.abc import Iterable

SPAN = 2**64


def below(bound: int, texts: Iterable[bytes]) -> int:
    """A whole number from 0 to ``bound`` - 1, decided by the SHA-256 of the first text that favours none of them.

    Args:
        bound: 1 to 2**64.
        texts: as many as are asked for, each another one; the next is taken where a hash lies above the largest
            multiple of ``bound``, which would favour the small numbers.
    """
    fair = SPAN - SPAN % bound
    words = (int.from_bytes(hashlib.sha256(text).digest()[:8], "big") for text in texts)
    return next(word % bound for word in words if word < fair)
