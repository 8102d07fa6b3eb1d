"""The build still calls the tools that it should."""

import pytest

from twx_accept.domain.verdict import Verdict

pytestmark = [pytest.mark.acceptance, pytest.mark.claim("tool_calls")]


def test_tool_calls_are_within_the_margin_at_every_effort(verdict: Verdict) -> None:
    """Trial by trial, the build calls the right tools the right way hardly less often than the original."""
    assert verdict.passes, verdict.sentence
