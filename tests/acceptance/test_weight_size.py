"""The build is as small as it claims to be."""

import pytest

from twx_accept.domain.verdict import Verdict

pytestmark = [pytest.mark.acceptance, pytest.mark.claim("weight_size")]


def test_weights_are_at_most_the_registered_ratio_of_the_original(verdict: Verdict) -> None:
    """The build's weight files are at most the registered ratio of the original's, byte for byte."""
    assert verdict.passes, verdict.sentence
