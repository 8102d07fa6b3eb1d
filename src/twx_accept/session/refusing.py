"""Verdicts that decide nothing, with what was measured all the same."""

from collections.abc import Sequence
from dataclasses import replace

from twx_accept.claims import Claim
from twx_accept.domain.evidence import BuildEvidence
from twx_accept.domain.verdict import Outcome, Verdict
from twx_accept.errors import InvalidClaim, TwxAcceptError


def invalid(claim: Claim, build: str, reasons: Sequence[str], found: Verdict | None = None) -> Verdict:
    """A verdict that decides nothing; figures that were measured all the same are shown with it."""
    if found is not None:
        return replace(found, outcome=Outcome.INVALID, reasons=tuple(reasons), gates=True)
    return Verdict(
        claim=claim.name,
        title=claim.title,
        build=build,
        outcome=Outcome.INVALID,
        sentence=f"{build} cannot be decided.",
        reasons=tuple(reasons),
    )


def measured(error: TwxAcceptError) -> Verdict | None:
    """What the claim measured before it found that it cannot decide."""
    found = error.measured if isinstance(error, InvalidClaim) else None
    return found if isinstance(found, Verdict) else None


def measured_again(claim: Claim, original: BuildEvidence | None, build: BuildEvidence | None) -> Verdict | None:
    """The same from what another process has kept."""
    try:
        if original is not None and build is not None:
            claim.decide(original, build)
    except TwxAcceptError as error:
        return measured(error)
    return None
