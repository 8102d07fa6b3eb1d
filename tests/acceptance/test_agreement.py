"""The build picks what the original picks."""

import pytest

from twx_accept.domain.verdict import Verdict

pytestmark = [pytest.mark.acceptance, pytest.mark.claim("agreement")]


def test_next_tokens_agree_with_the_originals(verdict: Verdict) -> None:
    """At no fewer positions of the passages than registered, the build's top next token is the original's."""
    assert verdict.passes, verdict.sentence
