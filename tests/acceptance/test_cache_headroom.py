"""What the weights leave free becomes cache."""

import pytest

from twx_accept.domain.verdict import Verdict

pytestmark = [pytest.mark.acceptance, pytest.mark.claim("cache_headroom")]


def test_saved_weight_bytes_become_cache(verdict: Verdict) -> None:
    """The cache holds at least the registered share of the gain that the saved weight bytes predict."""
    assert verdict.passes, verdict.sentence
