"""The build still knows what the original knows."""

import pytest

from twx_accept.domain.verdict import Verdict

pytestmark = [pytest.mark.acceptance, pytest.mark.claim("multiple_choice")]


def test_knowledge_is_within_the_margin_of_the_original(verdict: Verdict) -> None:
    """Question by question, the build is less than the registered margin below the original."""
    assert verdict.passes, verdict.sentence
