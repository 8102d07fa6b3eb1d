"""The build makes nothing up that the original would not."""

import pytest

from twx_accept.domain.verdict import Verdict

pytestmark = [pytest.mark.acceptance, pytest.mark.claim("made_up_facts")]


def test_made_up_facts_and_recall_are_within_their_margins(verdict: Verdict) -> None:
    """Of the facts that it writes, hardly more than the original's stand in no passage; and it still writes them."""
    assert verdict.passes, verdict.sentence
